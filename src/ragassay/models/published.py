"""Files of a model that somebody else published: where they are installed, and whether they are what was published."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import NamedTuple

from ragassay.errors import ModelError


class Published(NamedTuple):
    """name: as messages have it, "the sentence encoder".

    package: the installed package that holds the files, in the folder ``inside`` of it. files: those that are needed.
    install: the command. variable: of the environment; names a folder with the files instead.
    """

    name: str
    package: str
    files: tuple[str, ...]
    install: str
    variable: str
    inside: str = ""

    def folder(self) -> Path:
        """The folder with the files, which the variable names or which is installed. Raises ModelError without it.

        The package is located, never imported: such packages import libraries that are not needed.
        """
        remedy = f"run `{self.install}`, or set {self.variable} to a folder with {' and '.join(self.files)}"
        named = os.environ.get(self.variable)
        if named:
            folder, origin = Path(named), f"the folder that {self.variable} names"
        else:
            spec = importlib.util.find_spec(self.package)
            if spec is None or not spec.submodule_search_locations:
                raise ModelError(f"the files of {self.name} are not installed; {remedy}")
            folder, origin = (
                Path(next(iter(spec.submodule_search_locations))) / self.inside,
                f"the package {self.package}",
            )
        for name in self.files:
            if not (folder / name).is_file():
                raise ModelError(f"{origin} has no {name} ({folder / name}); {remedy}")
        return folder

    def verify(self, path: Path, sha256: str) -> None:
        """Raises ModelError unless a file, or the files of a folder, are the published ones.

        sha256: of the file. Of a folder: of each file's path, a zero byte and its contents, in the order of the paths;
        texts about the model (README, LICENSE) count too.
        """
        found = _folder_sha256(path) if path.is_dir() else _file_sha256(path)
        if found != sha256:
            raise ModelError(
                f"{path} is not the published model: its sha256 is {found}, expected {sha256}; "
                f"run `{self.install} --force-reinstall`, or point {self.variable} elsewhere"
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
