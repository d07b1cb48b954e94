"""Dates, amounts and the arithmetic between them."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import strategies as st

from ragassay.models.embedded.reading.reckoning import (
    find_dates,
    whole_amount,
)

DAY = datetime.date
days = st.dates(DAY(1000, 1, 1), DAY(2099, 12, 31))


@pytest.mark.parametrize(
    ("text", "first_day", "precision"),
    [
        ("4 May 1998", DAY(1998, 5, 4), "day"),
        ("May 4, 1998", DAY(1998, 5, 4), "day"),
        ("1998-05-04", DAY(1998, 5, 4), "day"),
        ("May 1998", DAY(1998, 5, 1), "month"),
        ("1998", DAY(1998, 1, 1), "year"),
    ],
)
def test_a_date_is_as_precise_as_it_is_written(text: str, first_day: datetime.date, precision: str) -> None:
    (found,) = find_dates(f"It came in {text}.")
    assert (found.text, found.first_day, found.precision) == (text, first_day, precision)
    assert (found.start, found.end) == (11, 11 + len(text))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12,000 vehicles", "12000", "vehicle"),
        ("$12.5 million", "12500000", "$"),
        ("12.5 km²", "12.5", "km2"),
        ("412 metres", "412", "m"),
        ("40 percent", "40", "%"),
        ("3 hundred metres", "300", "m"),
        ("30 days", "30", "day"),
        ("7", "7", ""),
        ("1,250.125", "1250.125", ""),
    ],
)
def test_an_amount_has_a_value_and_a_unit(text: str, value: str, unit: str) -> None:
    amount = whole_amount(text)
    assert amount is not None
    assert (amount.text, amount.value, amount.unit) == (text, Decimal(value), unit)
    assert whole_amount(f" {text}. ") == amount
