"""The folder of a command whose results are kept beside its log of calls: who works in it, on what, and how far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragassay.corpus.sources import printable
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Progress, Written, followed
from ragassay.pipeline.folders.run_folder import OTHER_FILES, RUN_FILE, check_place, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import open_plain, read_object, write_object, write_whole
from ragassay.version import __version__

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


_OF_NO_USE = frozenset({RUN_FILE, PROGRESS_FILE, RESULT_FILE})


@contextmanager
def at_work(folder: Path | None, command: str, settings: Mapping[str, str], progress: Progress) -> Iterator[Written]:
    """The folder, for one process at a time; run.json says which command works in it, and progress.json how far it is.

    run.json is written by ``Written.begin``, once all that was given was read: what a refused command leaves is what
    was there. folder: None where the command keeps nothing, and nobody is told. settings: option name to value, for
    those who look at the folder. Raises RunFolderError where the folder holds anything that this command did not write.
    """
    if folder is None:
        with followed(progress, None, command) as told:
            yield told
        return

    def fault_of(held: dict[str, Any]) -> str:
        holder = held.get("command")
        if holder == command:
            return ""
        return f"what `ragassay {printable(str(holder))[:40]}` wrote; name another folder" if holder else OTHER_FILES

    def write_run_file() -> None:
        about = {"version": __version__, "command": command, "settings": dict(settings), VERSIONS: versions_here()}
        write_object(folder / RUN_FILE, about)

    with lasting_folder(folder, lambda: check_place(folder, RUN_FILE, fault_of), _OF_NO_USE):
        with followed(progress, folder, command, write_run_file) as told:
            yield told
        forget_result(folder)
