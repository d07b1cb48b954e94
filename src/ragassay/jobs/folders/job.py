"""One job: a folder claimed, models opened, progress told, a result put in place; every command goes about it alike.

A command whose files belong together works in ``whole_result``: they are put in place at the end, or not at all. One
whose work goes on where it was stopped works in ``kept_folder``. Both tell progress in the folder, let one process at
a time in, leave other people's files alone, and leave no trace of a command that was refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.documents.sources import printable
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints, RunModels, Told
from ragassay.jobs.folders.progress import PROGRESS_FILE, Progress, Written, followed
from ragassay.jobs.folders.run_folder import (
    OTHER_FILES,
    RUN_FILE,
    FolderOptions,
    check_place,
    lasting_folder,
    run_folder,
)
from ragassay.jobs.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import open_plain, read_object, write_object, write_whole
from ragassay.version import __version__
from ragassay.workers import Workers

_READING = ("ragassay.jobs.make.corpus",)
"""What a process loads that helps to read documents."""


class Work(NamedTuple):
    """What the stages of a job share. folder: of its files, which are put in place at the end."""

    folder: Path
    models: RunModels
    workers: Workers
    progress: Progress


@contextmanager
def whole_result(options: FolderOptions, progress: Progress) -> Iterator[tuple[Path, Written]]:
    """Yield the folder to write to and the progress to tell; see ``run_folder``."""
    with run_folder(options) as folder, followed(progress, folder, options.command) as told:
        yield folder, told


@asynccontextmanager
async def opened_models(
    options: ModelOptions,
    endpoints: Endpoints,
    told: Told,
    log_folder: Path,
    *,
    processes: int | None = 1,
    imports: tuple[str, ...] = (),
) -> AsyncIterator[tuple[RunModels, Workers]]:
    """Yield models by role, whose calls are logged in a folder, and the processes that they share.

    imports: modules that a process loads when it starts.
    """
    with Workers(processes, imports=imports) as workers:
        async with RunModels(options, endpoints, workers, told) as models:
            models.ask_servers(log_folder)
            yield models, workers


@asynccontextmanager
async def working(options: FolderOptions, endpoints: Endpoints, progress: Progress) -> AsyncIterator[Work]:
    """Claim a folder for a whole result and open the models; the folder says which limit ended the work."""
    with whole_result(options, progress) as (folder, told):
        opened = opened_models(
            options.models, endpoints, told, options.out, processes=options.processes, imports=_READING
        )
        async with opened as (models, workers):
            yield Work(folder, models, workers, told)
        told.stopped(endpoints.budget.reached or "")


@contextmanager
def kept_folder(
    folder: Path | None,
    command: str,
    about: Mapping[str, Any],
    progress: Progress,
    *,
    mark: str = RUN_FILE,
    fault_of: Callable[[dict[str, Any]], str] | None = None,
) -> Iterator[Written]:
    """Claim a folder whose files stay as they are written: ``mark`` says what it holds, progress.json how far it is.

    The mark is written by ``Written.begin``, once all that was given was read: what a refused command leaves is what
    was there. folder: None where the command keeps nothing. about: what the mark says beside the versions. fault_of:
    see ``check_place``; by default, whether another command wrote what is there. Raises RunFolderError.
    """
    if folder is None:
        with followed(progress, None, command) as told:
            yield told
        return

    def fault_of_command(held: dict[str, Any]) -> str:
        holder = held.get("command")
        if holder == command:
            return ""
        return f"what `ragassay {printable(str(holder))[:40]}` wrote; name another folder" if holder else OTHER_FILES

    def write_mark() -> None:
        write_object(folder / mark, {"version": __version__, **about, VERSIONS: versions_here()})

    no_use = frozenset({mark, PROGRESS_FILE, RESULT_FILE})
    with lasting_folder(folder, lambda: check_place(folder, mark, fault_of or fault_of_command), no_use):
        with followed(progress, folder, command, write_mark) as told:
            yield told
        forget_result(folder)


RESULT_FILE = "result.json"
"""In the folder of work from just before a result is put in place until the work is done."""


def note_result(folder: Path, written: Path) -> None:
    """Note what is put in place next. written: the file or folder, whole, where it is until then."""
    write_whole(folder / RESULT_FILE, json.dumps({"sha256": _digest(written)}) + "\n")


def is_own_result(folder: Path, out: Path) -> bool:
    """Return whether ``out`` is, to the last byte, what the command that was stopped in the folder put there."""
    noted = read_object(folder / RESULT_FILE)
    try:
        return bool(noted) and noted.get("sha256") == _digest(out)
    except OSError:
        return False


def forget_result(folder: Path) -> None:
    """From now on the result is replaced only if the user says so."""
    (folder / RESULT_FILE).unlink(missing_ok=True)


def _digest(path: Path) -> str:
    """Of the bytes of a file; of the names and bytes of all files in a folder."""
    if not path.is_dir():
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    files = {str(file.relative_to(path)): _digest(file) for file in path.rglob("*") if not file.is_dir()}
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
