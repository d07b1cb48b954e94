"""Files in the cache folder that are expensive to make: kept with their hashes, and made anew where these differ."""

from __future__ import annotations

import hashlib
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
    """hashes: file name to sha256."""

    folder: Path
    hashes: dict[str, str]


def kept_files(name: str, make: Callable[[Path], None]) -> KeptFiles:
    """A folder of this name in the cache folder with the files that ``make`` writes, each as it was written.

    The files are read whole and compared with their hashes each time: one that was cut short or changed would give
    other results without a word. Two processes may make them at once: the first to rename its folder wins. Raises
    ModelError where they cannot be written.
    """
    folder = cache_folder() / name
    if (found := _whole(folder)) is not None:
        return found
    if (folder / HASHES_FILE).exists():
        warnings.warn(f"{folder} is damaged and will be made again", RuntimeWarning, stacklevel=2)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{name}.", suffix=".part") as part:
            own = Path(part) / "made"
            own.mkdir()
            make(own)
            hashes = _hashes(own)
            lines = (f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
            (own / HASHES_FILE).write_text("".join(lines), encoding="ascii")
            with suppress(OSError):  # there is none, mostly
                folder.rename(Path(part) / "replaced")
            with suppress(OSError):  # another process was faster
                own.rename(folder)
    except OSError as error:
        raise ModelError(
            f"the graph of a model cannot be written to {folder.parent}: {error.strerror or error}; free "
            f"some space, or set {CACHE_VARIABLE} to another folder"
        ) from error
    if (found := _whole(folder)) is None:
        raise ModelError(f"{folder} was changed while it was written; run the command again")
    return found


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


def _hashes(folder: Path) -> dict[str, str]:
    hashes = {}
    for path in folder.iterdir():
        if path.name != HASHES_FILE and path.is_file():
            with path.open("rb") as file:
                hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes
