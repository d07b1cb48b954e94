"""Answers that are computed, against arithmetic done by hand."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

Generate = Callable[..., Any]


def sailor(born: str, joined: str) -> str:
    return f"# Ada Moss\n\nAda Moss (born {born}) is a Norwegian sailor. She joined the rescue service on {joined}."


@pytest.mark.parametrize(
    ("born", "joined", "age"),
    [
        ("12 May 1952", "11 May 1980", 27),  # the day before the 28th birthday
        ("12 May 1952", "12 May 1980", 28),
        ("12 May 1952", "13 May 1980", 28),
        ("29 February 1952", "28 February 1990", 37),  # the 38th year is full on 1 March
        ("29 February 1952", "1 March 1990", 38),
        ("31 December 1952", "1 January 1990", 37),
    ],
)
def test_ages(generated: Generate, born: str, joined: str, age: int) -> None:
    assert generated(sailor(born, joined)).of("age") == [
        ("How old was Ada Moss when she joined the rescue service?", f"{age} years old")
    ]


@pytest.mark.parametrize(
    ("born", "joined"),
    [
        ("1952", "11 May 1980"),  # a year is no birthday
        ("May 1952", "11 May 1980"),
        ("12 May 1980", "11 May 1952"),  # joined before birth
        ("12 May 1752", "11 May 1952"),  # 199 years old
    ],
)
def test_no_age_without_two_days_in_a_life(generated: Generate, born: str, joined: str) -> None:
    assert generated(sailor(born, joined)).of("age") == []


def bridge(*events: str) -> str:
    return "# Gannet Bridge\n\nGannet Bridge is a suspension bridge in Skaldar. " + " ".join(
        f"Gannet Bridge was {event}." for event in events
    )


@pytest.mark.parametrize(
    ("opened", "closed", "answer"),
    [
        ("on 4 May 1998", "on 9 June 1999", "401 days"),  # 365 to 4 May 1999, 27 to 31 May, 9 in June
        ("on 28 February 2000", "on 1 March 2000", "2 days"),  # a leap year
        ("on 28 February 1900", "on 1 March 1900", "1 day"),  # none
        ("on 31 December 1999", "on 1 January 2000", "1 day"),
        pytest.param("on 4 May 1998", "on 3 May 2008", "9 whole years"),  # the day before ten
        pytest.param("on 4 May 1998", "on 4 May 2008", "10 whole years"),
        ("in November 1999", "in February 2000", "3 months"),
        ("in May 1998", "in May 2001", "36 months"),
        ("in 1998", "in 2004", "6 years"),
    ],
)
def test_durations(generated: Generate, opened: str, closed: str, answer: str) -> None:
    found = generated(bridge(f"opened {opened}", f"closed {closed}")).of("duration")
    assert [given_answer for _, given_answer in found] == [answer]
    assert re.search(rf"How many {answer.split(' ', 1)[1].removesuffix('s')}s? ", found[0][0])


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ("on 4 May 1998", "in 2004"),  # not equally precise
        ("in May 1998", "on 9 June 1999"),
        ("in 1998", "in 1999"),  # may be a day or two years
        ("in 1998", "in 1998"),
        ("in May 1998", "in June 2001"),  # too many months to ask for
    ],
)
def test_no_duration_where_it_is_not_certain(generated: Generate, opened: str, closed: str) -> None:
    assert generated(bridge(f"opened {opened}", f"closed {closed}")).of("duration") == []


days = st.dates(datetime.date(1700, 1, 1), datetime.date(2049, 1, 1))


@settings(max_examples=25)
@given(days, st.integers(-800, 800))
def test_a_duration_is_what_the_calendar_says(generated: Generate, one: datetime.date, later_days: int) -> None:
    other = one + datetime.timedelta(days=later_days)
    written = [f"{day.day} {day:%B} {day.year}" for day in (one, other)]
    found = generated(bridge(f"opened on {written[0]}", f"closed on {written[1]}")).of("duration")
    apart = abs((other - one).days)
    if not apart:
        assert found == []
        return
    assert [answer for _, answer in found] == [f"{apart} day{'s' if apart > 1 else ''}"]


def incident(detected: str, resolved: str) -> str:
    return (
        f"# INC-205: Valve failure\n\n- Detected: {detected}\n- Resolved: {resolved}\n- Severity: high\n\n"
        "The valve failure happened at night.\n"
    )


KNOWN = frozenset({"detected", "resolved", "severity"})


def test_days_between_two_keys(generated: Generate) -> None:
    found = generated(incident("27 February 2000", "1 March 2000"), known_keys=KNOWN)
    # 28 and 29 February and 1 March: three days, as 2000 is a leap year
    assert found.of("period") == [
        ("How many days passed from the detection of the valve failure to its resolution?", "3 days")
    ]
    assert generated(incident("1 March 2000", "27 February 2000"), known_keys=KNOWN).of("period") == []
    assert generated(incident("March 2000", "1 April 2000"), known_keys=KNOWN).of("period") == []


def test_a_range_has_no_one_distance(generated: Generate) -> None:
    assert generated(incident("3 May 1998–5 May 1998", "9 May 1998"), known_keys=KNOWN).of("period") == []


def port(*rows: str, header: str = "| Berth | Length (m) | Fee |") -> str:
    return f"# Port Halden\n\nPort Halden is a town in Skaldar.\n\n{header}\n|---|---|---|\n" + "\n".join(rows) + "\n"


def compared(generated: Generate, *rows: str, **kwargs: str) -> set[tuple[str, str]]:
    found = generated(port(*rows, **kwargs))
    return {*found.of("difference"), *found.of("larger")}


def test_differences_of_amounts(generated: Generate) -> None:
    # 120 - 95.5 = 24.5 and 41.25 - 12.50 = 28.75. "North Quay" has an odd sum of bytes (971), which asks for the
    # difference; "Oil Pier" has an even one (724), which asks for the larger.
    rows = ("| North Quay | 120 | £12.50 |", "| South Quay | 95.5 | £41.25 |")
    assert compared(generated, *rows) == {
        ("What is the difference in length between North Quay and South Quay in Port Halden?", "24.5 m"),
        ("What is the difference in fee between North Quay and South Quay in Port Halden?", "£28.75"),
    }
    rows = ("| Oil Pier | 1,200 | £12.50 |", "| South Quay | 95.5 | £41.25 |")
    assert sum(b"North Quay") % 2 == 1
    assert sum(b"Oil Pier") % 2 == 0
    assert {answer for _, answer in compared(generated, *rows)} == {
        "Oil Pier (1,200 against 95.5)",
        "South Quay (£41.25 against £12.50)",
    }


def test_pence_have_two_digits(generated: Generate) -> None:
    rows = ("| North Quay | 120 | £12.50 |", "| South Quay | 120 | £41 |")
    assert {answer for _, answer in compared(generated, *rows)} == {"£28.50"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("£12.50", "€41"),  # other currencies
        ("12 kg", "41 m"),
        ("£12.50", "£12.50"),  # nothing to choose
        ("£12–14", "£41"),  # a range
        ("12", "41"),  # bare numbers may count unlike things
    ],
)
def test_what_cannot_be_compared(generated: Generate, first: str, second: str) -> None:
    rows = (f"| North Quay | wide | {first} |", f"| South Quay | low | {second} |")
    assert compared(generated, *rows) == set()


def test_totals_are_not_compared_with_their_parts(generated: Generate) -> None:
    rows = ("| North Quay | 120 | £12.50 |", "| Total | 215.5 | £53.75 |", "| South Quay | 95.5 | £41.25 |")
    assert all("Total" not in f"{question}{answer}" for question, answer in compared(generated, *rows))


def test_counts(generated: Generate) -> None:
    items = ("Replace the filter.", "Inspect the seal.", "Train the crew.", "Tell the owner.")
    for count in (2, 3, 4):
        text = "# INC-204: Pump failure\n\nIt was loud.\n\n## Corrective actions\n\n"
        text += "".join(f"- {item}\n" for item in items[:count])
        answers = [answer for _, answer in generated(text).of("count")]
        assert answers == ([] if count < 3 else [str(count)])  # two are seen at a glance
