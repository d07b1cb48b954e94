"""Dates in Chinese text, as precise as they are written."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple

_DATE = re.compile(
    r"""(?<![\d.])(?P<year>(?:1[5-9]|20)\d{2})\s?年(?!度|级|期|前|后|间|来|内|多|以|之|的时间)
        (?:\s?(?P<month>1[0-2]|0?[1-9])\s?月(?!份?度)份?(?:\s?(?P<day>3[01]|[12]\d|0?[1-9])\s?[日号])?)?
    | (?<![\d.-])(?P<iso_year>(?:1[5-9]|20)\d{2})[-/.](?P<iso_month>1[0-2]|0?[1-9])
        [-/.](?P<iso_day>3[01]|[12]\d|0?[1-9])(?![\d.-])""",
    re.VERBOSE,
)


class Date(NamedTuple):
    """A date as it stands in a text. month, day: 0 where it does not say. start, end: offsets."""

    year: int
    month: int
    day: int
    start: int
    end: int
    text: str

    @property
    def value(self) -> tuple[int, int, int]:
        """What two dates are compared by."""
        return self.year, self.month, self.day


def dates(text: str) -> list[Date]:
    """The dates of a text in order: ``2021年3月5日``, ``2021年3月``, ``2021年``, ``2021-03-05``.

    A day that the calendar lacks is none, and ``2021年度`` is a period. Dates without a year are left out.
    """
    return list(_dates(text))


def _dates(text: str) -> Iterator[Date]:
    for match in _DATE.finditer(text):
        year = int(match["year"] or match["iso_year"])
        month = int(match["month"] or match["iso_month"] or 0)
        day = int(match["day"] or match["iso_day"] or 0)
        try:
            datetime.date(year, month or 1, day or 1)
        except ValueError:
            continue
        yield Date(year, month, day, match.start(), match.end(), match.group())
