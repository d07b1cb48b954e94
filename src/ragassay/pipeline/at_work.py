"""The folder of a command whose results are kept beside its log of calls: who works in it, on what, and how far."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ragassay.pipeline.folder import RUN_FILE, lasting_folder
from ragassay.pipeline.progress import PROGRESS_FILE, Progress, Written, followed
from ragassay.pipeline.versions import VERSIONS, versions_here
from ragassay.version import __version__

_OF_NO_USE = frozenset({RUN_FILE, PROGRESS_FILE})


@contextmanager
def at_work(folder: Path | None, command: str, settings: Mapping[str, str], progress: Progress) -> Iterator[Written]:
    """The folder, for one process at a time; run.json says which command works in it, and progress.json how far it is.

    folder: None where the command keeps nothing, and nobody is told. settings: option name to value, for those who look
    at the folder. Raises as ``lasting_folder``.
    """
    if folder is None:
        with followed(progress, None, command) as told:
            yield told
        return
    with lasting_folder(folder, lambda: None, _OF_NO_USE), followed(progress, folder, command) as told:
        write_run_file(folder, command, settings)
        yield told


def write_run_file(folder: Path, command: str, settings: Mapping[str, str]) -> None:
    """Notes which command a folder belongs to, whole or not at all."""
    content = {"version": __version__, "command": command, "settings": dict(settings), VERSIONS: versions_here()}
    part = folder / f"{RUN_FILE}.part"
    part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(folder / RUN_FILE)
