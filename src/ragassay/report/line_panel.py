"""Lines of a metric over slots, with their intervals as whiskers or as a band: what the panels of figures share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragassay.report.compared import Point
from ragassay.report.svg import END_LABEL_GAP, Canvas, Scale, spread_labels, tick_words
from ragassay.report.wording import FUSION_WORDS, decimal, estimate_words

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
    """name: key of STYLES. points: one per slot of the x axis; None where the sweep had no such setting."""

    name: str
    points: Sequence[Point | None]

    @property
    def style(self) -> str:
        return STYLES[self.name][0]

    @property
    def is_empty(self) -> bool:
        return all(point is None or point.value is None for point in self.points)


class Mark(NamedTuple):
    """A point of a line where it stands in the panel, in the style of the line or of the end that all lines share."""

    x: float
    point: Point
    style: str
    shape: str


class Frame(NamedTuple):
    """Where a panel stands on its canvas, in pixels."""

    left: float
    right: float
    top: float
    bottom: float


class LinePanel:
    """Evenly spaced slots on the x axis, the metric on the y axis.

    axis: where the y axis begins and ends. shared: slots where all lines have the same point, which is drawn once, to
    the key of STYLES that it is drawn in. apart: pixels between lines, so that their whiskers can be told apart.
    """

    def __init__(
        self,
        canvas: Canvas,
        frame: Frame,
        slots: Sequence[str],
        axis: tuple[float, float],
        shared: Mapping[int, str],
        apart: float = 0.0,
    ) -> None:
        self._canvas = canvas
        self._frame = frame
        self._slots = slots
        self._y = Scale(*axis, frame.bottom, frame.top)
        self._shared = shared
        self._apart = apart
        first, last = frame.left + 16, frame.right - 16
        step = (last - first) / max(len(slots) - 1, 1)
        self._x = [first + index * step for index in range(len(slots))]

    def axes(self, *, values: bool = True) -> None:
        """values: whether the y axis has its numbers."""
        left, right, bottom = self._frame.left, self._frame.right, self._frame.bottom
        for tick, text in zip(self._y.ticks, tick_words(self._y.ticks), strict=True):
            self._canvas.line(left, self._y(tick), right, self._y(tick), "grid")
            if values:
                self._canvas.text(left - 6, self._y(tick) + 4, text, anchor="end")
        self._canvas.line(left, bottom, right, bottom, "axis")
        for x, slot in zip(self._x, self._slots, strict=True):
            self._canvas.line(x, bottom, x, bottom + 4, "axis")
            self._canvas.text(x, bottom + 17, slot, anchor="middle")

    def draw(self, lines: Sequence[Line]) -> None:
        """Whiskers first, then lines, then markers, so that no marker is crossed."""
        if self._says_empty(lines):
            return
        marks = list(self._marks(lines))
        for mark in marks:
            self._draw_whisker(mark)
        for index, line in enumerate(lines):
            self._draw_line(line, f"ln {line.style}", index, len(lines))
        for mark in marks:
            self._draw_marker(mark)

    def draw_banded(self, line: Line, others: Sequence[Line]) -> None:
        """One line on the band of its intervals, the others thin, to compare."""
        if self._says_empty([line]):
            return
        self._draw_band(line)
        for other in others:
            self._draw_line(other, f"ln thin {other.style}")
        self._draw_line(line, f"ln {line.style}")
        for mark in self._marks([line]):
            self._draw_marker(mark)

    def _says_empty(self, lines: Sequence[Line]) -> bool:
        """Whether no line has a value; the panel then says so."""
        if not all(line.is_empty for line in lines):
            return False
        frame = self._frame
        self._canvas.text(
            (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2, "no value", "strong", "middle"
        )
        return True

    def _place(self, slot: int, index: int = 0, lines: int = 1) -> float:
        return self._x[slot] + (0 if slot in self._shared else (index - (lines - 1) / 2) * self._apart)

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
            self._canvas.whisker(mark.x, self._y(estimate.low), self._y(estimate.high), f"wh {mark.style}")

    def _draw_band(self, line: Line) -> None:
        """Breaks where an interval is missing; an interval with none beside it is a whisker."""
        run: list[tuple[float, float, float]] = []
        for slot, point in enumerate([*line.points, None]):
            estimate = None if point is None else point.estimate
            if estimate is not None and estimate.low is not None and estimate.high is not None:
                run.append((self._place(slot), self._y(estimate.low), self._y(estimate.high)))
                continue
            if len(run) == 1:
                self._canvas.whisker(*run[0], f"wh {line.style}")
            self._canvas.band(run, f"band {line.style}")
            run = []

    def _draw_line(self, line: Line, kind: str, index: int = 0, lines: int = 1) -> None:
        """The line breaks where a value is missing."""
        run: list[tuple[float, float]] = []
        for slot, point in enumerate(line.points):
            if point is None or point.value is None:
                self._canvas.polyline(run, kind)
                run = []
                continue
            run.append((self._place(slot, index, lines), self._y(point.value)))
        self._canvas.polyline(run, kind)

    def _draw_marker(self, mark: Mark) -> None:
        """A missing value is a cross above the axis that says why when pointed at."""
        tip = f"{mark.point.setting.name}: {estimate_words(mark.point.estimate)}"
        if mark.point.value is None:
            self._canvas.marker(mark.x, self._frame.bottom - 8, "cross", f"no {mark.style}", tip)
        else:
            self._canvas.marker(mark.x, self._y(mark.point.value), mark.shape, f"mk {mark.style}", tip)

    def label_ends(self, lines: Sequence[Line]) -> None:
        """Writes the names of the lines beside their last values, moved apart where they would touch."""
        ends = []
        for line in lines:
            values = [point.value for point in line.points if point is not None and point.value is not None]
            if values:
                ends.append((line, self._y(values[-1])))
        places = spread_labels([y for _, y in ends], END_LABEL_GAP, self._frame.top, self._frame.bottom)
        for (line, _), y in zip(ends, places, strict=True):
            self._canvas.text(self._frame.right + 3, y + 4, line.name, f"end {line.style}")

    def ring(self, line: Line, slot: int) -> None:
        """Rings a point that has a value."""
        point = line.points[slot]
        if point is not None and point.value is not None:
            self._canvas.ring(self._place(slot), self._y(point.value), "ring")


def describe_lines(lines: Sequence[Line], slots: Sequence[str], x_name: str) -> str:
    """The values of a figure in words; the data table below it has the intervals."""
    parts = []
    for line in lines:
        values = [
            f"{slot}: {decimal(point.value) if point is not None and point.value is not None else 'no value'}"
            for slot, point in zip(slots, line.points, strict=True)
        ]
        parts.append(f"{FUSION_WORDS.get(line.name, line.name)} by {x_name}, {', '.join(values)}")
    return "; ".join(parts)
