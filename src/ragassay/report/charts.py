"""The figures of the report on retrieval: recall@5 by text weight and by chunk size, the strategies side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.report.line_panel import STYLES, Frame, Line, LinePanel, describe_lines
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import BestStrategy
from ragassay.report.svg import Canvas, Scale, axis_start
from ragassay.report.sweep_points import SweepPoints, lowest_bound
from ragassay.report.wording import FUSION_WORDS, count, decimal, estimate_words, why_missing

LABEL_CHARS = 18
_AXIS = 34.0
"""Room for the numbers of an axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A drawing with what stands above it."""

    label: str
    svg: Markup
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A legend entry: a sample of the line and what it stands for."""

    sample: Markup
    name: str


def legend(names: Sequence[str]) -> list[Key]:
    """Samples of the lines; what they stand for is written beside them."""
    keys = []
    for name in names:
        style, shape = STYLES[name]
        canvas = Canvas(34, 14)
        canvas.line(1, 7, 33, 7, f"ln {style}")
        canvas.marker(17, 7, shape, f"mk {style}")
        keys.append(Key(sample=canvas.render_ornament(), name=FUSION_WORDS.get(name, name)))
    return keys


def weight_row(points: SweepPoints, best: BestStrategy, y_low: float) -> Panel:
    """Recall@5 against text weight at the label's best chunk size: for every fusion its line on the band of intervals.

    Beside each other, since bands one over the other cannot be told apart; the other fusions are thin lines.
    """
    size = best.setting.chunk_size
    lines = [Line(name=fusion, points=points.by_weight(best.label, size, fusion)) for fusion in points.fusions]
    slots = [f"{value:g}" for value in points.weights]
    ends = {0.0: "dense", 1.0: "lexical"}
    shared = {slot: ends[value] for slot, value in enumerate(points.weights) if value in ends}
    winner = best.setting.fusion if best.setting.fusion in points.fusions else points.fusions[0]
    canvas, gap, top, bottom = Canvas(720, 176), 16.0, 24.0, 136.0
    width = (canvas.width - _AXIS - gap * (len(lines) - 1)) / len(lines)
    for place, line in enumerate(lines):
        left = _AXIS + place * (width + gap)
        panel = LinePanel(canvas, Frame(left, left + width, top, bottom), slots, y_low, shared)
        panel.axes(values=place == 0)
        canvas.text(left, 12, FUSION_WORDS[line.name], f"end {line.style}")
        panel.draw_banded(line, [other for other in lines if other is not line])
        if line.name == winner and best.setting.text_weight in points.weights:
            panel.ring(line, points.weights.index(best.setting.text_weight))
            if best.recall_at_5.value is not None:
                canvas.text(left + width, 12, f"best {decimal(best.recall_at_5.value)}", "strong", "end")
        canvas.text(left + width / 2, canvas.height - 6, "text weight", anchor="middle")
    svg = canvas.render(
        f"weight-{best.label}",
        f"{best.label}: recall@5 against text weight, chunks of {size} {points.unit}",
        describe_lines(lines, slots, "text weight"),
    )
    note = f"chunks of {count(size)} {points.unit}, n = {count(best.recall_at_5.total)}"
    return Panel(label=best.label, svg=svg, note=note)


def chunk_panel(points: SweepPoints, best: BestStrategy, y_low: float) -> Panel:
    """Recall@5 against chunk size: dense, lexical and the best hybrid of each size."""
    label = best.label
    lines = _by_size(points, label)
    slots = [count(size) for size in points.chunk_sizes]
    canvas, right = Canvas(336, 226), 262.0  # behind it the names of the lines
    panel = LinePanel(canvas, Frame(_AXIS, right, 12, 184), slots, y_low, {}, apart=6)
    panel.axes()
    canvas.text((_AXIS + right) / 2, canvas.height - 6, f"chunk size in {points.unit}", anchor="middle")
    panel.draw(lines)
    panel.label_ends(lines)
    svg = canvas.render(
        f"chunk-{label}", f"{label}: recall@5 against chunk size", describe_lines(lines, slots, "chunk size")
    )
    return Panel(label=label, svg=svg, note=f"n = {count(best.recall_at_5.total)}")


