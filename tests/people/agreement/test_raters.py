"""Fleiss' kappa and Krippendorff's alpha: worked by hand, published, and a reference library's."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from statsmodels.stats import inter_rater

from ragassay.people.agreement.raters import Level, fleiss_kappa, krippendorff_alpha

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


def test_an_alpha_that_is_undefined_says_why() -> None:
    assert krippendorff_alpha([["a"], []]).reason == "no item was judged by two raters"
    assert krippendorff_alpha([["a", "a"]]).value is None


def test_values_that_do_not_fit_the_level_are_refused() -> None:
    with pytest.raises(ValueError, match="'bad' is not a number"):
        krippendorff_alpha([["good", "bad"]], "interval")
    with pytest.raises(ValueError, match="'bad' is not on the scale good"):
        krippendorff_alpha([["good", "bad"]], "ordinal", scale=["good"])


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
    for undefined in (fleiss_kappa([[3, 0], [3, 0]]), fleiss_kappa([[1, 0]])):
        assert undefined.value is None
        assert undefined.reason
