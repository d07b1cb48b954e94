"""Terms, dates and amounts, in English and Chinese, and what is reckoned with them."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.judging.clashes import clash
from ragassay.models.embedded.reading import chinese
from ragassay.models.embedded.reading.quantities import (
    agreement,
    dates,
    quantities,
    same_value,
)
from ragassay.models.embedded.reading.reckoning import (
    find_dates,
    whole_amount,
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
        ("am 3. März 2024", (2024, 3, 3)),
        ("vom 03.12.2024", (2024, 12, 3)),
        ("le 1er août 2024", (2024, 8, 1)),
        ("el 3 de marzo de 2024", (2024, 3, 3)),
        ("en septiembre del 2024", (2024, 9, None)),
        ("于2001年5月成立", (2001, 5, None)),
    ],
)
def test_dates_as_precisely_as_written(text: str, expected: tuple[int | None, ...]) -> None:
    (date,) = dates(text)
    assert (date.year, date.month, date.day) == expected


@pytest.mark.parametrize("text", ["2 Mars rovers", "mayo on bread", "Julio Iglesias", "version 1.2.2024.3"])
def test_what_is_no_date(text: str) -> None:
    assert [date for date in dates(text) if date.month] == []


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("1.234,56 Euro", "€1,234.56", True),
        ("1\u202f234,5 kg", "1234.5 kg", True),
        ("1'234.50 Franken", "1,234.50 francs", True),
        ("1.234.567 habitantes", "1,234,567 inhabitants", True),
        ("3,5 Prozent", "3.5 %", True),
        ("3,5 %", "35 %", False),
        ("12,75 Millionen", "12.75 million", True),
        ("3,2 milliards d’euros", "3.2 billion euros", True),
        ("2 mil euros", "2,000 euros", True),
        ("1,5 Stunden", "90 minutes", True),
        ("Die Gebühr für die Karte beträgt 1.200 Euro im Jahr.", "1,200 euros", True),
        ("La ville compte 12 500 habitants dans le centre.", "12,500 people", True),
        ("1.200 Euro", "1.300 Euro", False),
        (
            "It costs 1.250 euros in all of the shops of the old town by the sea.",
            "1,250 euros",
            False,
        ),  # English: one and a quarter
    ],
)
def test_numbers_as_other_languages_write_them(one: str, other: str, agree: bool) -> None:
    (first,), (second,) = quantities(one), quantities(other)
    assert same_value(first, second) is same_value(second, first) is agree
    assert agreement([first], [second]).clashing + agreement([first], [second]).missing == (() if agree else (first,))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Steps 1,2 are optional in the first part of the manual.", [1, 2]),
        ("Rooms 3,4 and 5 are on the second floor.", [3, 4, 5]),
        ("It costs 1,250 euros and 3.5 in the shops of the old town by the sea.", [1250, 3.5]),
        ("Les pas 1,2 et 3 sont facultatifs dans la première partie du manuel.", [1.2, 3]),
    ],
)
def test_a_comma_in_english_is_no_decimal_one(text: str, values: list[float]) -> None:
    found = quantities(text)
    assert [each.value for each in found] == values
    assert [text[each.start].isdigit() for each in found] == [True] * len(values)


def test_what_other_languages_leave_out_is_no_acronym_or_month() -> None:
    assert [term_of(word) for word in ("usa", "USA", "Sept", "Una", "À")] == ["", "usa", "sept", "", ""]


@pytest.mark.parametrize(
    ("claim", "text", "clashes"),
    [
        ("It opened on March 3, 2024.", "It opened on 2024-03-03.", False),
        ("Es öffnete am 3. März 2024.", "Es öffnete am 2024-03-03.", False),
        ("Il a ouvert le 3 mars 2024.", "Il a ouvert le 2024-03-03.", False),
        ("Abrió el 3 de marzo de 2024.", "Abrió el 2024-03-03.", False),
        ("Abrió el 4 de mayo de 2024.", "Abrió el 4 de marzo de 2024.", True),
        ("Die Gebühr beträgt 3,5 Prozent.", "Die Gebühr beträgt 3.5 %.", False),
        ("Die Gebühr beträgt 3,5 Prozent.", "Die Gebühr beträgt 35 Prozent.", True),
        ("It opened on June 1, 2010.", "It opened on January 1, 2010.", True),  # the same year and day
        ("Parcels go to the USA.", "Parcels go to Sweden.", True),  # "usa" is Spanish for "uses"
    ],
)
def test_what_clashes(claim: str, text: str, clashes: bool) -> None:
    assert (clash(claim, [text], text) is not None) is clashes


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


DAY = datetime.date


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("收入30000万元", [("money", 300_000_000.0, "元")]),
        ("利润0.79亿元，增长9.2%", [("money", 79_000_000.0, "元"), ("percent", 9.2, "%")]),
        ("判处三年六个月", [("duration", 42.0, "个月")]),  # 3 x 12 + 6
        ("占百分之三十五", [("percent", 35.0, "%")]),
        ("一家公司和一次性用品", []),
        ("2021年3月的3月10日", []),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, float, str]]) -> None:
    assert [(amount.kind, amount.value, amount.unit) for amount in chinese.amounts(text)] == expected


_DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31))


def _written(day: datetime.date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


@given(_DAYS)
def test_every_day_is_read_back(day: datetime.date) -> None:
    (found,) = chinese.dates(f"会议在{_written(day)}举行")
    assert found.value == (day.year, day.month, day.day)
