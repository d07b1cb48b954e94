"""Compared settings, whoever compared them: families, points and axes worked by hand, pages of both kinds alike."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.rag.setting import Setting
from ragassay.records import Example
from ragassay.report import charts
from ragassay.report.compared import Compared, Winner, compared_in_run
from ragassay.report.compared_tables import best_rows, chunk_table, weight_table
from ragassay.report.html import render_report
from ragassay.report.store import read_summary, write_summary
from ragassay.report.summary import RunSummary
from ragassay.report.token_front import token_front
from ragassay.sweep.cells import Cell
from ragassay.sweep.values import TOKENS_IN


def mean(value: float, half: float = 0.1) -> Estimate:
    return Estimate(value=value, low=value - half, high=value + half, n=9, total=9)


def compared(values: Mapping[Setting, float], best: Setting, deciding: str = "recall@5") -> Compared:
    winner = Winner(
        label=ANSWERABLE,
        setting=best,
        estimate=mean(values[best]),
        dense=None,
        lexical=None,
        next_best=None,
        neighbours=(),
        ties=None,
    )
    return Compared(
        deciding=deciding,
        winners=(winner,),
        cells=tuple(
            Cell(setting=each, by="label", group=ANSWERABLE, metric=deciding, estimate=mean(value))
            for each, value in values.items()
        ),
        settings=tuple(values),
        tokens={each: mean(each.chunk_size, 1) for each in values},
    )


BEST = Setting(chunk_size=512, text_weight=0.5, prefix=("title",))
VALUES = {
    BEST: 0.8,
    replace(BEST, text_weight=0.0): 0.5,
    replace(BEST, fusion="rrf"): 0.7,
    replace(BEST, chunk_size=256): 0.4,
    replace(BEST, chunk_size=256, fusion="rrf"): 0.6,
    replace(BEST, prefix=()): 0.3,  # another family: its chunks are indexed otherwise
    Setting(chunk_size=512, text_weight=1.0, prefix=("title",), encoder="other"): 0.2,  # words alone know no encoder
}


def test_figures_change_the_mix_and_the_size_alone() -> None:
    found = compared(VALUES, BEST)
    (winner,) = found.winners
    assert found.text_weights(winner) == [0, 0.5, 1]
    assert found.fusions(winner) == ["raw_linear", "rrf"]
    assert [point and point.value for point in found.by_weight(winner, "raw_linear")] == [0.5, 0.8, 0.2]
    assert [point and point.value for point in found.by_weight(winner, "rrf")] == [0.5, 0.7, 0.2]
    sizes = {name: [point and point.value for point in points] for name, points in found.by_size(winner).items()}
    assert sizes == {"dense": [None, 0.5], "lexical": [None, 0.2], "best hybrid": [0.6, 0.8]}
    assert [heads for heads, _ in chunk_table(found).rows] == [
        (ANSWERABLE, "256", "rrf w=0.5"),
        (ANSWERABLE, "512", "raw_linear w=0.5"),
    ]
    assert [heads[2] for heads, _ in weight_table(found).rows] == ["0", "0.5", "1"]


def test_a_setting_that_is_left_out_has_no_point() -> None:
    found = replace(compared(VALUES, BEST), left_out=frozenset({(ANSWERABLE, replace(BEST, fusion="rrf").name)}))
    _, between, _ = found.by_weight(found.winners[0], "rrf")
    assert between is not None
    assert between.value is None


def test_axes_hold_values_that_are_no_shares() -> None:
    """Ratings sum to 2 to 10: intervals 5.9 to 8.1, so ticks from 5.5 to 8.5 or wider."""
    ratings = {each: 6 + value * 2.5 for each, value in VALUES.items()}
    found = compared(ratings, BEST, "truthfulness_and_relevance")
    low, high = charts.axis_at_best_size(found)
    assert low <= 6.4
    assert high >= 8.1
    drawn = str(charts.best_figure(found, (low, high)))
    assert "truthfulness_and_relevance" in drawn
    assert charts.axis_at_best_size(compared(VALUES, BEST)) == (0.0, 1.0)  # 0.2 - 0.1, down to a multiple of 0.2


def test_an_axis_of_another_metric_may_end_at_one() -> None:
    """EIR has no greatest value: 0.97 to 1 is no range of shares."""
    found = compared({each: 0.98 + value / 100 for each, value in VALUES.items()}, BEST, "eir_released@5")
    assert "0.995" in str(charts.best_figure(found, (0.97, 1.0)))


@pytest.mark.parametrize(("high", "low", "share"), [(0.8, 0.6, 1 / 3), (0.0, -1.0, None), (1.0, -1.0, None)])
def test_a_spread_is_no_share_of_what_is_not_above_zero(high: float, low: float, share: float | None) -> None:
    one = compared(VALUES, BEST)
    found = replace(
        one,
        winners=tuple(replace(one.winners[0], label=str(each), estimate=mean(each)) for each in (high, low)),
    )
    assert found.spread is not None
    assert found.spread.difference == pytest.approx(high - low)
    assert found.spread.relative == (None if share is None else pytest.approx(share))


def test_two_labels_in_another_script_have_figures_of_their_own() -> None:
    one = compared(VALUES, BEST)
    found = replace(one, winners=tuple(replace(one.winners[0], label=label) for label in ("事实", "推理")))
    drawn = [panel.svg for panel in charts.chunk_panels(found, (0.0, 1.0))]
    assert drawn[0].partition("aria-describedby")[0] != drawn[1].partition("aria-describedby")[0]


def test_of_what_is_better_when_less_there_is_no_front(monkeypatch: pytest.MonkeyPatch) -> None:
    assert token_front(compared(VALUES, BEST)) is not None
    monkeypatch.setattr(Compared, "higher_is_better", False)
    found = compared(VALUES, BEST)
    assert token_front(found) is None
    point = found.by_size(found.winners[0])["best hybrid"][0]
    assert point is not None
    assert point.value == 0.4


def test_the_next_best_is_kept_with_the_run_and_shown_first_among_the_tests(
    summary: RunSummary, examples: list[Example], tmp_path: Path
) -> None:
    other = Comparison(other="256 dense", difference=-0.02, low=-0.06, high=0.02, p_value=0.3, p_adjusted=1.0, n=39)
    given = replace(summary, best=tuple(replace(each, next_best=other) for each in summary.best))
    write_summary(tmp_path, given)
    read = read_summary(tmp_path)
    assert read.best == given.best
    (*_, row) = best_rows(compared_in_run(read))
    assert [(test.other, test.among) for test in row.tests][:2] == [
        ("256 dense", "all others"),
        ("1024 raw_linear w=0.05", "neighbours"),
    ]
    page = LexborHTMLParser(render_report(given, examples))
    assert "256 dense −0.02, −0.06 to 0.02" in " ".join(page.css("#best tbody tr")[0].text().split()).replace(
        "0.020", "0.02"
    )


def test_a_run_has_all_its_results_to_sort_and_filter(summary: RunSummary, examples: list[Example]) -> None:
    page = LexborHTMLParser(render_report(summary, examples))
    assert page.css_first("#results-table") is not None
    data = json.loads(zlib.decompress(base64.b64decode(page.css_first("#results-data").text())))
    groups = [name for _, name, _ in data["groups"]]
    assert groups == ["fact_single", "summary", "reasoning", "unanswerable", ANSWERABLE]
    assert len(data["rows"]) == 42 * 5
    assert [name for name, is_price in data["metrics"] if is_price] == [TOKENS_IN]
