"""Measures of counts are those of the items counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.agreement.alpha import alpha_of_tallies, krippendorff_alpha
from ragassay.agreement.correlation import (
    kendall,
    kendall_of_pairs,
    pairs_of,
    pearson,
    pearson_of_pairs,
    spearman,
    spearman_of_pairs,
)
from ragassay.agreement.kappa import (
    cells,
    cohen_kappa,
    cohen_kappa_of_cells,
    cohen_kappas,
    fleiss_kappa,
    fleiss_kappa_of_tallies,
)
from ragassay.agreement.measure import Measure
from ragassay.agreement.resampling import counts_with_interval, resampled, with_interval
from ragassay.agreement.tallies import tallies

UNITS = st.lists(st.lists(st.sampled_from("1234"), min_size=2, max_size=4), min_size=2, max_size=20)
SAME = {"rel": 1e-9, "abs": 1e-9}


def same(one: Measure, other: Measure) -> bool:
    if one.value is None or other.value is None:
        return one == other
    return one.n == other.n and one.value == pytest.approx(other.value, **SAME)


@given(UNITS, st.integers(0, 5))
def test_kappa_and_alpha_of_a_resample(units: list[list[str]], seed: int) -> None:
    values = list("1234")
    found = tallies(units, values)
    drawn = next(resampled(len(units), seed))
    chosen = [units[place] for place in drawn]
    counts = found.counts(drawn)
    table = [[unit.count(value) for value in values] for unit in chosen]
    assert same(fleiss_kappa_of_tallies(found, counts), fleiss_kappa(table))
    assert same(alpha_of_tallies(found, counts, values, "nominal"), krippendorff_alpha(chosen, "nominal"))
    assert same(alpha_of_tallies(found, counts, values, "ordinal"), krippendorff_alpha(chosen, "ordinal", scale=values))


@pytest.mark.parametrize("n_values", [3, 200])  # so few that pairs of values are counted, and so many that they are not
def test_correlations_of_a_resample(n_values: int) -> None:
    generator = np.random.default_rng(4)
    first = generator.integers(0, n_values, 150).astype(np.float64)
    second = np.where(generator.random(150) < 0.5, first, generator.integers(0, n_values, 150))
    pairs = pairs_of(first, second)
    for drawn in [np.arange(150), *(each for _, each in zip(range(20), resampled(150, 1), strict=False))]:
        counts = pairs.counts(drawn)
        assert same(pearson_of_pairs(pairs, counts), pearson(first[drawn], second[drawn]))
        assert same(spearman_of_pairs(pairs, counts), spearman(first[drawn], second[drawn]))
        assert same(kendall_of_pairs(pairs, counts), kendall(first[drawn], second[drawn]))


def test_two_raters_with_many_values() -> None:
    generator = np.random.default_rng(2)
    first = generator.integers(0, 150, 400)
    second = np.where(generator.random(400) < 0.6, first, generator.integers(0, 150, 400))
    table = cells(first.tolist(), second.tolist(), 150)
    assert len(table.counts) > 100  # more than are drawn by a multinomial
    kappa = cohen_kappa_of_cells(table)
    found = counts_with_interval(table.counts, kappa, lambda counts: cohen_kappas(table, counts))

    def of_items(drawn: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Measure:
        return cohen_kappa([str(each) for each in first[drawn]], [str(each) for each in second[drawn]])

    one_by_one = with_interval(400, of_items, resamples=300, seed=1)
    assert found.value == pytest.approx(one_by_one.value or 0.0)
    assert found.low == pytest.approx(one_by_one.low or 0.0, abs=0.02)
    assert found.high == pytest.approx(one_by_one.high or 0.0, abs=0.02)