def _by_size(points: SweepPoints, label: str) -> list[Line]:
    lines = [
        Line(name="dense", points=[points.point(label, size, "raw_linear", 0) for size in points.chunk_sizes]),
        Line(name="lexical", points=[points.point(label, size, "raw_linear", 1) for size in points.chunk_sizes]),
        Line(name="best hybrid", points=[points.best_hybrid(label, size) for size in points.chunk_sizes]),
    ]
    return [line for line in lines if any(point is not None for point in line.points)]


def strategies_figure(best: Sequence[BestStrategy], y_low: float) -> Markup:
    """Dense, lexical and best recall@5 of every label on one axis, with their intervals."""
    row_height, left, right = 54.0, 128.0, 700.0
    bottom = 14 + row_height * len(best)
    canvas = Canvas(720, bottom + 40)
    x = Scale(y_low, 1.0, left, right)
    for tick in x.ticks:
        canvas.line(x(tick), 8, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 17, f"{tick:.1f}", anchor="middle")
    canvas.line(left, bottom, right, bottom, "axis")
    canvas.text((left + right) / 2, bottom + 34, "recall@5", anchor="middle")
    for row, strategy in enumerate(best):
        middle = 14 + row_height * (row + 0.5)
        canvas.text(0, middle + 1, excerpt(strategy.label, LABEL_CHARS), "strong")
        canvas.text(0, middle + 15, f"n = {count(strategy.recall_at_5.total)}", "small")
        for offset, name, estimate in (
            (-14, "best", strategy.recall_at_5),
            (0, "lexical", strategy.lexical),
            (14, "dense", strategy.dense),
        ):
            _strategy_mark(canvas, x, middle + offset, name, estimate)
    described = "; ".join(
        f"{item.label}: best {estimate_words(item.recall_at_5)}, lexical {estimate_words(item.lexical)}, "
        f"dense {estimate_words(item.dense)}"
        for item in best
    )
    return canvas.render("strategies", "Recall@5 of the best, lexical and dense strategy of every label", described)


def _strategy_mark(canvas: Canvas, x: Scale, y: float, name: str, estimate: Estimate | None) -> None:
    style, shape = STYLES[name]
    if estimate is None or estimate.value is None:
        canvas.text(x.start + 8, y + 4, f"{name}: no value, {why_missing(estimate)}", "small")
        return
    if estimate.low is not None and estimate.high is not None:
        canvas.bar_whisker(x(estimate.low), x(estimate.high), y, f"wh {style}")
    canvas.marker(x(estimate.value), y, shape, f"mk {style}", f"{name}: {estimate_words(estimate)}")


def lowest_at_best_size(points: SweepPoints, best: Sequence[BestStrategy]) -> float:
    """One start for the recall axis of the strategies and of the figure by text weight, so that they can be compared.

    Both show the best chunk size of each label only.
    """
    ends = [estimate for item in best for estimate in (item.recall_at_5, item.dense, item.lexical)]
    lines = (
        points.by_weight(item.label, item.setting.chunk_size, fusion) for item in best for fusion in points.fusions
    )
    return _start([*ends, *(point.estimate for line in lines for point in line)])


def lowest_by_size(points: SweepPoints, best: Sequence[BestStrategy]) -> float:
    """Where the recall axis of the figure by chunk size begins."""
    lines = (line for item in best for line in _by_size(points, item.label))
    return _start([point.estimate for line in lines for point in line.points if point is not None])


def _start(shown: Sequence[Estimate | None]) -> float:
    return axis_start(lowest_bound([estimate for estimate in shown if estimate is not None]))
