"""One self-contained HTML page about agreement: people among themselves, and a judge with them, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.confusion import Confusion
from ragassay.report.agreement_rows import (
    LEFT_OUT_COLUMNS,
    PAIR_COLUMNS,
    SHARE_COLUMNS,
    SHARE_TITLE,
    THRESHOLD_COLUMNS,
    Row,
    advice_words,
    best_thresholds,
    confusion_of,
    counted,
    left_out_rows,
    measure_rows,
    pair_rows,
    reasons,
    share_rows,
    task_name,
    threshold_row,
)
from ragassay.report.figures import heat_figure
from ragassay.report.page import render_page
from ragassay.report.tables import Cell, CountTable, cell
from ragassay.report.wording import count

MOST_THRESHOLDS = 100
"""Shown of a judge whose numbers hardly repeat: those nearest to the best; all of them are in ``--json``."""


@dataclass(frozen=True)
class AgreementPage:
    """found: task to all that is known of it. version: of ragassay; versions: of all that took part."""

    found: Mapping[str, TaskAgreement]
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def render_agreement(page: AgreementPage) -> str:
    """The whole page as text, to be written as UTF-8."""
    return render_page(
        "agreement.html.j2",
        page.version,
        page=page,
        agreement=agreement_section(page.found),
    )


class MeasureTable(NamedTuple):
    """Names of rows, measures with their intervals, further columns. lines: why there are gaps."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell], Sequence[str]]]
    lines: Sequence[str]


class Heat(NamedTuple):
    """The confusion matrix as a figure, and its counts."""

    drawing: Markup
    table: CountTable


class TaskSection(NamedTuple):
    """One task as the template lays it out; what it does not have is empty or None."""

    task: str
    counted: str
    tables: Sequence[MeasureTable]
    heat: Heat | None
    advice: str
    thresholds: MeasureTable | None
    without_judge: str


class AgreementSection(NamedTuple):
    """All tasks, and the best threshold on each rating where there are several."""

    tasks: Sequence[TaskSection]
    best: MeasureTable | None


def agreement_section(found: Mapping[str, TaskAgreement]) -> AgreementSection:
    """What the pages show of agreement, be it alone or beside other things."""
    best = best_thresholds(found)
    caption = "The best threshold on each rating, the one that agrees best with people first"
    return AgreementSection(
        tasks=[_task(each, number) for number, each in enumerate(found.values())],
        best=_table(caption, THRESHOLD_COLUMNS, 1, best) if best else None,
    )


def _task(each: TaskAgreement, number: int) -> TaskSection:
    measures = [
        Row(row.name, row.measures, (f"{count(row.measures[0].n)} of {count(row.measures[0].total)}",))
        for row in measure_rows(each)
    ]
    pairs, left_out, shares = pair_rows(each), left_out_rows(each), share_rows(each)
    tables = [
        _table(
            "How far people agree" + (", and the judge with them" if each.judge else ""),
            ("measure", "value", "items"),
            1,
            measures,
            names=("",),
        )
    ]
    if pairs:
        tables.append(_table("Two people at a time", PAIR_COLUMNS, 2, pairs))
    if left_out:
        caption = "Fleiss’ kappa of one person, and of the judge, with the majority of the other people"
        tables.append(_table(caption, LEFT_OUT_COLUMNS, 3, left_out))
    if shares:
        tables.append(_table(SHARE_TITLE, SHARE_COLUMNS, 4, shares))
    matrix = confusion_of(each)
    return TaskSection(
        task=each.task,
        counted=counted(each),
        tables=tables,
        heat=_heat(matrix, task_name(each.task), f"confusion-{number}") if matrix else None,
        advice=advice_words(each),
        thresholds=_thresholds(each),
        without_judge="" if each.judge else each.reason or "",
    )


def _thresholds(each: TaskAgreement) -> MeasureTable | None:
    if each.advice is None or not each.advice.thresholds:
        return None
    shown = sorted(each.advice.thresholds, key=lambda at: -(at.agreement.value or 0.0))[:MOST_THRESHOLDS]
    less_is_better = each.advice.less_is_better
    rows = [threshold_row(at, less_is_better=less_is_better) for at in sorted(shown, key=lambda at: at.value)]
    left_out = len(each.advice.thresholds) - len(rows)
    caption = "Thresholds on what the judge says, and Cohen’s kappa of what is kept with what people would keep"
    more = f"; the {len(rows)} best of {count(len(rows) + left_out)}" if left_out else ""
    return _table(caption + more, THRESHOLD_COLUMNS, 1, rows)


def _table(
    caption: str, heads: Sequence[str], n_measures: int, rows: Sequence[Row], *, names: Sequence[str] | None = None
) -> MeasureTable:
    """names: of the measures, where reasons are given; those of their columns if None."""
    shown = [(row.name, [_cell(cell(each), each.value is None) for each in row.measures], row.counts) for row in rows]
    if names is None:
        names = heads[1 : 1 + n_measures] if n_measures > 1 else ("",)
    return MeasureTable(caption, heads, shown, reasons(names, rows))


def _cell(found: Cell, is_missing: bool) -> Cell:
    """Coverage has a column of its own, and reasons stand below the table."""
    return Cell(missing="see below") if is_missing else Cell(value=found.value, interval=found.interval)


def _heat(matrix: Confusion, name: str, identity: str) -> Heat:
    drawing = heat_figure(
        matrix.values,
        matrix.counts,
        identity,
        f"{name}: what the judge says, by what most people say",
        sides=("people", "judge"),
    )
    rows = [
        (value, [(count(part), 0) for part in counts], count(sum(counts)))
        for value, counts in zip(matrix.values, matrix.counts, strict=True)
    ]
    return Heat(drawing, CountTable(columns=matrix.values, rows=rows))
