"""Whether references support a keypoint: every number and name in it is said there or follows by arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import permutations

from ragassay.synthesis.scenario.writer import says

_NUMBER = re.compile(r"(?<![\dA-Za-z])\d+(?:,\d{3})*(?:\.\d+)?")
_MONTHS = "January February March April May June July August September October November December".split()
_DATE_EN = re.compile(rf"(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})")
_DATE_ZH = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_MONTH_EN = re.compile(rf"(?<!\d )({'|'.join(_MONTHS)}) (\d{{4}})")
_MONTH_ZH = re.compile(r"(\d{4})年(\d{1,2})月(?!\d)")
_NAME = re.compile(r"[A-Z][A-Za-z'’-]+(?: (?:of |and |the )?[A-Z][A-Za-z'’-]+)+")
"""Two capitalised words or more: one alone may only begin its sentence."""


def missing(keypoint: str, references: Sequence[str], known: str, values: Iterable[str]) -> list[str]:
    """What a keypoint says that its references neither say nor let one compute: numbers, names, values.

    known: text that every reader has, such as the titles of the documents. values: those of the configurations, so that
    what is no number and, as in Chinese, looks like no name is checked too.
    """
    said = "\n".join((*references, known))
    found = [
        value for value in dict.fromkeys(values) if len(value) > 1 and says(keypoint, value) and not says(said, value)
    ]
    numbers = _numbers(said)
    absent = [number for number in _numbers(keypoint) if number not in numbers]
    if absent:
        computed = _computed(numbers, list(_dates(said)))
        computed |= {Decimal(abs(first - second)) for first, second in permutations(_months(said), 2)}
        found += [str(number) for number in absent if number not in computed]
    whole = re.sub(r"\s+", " ", said)
    found += [name for name in _names(keypoint) if name not in whole]
    return found


def _numbers(text: str) -> list[Decimal]:
    return list(dict.fromkeys(Decimal(match.replace(",", "")) for match in _NUMBER.findall(text)))


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        name = match.group()
        first, _, rest = name.partition(" ")
        yield rest if first in ("The", "In", "On", "At", "By", "For", "After", "Of", "It") else name


def _dates(text: str) -> Iterator[date]:
    for day, month, year in _DATE_EN.findall(text):
        yield date(int(year), _MONTHS.index(month) + 1, int(day))
    for year, month, day in _DATE_ZH.findall(text):
        yield date(int(year), int(month), int(day))


def _months(text: str) -> Iterator[int]:
    """Months, counted from the year 0, of dates with and without a day."""
    for day in _dates(text):
        yield 12 * day.year + day.month - 1
    for month, year in _MONTH_EN.findall(text):
        yield 12 * int(year) + _MONTHS.index(month)
    for year, month in _MONTH_ZH.findall(text):
        yield 12 * int(year) + int(month) - 1


def _computed(numbers: Sequence[Decimal], dates: Sequence[date]) -> set[Decimal]:
    """Differences, shares in percent to one decimal, and days between dates: what conclusions compute."""
    found = {Decimal(abs((first - second).days)) for first, second in permutations(dates, 2)}
    for first, second in permutations(numbers, 2):
        found.add(abs(first - second))
        if second:
            found.add((100 * first / second).quantize(Decimal("0.1"), ROUND_HALF_UP))
    return found
