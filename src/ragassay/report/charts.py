"""The figures of compared settings: the deciding metric by label, by text weight and by chunk size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.report.compared import Compared, Winner, ends_of
from ragassay.report.line_panel import STYLES, Frame, Line, LinePanel, describe_lines
from ragassay.report.safe_text import excerpt
from ragassay.report.svg import Canvas, Scale, axis_start, round_ticks, tick_words
from ragassay.report.wording import FUSION_WORDS, count, decimal, estimate_words, why_missing

LABEL_CHARS = 18
_AXIS = 34.0
"""Room for the numbers of an axis."""

Axis = tuple[float, float]
"""Where an axis of values begins and ends."""


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


def weight_rows(compared: Compared, axis: Axis) -> list[Panel]:
    """The deciding metric against text weight, all else as in the best of each label; none without hybrids.

    For every fusion its line on the band of intervals: beside each other, since bands one over the other cannot be told
    apart; the other fusions are thin lines.
    """
    return [
        _weight_row(compared, best, axis, number)
        for number, best in enumerate(compared.winners)
        if compared.fusions(best)
    ]


def _weight_row(compared: Compared, best: Winner, axis: Axis, number: int) -> Panel:
    weights = compared.text_weights(best)
    lines = [Line(name=fusion, points=compared.by_weight(best, fusion)) for fusion in compared.fusions(best)]
    slots = [f"{value:g}" for value in weights]
    ends = {0.0: "dense", 1.0: "lexical"}
    shared = {slot: ends[value] for slot, value in enumerate(weights) if value in ends}
    winner = best.setting.fusion if any(line.name == best.setting.fusion for line in lines) else lines[0].name
    canvas, gap, top, bottom = Canvas(720, 176), 16.0, 24.0, 136.0
    width = (canvas.width - _AXIS - gap * (len(lines) - 1)) / len(lines)
    for place, line in enumerate(lines):
        left = _AXIS + place * (width + gap)
        panel = LinePanel(canvas, Frame(left, left + width, top, bottom), slots, axis, shared)
        panel.axes(values=place == 0)
        canvas.text(left, 12, FUSION_WORDS[line.name], f"end {line.style}")
        panel.draw_banded(line, [other for other in lines if other is not line])
        if line.name == winner:
            panel.ring(line, weights.index(best.setting.text_weight))
            if best.estimate.value is not None:
                canvas.text(left + width, 12, f"best {decimal(best.estimate.value)}", "strong", "end")
        canvas.text(left + width / 2, canvas.height - 6, "text weight", anchor="middle")
    chunks = f"chunks of {count(best.setting.chunk_size)} {best.setting.unit}"
    svg = canvas.render(
        f"weight-{best.label}-{number}",
        f"{best.label}: {compared.deciding} against text weight, {chunks}",
        describe_lines(lines, slots, "text weight"),
    )
    return Panel(label=best.label, svg=svg, note=f"{chunks}, n = {count(best.estimate.total)}")


def chunk_panels(compared: Compared, axis: Axis) -> list[Panel]:
    """The deciding metric against chunk size: dense, lexical and the best hybrid of each size; one panel a label."""
    return [
        _chunk_panel(compared, best, axis, number)
        for number, best in enumerate(compared.winners)
        if len(compared.chunk_sizes(best)) > 1
    ]


def _chunk_panel(compared: Compared, best: Winner, axis: Axis, number: int) -> Panel:
    lines = [Line(name=name, points=points) for name, points in compared.by_size(best).items()]
    slots = [count(size) for size in compared.chunk_sizes(best)]
    canvas, right = Canvas(336, 226), 262.0  # behind it the names of the lines
    panel = LinePanel(canvas, Frame(_AXIS, right, 12, 184), slots, axis, {}, apart=6)
    panel.axes()
    canvas.text((_AXIS + right) / 2, canvas.height - 6, f"chunk size in {best.setting.unit}", anchor="middle")
    panel.draw(lines)
    panel.label_ends(lines)
    svg = canvas.render(
        f"chunk-{best.label}-{number}",
        f"{best.label}: {compared.deciding} against chunk size",
        describe_lines(lines, slots, "chunk size"),
    )
    return Panel(label=best.label, svg=svg, note=f"n = {count(best.estimate.total)}")


def best_figure(compared: Compared, axis: Axis) -> Markup:
    """Dense, lexical and best value of every label on one axis, with their intervals."""
    row_height, left, right = 54.0, 128.0, 700.0
    bottom = 14 + row_height * len(compared.winners)
    canvas = Canvas(720, bottom + 40)
    x = Scale(*axis, left, right)
    for tick, text in zip(x.ticks, tick_words(x.ticks), strict=True):
        canvas.line(x(tick), 8, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 17, text, anchor="middle")
    canvas.line(left, bottom, right, bottom, "axis")
    canvas.text((left + right) / 2, bottom + 34, compared.deciding, anchor="middle")
    for row, winner in enumerate(compared.winners):
        middle = 14 + row_height * (row + 0.5)
        canvas.text(0, middle + 1, excerpt(winner.label, LABEL_CHARS), "strong")
        canvas.text(0, middle + 15, f"n = {count(winner.estimate.total)}", "small")
        for offset, name, estimate in (
            (-14, "best", winner.estimate),
            (0, "lexical", winner.lexical),
            (14, "dense", winner.dense),
        ):
            _mark(canvas, x, middle + offset, name, estimate)
    described = "; ".join(
        f"{each.label}: best {estimate_words(each.estimate)}, lexical {estimate_words(each.lexical)}, "
        f"dense {estimate_words(each.dense)}"
        for each in compared.winners
    )
    title = f"{compared.deciding} of the best, the lexical and the dense setting of every label"
    return canvas.render("best-by-label", title, described)


def _mark(canvas: Canvas, x: Scale, y: float, name: str, estimate: Estimate | None) -> None:
    style, shape = STYLES[name]
    if estimate is None or estimate.value is None:
        canvas.text(x.start + 8, y + 4, f"{name}: no value, {why_missing(estimate)}", "small")
        return
    if estimate.low is not None and estimate.high is not None:
        canvas.bar_whisker(x(estimate.low), x(estimate.high), y, f"wh {style}")
    canvas.marker(x(estimate.value), y, shape, f"mk {style}", f"{name}: {estimate_words(estimate)}")


def axis_at_best_size(compared: Compared) -> Axis:
    """One axis for the figures by label and by text weight, so that they can be compared.

    Both show the best chunk size of each label only.
    """
    ends = [estimate for each in compared.winners for estimate in (each.estimate, each.dense, each.lexical)]
    rows = (compared.by_weight(each, fusion) for each in compared.winners for fusion in compared.fusions(each))
    return _axis(compared, [*ends, *(point.estimate for row in rows for point in row if point is not None)])


def axis_by_size(compared: Compared) -> Axis:
    """That of the figure by chunk size."""
    lines = (line for each in compared.winners for line in compared.by_size(each).values())
    return _axis(compared, [point.estimate for line in lines for point in line if point is not None])


def _axis(compared: Compared, shown: Sequence[Estimate | None]) -> Axis:
    """Up to 1 for shares; round numbers around all that is shown for any other metric."""
    ends = ends_of(shown)
    if compared.is_share:
        return axis_start(min(ends, default=1.0)), 1.0
    ticks = round_ticks(min(ends, default=0.0), max(ends, default=1.0))
    return ticks[0], ticks[-1]
