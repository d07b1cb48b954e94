"""Draws the charts of figures as SVG, with their legends and the values behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS
from ragassay.report.blocks import Bars, Chart, Column, Lines, Scatter, Table, Value
from ragassay.report.safe_text import excerpt
from ragassay.report.svg import END_LABEL_GAP, Canvas, Scale, round_ticks, spread_labels, tick_words
from ragassay.report.wording import count, decimal, estimate_words, label_order

NAME_CHARS, _END_CHARS = 24, 34
WIDTH, _LEFT, _ROW = 720.0, 170.0, 28.0
_N_WIDTH = 62.0
"""Room behind a bar for how many it stands for."""
_STYLES = (("s4", "circle"), ("s5", "square"), ("s3", "triangle"), ("s2", "diamond"), ("s0", "cross"))
"""Style and shape of the first, second … series, told apart by more than colour; then they come again."""
_MANY_SLOTS = 6
_MOST_NAMED = 12


class Series(NamedTuple):
    """What a series is drawn in."""

    name: str
    style: str
    shape: str


def series_of(names: Sequence[str]) -> list[Series]:
    """Give each name a look; each of the four labels looks the same in all figures."""
    every = label_order({*LABELS, *names}) if set(names) & {*LABELS} else list(names)
    looks = {name: Series(name, *_STYLES[place % len(_STYLES)]) for place, name in enumerate(every)}
    return [looks[name] for name in names]


def draw(chart: Chart, identity: str, title: str) -> Markup:
    """Draw a chart. identity: unique in the page; title: what a screen reader says first, before the values."""
    if isinstance(chart, Bars):
        canvas, described = _bars(chart)
    elif isinstance(chart, Lines):
        canvas, described = _lines(chart)
    else:
        canvas, described = _scatter(chart)
    return canvas.render(identity, title, described)


def names_of(chart: Chart) -> Sequence[str]:
    """Return what a legend tells apart; nothing where there is one series, or names stand in the chart."""
    if isinstance(chart, Bars):
        return chart.parts
    if isinstance(chart, Scatter):
        return []
    names = list(chart.series)
    return names if len(names) > 1 and not _labels_ends(chart) else []


def is_wide(chart: Chart) -> bool:
    """Whether a chart takes the width of the page."""
    return not (isinstance(chart, Lines) and _labels_ends(chart))


def legend(charts: Sequence[Chart]) -> list[tuple[Markup, str]]:
    """Return samples with their names, of all panels together."""
    found = []
    for each in series_of(list(dict.fromkeys(name for chart in charts for name in names_of(chart)))):
        canvas = Canvas(34, 14)
        if isinstance(charts[0], Bars):
            canvas.rectangle(4, 2, 26, 10, f"bar {each.style}")
        else:
            if isinstance(charts[0], Lines):
                canvas.line(1, 7, 33, 7, f"ln {each.style}")
            canvas.marker(17, 7, each.shape, f"mk {each.style}")
        found.append((canvas.render_ornament(), each.name))
    return found


def values_of(panels: Sequence[tuple[str, Chart]]) -> Table:
    """Return what a figure shows as a table."""
    rows: list[Sequence[Value]] = []
    columns: list[str] = []
    for panel, chart in panels:
        head = [panel] if len(panels) > 1 else []
        if isinstance(chart, Bars):
            columns = ["", *(Column(name, "general") for name in chart.parts)]
            rows += [(*head, name, *(of.get(part, 0) for part in chart.parts)) for name, of in chart.rows]
        elif isinstance(chart, Lines):
            columns = [chart.over, *(Column(name, "decimal") for name in chart.series)]
            rows += [(*head, slot, *row) for slot, *row in zip(chart.slots, *chart.series.values(), strict=True)]
        else:
            columns = ["", Column(chart.y, "decimal"), Column(chart.x, "count"), "on the front"]
            rows += [(*head, each.name, each.y, each.x, "yes" if each.name in chart.front else "") for each in
                     sorted(chart.spots, key=lambda spot: (spot.name not in chart.front, spot.x))]  # fmt: skip
    return Table("Values of this figure", [*([""] if len(panels) > 1 else []), *columns], rows, folded=True)


def _bars(chart: Bars) -> tuple[Canvas, str]:
    """Each bar as long as the whole, which stands behind it; shares of 8 % and more are written."""
    series = series_of(chart.parts)
    canvas = Canvas(WIDTH, 6 + _ROW * max(len(chart.rows), 1))
    for number, (name, amounts) in enumerate(chart.rows):
        top, whole, x = 6 + number * _ROW, sum(amounts.values()), _LEFT
        canvas.text(0, top + 15, excerpt(name, NAME_CHARS), "value")
        for each in series:
            share = amounts.get(each.name, 0) / whole if whole else 0
            width = share * (WIDTH - _LEFT - _N_WIDTH)
            canvas.rectangle(x, top + 3, width, 17, f"bar {each.style}")
            if share >= 0.08:
                canvas.text(x + width / 2, top + 15, f"{100 * share:.0f} %", "inside", "middle")
            x += width
        canvas.text(WIDTH, top + 15, f"n = {count(round(whole))}", anchor="end")
    return canvas, "; ".join(
        f"{name}: " + ", ".join(f"{part} {amounts.get(part, 0):g}" for part in chart.parts)
        for name, amounts in chart.rows
    )


def _labels_ends(chart: Lines) -> bool:
    return len(chart.slots) < _MANY_SLOTS


def _lines(chart: Lines) -> tuple[Canvas, str]:
    """Whiskers first, then lines, then markers; a line breaks where a value is missing, which is a cross."""
    labelled = _labels_ends(chart)
    series = series_of(list(chart.series))
    canvas = Canvas(480.0 if labelled else WIDTH, max(216.0, END_LABEL_GAP * len(series) + 60))
    left, right, top, bottom = 40.0, canvas.width - (190.0 if labelled else 12.0), 12.0, canvas.height - 44
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
    ends: list[tuple[Series, float]] = []
    for each, xs, points in drawn:
        run: list[tuple[float, float]] = []
        for x, mean in zip([*xs, 0.0], [*points, None], strict=True):
            if mean is not None and mean.value is not None:
                run.append((x, y(mean.value)))
                continue
            canvas.polyline(run, f"ln {each.style}")
            ends += [(each, run[-1][1])] if run else []
            run = []
    for each, xs, points in drawn:
        for x, mean in zip(xs, points, strict=True):
            if mean is not None and mean.value is None:
                canvas.marker(x, bottom - 8, "cross", f"no {each.style}", f"{each.name}: {estimate_words(mean)}")
            elif mean is not None and mean.value is not None:
                canvas.marker(x, y(mean.value), each.shape, f"mk {each.style}", f"{each.name}: {estimate_words(mean)}")
    if labelled:
        last = list(dict(ends).items())
        for (each, _), place in zip(
            last, spread_labels([height for _, height in last], END_LABEL_GAP, top, bottom), strict=True
        ):
            canvas.text(right + 6, place + 4, excerpt(each.name, _END_CHARS), f"end {each.style}")
    return canvas, "; ".join(
        f"{name}: "
        + ", ".join(
            f"{slot} {'no value' if mean is None or mean.value is None else decimal(mean.value)}"
            for slot, mean in zip(chart.slots, points, strict=True)
        )
        for name, points in chart.series.items()
    )


def _scatter(chart: Scatter) -> tuple[Canvas, str]:
    """The front is joined, filled and, from the best on, named, with intervals; all others are hollow."""
    height, left, right, top, bottom = 300.0, 52.0, 500.0, 14.0, 250.0
    canvas = Canvas(WIDTH, height)
    front = sorted((each for each in chart.spots if each.name in chart.front), key=lambda spot: spot.x)
    named = front[-_MOST_NAMED:]
    ticks = round_ticks(0.0, max(each.x for each in chart.spots))
    x = Scale(ticks[0], ticks[-1], left, right)
    for tick, text in zip(ticks, tick_words(ticks), strict=True):
        canvas.text(x(tick), bottom + 18, text, anchor="middle")
    values = [each.y.value or 0.0 for each in chart.spots]
    ends = [end for each in named for end in (each.y.low, each.y.high) if end is not None]
    heights = round_ticks(min([*values, *ends]), max([*values, *ends]))
    y = Scale(heights[0], heights[-1], bottom, top)
    for tick, text in zip(y.ticks, tick_words(y.ticks), strict=True):
        canvas.line(left, y(tick), right, y(tick), "grid")
        canvas.text(left - 6, y(tick) + 4, text, anchor="end")
    canvas.line(left, bottom, right, bottom, "axis")
    canvas.text((left + right) / 2, height - 6, chart.x, anchor="middle")
    canvas.text(left + 6, top - 4, chart.y)
    for each in named:
        if each.y.low is not None and each.y.high is not None:
            canvas.whisker(x(each.x), y(each.y.low), y(each.y.high), "wh s4")
    canvas.polyline([(x(each.x), y(each.y.value or 0)) for each in front], "ln s0")
    for each in sorted(chart.spots, key=lambda spot: spot.name in chart.front):  # the front on top
        shape, kind = ("diamond", "mk s4") if each.name in chart.front else ("circle", "mk hollow s0")
        tip = f"{each.name}: {estimate_words(each.y)} for {count(round(each.x))}"
        canvas.marker(x(each.x), y(each.y.value or 0), shape, kind, tip)
    places = spread_labels([y(each.y.value or 0) for each in named], END_LABEL_GAP, top, bottom)
    for each, place in zip(named, places, strict=True):
        canvas.text(right + 8, place + 4, excerpt(each.name, _END_CHARS), "end s4")
    return canvas, "; ".join(
        f"{each.name}: {decimal(each.y.value or 0)} at {count(round(each.x))}" for each in chart.spots
    )


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
