"""One self-contained HTML page of a sweep: best settings, text weights, quality against tokens and chunk size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ragassay.rag.setting import NO_GENERATOR, Setting
from ragassay.report.figures import Priced, pareto_figure
from ragassay.report.items import Items
from ragassay.report.page import render_page
from ragassay.report.svg import Canvas, Scale
from ragassay.report.sweep_rows import higher_is_better, packed_rows
from ragassay.report.sweep_trust import trust_of_sweep
from ragassay.report.tables import cell
from ragassay.report.wording import count, decimal, estimate_words
from ragassay.sweep.outcome import Point
from ragassay.sweep.swept import Swept

_WIDTH, _HEIGHT = 560.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 540.0, 14.0, 196.0
MOST_PRICED = 200
"""Settings in the figure of quality against tokens: the front, and the first of the others."""
MOST_UNCOVERED = 200
"""Rows of the table of settings with too few values."""
MOST_UNANSWERED = 50
"""Settings of which it is said how much servers left unanswered, the worst ones."""


def render_sweep(
    swept: Swept,
    settings: Mapping[str, str],
    versions: Mapping[str, str] | None = None,
    items: Items | None = None,
) -> str:
    """The whole page as text, to be written as UTF-8. versions: name to version of what the sweep was made with.

    items: every question with what the best settings made of it; None where there is nothing to open.
    """
    found, priced = swept.outcome, _priced_points(swept)
    return render_page(
        "sweep.html.j2",
        swept.version,
        items=items,
        results=packed_rows(swept, apart([each.name for each in swept.planned.settings])),
        swept=swept,
        found=found,
        top=found.recommended,
        setting_name=name_of,
        trust=trust_of_sweep(swept),
        settings=settings,
        versions=versions or {},
        priced=_priced(priced, swept.deciding),
        priced_points=priced,
        tokens_words=tokens_words,
        uncovered=found.uncovered[:MOST_UNCOVERED],
        most_unanswered=MOST_UNANSWERED,
        front={point.setting.name for point in found.front},
        curve=curve_figure(found.curve, swept.deciding) if len(found.curve) > 1 else None,
        estimate_cell=cell,
    )


def _priced_points(swept: Swept) -> list[Point]:
    """Those of the figure of quality against tokens, the front first; none where tokens are unknown, or less is better.

    Of all settings that were asked every question.
    """
    if not higher_is_better(swept):
        return []
    front = {point.setting.name for point in swept.outcome.front}
    priced = [each for each in swept.outcome.points if each.tokens.value is not None and each.quality.value is not None]
    return sorted(priced, key=lambda each: (each.setting.name not in front, -(each.quality.value or 0)))[:MOST_PRICED]


def _priced(points: Sequence[Point], quality: str) -> Markup | None:
    names = apart([each.setting.name for each in points])
    named = [
        Priced(name, each.tokens.value or 0, each.quality.value or 0) for name, each in zip(names, points, strict=True)
    ]
    return pareto_figure(named, quality, "quality-tokens", axis=tokens_words(points)) if named else None


def name_of(setting: Setting) -> str:
    return setting.name


def tokens_words(points: Sequence[Point]) -> str:
    """What the tokens of these settings are of: where nothing answers, none are written."""
    if any(point.setting.generator != NO_GENERATOR for point in points):
        return "tokens of a question, read and written"
    return "tokens of a question and its chunks"


def apart(names: Sequence[str]) -> list[str]:
    """The names without the words that all of them begin and end with: what sets them apart."""
    words = [name.split() for name in names]
    if len(words) < 2:
        return list(names)
    first, last = 0, 0
    shortest = min(map(len, words))
    while first < shortest - 1 and len({each[first] for each in words}) == 1:
        first += 1
    while last < shortest - first - 1 and len({each[-1 - last] for each in words}) == 1:
        last += 1
    return [" ".join(each[first : len(each) - last]) for each in words]


def curve_figure(points: Sequence[Point], quality: str) -> Markup:
    """Quality at each chunk size with its interval; below, the tokens of a question."""
    canvas = Canvas(_WIDTH, _HEIGHT)
    bounds = [
        bound
        for point in points
        for bound in (point.quality.low, point.quality.high, point.quality.value)
        if bound is not None
    ]
    low, high = min(bounds, default=0.0), max(bounds, default=1.0)
    room = max(high - low, 1e-6) * 0.1
    y = Scale(low - room, high + room, _BOTTOM, _TOP)
    for step in range(5):
        value = low + (high - low) * step / 4
        canvas.line(_LEFT, y(value), _RIGHT, y(value), "grid")
        canvas.text(_LEFT - 6, y(value) + 4, decimal(value, 2), anchor="end")
    canvas.line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "axis")
    gap = (_RIGHT - _LEFT) / max(1, len(points))
    run: list[tuple[float, float]] = []
    for place, point in enumerate(points):
        x = _LEFT + gap * (place + 0.5)
        canvas.text(x, _BOTTOM + 17, count(point.setting.chunk_size), anchor="middle")
        tokens = "" if point.tokens.value is None else f"{count(round(point.tokens.value))} tokens"
        canvas.text(x, _BOTTOM + 34, tokens, "small", "middle")
        if point.quality.value is None:
            continue
        if point.quality.low is not None and point.quality.high is not None:
            canvas.whisker(x, y(point.quality.low), y(point.quality.high), "wh s4")
        run.append((x, y(point.quality.value)))
    canvas.polyline(run, "ln s4")
    for (x, height), point in zip(run, (p for p in points if p.quality.value is not None), strict=True):
        canvas.marker(x, height, "circle", "mk s4", f"{point.setting.name}: {estimate_words(point.quality)}")
    canvas.text((_LEFT + _RIGHT) / 2, _HEIGHT - 6, f"chunk size, and {tokens_words(points)}", anchor="middle")
    described = "; ".join(f"{count(p.setting.chunk_size)}: {estimate_words(p.quality)}" for p in points)
    return canvas.render("chunk-curve", f"{quality} against chunk size", described)
