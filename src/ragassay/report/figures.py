"""Figures of sets and scores: stacked bars, profiles of ratings, histograms, quality against tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.pareto import pareto_front
from ragassay.report.safe_text import excerpt
from ragassay.report.svg import END_LABEL_GAP, Canvas, Scale, round_ticks, spread_labels, tick_words
from ragassay.report.wording import count, decimal, estimate_words

NAME_CHARS = 24
_FRONT_CHARS = 34
_LEFT, _WIDTH = 170.0, 720.0
_ROW = 28.0
_N_WIDTH = 62.0
"""Room behind a bar for how many it stands for."""
_CELL = 34.0
MARKS = (("s4", "circle"), ("s5", "square"), ("s3", "triangle"), ("s2", "diamond"), ("s0", "cross"))
"""Style and shape of the first, second … series; after the last one they come again."""


class Part(NamedTuple):
    """A series of a figure: its name, and the style and shape that it is drawn in."""

    name: str
    style: str
    shape: str


def parts(names: Sequence[str]) -> list[Part]:
    return [Part(name, *MARKS[place % len(MARKS)]) for place, name in enumerate(names)]


def keys(series: Sequence[Part], *, filled: bool = False) -> list[tuple[Markup, str]]:
    """Samples for a legend: a bar where ``filled``, else a marker."""
    found = []
    for each in series:
        canvas = Canvas(34, 14)
        if filled:
            canvas.rectangle(4, 2, 26, 10, f"bar {each.style}")
        else:
            canvas.marker(17, 7, each.shape, f"mk {each.style}")
        found.append((canvas.render_ornament(), each.name))
    return found


def stacked_figure(
    rows: Sequence[tuple[str, Mapping[str, float]]], series: Sequence[Part], identity: str, title: str
) -> Markup:
    """One bar a row, as long as the whole, cut into the shares of the series; shares of 8 % and more are written.

    What the whole is stands behind its bar.
    """
    canvas = Canvas(_WIDTH, 6 + _ROW * max(len(rows), 1))
    for number, (name, amounts) in enumerate(rows):
        top, whole, x = 6 + number * _ROW, sum(amounts.values()), _LEFT
        canvas.text(0, top + 15, excerpt(name, NAME_CHARS), "value")
        for each in series:
            share = amounts.get(each.name, 0) / whole if whole else 0
            width = share * (_WIDTH - _LEFT - _N_WIDTH)
            canvas.rectangle(x, top + 3, width, 17, f"bar {each.style}")
            if share >= 0.08:
                canvas.text(x + width / 2, top + 15, f"{100 * share:.0f} %", "inside", "middle")
            x += width
        canvas.text(_WIDTH, top + 15, f"n = {count(round(whole))}", anchor="end")
    described = "; ".join(
        f"{name}: " + ", ".join(f"{each.name} {_amount(amounts.get(each.name, 0))}" for each in series)
        for name, amounts in rows
    )
    return canvas.render(identity, title, described)


def profile_figure(
    rows: Sequence[tuple[str, Mapping[str, Estimate]]], series: Sequence[Part], identity: str, title: str
) -> Markup:
    """Mean ratings from 1 to 5 with their intervals: one row for what was rated, one marker a series."""
    height = max(_ROW, 11.0 * len(series) + 8)
    bottom = 10 + height * max(len(rows), 1)
    canvas = Canvas(_WIDTH, bottom + 24)
    x = Scale(1.0, 5.0, _LEFT, _WIDTH - 12)
    for tick in range(1, 6):
        canvas.line(x(tick), 6, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 16, str(tick), anchor="middle")
    for number, (name, means) in enumerate(rows):
        middle = 10 + height * (number + 0.5)
        canvas.text(0, middle + 4, excerpt(name, NAME_CHARS), "value")
        for place, each in enumerate(series):
            found = means.get(each.name)
            if found is None or found.value is None:
                continue
            y = middle + (place - (len(series) - 1) / 2) * 11
            if found.low is not None and found.high is not None:
                canvas.bar_whisker(x(found.low), x(found.high), y, f"wh {each.style}")
            canvas.marker(x(found.value), y, each.shape, f"mk {each.style}", f"{each.name}: {estimate_words(found)}")
    described = "; ".join(
        f"{name}: " + ", ".join(f"{series_name} {estimate_words(found)}" for series_name, found in means.items())
        for name, means in rows
    )
    return canvas.render(identity, title, described)


def histogram_figure(
    counts: Mapping[int, int],
    low: int,
    high: int,
    identity: str,
    title: str,
    *,
    top_share: float = 1.0,
    axis: str = "",
    style: str = "s4",
) -> Markup:
    """One bar for each whole number from low to high, as high as its share of all; the share is written above.

    top_share: what the height of the figure stands for, the same in figures that stand side by side. axis: what the
    numbers are.
    """
    width, left, top, bottom = 340.0, 10.0, 20.0, 140.0
    canvas = Canvas(width, bottom + (40 if axis else 24))
    total = sum(counts.values())
    step = (width - 2 * left) / (high - low + 1)
    canvas.line(left, bottom, width - left, bottom, "axis")
    for value in range(low, high + 1):
        n = counts.get(value, 0)
        x, height = left + (value - low) * step, (bottom - top) * n / total / top_share if total else 0.0
        if n:
            canvas.rectangle(x + 2, bottom - height, step - 4, height, f"bar {style}")
            canvas.text(x + step / 2, bottom - height - 5, f"{100 * n / total:.0f} %", "small", "middle")
        canvas.text(x + step / 2, bottom + 15, str(value), anchor="middle")
    if axis:
        canvas.text(width / 2, bottom + 33, axis, anchor="middle")
    described = ", ".join(f"{value}: {counts.get(value, 0)}" for value in range(low, high + 1))
    return canvas.render(identity, title, described)


def heat_figure(
    values: Sequence[str],
    counts: Sequence[Sequence[int]],
    identity: str,
    title: str,
    *,
    sides: tuple[str, str],
) -> Markup:
    """Counts by row and column as shares of their row, the stronger the colour the larger; the diagonal is framed.

    sides: what rows and columns stand for. A row without a count has no shares.
    """
    left, top = 150.0, 40.0
    width = min(110.0, (_WIDTH - left - _N_WIDTH) / max(len(values), 1))
    canvas = Canvas(left + width * len(values) + _N_WIDTH, top + _CELL * len(values) + 4)
    fitting = max(4, int(width / 6.5))
    canvas.text(left, 12, sides[1])
    canvas.text(0, top - 8, sides[0])
    for place, value in enumerate(values):
        canvas.text(left + width * (place + 0.5), top - 8, excerpt(value, fitting), "value", "middle")
    for number, (value, row) in enumerate(zip(values, counts, strict=True)):
        y, whole = top + number * _CELL, sum(row)
        canvas.text(0, y + 21, excerpt(value, NAME_CHARS - 2), "value")
        for place, part in enumerate(row):
            x = left + width * place
            strength = min(4, 1 + 4 * part // whole) if part and whole else 0
            canvas.rectangle(x, y, width, _CELL, f"cell g{strength}")
            if whole:
                canvas.text(x + width / 2, y + 21, decimal(part / whole, 2), "strong" if part else "", "middle")
        canvas.text(left + width * len(values) + 8, y + 21, f"n = {count(whole)}")
    for place in range(len(values)):
        canvas.rectangle(left + width * place, top + place * _CELL, width, _CELL, "frame")
    described = "; ".join(
        f"{sides[0]} {value}: " + ", ".join(f"{other} {part}" for other, part in zip(values, row, strict=True))
        for value, row in zip(values, counts, strict=True)
        if sum(row)
    )
    return canvas.render(identity, title, described)


class Priced(NamedTuple):
    """A system in the figure of quality against tokens. tokens: of one example. total: of all.

    group: which of the figure's groups it belongs to. low, high: interval of the quality.
    """

    name: str
    tokens: float
    quality: float
    group: str = ""
    low: float | None = None
    high: float | None = None
    total: int = 0


def front_of(points: Sequence[Priced]) -> list[Priced]:
    """Those that no other one beats in quality at the same number of tokens or fewer; see ``pareto_front``."""
    return pareto_front(points, lambda point: point.tokens, lambda point: point.quality)


def pareto_figure(
    points: Sequence[Priced],
    quality: str,
    identity: str,
    *,
    groups: Sequence[Part] = (),
    axis: str = "tokens an example, prompt and reply",
) -> Markup:
    """Quality against tokens; the front is joined by a line and filled.

    points: of equal ones, the first is on the front. groups: what points are told apart by; the best of each on the
    front is named, with its interval. Without groups all of the front is. axis: what the tokens are of.
    """
    width, height, left, right, top, bottom = _WIDTH, 300.0, 52.0, 500.0, 14.0, 250.0
    canvas = Canvas(width, height)
    front = front_of(points)
    named = best_of_groups(front) if groups else front
    x = _axis(canvas, [0.0, *(point.tokens for point in points)], Scale(0, 1, left, right))
    ends = [end for each in named for end in (each.low, each.high) if end is not None]
    y = _axis(canvas, [*(point.quality for point in points), *ends], Scale(0, 1, bottom, top), grid_to=right)
    canvas.line(left, bottom, right, bottom, "axis")
    canvas.line(left, top, left, bottom, "axis")
    canvas.text((left + right) / 2, height - 6, axis, anchor="middle")
    canvas.text(left + 6, top - 4, quality)
    marked = {part.name: part for part in groups}
    for each in named:
        if each.low is not None and each.high is not None:
            canvas.whisker(x(each.tokens), y(each.low), y(each.high), f"wh {_mark(each, marked, True).style}")
    canvas.polyline([(x(each.tokens), y(each.quality)) for each in front], "ln s0" if groups else "ln s4")
    for each in sorted(points, key=lambda point: point in front):  # the front on top
        part = _mark(each, marked, each in front)
        kind = f"mk {part.style}" if each in front or not groups else f"mk hollow {part.style}"
        tip = f"{each.name}: {quality} {decimal(each.quality)}, {count(round(each.tokens))} tokens"
        canvas.marker(x(each.tokens), y(each.quality), part.shape, kind, tip)
    places = spread_labels([y(each.quality) for each in named], END_LABEL_GAP, top, bottom)
    for each, place in zip(named, places, strict=True):
        part = _mark(each, marked, True)
        canvas.text(right + 8, place + 4, excerpt(each.name, _FRONT_CHARS), f"end {part.style}")
    described = "; ".join(f"{each.name}: {decimal(each.quality)} at {count(round(each.tokens))}" for each in points)
    return canvas.render(identity, f"{quality} against {axis}; the front: {_names(front)}", described)


def _axis(canvas: Canvas, values: Sequence[float], place: Scale, grid_to: float | None = None) -> Scale:
    """Writes round numbers along the pixels of ``place``: below a figure, or left of one whose grid ends at grid_to."""
    ticks = round_ticks(min(values), max(values))
    scale = Scale(ticks[0], ticks[-1], place.start, place.end)
    for tick, text in zip(ticks, tick_words(ticks), strict=True):
        if grid_to is None:
            canvas.text(scale(tick), 268, text, anchor="middle")
        else:
            canvas.line(52, scale(tick), grid_to, scale(tick), "grid")
            canvas.text(46, scale(tick) + 4, text, anchor="end")
    return scale


def best_of_groups(front: Sequence[Priced]) -> list[Priced]:
    """Of each group the best on the front, for a figure to name where a group's points stand close together."""
    return list({each.group: each for each in front}.values())


def _mark(point: Priced, groups: Mapping[str, Part], on_front: bool) -> Part:
    if point.group in groups:
        return groups[point.group]
    return Part("", "s4", "diamond") if on_front else Part("", "s0", "circle")


def _names(points: Sequence[Priced]) -> str:
    return ", ".join(each.name for each in points)


def _amount(amount: float) -> str:
    return count(int(amount)) if float(amount).is_integer() else decimal(amount, 2)
