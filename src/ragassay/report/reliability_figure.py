"""The calibration curve: the share of claims that are supported against the score that the judge gave them."""

from __future__ import annotations

from markupsafe import Markup

from ragassay.agreement.reliability import Bin, Reliability
from ragassay.report.svg import Canvas, Scale
from ragassay.report.wording import count, decimal, estimate_words

_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 430.0, 14.0, 294.0
_BAR_TOP, _BAR_BOTTOM = 312.0, 352.0
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_figure(reliability: Reliability, identity: str) -> Markup:
    """One point a bin, at its mean score, with its interval; the diagonal is where scores mean what they say.

    Below: how many claims each bin holds.
    """
    canvas = Canvas(_RIGHT + 60, 396)
    x, y = Scale(0, 1, _LEFT, _RIGHT), Scale(0, 1, _BOTTOM, _TOP)
    for tick in _TICKS:
        canvas.line(_LEFT, y(tick), _RIGHT, y(tick), "grid")
        canvas.text(_LEFT - 6, y(tick) + 4, f"{tick:.1f}", anchor="end")
        canvas.text(x(tick), _BAR_BOTTOM + 16, f"{tick:.1f}", anchor="middle")
    canvas.line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "axis")
    canvas.line(_LEFT, _TOP, _LEFT, _BOTTOM, "axis")
    canvas.line(x(0), y(0), x(1), y(1), "axis")
    canvas.text(_LEFT + 6, _TOP - 3, "share supported")
    canvas.text((_LEFT + _RIGHT) / 2, _BAR_BOTTOM + 34, "score of the judge", anchor="middle")
    _draw_points(canvas, reliability, x, y)
    _draw_counts(canvas, reliability, x)
    described = "; ".join(
        f"scores {decimal(each.low, 1)} to {decimal(each.high, 1)}: {estimate_words(each.supported)}"
        if each.n
        else f"scores {decimal(each.low, 1)} to {decimal(each.high, 1)}: no claim"
        for each in reliability.bins
    )
    return canvas.render(identity, "Share of claims that are supported, by the score of the judge", described)


def _draw_points(canvas: Canvas, reliability: Reliability, x: Scale, y: Scale) -> None:
    """Whiskers first, then the line, then markers."""
    points = [
        (each, x(each.mean_score), y(each.supported.value))
        for each in reliability.bins
        if each.mean_score is not None and each.supported.value is not None
    ]
    for each, at, _ in points:
        if each.supported.low is not None and each.supported.high is not None:
            canvas.whisker(at, y(each.supported.low), y(each.supported.high), "wh s4")
    canvas.polyline([(at, height) for _, at, height in points], "ln s4")
    for each, at, height in points:
        canvas.marker(at, height, "circle", "mk s4", _tip(each))


def _draw_counts(canvas: Canvas, reliability: Reliability, x: Scale) -> None:
    most = max(each.n for each in reliability.bins)
    canvas.line(_LEFT, _BAR_BOTTOM, _RIGHT, _BAR_BOTTOM, "axis")
    for each in reliability.bins:
        if each.n:
            height = (_BAR_BOTTOM - _BAR_TOP) * each.n / most
            canvas.rectangle(x(each.low) + 2, _BAR_BOTTOM - height, x(each.high) - x(each.low) - 4, height, "bar s0")
    canvas.text(_RIGHT + 8, _BAR_TOP + 8, f"n = {count(most)}", "small")
    canvas.text(_RIGHT + 8, _BAR_BOTTOM + 4, "0", "small")


def _tip(each: Bin) -> str:
    mean = "" if each.mean_score is None else f"mean score {decimal(each.mean_score)}, "
    return f"{mean}supported {estimate_words(each.supported)}"
