"""Dates, amounts and the arithmetic between them."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.reading.reckoning import (
    find_dates,
    whole_amount,
    years_between,
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
    "text",
    [
        "31 June 1999",  # no such day
        "29 February 1900",  # no leap year: divisible by 100 and not by 400
        "0 May 1998",
        "1998-13-01",
        "1998-99",
        "2001/02",
        "in 999 and 2100",
        "$1998.50",
        "1,998 seats",
        "v1998.1",
        "A1998",
        "19980504",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert find_dates(text) == []


@given(days)
def test_every_day_is_read_back_from_every_way_to_write_it(day: datetime.date) -> None:
    for written in (f"{day.day} {day:%B} {day.year}", f"{day:%B} {day.day}, {day.year}", day.isoformat()):
        (found,) = find_dates(written)
        assert (found.first_day, found.precision, found.text) == (day, "day", written)


@pytest.mark.parametrize(
    ("earlier", "later", "years"),
    [
        (DAY(1952, 5, 12), DAY(1980, 5, 11), 27),  # the day before a birthday
        (DAY(1952, 5, 12), DAY(1980, 5, 12), 28),
        (DAY(1952, 2, 29), DAY(1953, 2, 28), 0),  # born on a leap day: a year older on 1 March
        (DAY(1952, 2, 29), DAY(1953, 3, 1), 1),
        (DAY(1952, 2, 29), DAY(1956, 2, 29), 4),
        (DAY(1999, 12, 31), DAY(2000, 1, 1), 0),
    ],
)
def test_whole_years(earlier: datetime.date, later: datetime.date, years: int) -> None:
    assert years_between(earlier, later) == years


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


@pytest.mark.parametrize(
    "text",
    "|many|3-5 m|3–5 m|1,2|1.2.3|-5|1/2|10 kg and 20 kg|about 5 m|12 000|5 m wide|1.200 m|€12.500".split("|"),
)
def test_a_cell_that_is_no_single_amount(text: str) -> None:
    assert whole_amount(text) is None


@given(st.decimals(0, 10**9, places=2), st.sampled_from(["", "$", "€", "£"]))
def test_amounts_are_read_back(value: Decimal, currency: str) -> None:
    amount = whole_amount(f"{currency}{value:,.2f}")
    assert amount is not None
    assert (amount.value, amount.unit) == (value, currency)
