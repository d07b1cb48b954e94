"""A file or folder that is written whole or not at all, in place of nothing that is not to be replaced."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ragassay.errors import RagassayError, RecordError, RunFolderError


@contextmanager
def whole_output(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the place to write a file, or a folder that is there: put in place at the end, removed where that fails.

    A path without suffix is a folder. Raises RunFolderError for a path that cannot be written to or is taken, unless
    ``overwrite`` allows to replace a file. A folder that holds anything is never replaced.
    """
    is_folder = path.suffix == ""
    refuse_taken(path, overwrite=overwrite)
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(part)
        if is_folder:
            part.mkdir()
        yield part
        if is_folder and path.is_dir():
            path.rmdir()
        part.replace(path)
    except RagassayError:
        raise
    except UnicodeEncodeError as error:
        raise RecordError(f"a text contains half a surrogate pair, which cannot be stored ({error.reason})") from None
    except OSError as error:
        raise RunFolderError(
            f"{path} cannot be written ({error.strerror}); free some space, or name another place"
        ) from None
    finally:
        _remove(part)


def refuse_taken(path: Path, *, overwrite: bool) -> None:
    """Raise RunFolderError where ``whole_output`` would: work whose result has no place need not be begun."""
    is_folder = path.suffix == ""
    if is_folder and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RunFolderError(f"{path} already exists and is not empty; name a new folder")
    if not is_folder and path.is_dir():
        raise RunFolderError(f"{path} is a folder; name a file")
    if not is_folder and path.exists() and not overwrite:
        raise RunFolderError(f"{path} already exists; name another file, or replace it with --overwrite")


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
