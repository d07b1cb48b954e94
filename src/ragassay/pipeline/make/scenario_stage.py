"""``ragassay scenario generate``: a scenario in a folder of its own, which can be followed while it is made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragassay.errors import BudgetError, RunFolderError
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Progress, Silent, Written, followed
from ragassay.pipeline.folders.run_folder import LOCK_FILE, PART_FOLDER, lasting_folder, put_in_place
from ragassay.pipeline.make.scenario_models import make_scenario
from ragassay.synthesis.scenario.folder import ABOUT, write_scenario
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate
from ragassay.synthesis.scenario.schema import Schema
from ragassay.version import __version__

COMMAND = "scenario"
_LEFT_OVER = frozenset({PROGRESS_FILE, f"{PROGRESS_FILE}.part", LOCK_FILE, PART_FOLDER})


def generate_scenario(
    schema: Schema,
    schema_toml: str,
    options: ScenarioOptions,
    models: ModelOptions,
    folder: Path,
    *,
    overwrite: bool = False,
    tally: EffortTally | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Makes documents and examples and puts all files in place together; returns what ``scenario.json`` says.

    models: the rules write where they name no server. tally: see ``make_scenario``. Raises RunFolderError for a folder
    that cannot be used, UsageError and InputError for what cannot be made, BudgetError where a limit was reached: then
    the replies so far are kept, and ``progress.json`` says where it stopped.
    """
    with _at_work(folder, overwrite, progress or Silent()) as told:
        told.start("writing documents and questions", None)
        if models.uses_servers:
            with _stopped(told):
                made = make_scenario(schema, options, models, folder, tally, FromFirstReply(told))
        else:
            made = generate(schema, options)
        part = folder / PART_FOLDER
        shutil.rmtree(part, ignore_errors=True)  # of one that was killed
        about = write_scenario(part, made, schema, schema_toml, options, __version__)
        put_in_place(part, folder)
    return about


@contextmanager
def _at_work(folder: Path, overwrite: bool, progress: Progress) -> Iterator[Written]:
    def check() -> None:
        check_out(folder, overwrite=overwrite)

    with lasting_folder(folder, check, {PROGRESS_FILE}), followed(progress, folder, COMMAND) as told:
        yield told


class FromFirstReply:
    """The folder is of this work once there is a reply, or a batch is under way."""

    def __init__(self, told: Written) -> None:
        self._told = told

    def replied(self, failed: bool, cost_usd: float | None) -> None:
        self._begin()
        self._told.replied(failed, cost_usd)

    def waiting(self, news: str) -> None:
        self._begin()
        self._told.waiting(news)

    def _begin(self) -> None:
        if not self._told.has_begun:
            self._told.begin()


@contextmanager
def _stopped(told: Written) -> Iterator[None]:
    """Tells which limit ended the work."""
    try:
        yield
    except BudgetError as error:
        told.stopped(str(error).partition(";")[0])
        raise


def check_out(folder: Path, *, overwrite: bool) -> None:
    """Raises RunFolderError unless the folder is absent, empty, or a scenario that may be replaced."""
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"--out: {folder} is a file; name a folder")
    there = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    if all(name in _LEFT_OVER or name.startswith(LOG_FILE) for name in there):
        return  # what one left that was stopped: its calls are not paid for twice
    if not (folder / ABOUT).is_file():
        raise RunFolderError(f"--out: {folder} holds other files; name an empty or new folder")
    if not overwrite:
        raise RunFolderError(f"--out: {folder} holds a scenario; name another folder, or replace it with --overwrite")
