"""Bands and lines of a panel, placed by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import Setting
from ragassay.report.compared import Point
from ragassay.report.line_panel import Frame, Line, LinePanel
from ragassay.report.svg import Canvas, Scale, round_ticks, tick_words

Interval = tuple[float | None, float | None, float | None]


def line(name: str, intervals: Sequence[Interval | None]) -> Line:
    """Intervals as value, low, high; None where there was no such setting."""
    points = []
    for place, each in enumerate(intervals):
        setting = Setting(chunk_size=512, fusion="rrf", text_weight=place / 10)
        if each is None:
            points.append(None)
            continue
        value, low, high = each
        n = 0 if value is None else 10
        points.append(Point(setting, Estimate(value=value, low=low, high=high, n=n, total=10)))
    return Line(name=name, points=points)


def drawn(own: Line, others: Sequence[Line] = ()) -> str:
    """Slots at x 16, 56, 96 …; y from 100 (recall 0) to 0 (recall 1)."""
    canvas = Canvas(200, 120)
    slots = [str(place) for place in range(len(own.points))]
    panel = LinePanel(canvas, Frame(0, 32 + 40 * (len(slots) - 1), 0, 100), slots, (0.0, 1.0), {})
    panel.draw_banded(own, others)
    return str(canvas.render("id", "title", "description"))


def test_a_band_goes_along_the_upper_ends_and_back_along_the_lower() -> None:
    svg = drawn(line("rrf", [(0.5, 0.4, 0.6), (0.7, 0.6, 0.8), (0.6, 0.5, 0.75)]))
    (band,) = re.findall(r'class="band s3" d="([^"]*)"', svg)
    assert band == "M16 40L56 20L96 25L96 50L56 40L16 60Z"
    assert svg.index("band s3") < svg.index("<polyline")  # below the line
    assert 'points="16,50 56,30 96,40"' in svg


def test_a_band_breaks_where_there_is_no_interval_and_one_alone_is_a_whisker() -> None:
    svg = drawn(
        line("rrf", [(0.5, 0.4, 0.6), (0.5, 0.4, 0.6), None, (0.5, 0.4, 0.6), (None, None, None), (0.5, None, None)])
    )
    assert re.findall(r'class="band s3" d="([^"]*)"', svg) == ["M16 40L56 40L56 60L16 60Z"]
    assert svg.count('class="wh s3"') == 1
    assert svg.count('class="no s3"') == 1  # the value that is missing, with its reason
    assert "0, 10" not in svg


def test_other_lines_are_thin_and_without_markers_and_bands() -> None:
    own = line("rrf", [(0.5, 0.4, 0.6), (0.7, 0.6, 0.8)])
    svg = drawn(own, [line("min_max", [(0.3, 0.2, 0.4), (0.4, 0.3, 0.5)])])
    assert svg.count('class="ln thin s2"') == 1
    assert svg.count('class="band') == 1
    assert re.findall(r'class="mk (s\d)"', svg) == ["s3", "s3"]


def test_a_panel_without_values_says_so() -> None:
    svg = drawn(line("rrf", [(None, None, None), None]))
    assert "no value" in svg
    assert "<polyline" not in svg


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0, 933, ["0", "200", "400", "600", "800", "1\u202f000"]),
        (0.42, 0.94, ["0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]),
        (0.861, 0.897, ["0.86", "0.87", "0.88", "0.89", "0.90"]),
        (-0.2, 0.9, ["\u22120.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (3, 3, ["3.0", "3.1"]),
        (0, 2_400_000, ["0", "500\u202f000", "1\u202f000\u202f000", "1\u202f500\u202f000", "2\u202f000\u202f000",
                        "2\u202f500\u202f000"]),
    ],
)  # fmt: skip
def test_ticks_are_round_numbers(low: float, high: float, words: list[str]) -> None:
    ticks = round_ticks(low, high)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert tick_words(ticks) == words


@pytest.mark.parametrize(
    ("low", "words"),
    [
        (0.7, ["1.0", "0.9", "0.8", "0.7"]),
        (0.0, ["1.0", "0.8", "0.6", "0.4", "0.2", "0.0"]),
        (0.97, ["1.000", "0.995", "0.990", "0.985", "0.980", "0.975", "0.970"]),
        (-5, ["1", "0", "\u22121", "\u22122", "\u22123", "\u22124", "\u22125"]),
    ],
)
def test_an_axis_that_ends_at_one_need_not_be_of_shares(low: float, words: list[str]) -> None:
    assert tick_words(Scale(low, 1.0, 0, 100).ticks) == words
