"""Files in the cache folder that are expensive to make: kept with their hashes, and made anew where these differ."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ragassay.errors import ModelError
from ragassay.models.cache_folder import CACHE_VARIABLE, cache_folder
from ragassay.plain_files import read_plain

HASHES_FILE = "sha256"
"""As ``sha256sum`` writes it: ``sha256sum -c sha256`` checks a folder by hand."""


class KeptFiles(NamedTuple):
    """hashes: file name to sha256. temporary: the cache folder cannot be written to; remove these after loading."""

    folder: Path
    hashes: dict[str, str]
    temporary: bool = False

    def remove_temporary(self) -> None:
        if self.temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def kept_files(name: str, make: Callable[[Path], None]) -> KeptFiles:
    """A folder of this name in the cache folder with the files that ``make`` writes, each as it was written.

    The files are read whole and compared with their hashes each time: one that was cut short or changed would give
    other results without a word. Two processes may make them at once: the first to rename its folder wins. Raises
    ModelError where there is no room for them anywhere.
    """
    folder = cache_folder() / name
    if (found := _whole(folder)) is not None:
        return found
    if (folder / HASHES_FILE).exists():
        warnings.warn(f"{folder} is damaged and will be made again", RuntimeWarning, stacklevel=2)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        own = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f"{name}.", suffix=".part"))
    except OSError:
        own = Path(tempfile.mkdtemp(prefix="ragassay-"))
        return KeptFiles(own, _made(own, make), temporary=True)
    hashes = _made(own, make)
    if _put_in_place(own, folder):
        return KeptFiles(folder, hashes)
    if (found := _whole(folder)) is not None:
        shutil.rmtree(own, ignore_errors=True)
        return found
    return KeptFiles(own, hashes, temporary=True)


def _put_in_place(own: Path, folder: Path) -> bool:
    """Renames the folder, what stands in its place out of the way; False where another process was faster."""
    with suppress(OSError):  # there is none, mostly
        folder.rename(own / "replaced")
    try:
        own.rename(folder)
    except OSError:
        return False
    shutil.rmtree(folder / "replaced", ignore_errors=True)
    return True


def is_whole(folder: Path) -> bool:
    """Whether all of a kept folder's files are as they were written."""
    return _whole(folder) is not None


def _whole(folder: Path) -> KeptFiles | None:
    """The folder's files where all of them are as they were written."""
    try:
        text = read_plain(folder / HASHES_FILE).decode("ascii")
        hashes = {line[66:]: line[:64] for line in text.splitlines()}
        return KeptFiles(folder, hashes) if hashes and hashes == _hashes(folder) else None
    except (OSError, ValueError):
        return None


def _made(folder: Path, make: Callable[[Path], None]) -> dict[str, str]:
    """Fills a new folder. It goes again where that fails."""
    try:
        make(folder)
        hashes = _hashes(folder)
        lines = (f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
        (folder / HASHES_FILE).write_text("".join(lines), encoding="ascii")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ModelError(
            f"the graph of a model cannot be written to {folder.parent}: {error.strerror or error}; free "
            f"some space, or set {CACHE_VARIABLE} to another folder"
        ) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return hashes


def _hashes(folder: Path) -> dict[str, str]:
    hashes = {}
    for path in folder.iterdir():
        if path.name != HASHES_FILE and path.is_file():
            with path.open("rb") as file:
                hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes
