"""Compared settings, whoever compared them: families, points and spreads worked by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import Setting
from ragassay.report.blocks import Table
from ragassay.report.compared import Compared, Winner
from ragassay.report.settings import best_words, blocks_of_parameters
from ragassay.sweep.best import Ties
from ragassay.sweep.values import Cell


def mean(value: float, half: float = 0.1) -> Estimate:
    return Estimate(value=value, low=value - half, high=value + half, n=9, total=9)


def compared(values: Mapping[Setting, float], best: Setting, deciding: str = "recall@5") -> Compared:
    winner = Winner(
        label=ANSWERABLE,
        setting=best,
        estimate=mean(values[best]),
        dense=None,
        lexical=None,
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


def values(points: Sequence[Estimate | None]) -> list[float | None]:
    return [point and point.value for point in points]


def test_figures_change_the_mix_and_the_size_alone() -> None:
    found = compared(VALUES, BEST)
    (winner,) = found.winners
    assert found.text_weights(winner) == [0, 0.5, 1]
    assert {name: values(points) for name, points in found.by_weight(winner).items()} == {
        "raw linear fusion": [0.5, 0.8, 0.2],
        "reciprocal rank fusion": [0.5, 0.7, 0.2],
    }
    assert {name: values(points) for name, points in found.by_size(winner).items()} == {
        "dense": [None, 0.5],
        "lexical": [None, 0.2],
        "best hybrid": [0.6, 0.8],
    }


@pytest.mark.parametrize(("high", "low", "share"), [(0.8, 0.6, 1 / 3), (0.0, -1.0, None), (1.0, -1.0, None)])
def test_a_spread_is_no_share_of_what_is_not_above_zero(high: float, low: float, share: float | None) -> None:
    one = compared(VALUES, BEST)
    found = replace(
        one, winners=tuple(replace(one.winners[0], label=str(each), estimate=mean(each)) for each in (high, low))
    )
    assert found.spread is not None
    assert found.spread.difference == pytest.approx(high - low)
    assert found.spread.relative == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize(("tied", "is_open"), [(6, True), (5, False)])
def test_a_headline_says_that_no_setting_can_be_told_from_the_best(tied: int, is_open: bool) -> None:
    one = compared(VALUES, BEST)
    ties = Ties(tied=tied, others=6, cheapest=BEST, questions=9, needed=None)
    found = replace(one, winners=(replace(one.winners[0], ties=ties),))
    assert found.is_open is is_open
    assert ("recall@5" in best_words(found)) is not is_open


def test_of_what_is_better_when_less_there_is_no_front(monkeypatch: pytest.MonkeyPatch) -> None:
    def fronts(found: Compared) -> list[Table]:
        tables = [each for each in blocks_of_parameters(found) if isinstance(each, Table)]
        return [each for each in tables if each.title.startswith("Pareto front")]

    (front,) = fronts(compared(VALUES, BEST))
    assert len(front.rows) == 2  # 256 at 0.6, 512 at 0.8
    monkeypatch.setattr(Compared, "higher_is_better", False)
    found = compared(VALUES, BEST)
    assert fronts(found) == []
    assert values(found.by_size(found.winners[0])["best hybrid"])[0] == 0.4
