"""What a command had put in place already when it was stopped: the same command takes it for its own, and goes on.

A result lies outside the folder of work, so whose it is cannot be told from where it is; a digest in the folder says.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ragassay.plain_files import open_plain, read_object, write_whole

RESULT_FILE = "result.json"
"""In the folder of work from just before a result is put in place until the work is done."""


def note_result(folder: Path, written: Path) -> None:
    """Notes what is put in place next. written: the file or folder, whole, where it is until then."""
    write_whole(folder / RESULT_FILE, json.dumps({"sha256": _digest(written)}) + "\n")


def is_own_result(folder: Path, out: Path) -> bool:
    """Whether ``out`` is, to the last byte, what the command that was stopped in the folder of work put there."""
    noted = read_object(folder / RESULT_FILE)
    try:
        return bool(noted) and noted.get("sha256") == _digest(out)
    except OSError:
        return False


def forget_result(folder: Path) -> None:
    """The work is done: from now on its result is replaced only if the user says so."""
    (folder / RESULT_FILE).unlink(missing_ok=True)


def _digest(path: Path) -> str:
    """Of the bytes of a file; of the names and bytes of all files in a folder."""
    if not path.is_dir():
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    found = {str(each.relative_to(path)): _digest(each) for each in path.rglob("*") if not each.is_dir()}
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
