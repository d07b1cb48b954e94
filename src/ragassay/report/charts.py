"""The figures of the report: small multiples of recall@5, the strategies side by side, the composition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import BestStrategy
from ragassay.report.svg import END_LABEL_GAP, Canvas, Scale, axis_start, spread_labels
from ragassay.report.sweep_points import Point, SweepPoints, lowest_bound
from ragassay.report.wording import FUSION_WORDS, count, decimal, estimate_words, why_missing

PANEL_WIDTH, PANEL_HEIGHT = 336.0, 226.0
PLOT_LEFT, PLOT_TOP, PLOT_BOTTOM = 34.0, 12.0, 184.0
LABEL_CHARS = 18

STYLES = {
    "raw_linear": ("s1", "circle"),
    "min_max": ("s2", "square"),
    "rrf": ("s3", "triangle"),
    "dense": ("s4", "circle"),
    "lexical": ("s5", "square"),
    "best": ("s0", "diamond"),
    "best hybrid": ("s0", "diamond"),
}
"""Line name to its CSS class, which sets colour and dashes, and its marker: never told apart by colour alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """name: key of STYLES. points: one per slot of the x axis; None where the sweep had no such configuration."""

    name: str
    points: Sequence[Point | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """svg is None where there is nothing to draw; ``note`` then says why."""

    label: str
    svg: Markup | None
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


def weight_panel(points: SweepPoints, best: BestStrategy, y_low: float) -> Panel:
    """Recall@5 against text weight at the label's best chunk size, one line per fusion."""
    size = best.configuration.chunk_size
    lines = [Line(name=fusion, points=points.by_weight(best.label, size, fusion)) for fusion in points.fusions]
    slots = [f"{value:g}" for value in points.weights]
    weight = best.configuration.text_weight
    best_line = best.configuration.fusion if best.configuration.fusion in points.fusions else points.fusions[0]
    ends = {0.0: "dense", 1.0: "lexical"}
    shared = {slot: ends[value] for slot, value in enumerate(points.weights) if value in ends}
    panel = LinePanel(slots, "text weight (0 dense, 1 lexical)", y_low, shared)
    panel.draw(lines)
    if weight in points.weights:
        panel.ring(lines, best_line, points.weights.index(weight))
    svg = panel.canvas.render(
        f"weight-{best.label}",
        f"{best.label}: recall@5 against text weight, chunks of {size} {points.unit}",
        _describe(lines, slots, "text weight"),
    )
    note = f"chunks of {count(size)} {points.unit}, n = {count(best.recall_at_5.total)}"
    return Panel(label=best.label, svg=svg, note=note)


def chunk_panel(points: SweepPoints, best: BestStrategy, y_low: float) -> Panel:
    """Recall@5 against chunk size: dense, lexical and the best hybrid of each size."""
    label = best.label
    lines = [
        Line(name="dense", points=[points.point(label, size, "raw_linear", 0) for size in points.chunk_sizes]),
        Line(name="lexical", points=[points.point(label, size, "raw_linear", 1) for size in points.chunk_sizes]),
        Line(name="best hybrid", points=[points.best_hybrid(label, size) for size in points.chunk_sizes]),
    ]
    lines = [line for line in lines if any(point is not None for point in line.points)]
    slots = [count(size) for size in points.chunk_sizes]
    panel = LinePanel(slots, f"chunk size in {points.unit}", y_low, {}, room_right=74)
    panel.draw(lines)
    panel.label_ends(lines)
    svg = panel.canvas.render(
        f"chunk-{label}", f"{label}: recall@5 against chunk size", _describe(lines, slots, "chunk size")
    )
    return Panel(label=label, svg=svg, note=f"n = {count(best.recall_at_5.total)}")


class Mark(NamedTuple):
    """A point of a line where it stands in the panel, in the style of the line or of the end that all lines share."""

    x: float
    point: Point
    style: str
    shape: str


class LinePanel:
    """One small multiple: evenly spaced slots on the x axis, recall@5 up to 1 on the y axis.

    shared: slots where all lines have the same point, which is drawn once, to the key of STYLES that it is drawn in.
    room_right: pixels kept free on the right for labels of the lines' ends.
    """

    def __init__(
        self, slots: Sequence[str], x_title: str, y_low: float, shared: Mapping[int, str], room_right: float = 10
    ) -> None:
        self.canvas = Canvas(PANEL_WIDTH, PANEL_HEIGHT)
        self._y = Scale(y_low, 1.0, PLOT_BOTTOM, PLOT_TOP)
        self._right = PANEL_WIDTH - room_right
        self._shared = shared
        first, last = PLOT_LEFT + 16, self._right - 16
        step = (last - first) / max(len(slots) - 1, 1)
        self._x = [first + index * step for index in range(len(slots))]
        self._axes(slots, x_title)

    def _axes(self, slots: Sequence[str], x_title: str) -> None:
        for tick in self._y.ticks:
            self.canvas.line(PLOT_LEFT, self._y(tick), self._right, self._y(tick), "grid")
            self.canvas.text(PLOT_LEFT - 6, self._y(tick) + 4, f"{tick:.1f}", anchor="end")
        self.canvas.line(PLOT_LEFT, PLOT_BOTTOM, self._right, PLOT_BOTTOM, "axis")
        for x, slot in zip(self._x, slots, strict=True):
            self.canvas.line(x, PLOT_BOTTOM, x, PLOT_BOTTOM + 4, "axis")
            self.canvas.text(x, PLOT_BOTTOM + 17, slot, anchor="middle")
        self.canvas.text((PLOT_LEFT + self._right) / 2, PANEL_HEIGHT - 6, x_title, anchor="middle")

    def draw(self, lines: Sequence[Line]) -> None:
        """Whiskers first, then lines, then markers, so that no marker is crossed."""
        if all(point is None or point.value is None for line in lines for point in line.points):
            self.canvas.text((PLOT_LEFT + self._right) / 2, PLOT_BOTTOM / 2, "no value", "strong", "middle")
            return
        marks = list(self._marks(lines))
        for mark in marks:
            self._draw_whisker(mark)
        for index, line in enumerate(lines):
            self._draw_line(line, index, len(lines))
        for mark in marks:
            self._draw_marker(mark)

    def _place(self, slot: int, index: int, lines: int) -> float:
        """Lines stand a little apart, so that their whiskers can be told apart."""
        return self._x[slot] + (0 if slot in self._shared else (index - (lines - 1) / 2) * 6)

    def _marks(self, lines: Sequence[Line]) -> Iterator[Mark]:
        for index, line in enumerate(lines):
            for slot, point in enumerate(line.points):
                if point is None or (slot in self._shared and index > 0):
                    continue
                style, shape = STYLES[self._shared.get(slot, line.name)]
                yield Mark(self._place(slot, index, len(lines)), point, style, shape)

    def _draw_whisker(self, mark: Mark) -> None:
        estimate = mark.point.estimate
        if estimate is not None and estimate.low is not None and estimate.high is not None:
            self.canvas.whisker(mark.x, self._y(estimate.low), self._y(estimate.high), f"wh {mark.style}")

    def _draw_line(self, line: Line, index: int, lines: int) -> None:
        """The line breaks where a value is missing."""
        run: list[tuple[float, float]] = []
        for slot, point in enumerate(line.points):
            if point is None or point.value is None:
                self.canvas.polyline(run, f"ln {STYLES[line.name][0]}")
                run = []
                continue
            run.append((self._place(slot, index, lines), self._y(point.value)))
        self.canvas.polyline(run, f"ln {STYLES[line.name][0]}")

    def _draw_marker(self, mark: Mark) -> None:
        """A missing value is a cross above the axis that says why when pointed at."""
        tip = f"{mark.point.configuration.name}: {estimate_words(mark.point.estimate)}"
        if mark.point.value is None:
            self.canvas.marker(mark.x, PLOT_BOTTOM - 8, "cross", f"no {mark.style}", tip)
        else:
            self.canvas.marker(mark.x, self._y(mark.point.value), mark.shape, f"mk {mark.style}", tip)

    def label_ends(self, lines: Sequence[Line]) -> None:
        """Writes the names of the lines beside their last values, moved apart where they would touch."""
        ends = []
        for line in lines:
            values = [point.value for point in line.points if point is not None and point.value is not None]
            if values:
                ends.append((line.name, self._y(values[-1])))
        places = spread_labels([y for _, y in ends], END_LABEL_GAP, PLOT_TOP, PLOT_BOTTOM)
        for (name, _), y in zip(ends, places, strict=True):
            self.canvas.text(self._right + 3, y + 4, name, f"end {STYLES[name][0]}")

    def ring(self, lines: Sequence[Line], name: str, slot: int) -> None:
        """Rings the best point and writes its value below its whisker, or as low as the panel goes."""
        for index, line in enumerate(lines):
            point = line.points[slot] if line.name == name else None
            if point is None or point.value is None or point.estimate is None:
                continue
            x, y = self._place(slot, index, len(lines)), self._y(point.value)
            self.canvas.ring(x, y, "ring")
            bottom = self._y(point.estimate.low if point.estimate.low is not None else point.value)
            below = max(bottom, y + 8) + 14
            anchor = "start" if slot == 0 else "end" if slot == len(self._x) - 1 else "middle"
            offset = {"start": -8, "end": 8, "middle": 0}[anchor]
            label_y = min(below, PLOT_BOTTOM - 5)
            self.canvas.text(x + offset, label_y, f"best {decimal(point.value)}", "strong halo", anchor)


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


def lowest_axis(points: SweepPoints, best: Sequence[BestStrategy]) -> float:
    """One start for the recall axis of all figures, so that they can be compared."""
    shown = [estimate for item in best for estimate in (item.recall_at_5, item.dense, item.lexical)]
    return axis_start(lowest_bound([*points.recalls, *(estimate for estimate in shown if estimate is not None)]))


def _describe(lines: Sequence[Line], slots: Sequence[str], x_name: str) -> str:
    """The values of the figure in words; the data table below it has the intervals."""
    parts = []
    for line in lines:
        values = [
            f"{slot}: {decimal(point.value) if point is not None and point.value is not None else 'no value'}"
            for slot, point in zip(slots, line.points, strict=True)
        ]
        parts.append(f"{FUSION_WORDS.get(line.name, line.name)} by {x_name}, {', '.join(values)}")
    return "; ".join(parts)
