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
        ("4th of May, 1998", DAY(1998, 5, 4), "day"),
        ("Sept. 3, 2001", DAY(2001, 9, 3), "day"),
        ("1998-05-04", DAY(1998, 5, 4), "day"),
        ("29 February 2000", DAY(2000, 2, 29), "day"),
        ("May 1998", DAY(1998, 5, 1), "month"),
        ("May, 1998", DAY(1998, 5, 1), "month"),
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
        ("€3", "3", "€"),
        ("£1,234.50", "1234.50", "£"),
        ("12.5 km²", "12.5", "km2"),
        ("412 metres", "412", "m"),
        ("412 m", "412", "m"),
        ("6 feet", "6", "ft"),
        ("40 percent", "40", "%"),
        ("40%", "40", "%"),
        ("20kg", "20", "kg"),
        ("2 billion", "2000000000", ""),
        ("3 hundred metres", "300", "m"),
        ("64 MB", "64", "MB"),
        ("30 days", "30", "day"),
        ("7", "7", ""),
        ("0.125 mm", "0.125", "mm"),
        ("1,250.125", "1250.125", ""),
        ("1.2500", "1.2500", ""),
    ],
)
def test_an_amount_has_a_value_and_a_unit(text: str, value: str, unit: str) -> None:
    amount = whole_amount(text)
    assert amount is not None
    assert (amount.text, amount.value, amount.unit) == (text, Decimal(value), unit)
    assert whole_amount(f" {text}. ") == amount
