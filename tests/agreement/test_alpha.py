"""Krippendorff's alpha: published values, and a reference library's on random tables with gaps."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from ragassay.agreement.alpha import Level, krippendorff_alpha

CODERS = (
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
)
"""Three coders of fifteen units, as in Krippendorff's lecture notes; a star is a missing value."""


def units_of(coders: tuple[str, ...]) -> list[list[str]]:
    return [[value for value in unit if value != "*"] for unit in zip(*map(str.split, coders), strict=True)]


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.691), ("interval", 0.811)])
def test_the_published_values(level: Level, published: float) -> None:
    found = krippendorff_alpha(units_of(CODERS), level)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert found.n == 12  # the units that two coders judged: 3 to 13, and 15


def test_two_raters_by_hand() -> None:
    # a a, a b, b b: coincidences aa 2, ab 1, ba 1, bb 2; n = 6, three of each. Observed disagreement 2,
    # by chance 2 x 3 x 3 / 5 = 3.6; alpha = 1 - 2 / 3.6.
    assert krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"]]).value == pytest.approx(1 - 2 / 3.6, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_is_the_reference_librarys(level: Level) -> None:
    random = np.random.default_rng(3)
    for _ in range(40):
        ratings = random.integers(1, 6, size=(4, 20)).astype(float)
        ratings[random.random(ratings.shape) < 0.3] = np.nan
        expected = krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)
        units = [[str(int(value)) for value in unit if not np.isnan(value)] for unit in ratings.T]
        assert krippendorff_alpha(units, level, scale="12345").value == pytest.approx(expected, abs=1e-9)


def test_what_is_undefined_says_why() -> None:
    assert krippendorff_alpha([["a"], []]).reason == "no item was judged by two raters"
    assert krippendorff_alpha([["a", "a"]]).value is None


def test_values_that_do_not_fit_the_level_are_refused() -> None:
    with pytest.raises(ValueError, match="'bad' is not a number"):
        krippendorff_alpha([["good", "bad"]], "interval")
    with pytest.raises(ValueError, match="'bad' is not on the scale good"):
        krippendorff_alpha([["good", "bad"]], "ordinal", scale=["good"])


def test_two_ways_to_write_one_number_are_one_value() -> None:
    assert krippendorff_alpha([("1", "1.0"), ("1.0", "1")], "interval").value is None
