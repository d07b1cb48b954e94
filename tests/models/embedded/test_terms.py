from __future__ import annotations

import pytest

from ragassay.models.embedded.reading.quantities import (
    dates,
    quantities,
    same_value,
)
from ragassay.models.embedded.reading.terms import term_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("founded", "established"),
        ("underwent", "undergo"),
        ("twelve", "12"),
        ("bought", "acquisition"),
    ],
)
def test_words_that_say_the_same_are_one_term(one: str, other: str) -> None:
    assert term_of(one) == term_of(other) != ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 12 March 2021", (2021, 3, 12)),
        ("on March 3rd, 1999", (1999, 3, 3)),
        ("in June 2020", (2020, 6, None)),
        ("2021-03-04", (2021, 3, 4)),
        ("于2001年5月成立", (2001, 5, None)),
    ],
)
def test_dates_as_precisely_as_written(text: str, expected: tuple[int | None, ...]) -> None:
    (date,) = dates(text)
    assert (date.year, date.month, date.day) == expected


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("$1.2 billion", "money", 1.2e9, "$"),
        ("€ 40", "number", 40, ""),
        ("5.3 %", "percent", 5.3, ""),
        ("four hundred and twelve metres", "number", 412, "metr"),
        ("two thousand five hundred euros", "money", 2500, "€"),
        ("three hundred and forty-one thousand and six tins", "number", 341_006, "tin"),
    ],
)
def test_amounts_with_their_units(text: str, kind: str, value: float, unit: str) -> None:
    (quantity,) = quantities(text)
    assert (quantity.kind, quantity.unit) == (kind, unit)
    assert quantity.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("8 hours", "480 minutes", True),
        ("5 grams", "5 milligrams", False),
        ("30", "30 minutes", True),  # a number alone may be of the same unit
        ("0.33 litres", "333 ml", True),  # as exactly as the coarser is written
    ],
)
def test_measures_are_compared_in_one_unit(one: str, other: str, same: bool) -> None:
    (stated,), (given,) = quantities(one), quantities(other)
    assert same_value(stated, given) == same_value(given, stated) == same
