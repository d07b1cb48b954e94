"""The folder of a command whose results are kept beside its log of calls: who works in it, on what, and how far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragassay.corpus.sources import printable
from ragassay.pipeline.folders.own_result import RESULT_FILE, forget_result
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Progress, Written, followed
from ragassay.pipeline.folders.run_folder import OTHER_FILES, RUN_FILE, check_place, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import write_object
from ragassay.version import __version__

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
