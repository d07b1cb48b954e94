"""One folder that a command filled or fills: which command, what it is about, how far it is."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ragassay.errors import RecordError
from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.jobs.answer.folder import KIND
from ragassay.jobs.folders.file_state import FileState, is_settled, state_of
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.run_folder import (
    DOCUMENTS_FILE,
    EXAMPLES_FILE,
    EXPERIMENT_FILE,
    LOCK_FILE,
    PART_FILE,
    PART_FOLDER,
    PREDICTIONS_FILE,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
    SWEEP_FILE,
    is_locked,
)
from ragassay.plain_files import open_plain
from ragassay.rag.setting import DECIDING
from ragassay.records import from_json
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import METRICS_FILE, STAGES_FILE, SUMMARY_FILE
from ragassay.report.synthesis import SYNTHESIS_FILE
from ragassay.report.wording import metric_order

MOST_RENDERED = 20_000
"""Examples of a set of which a report is made when it is asked for."""
SETTING_CHARS = 2_000
_MOST_JSON_BYTES = 4_000_000
_BLOCK_BYTES = 1 << 17
_MOST = 1e15
"""Greater numbers are no seconds, dollars or scores."""

_TOLD_BY = {RUN_FILE: "", SWEEP_FILE: "sweep", EXPERIMENT_FILE: "experiment", "scenario.json": "scenario"}
"""The file that tells of a folder, to the command; empty where the file names it."""
_OF_RESULTS = ("sweep", "experiment")
"""Commands that are done when there is a summary."""
MARKS = frozenset({*_TOLD_BY, PROGRESS_FILE})
"""A folder with one of them is a run."""
_WORK = frozenset(
    {*_TOLD_BY, EXAMPLES_FILE, PREDICTIONS_FILE, PART_FILE, SCORES_FILE, METRICS_FILE, SUMMARY_FILE, PROGRESS_FILE}
)
"""A run was changed when one of them was written."""
FILES = frozenset({*_WORK, STAGES_FILE, DOCUMENTS_FILE, REPORT_FILE, SYNTHESIS_FILE})
"""What is read of a run."""
_ABOUT = ("data", "dataset", "documents", "schema")
"""Settings that say what a run is about: the first that is there."""

State = Literal["running", "finished", "stopped"]


_Amount = Annotated[float, Field(ge=0, lt=_MOST)]
Mean = tuple[float | None, ...]
"""Value, low and high; each None where a file holds nothing that can be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """How far a run is, or was when it was stopped.

    total: None where nobody knows it beforehand. replies: of models on servers in this stage; failed: those without a
    usable answer. cost_usd: of the whole command so far, None where a price is not known. stopped_by: the limit
    that ended the run, or empty. elapsed_s: of this stage, when that was written; what the rate follows from.
    """

    stage: str
    done: int
    total: int | None = None
    replies: int = 0
    failed: int = 0
    cost_usd: _Amount | None = None
    stopped_by: str = ""
    elapsed_s: _Amount = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """One run as the list shows it.

    name: its path below the folder. command: that fills it; empty where it does not say. about: documents or data set.
    model: or system. changed_at: seconds since 1970. examples, predictions: lines of the files so far; None where there
    is no such file; predictions None in the list of runs that are finished too, where counting takes too long.
    examples_id: the same for runs on the same set. settings: option name to value. metrics: name to mean and interval,
    of scored predictions or of the best setting. wall_s, cost_usd: None where unknown; stages: whose times and costs
    they sum, as not every command notes all of its stages. progress: of a run that is not finished.
    """

    name: str
    command: str
    about: str
    model: str
    state: State
    changed_at: float
    examples: int | None
    predictions: int | None
    has_scores: bool
    has_report: bool
    examples_id: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, Mean] = field(default_factory=dict)
    wall_s: float | None = None
    cost_usd: float | None = None
    stages: tuple[str, ...] = ()
    progress: At | None = None


