"""Draws the charts of figures as SVG, with their legends and the values behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Column, Lines, Table, Value
from ragassay.report.svg import Canvas, Scale, round_ticks, tick_words
from ragassay.report.wording import decimal, estimate_words

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
