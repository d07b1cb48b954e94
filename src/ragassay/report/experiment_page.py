"""One self-contained HTML page of an experiment: both orders side by side, tau by metric, pairs that differ."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from ragassay.agreement.benchmarks import OrderAgreement
from ragassay.report.experiment_summary import ExperimentSummary
from ragassay.report.experiment_tables import by_rank, noteworthy, pair_row, reason_lines
from ragassay.report.figures import parts
from ragassay.report.page import render_page
from ragassay.report.safe_text import excerpt
from ragassay.report.svg import END_LABEL_GAP, Canvas, Scale, spread_labels
from ragassay.report.tables import cell
from ragassay.report.wording import decimal, estimate_words

_WIDTH, _LEFT, _RIGHT, _TOP = 720.0, 250.0, 470.0, 30.0
_ROW, _NAME_CHARS = 26.0, 34


def render_experiment(found: ExperimentSummary, versions: Mapping[str, str] | None = None) -> str:
    """The whole page as text, to be written as UTF-8. versions: name to version of what it was made with."""
    return render_page(
        "experiment.html.j2",
        found.version,
        found=found,
        versions=versions or {},
        slopes=[(order, slope_figure(order, f"slope-{number}")) for number, order in enumerate(found.orders)],
        by_rank=by_rank,
        noteworthy=lambda order: [pair_row(pair) for pair in noteworthy(order)],
        reasons=list(reason_lines(found)),
        estimate_cell=cell,
    )


def slope_figure(order: OrderAgreement, identity: str) -> Markup | None:
    """Each system as a line from its mean on the synthetic benchmark to that on the human one; None without an order.

    Each side has a scale of its own from its least to its greatest mean: lines that cross are pairs that swap.
    """
    places = by_rank(order)
    if order.tau.value is None:
        return None
    height = _TOP + max(6.0, len(places)) * _ROW + 10
    canvas = Canvas(_WIDTH, height)
    sides = [[place.synthetic.value or 0.0 for place in places], [place.human.value or 0.0 for place in places]]
    heights = []
    for x, title, means, anchor in (
        (_LEFT, "synthetic", sides[0], "end"),
        (_RIGHT, "human", sides[1], "start"),
    ):
        canvas.text(x, 14, title, "value", anchor)
        canvas.line(x, _TOP, x, height - 8, "axis")
        scale = _scale(means, height - 14, _TOP + 6, order.higher_is_better)
        heights.append([scale(mean) for mean in means])
    series = parts([place.system for place in places])
    for number, part in enumerate(series):
        one, other = heights[0][number], heights[1][number]
        canvas.polyline([(_LEFT, one), (_RIGHT, other)], f"ln {part.style}")
        tip = f"{part.name}: synthetic {estimate_words(places[number].synthetic)}, human " + estimate_words(
            places[number].human
        )
        canvas.marker(_LEFT, one, part.shape, f"mk {part.style}", tip)
        canvas.marker(_RIGHT, other, part.shape, f"mk {part.style}", tip)
    for x, means, wanted, anchor in (
        (_LEFT - 10, sides[0], heights[0], "end"),
        (_RIGHT + 10, sides[1], heights[1], "start"),
    ):
        for part, mean, y in zip(series, means, spread_labels(wanted, END_LABEL_GAP, _TOP, height - 10), strict=True):
            canvas.text(x, y + 4, f"{excerpt(part.name, _NAME_CHARS)} {decimal(mean)}", f"end {part.style}", anchor)
    described = "; ".join(
        f"{place.system}: rank {place.synthetic_rank:g} synthetic, {place.human_rank:g} human" for place in places
    )
    return canvas.render(identity, f"{order.metric} on both benchmarks", described)


def _scale(means: list[float], low: float, high: float, higher_is_better: bool) -> Scale:
    """The best mean at the top."""
    least, most = min(means), max(means)
    room = max(most - least, 1e-6) * 0.02
    start, end = (low, high) if higher_is_better else (high, low)
    return Scale(least - room, most + room, start, end)