def place_of(path: Path) -> Path:
    """Return where the files of a run are: in the part folder until it is finished."""
    part = path / PART_FOLDER
    return part if (part / RUN_FILE).is_file() else path


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands in a run folder: differs when anything that is read of it was written, and when work begins or ends.

    place: as ``place_of``. files: name to state of those that are read. is_settled: whether what was read of it may be
    kept until it is seen to differ.
    """

    place: Path
    files: Mapping[str, FileState]
    is_locked: bool
    is_settled: bool = field(compare=False)


def look(path: Path, entries: Iterable[os.DirEntry[str]] | None = None) -> Seen:
    """At a run folder. To be called before anything is read there. entries: what is in it, where that is known."""
    at = time.time()
    found = {each.name: each for each in (_scanned(path) if entries is None else entries)}
    locked = LOCK_FILE in found and is_locked(path)
    place = place_of(path) if PART_FOLDER in found else path
    within = found.values() if place is path else _scanned(place)
    stated = ((each.name, _state(each)) for each in within if each.name in FILES)
    files = {name: state for name, state in stated if state is not None}
    return Seen(place, files, locked, is_settled(files.values(), at))


def _scanned(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _state(entry: os.DirEntry[str]) -> FileState | None:
    try:
        return state_of(entry.stat()) if entry.is_file() else None
    except OSError:
        return None


def is_experiment(path: Path) -> bool:
    """Whether there are runs below the folder that belong to it."""
    return (path / EXPERIMENT_FILE).is_file()


def read_entry(name: str, path: Path, seen: Seen) -> RunEntry:
    """Return what the files of a run say; whatever they hold, it is a run."""
    place, files = seen.place, seen.files
    told, command = _told(seen)
    progress = _json(place / PROGRESS_FILE) if PROGRESS_FILE in files else {}
    command = _text(progress.get("command")) or command
    state: State = "running" if seen.is_locked else "finished" if _is_finished(path, seen, told, command) else "stopped"
    listed = _json(place / STAGES_FILE).get("stages") if STAGES_FILE in files else None
    stages = [_object(each) for each in listed] if isinstance(listed, list) else []
    metrics = _object(_json(place / METRICS_FILE).get("metrics")) if METRICS_FILE in files else _of_best(seen)
    settings = {key: excerpt(_shown(value), SETTING_CHARS) for key, value in _object(told.get("settings")).items()}
    examples, examples_id = _counted(place / EXAMPLES_FILE) if EXAMPLES_FILE in files else (None, "")
    return RunEntry(
        name=name,
        command=command,
        about=_about(told, settings),
        model=_model(told, settings),
        state=state,
        changed_at=max((files[each].mtime_ns for each in _WORK & files.keys()), default=0) / 1e9,
        examples=examples,
        predictions=None if state == "finished" else count_predictions(path),
        has_scores=SCORES_FILE in files,
        has_report=place == path
        and state != "running"
        and (REPORT_FILE in files or 0 < (examples or 0) <= MOST_RENDERED),
        examples_id=examples_id,
        settings=settings,
        metrics={name: _mean(metrics[name]) for name in sorted(metrics, key=metric_order)},
        wall_s=_sum(stage.get("wall_s") for stage in stages),
        cost_usd=_sum(stage.get("cost_usd") for stage in stages),
        stages=tuple(filter(None, (_text(stage.get("name")) for stage in stages))),
        progress=None if state == "finished" else _at(progress),
    )


def count_predictions(path: Path) -> int | None:
    """Return predictions so far; None where there is no file of them."""
    place = place_of(path)
    return _counted(place / PREDICTIONS_FILE)[0] or _counted(place / PART_FILE)[0]


def _told(seen: Seen) -> tuple[dict[str, Any], str]:
    """What a run says of itself, and the command that it is of."""
    for name, command in _TOLD_BY.items():
        if name in seen.files:
            told = _json(seen.place / name)
            is_predicted = told.get("kind") == KIND
            return told, command or _text(told.get("command")) or ("evaluate" if is_predicted else "")
    return {}, ""


def _is_finished(path: Path, seen: Seen, told: Mapping[str, Any], command: str) -> bool:
    """Whether a run in which nobody is at work came to its end."""
    if seen.place != path or told.get("state") == "running":
        return False
    if PROGRESS_FILE in seen.files or PART_FILE in seen.files:
        return False
    return command not in _OF_RESULTS or SUMMARY_FILE in seen.files


def _about(told: Mapping[str, Any], settings: Mapping[str, str]) -> str:
    if "synthetic" in settings and "human" in settings:
        return f"{settings['synthetic']} and {settings['human']}"
    return next((settings[name] for name in _ABOUT if settings.get(name)), _text(told.get("schema")))


def _model(told: Mapping[str, Any], settings: Mapping[str, str]) -> str:
    asked = _object(_object(told.get("identity")).get("system"))
    options = ", ".join(f"{name}={_shown(value)}" for name, value in asked.items() if name != "kind")
    system = excerpt(_text(asked.get("kind")) + (f":{options}" if options else ""), SETTING_CHARS)
    return ", ".join(filter(None, (settings.get("system") or system, settings.get("judge") or settings.get("model"))))


def _at(told: Mapping[str, Any]) -> At | None:
    try:
        return from_json(At, json.dumps(told), where=PROGRESS_FILE)
    except RecordError:
        return None


def _of_best(seen: Seen) -> dict[str, Any]:
    """The metrics of the best setting of a run that made its set and searched it."""
    best = _json(seen.place / SUMMARY_FILE).get("best") if SUMMARY_FILE in seen.files else None
    of_label = {_text(_object(each).get("label")): each for each in best} if isinstance(best, list) else {}
    top = _object(of_label.get(ANSWERABLE))
    return {DECIDING: top.get("recall_at_5"), **_object(top.get("generation"))} if top else {}


def _mean(found: object) -> Mean:
    return tuple(_finite(_object(found).get(name)) for name in ("value", "low", "high"))


def _shown(value: object) -> str:
    """Empty for nothing, an empty list or an empty object."""
    if isinstance(value, str):
        return value
    return "" if value in (None, [], {}) else json.dumps(value, ensure_ascii=False)


def _text(found: object) -> str:
    return excerpt(found, SETTING_CHARS) if isinstance(found, str) else ""


def _object(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _finite(found: Any) -> float | None:
    """A number that can be shown; None for anything else that a file may hold in its place."""
    return found if type(found) in (int, float) and abs(found) <= _MOST else None


def _sum(found: Iterable[object]) -> float | None:
    known = [number for each in found if (number := _finite(each)) is not None]
    return sum(known) if known else None


def _counted(path: Path) -> tuple[int | None, str]:
    """The lines of a file, and what tells it from files with other bytes. None where there is no such file."""
    lines, digest = 0, blake2b(digest_size=8)
    try:
        with open_plain(path) as file:
            for block in iter(partial(file.read, _BLOCK_BYTES), b""):
                lines += block.count(b"\n")
                digest.update(block)
    except OSError:
        return None, ""
    return lines, digest.hexdigest() if lines else ""


def _json(path: Path) -> dict[str, Any]:
    """The object in a small file; {} where there is none, or something else."""
    try:
        with open_plain(path) as file:
            found = json.loads(file.read(_MOST_JSON_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return _object(found)
