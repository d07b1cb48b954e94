"""Cohen's and Fleiss' kappa: values worked by hand, and a reference library's on random tables."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats import inter_rater

from ragassay.agreement.kappa import (
    Cells,
    cells,
    cohen_kappa,
    cohen_kappa_of_cells,
    cohen_kappas,
    fleiss_kappa,
    fleiss_kappa_of_two,
)
from ragassay.agreement.measure import Measure
from ragassay.agreement.resampling import Drawn, counts_with_interval, with_interval


def test_cohens_kappa_of_two_raters_of_fifty_items() -> None:
    # Both yes 20, both no 15, yes and no 5, no and yes 10. Observed 35/50 = .7.
    # By chance .5 x .6 + .5 x .4 = .5, so (.7 - .5) / (1 - .5) = .4.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second).value == pytest.approx(0.4, abs=1e-12)
    assert cohen_kappa(first, second).n == 50


def test_a_weight_forgives_neighbours() -> None:
    # Pairs (1,2), (3,3), (2,2), (1,1): one disagreement of one step in four items.
    # Rows: 1 1/2, 2 1/4, 3 1/4; columns: 1 1/4, 2 1/2, 3 1/4. Linear by chance: sum of row x column x steps
    # = 1/2(1/2 x 1 + 1/4 x 2) + 1/4(1/4 x 1 + 1/4 x 1) + 1/4(1/4 x 2 + 1/2 x 1) = 1/2 + 1/8 + 1/4 = 7/8.
    # Observed 1/4, so 1 - (1/4) / (7/8) = 5/7.
    first, second = ["1", "3", "2", "1"], ["2", "3", "2", "1"]
    assert cohen_kappa(first, second, scale="123", weights="linear").value == pytest.approx(5 / 7, abs=1e-12)


@pytest.mark.parametrize(("weights", "reference"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_cohens_kappa_is_the_reference_librarys(weights: str, reference: str | None) -> None:
    random = np.random.default_rng(7)
    for _ in range(50):
        first, second = random.integers(0, 5, size=(2, 40))
        table = np.zeros((5, 5))
        np.add.at(table, (first, second), 1)
        expected = inter_rater.cohens_kappa(table, wt=reference).kappa
        found = cohen_kappa(
            [str(each) for each in first], [str(each) for each in second], scale="01234", weights=weights
        )
        assert found.value == pytest.approx(expected, abs=1e-9)


def test_fleiss_example_of_fourteen_raters() -> None:
    # The worked example that is common in textbooks: 10 items, 14 raters, 5 categories. Observed .378, chance .213.
    table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert fleiss_kappa(table).value == pytest.approx(0.210, abs=5e-4)


def test_fleiss_kappa_is_the_reference_librarys() -> None:
    random = np.random.default_rng(11)
    for _ in range(50):
        table = random.multinomial(6, [0.4, 0.3, 0.2, 0.1], size=25)
        assert fleiss_kappa(table).value == pytest.approx(inter_rater.fleiss_kappa(table), abs=1e-9)


def test_an_item_with_one_rater_says_nothing() -> None:
    # With the last left out: observed (1 + 0) / 2 = 1/2; shares 3/4 and 1/4, chance 5/8; (1/2 - 5/8) / (3/8) = -1/3.
    found = fleiss_kappa([[2, 0], [1, 1], [0, 1]])
    assert found.n == 2
    assert found.value == pytest.approx(-1 / 3, abs=1e-12)


def test_perfect_agreement_is_one_and_no_choice_is_undefined() -> None:
    assert fleiss_kappa([[3, 0], [0, 3]]).value == 1
    assert cohen_kappa(["a", "b"], ["a", "b"]).value == 1
    for undefined in (
        fleiss_kappa([[3, 0], [3, 0]]),
        fleiss_kappa([[1, 0]]),
        cohen_kappa(["a", "a"], ["a", "a"]),
        cohen_kappa([], []),
    ):
        assert undefined.value is None
        assert undefined.reason


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 values of one rater and 2"):
        cohen_kappa(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="'c' is not on the scale"):
        cohen_kappa(["a"], ["c"], scale=["a", "b"])


def of_two(table: Cells) -> Measure:
    return fleiss_kappa_of_two(table.first == table.second, table.first, table.second, table.counts, table.n_values)


def test_fleiss_kappa_of_two_raters_is_that_of_their_table() -> None:
    generator = np.random.default_rng(5)
    for _ in range(20):
        first, second = generator.integers(0, 3, (2, 40))
        table = cells(first, second, 3)
        counts = np.eye(3)[first] + np.eye(3)[second]
        assert of_two(table).value == pytest.approx(fleiss_kappa(counts).value)
    assert of_two(cells([0] * 7, [0] * 7, 2)).reason == "both gave all 7 items the same value: kappa is 0 / 0"
    assert of_two(cells([], [], 2)).value is None


def test_an_interval_by_counts_is_that_of_the_items_drawn_one_by_one() -> None:
    generator = np.random.default_rng(2)
    first = generator.integers(0, 3, 60)
    second = np.where(generator.random(60) < 0.6, first, generator.integers(0, 3, 60))
    table = cells(first, second, 3)
    measure = cohen_kappa_of_cells(table)
    by_counts = counts_with_interval(
        table.counts, measure, lambda counts: cohen_kappas(table, counts), resamples=20_000
    )

    def of_items(drawn: Drawn) -> Measure:
        return cohen_kappa([str(each) for each in first[drawn]], [str(each) for each in second[drawn]])

    one_by_one = with_interval(60, of_items, resamples=4_000)
    assert by_counts.value == one_by_one.value == pytest.approx(measure.value)
    assert (by_counts.low, by_counts.high) == (
        pytest.approx(one_by_one.low, abs=0.015),
        pytest.approx(one_by_one.high, abs=0.015),
    )
    alike = cells([1] * 9, [1] * 9, 2)
    found = counts_with_interval(alike.counts, cohen_kappa_of_cells(alike), lambda counts: cohen_kappas(alike, counts))
    assert (found.value, found.reason) == (None, "both gave all 9 items the same value: kappa is 0 / 0")
