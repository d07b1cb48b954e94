"""Keeps the figures of a run in its folder.

``summary.json`` has the same bytes for the same run; the times, which differ, stand in ``stages.json``. Each setting
stands in it once, under ``tried``; all else names it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ragassay.errors import InputError, RecordError
from ragassay.metrics.metric import Scales
from ragassay.plain_files import read_plain, write_whole
from ragassay.rag.setting import Setting
from ragassay.records import from_json, to_json
from ragassay.report.costs import StageCost
from ragassay.report.scores import ScoreSummary
from ragassay.report.summary import RunSummary
from ragassay.report.synthesis import SYNTHESIS_FILE

SUMMARY_FILE = "summary.json"
STAGES_FILE = "stages.json"
_SETTINGS = ("setting", "cheapest")
"""Fields of a summary that hold a setting."""
METRICS_FILE = "metrics.json"
"""The figures of a scored set of predictions, as ``score_summary.py`` has them: such a folder has no summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFile:
    """What ``stages.json`` holds."""

    stages: tuple[StageCost, ...]


def write_summary(folder: Path, summary: RunSummary) -> None:
    """Write both files into ``folder``, each whole or not at all, ``summary.json`` last: where it is, both are."""
    write_stages(folder, summary.stages)
    tried: dict[str, Any] = {}
    named = _renamed(json.loads(to_json(replace(summary, stages=()))), partial(_noted, tried))
    _write(folder / SUMMARY_FILE, json.dumps({"tried": tried, **named}))


def write_stages(folder: Path, stages: Sequence[StageCost]) -> None:
    """Write what it took, whole or not at all."""
    _write(folder / STAGES_FILE, to_json(StageFile(stages=tuple(stages))))


def read_stages(folder: Path) -> tuple[StageCost, ...]:
    """Return what it took; none where the folder does not say."""
    try:
        return from_json(StageFile, read_plain(folder / STAGES_FILE), where=STAGES_FILE).stages
    except FileNotFoundError:
        return ()


def write_metrics(folder: Path, summary: ScoreSummary, stages: Sequence[StageCost]) -> None:
    """Write the figures of scored predictions, and what it took, each file whole or not at all."""
    write_stages(folder, stages)
    _write(folder / METRICS_FILE, to_json(summary))


def read_metrics(folder: Path) -> ScoreSummary:
    """Read what ``write_metrics`` wrote.

    Raises InputError where there are no such figures, RecordError that names the field where they cannot be read.
    """
    try:
        return from_json(ScoreSummary, read_plain(folder / METRICS_FILE), where=METRICS_FILE)
    except FileNotFoundError:
        raise InputError(
            f"{folder} holds no {METRICS_FILE}; name a folder that `ragassay evaluate --out` wrote"
        ) from None


def read_scales(folder: Path) -> Scales:
    """Return scales of metrics that are not ragassay's own; none where the folder does not say. Raises RecordError."""
    return read_metrics(folder).scales if (folder / METRICS_FILE).exists() else {}


def read_summary(folder: Path) -> RunSummary:
    """Read what ``write_summary`` wrote. Without ``stages.json`` the costs are empty.

    Raises InputError where there is no summary, RecordError that names the file and field where it cannot be read.
    """
    try:
        written = read_plain(folder / SUMMARY_FILE)
    except FileNotFoundError:
        if (folder / SYNTHESIS_FILE).exists():
            raise InputError(f"{folder} holds a set, not a run; see it with `ragassay report {folder}`") from None
        raise InputError(
            f"{folder} holds no {SUMMARY_FILE}: it is not a run folder, or its run is not finished; run "
            "the same command again to finish it"
        ) from None
    summary = from_json(RunSummary, _with_settings(written), where=SUMMARY_FILE)
    return replace(summary, stages=read_stages(folder))


def _with_settings(written: bytes) -> bytes:
    """The settings in the places of their names; what is no JSON object stays as it is, for the reader to say so.

    Raises RecordError for a summary without its settings.
    """
    try:
        found = json.loads(written)
    except ValueError:
        return written
    if not isinstance(found, dict):
        return written
    tried = found.pop("tried", None)
    if not isinstance(tried, dict):
        raise RecordError(
            f"{SUMMARY_FILE}: no settings under 'tried': no run of this version wrote it; name the folder of "
            "`ragassay run` or `evaluate`, or make the run again"
        )
    return json.dumps(_renamed(found, lambda name: tried.get(name, name) if isinstance(name, str) else name)).encode()


def _noted(tried: dict[str, Any], setting: dict[str, Any]) -> str:
    name = Setting(**setting).name
    tried[name] = setting
    return name


def _renamed(value: Any, of: Callable[[Any], Any]) -> Any:
    """A JSON value with something else in the place of every setting."""
    if isinstance(value, list):
        return [_renamed(each, of) for each in value]
    if isinstance(value, dict):
        return {key: of(each) if key in _SETTINGS else _renamed(each, of) for key, each in value.items()}
    return value


def _write(path: Path, line: str) -> None:
    write_whole(path, json.dumps(json.loads(line), ensure_ascii=False, indent=1) + "\n")
