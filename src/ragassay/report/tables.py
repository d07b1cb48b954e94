"""The tables of the report as rows of finished text: what the templates lay out and nothing more to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.evaluation.estimate import Estimate
from ragassay.report.summary import CompositionFigures, RunSummary, StageCost
from ragassay.report.wording import (
    count,
    coverage,
    decimal,
    duration,
    interval,
    label_order,
    why_missing,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """An estimate in a table. missing: why there is no value; the others are then empty. method: of the interval."""

    value: str = ""
    interval: str = ""
    coverage: str = ""
    missing: str = ""
    method: str = ""


def cell(estimate: Estimate | None) -> Cell:
    """``0.878``, ``0.83–0.92`` and, where some examples have no score, ``59 of 60``."""
    if estimate is None or estimate.value is None:
        return Cell(missing=why_missing(estimate))
    bounds = interval(estimate.low, estimate.high)
    return Cell(
        value=decimal(estimate.value), interval=bounds, coverage=coverage(estimate), method=estimate.method or ""
    )


DataRow = tuple[Sequence[str], Sequence[Cell]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """heads: column names, row heads first. rows: head columns as text, then cells."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[DataRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTable:
    """Counts by row and column. cells: text and how strong its colour is, 0 to 4; the row's total comes last."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, int]], str]]


def matrix_table(composition: CompositionFigures) -> CountTable | None:
    """Candidates by requested and verified label; None where nothing was labelled."""
    return label_matrix(composition.matrix)


def label_matrix(matrix: Mapping[str, Mapping[str, int]]) -> CountTable | None:
    """Requested (rows) by verified label; colour by share of the row. None where there is nothing."""
    if not any(number for row in matrix.values() for number in row.values()):
        return None
    columns = label_order([*matrix, *(label for row in matrix.values() for label in row)])
    rows = []
    for label in label_order(matrix):
        total = sum(matrix[label].values())
        numbers = [matrix[label].get(column, 0) for column in columns]
        rows.append((label, [(count(number), _strength(number, total)) for number in numbers], count(total)))
    return CountTable(columns=[column or "no label" for column in columns], rows=rows)


def _strength(part: int, whole: int) -> int:
    return min(4, 1 + 4 * part // whole) if part and whole else 0


def dropped_table(composition: CompositionFigures) -> CountTable | None:
    """Gates in the order of their first occurrence, by label. None where nothing was dropped."""
    gates = list(dict.fromkeys(gate for row in composition.dropped.values() for gate in row))
    if not gates:
        return None
    columns = label_order(composition.dropped)
    rows = []
    for gate in gates:
        numbers = [composition.dropped[label].get(gate, 0) for label in columns]
        rows.append((gate.replace("_", " "), [(count(number), 0) for number in numbers], count(sum(numbers))))
    return CountTable(columns=columns, rows=rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    name: str
    wall: str
    wall_share: str
    cpu: str
    memory: str
    calls: str
    embedded: str
    reused: str


def stage_rows(stages: Sequence[StageCost]) -> list[StageRow]:
    """Every stage, then the whole run if there is more than one."""
    whole = StageCost(
        name="whole run",
        wall_s=sum(stage.wall_s for stage in stages),
        cpu_s=sum(stage.cpu_s for stage in stages),
        peak_rss_mb=max((stage.peak_rss_mb for stage in stages), default=0),
        model_calls=sum(stage.model_calls for stage in stages),
        embedded=sum(stage.embedded for stage in stages),
        reused=sum(stage.reused for stage in stages),
    )
    listed = [*stages, whole] if len(stages) > 1 else [*stages]
    return [
        StageRow(
            name=stage.name.replace("_", " "),
            wall=duration(stage.wall_s),
            wall_share=f"{100 * stage.wall_s / whole.wall_s:.0f}" if whole.wall_s else "–",
            cpu=duration(stage.cpu_s),
            memory=count(round(stage.peak_rss_mb)),
            calls=count(stage.model_calls),
            embedded=count(stage.embedded),
            reused=count(stage.reused),
        )
        for stage in listed
    ]


LITTLE_COVERAGE = 0.95


def alarms(summary: RunSummary) -> list[str]:
    """What has to be said before any figure: calls that were stopped, questions that models left unanswered."""
    found = []
    if summary.stopped_by:
        found.append(
            f"{summary.stopped_by}: this run is incomplete for that reason. Run the same command with a "
            "higher limit to continue."
        )
    for stage in summary.stages:
        if stage.served and stage.unanswered > (1 - LITTLE_COVERAGE) * stage.served and not summary.stopped_by:
            found.append(
                f"Models on servers left {count(stage.unanswered)} of {count(stage.served)} questions unanswered in "
                f"the stage {stage.name}: figures rest on those that were answered."
            )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """Tasks put to models on servers in one stage, and the calls that were sent for them this time."""

    name: str
    asked: str
    unanswered: str
    sent: str
    prompt_tokens: str
    reply_tokens: str
    cost: str


def call_rows(stages: Sequence[StageCost]) -> list[CallRow]:
    """The stages that asked or sent something to servers, then all of them; none where no stage did."""
    served = [stage for stage in stages if stage.served or stage.sent]
    whole = StageCost(
        name="whole run",
        wall_s=0.0,
        cpu_s=0.0,
        peak_rss_mb=0.0,
        served=sum(stage.served for stage in served),
        unanswered=sum(stage.unanswered for stage in served),
        sent=sum(stage.sent for stage in served),
        prompt_tokens=sum(stage.prompt_tokens for stage in served),
        completion_tokens=sum(stage.completion_tokens for stage in served),
        cost_usd=sum(stage.cost_usd for stage in served),
        unpriced=sum(stage.unpriced for stage in served),
    )
    return [
        CallRow(
            name=stage.name,
            asked=count(stage.served),
            unanswered=count(stage.unanswered),
            sent=count(stage.sent),
            prompt_tokens=count(stage.prompt_tokens),
            reply_tokens=count(stage.completion_tokens),
            cost=f"{stage.cost_usd:.4f}{' + ?' if stage.unpriced else ''}",
        )
        for stage in ([*served, whole] if len(served) > 1 else served)
    ]
