"""Whether the number in a Chinese answer follows from what its context states: the critique reckons again."""

from __future__ import annotations

import re
from itertools import combinations

from ragassay.models.embedded.chinese.amounts import Amount, amounts, difference
from ragassay.models.embedded.chinese.asked import ParsedQuestion, pairs, parts_of
from ragassay.models.embedded.chinese.dates import Date, age_at, dates, interval
from ragassay.models.embedded.chinese.reading import Text

_MOST_PARTS = 8
"""Units whose numbers may enter a computation; more would make a match by chance likely."""


_MOST_VALUES = 60
"""Dates or amounts that are tried in pairs."""


def recomputed(answer: str, asked: ParsedQuestion, text: Text) -> str:
    """How the answer follows from dates, amounts, a birth date or the length of a list; empty where it does not."""
    near = _near(asked, text)
    moments = [date for unit in near for date in dates(unit)][:_MOST_VALUES]
    values = [amount for unit in near for amount in amounts(unit)][:_MOST_VALUES]
    opening = re.split(r"[（，。]", answer)[0]
    if asked.computes == "order":
        return _order(answer, moments)
    if asked.computes == "same":
        return f"another event of {moments[0].text}" if len(moments) > 1 else ""
    if asked.computes == "gap":
        return _gap(opening, moments)
    if asked.computes == "age":
        return _age(opening, moments)
    if asked.computes == "count":
        return _count(opening, text)
    return _difference(opening, values) or _larger(opening, near)


def _near(asked: ParsedQuestion, text: Text) -> list[str]:
    """The units that speak of the parts of the computation, the nearest of each first."""
    found: dict[int, str] = {}
    for part in parts_of(asked):
        wanted = tuple(pair for pair in pairs(part) if pair not in asked.about) or asked.wanted
        shares = sorted(range(len(text.units)), key=lambda place: (-text.share(wanted, place), place))
        found |= {place: text.units[place].text for place in shares[: _MOST_PARTS // 2]}
    born = next((place for place, unit in enumerate(text.units) if re.search(r"\d日(?:出生|生)|出生", unit.text)), None)
    if born is not None:
        found[born] = text.units[born].text
    return list(found.values())


def _order(answer: str, moments: list[Date]) -> str:
    told = [date.value for date in dates(answer)]
    known = {date.value for date in moments}
    return "in the order of their dates" if told == sorted(told) and set(told) <= known and len(told) > 1 else ""


def _gap(opening: str, moments: list[Date]) -> str:
    for first, last in combinations(sorted(set(moments), key=lambda date: date.value), 2):
        if interval(first, last) == opening.strip():
            return f"from {first.text} to {last.text}"
    return ""


def _age(opening: str, moments: list[Date]) -> str:
    for birth, moment in combinations(sorted(set(moments), key=lambda date: date.value), 2):
        age = age_at(birth, moment)
        if age is not None and re.match(rf"{age}周?岁", opening):
            return f"from {birth.text} to {moment.text}"
    return ""


def _count(opening: str, text: Text) -> str:
    run = 0
    for kind in [*(unit.kind for unit in text.units), "end"]:
        if kind == "item":
            run += 1
        elif run:
            if re.match(rf"{run}[个项条种]", opening):
                return f"a list of {run}"
            run = 0
    return ""


def _difference(opening: str, values: list[Amount]) -> str:
    for one, other in combinations(values, 2):
        more, less = sorted((one, other), key=lambda amount: -amount.value)
        gap = difference(more, less)
        if gap is not None and gap in opening:
            return f"difference of {more.text} and {less.text}"
    return ""


def _larger(opening: str, near: list[str]) -> str:
    """One of two rows or lines is named, and it holds the larger amount."""
    for one, other in combinations(near, 2):
        first, second = amounts(one)[:_MOST_VALUES], amounts(other)[:_MOST_VALUES]
        pairs_of = [
            (a, b) for a in first for b in second if a.kind == b.kind and a.unit == b.unit and a.value != b.value
        ]
        for a, b in pairs_of:
            if opening and opening in (one if a.value > b.value else other):
                return f"{a.text} against {b.text}"
    return ""
