"""The runs below a folder: which there are, how far they are, and what is in them."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

from ragassay.errors import InputError, RunFolderError
from ragassay.pipeline.folder import (
    DOCUMENTS_FILE,
    EXAMPLES_FILE,
    PART_FOLDER,
    PREDICTIONS_FILE,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
    is_locked,
)
from ragassay.pipeline.predict_folder import PART_FILE
from ragassay.pipeline.progress import PROGRESS_FILE
from ragassay.pipeline.read_run import read_items
from ragassay.report.items import Items
from ragassay.report.safe_text import excerpt
from ragassay.report.store import METRICS_FILE, STAGES_FILE

DEEPEST = 3
"""How many folders below the one that was named runs are looked for."""
MOST_RUNS = 5_000
_KEPT_RUNS = 3
"""Runs whose items are kept in memory."""
_MOST_JSON_BYTES = 4_000_000
_MOST = 1e15
"""Greater numbers are no seconds, dollars or scores."""
SETTING_CHARS = 2_000
_MOST_FOLDERS = 50_000
"""Of a folder that holds no runs, such as the root of a disk, no more is gone through."""

_SIGNED = (RUN_FILE, EXAMPLES_FILE, PREDICTIONS_FILE, PART_FILE, SCORES_FILE, METRICS_FILE, PROGRESS_FILE)
_FILES = frozenset({*_SIGNED, STAGES_FILE, DOCUMENTS_FILE, REPORT_FILE})
"""What is read of a run."""

State = Literal["running", "finished", "stopped"]


class At(NamedTuple):
    """total: None where nobody knows it beforehand."""

    stage: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """One run as the list shows it.

    name: its path below the folder. changed_at: seconds since 1970. examples, predictions: lines of the files so far;
    predictions None in the list of runs that are finished, where counting takes too long.
    settings: option name to value. metrics: name to mean, of scored predictions. wall_s, cost_usd: None where unknown.
    progress: how far a run at work is.
    """

    name: str
    state: State
    changed_at: float
    examples: int
    predictions: int | None
    has_scores: bool
    has_report: bool
    settings: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    wall_s: float | None = None
    cost_usd: float | None = None
    progress: At | None = None


class NotThereError(InputError):
    """A run, or something of a run, that was asked for and is not there."""


class RunIndex:
    """Reads run folders when asked, and only what has changed since. Names that are not among them lead nowhere."""

    def __init__(self, folder: Path) -> None:
        """Raises RunFolderError where there is no such folder."""
        if not folder.is_dir():
            raise RunFolderError(f"{folder} is no folder; name one that holds runs, or a run")
        self.folder = folder
        self._entries: dict[str, tuple[object, RunEntry]] = {}
        self._items: OrderedDict[tuple[str, object], Items] = OrderedDict()
        self._lock = Lock()

    def entries(self) -> list[RunEntry]:
        """All runs, those that changed last first."""
        found = [self._entry(name, path) for name, path in self._folders().items()]
        return sorted(found, key=lambda entry: (-entry.changed_at, entry.name))

    def path_of(self, name: str) -> Path:
        """The folder of a run. Raises NotThereError for a name that is none of the runs."""
        path = self._folders().get(name)
        if path is None:
            raise NotThereError(f"there is no run {name!r} here")
        return path

    def entry(self, name: str) -> RunEntry:
        """One run, its predictions counted. Raises NotThereError for a name that is none of the runs."""
        path = self.path_of(name)
        return replace(self._entry(name, path), predictions=_predictions(path))

    def items(self, name: str) -> Items:
        """Examples, predictions and scores of a run, as far as they are written."""
        path = self.path_of(name)
        key = (name, _signature(path))
        with self._lock:
            if key not in self._items:
                self._items[key] = read_items(_place(path))
                while len(self._items) > _KEPT_RUNS:
                    self._items.popitem(last=False)
            self._items.move_to_end(key)
            return self._items[key]

    def _entry(self, name: str, path: Path) -> RunEntry:
        locked = is_locked(path)
        signature = (_signature(path), locked)
        known = self._entries.get(name)
        if known is None or known[0] != signature:
            self._entries[name] = known = (signature, _read_entry(name, path, locked=locked))
        return known[1]

    def _folders(self) -> dict[str, Path]:
        """Name to folder of everything that looks like a run. Links are not followed."""
        found: dict[str, Path] = {}
        for path, is_run in islice(_candidates(self.folder, DEEPEST), _MOST_FOLDERS):
            if len(found) == MOST_RUNS:
                break
            if is_run:
                found[path.relative_to(self.folder).as_posix() if path != self.folder else path.name or "run"] = path
        return found


def _candidates(folder: Path, depth: int) -> Iterator[tuple[Path, bool]]:
    """Folders, and whether they are runs; below a run there is none."""
    try:
        with os.scandir(folder) as entries:
            below = sorted((each for each in entries), key=lambda each: each.name)
    except OSError:
        return
    is_run = _is_run(below)
    yield folder, is_run
    if depth == 0 or is_run:
        return
    for each in below:
        if not each.name.startswith(".") and each.is_dir(follow_symlinks=False):
            yield from _candidates(folder / each.name, depth - 1)


def _is_run(entries: Iterable[os.DirEntry[str]]) -> bool:
    """Whether a folder is a run of which no file leads out of it, as a link to /etc/passwd would."""
    read = {each.name: each for each in entries if each.name in _FILES or each.name == PART_FOLDER}
    if any(each.is_symlink() for each in read.values()):
        return False
    if PART_FOLDER not in read:
        return RUN_FILE in read
    try:
        with os.scandir(read[PART_FOLDER].path) as parts:
            within = [each for each in parts if each.name in _FILES]
    except OSError:
        within = []
    has_file = RUN_FILE in read or any(each.name == RUN_FILE for each in within)
    return has_file and not any(each.is_symlink() for each in within)


def _place(path: Path) -> Path:
    """Where the files of a run are: in the part folder until it is finished."""
    part = path / PART_FOLDER
    return part if (part / RUN_FILE).is_file() else path


def _signature(path: Path) -> object:
    """Differs when a file of the run was written."""
    place = _place(path)
    found = []
    for name in _SIGNED:
        try:
            status = (place / name).stat()
        except OSError:
            continue
        found.append((name, status.st_mtime_ns, status.st_size))
    return place, tuple(found)


def _read_entry(name: str, path: Path, *, locked: bool) -> RunEntry:
    place = _place(path)
    told = _json(place / RUN_FILE)
    finished = place == path and told.get("state") != "running" and not (place / PART_FILE).exists()
    state: State = "running" if locked else "finished" if finished else "stopped"
    stages = _rows(_json(place / STAGES_FILE).get("stages"))
    return RunEntry(
        name=name,
        state=state,
        changed_at=max(_mtime(place / RUN_FILE), _mtime(place / PREDICTIONS_FILE), _mtime(place / PART_FILE)),
        examples=_lines(place / EXAMPLES_FILE),
        predictions=None if state == "finished" else _predictions(path),
        has_scores=(place / SCORES_FILE).is_file(),
        has_report=(path / REPORT_FILE).is_file(),
        settings={key: excerpt(str(value), SETTING_CHARS) for key, value in _object(told.get("settings")).items()},
        metrics={
            key: _finite(_object(value).get("value"))
            for key, value in _object(_json(place / METRICS_FILE).get("metrics")).items()
        },
        wall_s=_sum(stage.get("wall_s") for stage in stages),
        cost_usd=_sum(stage.get("cost_usd") for stage in stages),
        progress=_progress(_json(place / PROGRESS_FILE)) if state == "running" else None,
    )


def _progress(told: Mapping[str, Any]) -> At | None:
    stage, done, total = told.get("stage"), told.get("done"), told.get("total")
    if not isinstance(stage, str) or type(done) is not int:
        return None
    return At(stage, done, total if type(total) is int else None)


def _object(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _rows(found: object) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _finite(found: Any) -> float | None:
    """A number that can be shown; None for anything else that a file may hold in its place."""
    return found if type(found) in (int, float) and abs(found) <= _MOST else None


def _sum(found: Iterable[object]) -> float | None:
    known = [number for each in found if (number := _finite(each)) is not None]
    return sum(known) if known else None


def _lines(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except OSError:
        return 0


def _predictions(path: Path) -> int:
    place = _place(path)
    return _lines(place / PREDICTIONS_FILE) or _lines(place / PART_FILE)


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _json(path: Path) -> dict[str, Any]:
    """The object in a small file; {} where there is none, or something else."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_MOST_JSON_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return _object(found)
