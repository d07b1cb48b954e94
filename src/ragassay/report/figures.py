"""Draws the charts of figures as SVG, with their legends and the values behind them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup, escape

from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Column, Lines, Table, Value
from ragassay.report.safe_text import visible
from ragassay.report.wording import count, decimal, estimate_words


def number(value: float) -> str:
    """Return a coordinate with one decimal at most: figures stay small and the same everywhere."""
    return f"{value:.1f}".removesuffix(".0")


def escaped(text: str) -> str:
    """Return text of any origin, fit for an element or a quoted attribute."""
    return str(escape(visible(text)))


class Canvas:
    """Collects elements and writes them as one accessible <svg>."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self._parts.append(f'<path class="{kind}" d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>')

    def polyline(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        if len(points) > 1:
            path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            self._parts.append(f'<polyline class="{kind}" points="{path}"/>')

    def text(self, x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> None:
        css = f' class="{kind}"' if kind else ""
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self._parts.append(f'<text{css} x="{number(x)}" y="{number(y)}"{place}>{escaped(content)}</text>')

    def marker(self, x: float, y: float, shape: str, kind: str, tip: str = "") -> None:
        """shape: ``circle``, ``square``, ``triangle``, ``diamond`` or ``cross``. tip: shown by browsers on hovering."""
        title = f"<title>{escaped(tip)}</title>" if tip else ""
        self._parts.append(f'<path class="{kind}" d="{_marker_path(x, y, shape)}">{title}</path>')

    def whisker(self, x: float, y_low: float, y_high: float, kind: str) -> None:
        """A vertical interval with caps."""
        top, bottom, left, right = number(y_high), number(y_low), number(x - 3), number(x + 3)
        path = f"M{left} {top}H{right}M{number(x)} {top}V{bottom}M{left} {bottom}H{right}"
        self._parts.append(f'<path class="{kind}" d="{path}"/>')

    def render(self, identity: str, title: str, description: str) -> Markup:
        """identity: unique in the page. title, description: what a screen reader says in place of the figure."""
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", identity)
        return Markup(  # every part is built from numbers, fixed class names and text escaped above
            f'<svg role="img" viewBox="{self._size}" aria-labelledby="{name}-t" aria-describedby="{name}-d">'
            f'<title id="{name}-t">{escaped(title)}</title><desc id="{name}-d">{escaped(description)}</desc>'
            f"{''.join(self._parts)}</svg>"
        )

    def render_ornament(self) -> Markup:
        """For drawings that only repeat the words beside them: screen readers pass them over."""
        return Markup(f'<svg aria-hidden="true" viewBox="{self._size}">{"".join(self._parts)}</svg>')

    @property
    def _size(self) -> str:
        return f"0 0 {number(self.width)} {number(self.height)}"


def _marker_path(x: float, y: float, shape: str) -> str:
    if shape == "square":
        return f"M{number(x - 3.5)} {number(y - 3.5)}h7v7h-7z"
    if shape == "triangle":
        return f"M{number(x)} {number(y - 4.5)}l4.5 8h-9z"
    if shape == "diamond":
        return f"M{number(x)} {number(y - 5)}l5 5l-5 5l-5 -5z"
    if shape == "cross":
        return f"M{number(x - 3.5)} {number(y - 3.5)}l7 7m0 -7l-7 7"
    return f"M{number(x - 4)} {number(y)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight line from values to pixels; ``start`` is the pixel of ``low``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        return round_ticks(self.low, self.high)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten that hold ``low`` and ``high`` between them.

    most: steps at most. A range without extent gets one step of 0.1.
    """
    extent = high - low if high > low else 1.0
    power = 10.0 ** math.floor(math.log10(extent / most))
    step = next(power * factor for factor in (1, 2, 5, 10, 20) if _steps(low, high, power * factor) <= most)
    first, digits = math.floor(low / step + 1e-9), max(0, -math.floor(math.log10(step) + 1e-9))
    return [round((first + place) * step, digits) for place in range(max(1, _steps(low, high, step)) + 1)]


def _steps(low: float, high: float, step: float) -> int:
    return math.ceil(high / step - 1e-9) - math.floor(low / step + 1e-9)


def tick_words(ticks: Sequence[float]) -> list[str]:
    """Write round ticks with as many decimals as their step needs."""
    step = abs(ticks[1] - ticks[0])
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return [decimal(tick, places) if places or tick < 0 else count(round(tick)) for tick in ticks]


WIDTH, HEIGHT = 480.0, 216.0
_STYLES = (("s4", "circle"), ("s5", "square"), ("s3", "triangle"), ("s2", "diamond"), ("s0", "cross"))
"""Style and shape of the first, second … series, told apart by more than colour; then they come again."""


class Series(NamedTuple):
    """What a series is drawn in."""

    name: str
    style: str
    shape: str


def series_of(names: Sequence[str]) -> list[Series]:
    """Give each name a look."""
    return [Series(name, *_STYLES[place % len(_STYLES)]) for place, name in enumerate(names)]


def legend(charts: Sequence[Lines]) -> list[tuple[Markup, str]]:
    """Return samples with their names, of all panels together; nothing of a single series."""
    found = []
    names = (name for chart in charts if len(chart.series) > 1 for name in chart.series)
    for each in series_of(list(dict.fromkeys(names))):
        canvas = Canvas(34, 14)
        canvas.line(1, 7, 33, 7, f"ln {each.style}")
        canvas.marker(17, 7, each.shape, f"mk {each.style}")
        found.append((canvas.render_ornament(), each.name))
    return found


def values_of(panels: Sequence[tuple[str, Lines]]) -> Table:
    """Return what a figure shows as a table."""
    rows: list[Sequence[Value]] = []
    columns: list[str] = []
    for panel, chart in panels:
        columns = [chart.over, *(Column(name, "decimal") for name in chart.series)]
        head = [panel] if len(panels) > 1 else []
        rows += [(*head, slot, *row) for slot, *row in zip(chart.slots, *chart.series.values(), strict=True)]
    return Table("Values of this figure", [*([""] if len(panels) > 1 else []), *columns], rows, folded=True)


def draw(chart: Lines, identity: str, title: str) -> Markup:
    """Draw whiskers, then lines, then markers; a line breaks where a value is missing, which is a cross.

    identity: unique in the page; title: what a screen reader says first, before the values.
    """
    series = series_of(list(chart.series))
    canvas = Canvas(WIDTH, HEIGHT)
    left, right, top, bottom = 40.0, WIDTH - 12, 12.0, HEIGHT - 44
    axis = _axis(chart.axis, [each for of in chart.series.values() for each in of])
    y = Scale(*axis, bottom, top)
    ticks = y.ticks
    for tick, text in zip(ticks, tick_words(ticks), strict=True):
        canvas.line(left, y(tick), right, y(tick), "grid")
        canvas.text(left - 6, y(tick) + 4, text, anchor="end")
    canvas.line(left, bottom, right, bottom, "axis")
    step = (right - left - 40) / max(len(chart.slots) - 1, 1)
    slots = [left + 20 + place * step for place in range(len(chart.slots))]
    for x, slot in zip(slots, chart.slots, strict=True):
        canvas.text(x, bottom + 17, slot, anchor="middle")
    canvas.text((left + right) / 2, canvas.height - 6, chart.over, anchor="middle")
    apart = 5  # pixels, so that whiskers can be told apart
    drawn = [
        (each, [x + (place - (len(series) - 1) / 2) * apart for x in slots], chart.series[each.name])
        for place, each in enumerate(series)
    ]
    for each, xs, points in drawn:
        for x, mean in zip(xs, points, strict=True):
            if mean is not None and mean.low is not None and mean.high is not None:
                canvas.whisker(x, y(mean.low), y(mean.high), f"wh {each.style}")
    for each, xs, points in drawn:
        run: list[tuple[float, float]] = []
        for x, mean in zip([*xs, 0.0], [*points, None], strict=True):
            if mean is not None and mean.value is not None:
                run.append((x, y(mean.value)))
                continue
            canvas.polyline(run, f"ln {each.style}")
            run = []
    for each, xs, points in drawn:
        for x, mean in zip(xs, points, strict=True):
            if mean is not None and mean.value is None:
                canvas.marker(x, bottom - 8, "cross", f"no {each.style}", f"{each.name}: {estimate_words(mean)}")
            elif mean is not None and mean.value is not None:
                canvas.marker(x, y(mean.value), each.shape, f"mk {each.style}", f"{each.name}: {estimate_words(mean)}")
    described = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{slot} {'no value' if mean is None or mean.value is None else decimal(mean.value)}"
            for slot, mean in zip(chart.slots, points, strict=True)
        )
        for name, points in chart.series.items()
    )
    return canvas.render(identity, title, described)


def _axis(bounds: tuple[float, float] | None, shown: Sequence[Estimate | None]) -> tuple[float, float]:
    """Where an axis begins and ends: shares up to 1, other bounds as they are, round numbers where there are none."""
    known = [each for each in shown if each is not None and each.value is not None]
    ends = [end for each in known for end in (each.value, each.low, each.high) if end is not None]
    if bounds == (0.0, 1.0):
        return round_ticks(min([*ends, 0.9]), 1.0)[0], 1.0
    if bounds is not None:
        return bounds
    ticks = round_ticks(min(ends, default=0.0), max(ends, default=1.0))
    return ticks[0], ticks[-1]
