"""Chunk size against quality and tokens: every setting of a run, and those that no other one surpasses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import Setting, preference
from ragassay.report.figures import Priced, best_of_groups, front_of, keys, pareto_figure, parts
from ragassay.report.summary import QuestionTokens
from ragassay.report.sweep_points import SweepPoints
from ragassay.report.tables import Cell, DataRow, DataTable, cell
from ragassay.report.wording import count, decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFront:
    """The figure, its legend and its values; front: those that none surpasses, the cheapest first."""

    drawing: Markup
    keys: Sequence[tuple[Markup, str]]
    table: DataTable
    front: Sequence[Priced]

    @property
    def summed_up(self) -> str:
        """How many are on the front, and the best of each chunk size that has any there."""
        named = "; ".join(
            f"{each.name}, {decimal(each.quality)} for {count(round(each.tokens))}"
            for each in best_of_groups(self.front)
        )
        return (
            f"On the front: {count(len(self.front))} of {count(len(self.table.rows))} settings. The best of each "
            f"chunk size on it, with its recall@5 for so many tokens a question: {named}."
        )


class _Measured(NamedTuple):
    setting: Setting
    recall: Estimate
    tokens: Estimate


def token_front(points: SweepPoints, tokens: Iterable[QuestionTokens]) -> TokenFront | None:
    """Recall@5 over the answerable questions; None with fewer than two settings that have both figures."""
    measured = sorted(_measured(points, tokens), key=lambda each: preference(each.setting))
    if len(measured) < 2:
        return None
    priced = [_priced(each) for each in measured]
    front = front_of(priced)
    sizes = parts([_size(size, points.unit) for size in points.chunk_sizes])
    return TokenFront(
        drawing=pareto_figure(
            priced, "recall@5", "tokens", groups=sizes, axis="tokens of a question and its first five chunks"
        ),
        keys=keys(sizes),
        table=_table(measured, [each.name for each in front]),
        front=front,
    )


def _measured(points: SweepPoints, tokens: Iterable[QuestionTokens]) -> Iterable[_Measured]:
    for each in tokens:
        recall = points.estimate(ANSWERABLE, each.setting)
        if recall is not None and recall.value is not None and each.estimate.value is not None:
            yield _Measured(each.setting, recall, each.estimate)


def _priced(each: _Measured) -> Priced:
    setting, recall, tokens = each
    return Priced(
        setting.name,
        tokens.value or 0,
        recall.value or 0,
        group=_size(setting.chunk_size, setting.unit),
        low=recall.low,
        high=recall.high,
    )


def _size(chunk_size: int, unit: str) -> str:
    return f"chunks of {count(chunk_size)} {unit}"


def _table(measured: Sequence[_Measured], front: Sequence[str]) -> DataTable:
    """The front first, as it stands in the figure; then the others, the best first."""

    def place(each: _Measured) -> tuple[int, float]:
        name = each.setting.name
        return (front.index(name), 0.0) if name in front else (len(front), -(each.recall.value or 0))

    rows: list[DataRow] = []
    for each in sorted(measured, key=place):
        name = each.setting.name
        heads = ("yes" if name in front else "no", name, count(each.setting.chunk_size))
        rows.append((heads, [cell(each.recall), _token_cell(each.tokens)]))
    return DataTable(
        caption="Recall@5 over the answerable questions and tokens of a question with its first five chunks",
        heads=["on the front", "setting", "chunk size", "recall@5", "tokens"],
        rows=rows,
    )


def _token_cell(estimate: Estimate) -> Cell:
    value, low, high = (
        "" if each is None else count(round(each)) for each in (estimate.value, estimate.low, estimate.high)
    )
    return Cell(value=value, interval=f"{low}–{high}" if low and high else "")
