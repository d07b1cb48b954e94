"""The folder of a command whose results are kept beside its log of calls: who works in it, on what, and how far."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ragassay.corpus.sources import printable
from ragassay.errors import RunFolderError
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.pipeline.folders.own_result import RESULT_FILE, forget_result
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Progress, Written, followed
from ragassay.pipeline.folders.run_folder import LOCK_FILE, RUN_FILE, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import read_plain, write_whole
from ragassay.version import __version__

_OF_NO_USE = frozenset({RUN_FILE, PROGRESS_FILE, RESULT_FILE})
_LEFT_OVER = frozenset({LOCK_FILE, PROGRESS_FILE})


@contextmanager
def at_work(folder: Path | None, command: str, settings: Mapping[str, str], progress: Progress) -> Iterator[Written]:
    """The folder, for one process at a time; run.json says which command works in it, and progress.json how far it is.

    run.json is written by ``Written.begin``, once all that was given was read: what a refused command leaves is what
    was there. folder: None where the command keeps nothing, and nobody is told. settings: option name to value, for
    those who look at the folder. Raises as ``lasting_folder`` and ``check_free``.
    """
    if folder is None:
        with followed(progress, None, command) as told:
            yield told
        return
    with lasting_folder(folder, lambda: check_free(folder, command), _OF_NO_USE):
        with followed(progress, folder, command, lambda: write_run_file(folder, command, settings)) as told:
            yield told
        forget_result(folder)


def check_free(folder: Path, command: str) -> None:
    """Raises RunFolderError where a folder holds anything, unless this command began there.

    Calls that were paid for are no obstacle, nor is what the end of a process left.
    """
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be used ({error.strerror}); name another folder") from None
    if RUN_FILE in names:
        holder = _command_of(folder)
        if holder == command:
            return
        what = f"what `ragassay {printable(holder)[:40]}` wrote" if holder else "what another command wrote"
    elif all(name in _LEFT_OVER or name.startswith(LOG_FILE) or name.endswith(".part") for name in names):
        return
    else:
        what = f"files that are not of `ragassay {command}`"
    raise RunFolderError(f"--out: {folder} holds {what}; name another folder")


def _command_of(folder: Path) -> str:
    """The command that a folder says it belongs to; empty where it does not say."""
    try:
        held = json.loads(read_plain(folder / RUN_FILE).decode())
    except (OSError, ValueError, RecursionError):
        return ""
    command = held.get("command") if isinstance(held, dict) else None
    return command if isinstance(command, str) else ""


def write_run_file(folder: Path, command: str, settings: Mapping[str, str]) -> None:
    """Notes which command a folder belongs to, whole or not at all."""
    content = {"version": __version__, "command": command, "settings": dict(settings), VERSIONS: versions_here()}
    write_whole(folder / RUN_FILE, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
