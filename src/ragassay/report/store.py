"""Keeps the figures of a run in its folder.

``summary.json`` has the same bytes for the same run; the times, which differ, stand in ``stages.json``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragassay.errors import InputError
from ragassay.plain_files import read_plain
from ragassay.records import from_json, to_json
from ragassay.report.score_summary import ScoreSummary
from ragassay.report.summary import RunSummary, StageCost

SUMMARY_FILE = "summary.json"
STAGES_FILE = "stages.json"
METRICS_FILE = "metrics.json"
"""The figures of a scored set of predictions, as ``score_summary.py`` has them: such a folder has no summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFile:
    """What ``stages.json`` holds."""

    stages: tuple[StageCost, ...]


def write_summary(folder: Path, summary: RunSummary) -> None:
    """Writes both files into ``folder``, each whole or not at all, ``summary.json`` last: where it is, both are."""
    write_stages(folder, summary.stages)
    _write_whole(folder / SUMMARY_FILE, to_json(replace(summary, stages=())))


def write_stages(folder: Path, stages: Sequence[StageCost]) -> None:
    """Writes what it took, whole or not at all."""
    _write_whole(folder / STAGES_FILE, to_json(StageFile(stages=tuple(stages))))


def read_stages(folder: Path) -> tuple[StageCost, ...]:
    """What it took; none where the folder does not say."""
    try:
        return from_json(StageFile, read_plain(folder / STAGES_FILE), where=STAGES_FILE).stages
    except FileNotFoundError:
        return ()


def write_metrics(folder: Path, summary: ScoreSummary, stages: Sequence[StageCost]) -> None:
    """Writes the figures of scored predictions, and what it took, each file whole or not at all."""
    write_stages(folder, stages)
    _write_whole(folder / METRICS_FILE, to_json(summary))


def read_metrics(folder: Path) -> ScoreSummary:
    """Reads what ``write_metrics`` wrote.

    Raises InputError where there are no such figures, RecordError that names the field where they cannot be read.
    """
    try:
        return from_json(ScoreSummary, read_plain(folder / METRICS_FILE), where=METRICS_FILE)
    except FileNotFoundError:
        raise InputError(f"{folder} holds no {METRICS_FILE}; name a folder that `ragassay score --out` wrote") from None


def read_summary(folder: Path) -> RunSummary:
    """Reads what ``write_summary`` wrote. Without ``stages.json`` the costs are empty.

    Raises InputError where there is no summary, RecordError that names the file and field where it cannot be read.
    """
    try:
        summary = from_json(RunSummary, read_plain(folder / SUMMARY_FILE), where=SUMMARY_FILE)
    except FileNotFoundError:
        raise InputError(
            f"{folder} holds no {SUMMARY_FILE}: it is not a run folder, or its run is not finished; run "
            "the same command again to finish it"
        ) from None
    return replace(summary, stages=read_stages(folder))


def _write_whole(path: Path, line: str) -> None:
    part = path.with_name(path.name + ".part")
    text = json.dumps(json.loads(line), ensure_ascii=False, indent=1)
    part.write_text(text + "\n", encoding="utf-8", newline="\n")
    part.replace(path)
