"""Dates and amounts that questions reckon with: where they stand, how precise they are, their arithmetic."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Precision = Literal["day", "month", "year"]

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH_NUMBER = {name: number for number, name in enumerate(_MONTHS, start=1)}
_MONTH_NUMBER |= {name[:3]: number for name, number in list(_MONTH_NUMBER.items())} | {"Sept": 9}
_MONTH = (
    r"(?P<{0}>January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
)
_YEAR = r"(?P<{0}>1[0-9]{{3}}|20[0-9]{{2}})"

_DATE = re.compile(
    r"(?<![\w/-])(?:"
    rf"(?P<d1>[0-3]?[0-9])(?:st|nd|rd|th)?(?:,| of)? {_MONTH.format('m1')},? {_YEAR.format('y1')}"
    rf"|{_MONTH.format('m2')} (?P<d2>[0-3]?[0-9])(?:st|nd|rd|th)?, {_YEAR.format('y2')}"
    rf"|{_MONTH.format('m3')},? {_YEAR.format('y3')}"
    r"|(?P<y5>1[0-9]{3}|20[0-9]{2})-(?P<m5>[01][0-9])-(?P<d5>[0-3][0-9])"
    rf"|{_YEAR.format('y4')}"
    r")(?![\w/]|-\w|[–—]\d|\.\d|,\d{3})"
)


_RANGE_BEFORE = re.compile(rf"(?:\d|{'|'.join(_MONTH_NUMBER)})[–—]$")


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date in a text. first_day: its first day; precision: how much of it is stated."""

    start: int
    end: int
    text: str
    first_day: datetime.date
    precision: Precision


def find_dates(text: str) -> list[DateSpan]:
    """All calendar dates of a text, in order: days, months of a year, and bare years from 1000 to 2099."""
    found = []
    for match in _DATE.finditer(text):
        if _RANGE_BEFORE.search(text, max(0, match.start() - 12), match.start()):
            continue  # the end of a range
        groups = match.groupdict()
        year = next(int(groups[key]) for key in ("y1", "y2", "y3", "y4", "y5") if groups[key])
        month_text = next((groups[key] for key in ("m1", "m2", "m3", "m5") if groups[key]), None)
        day_text = next((groups[key] for key in ("d1", "d2", "d5") if groups[key]), None)
        month = 1
        if month_text:
            month = int(month_text) if month_text.isdigit() else _MONTH_NUMBER[month_text.rstrip(".")]
        precision: Precision = "day" if day_text else "month" if month_text else "year"
        try:
            first_day = datetime.date(year, month, int(day_text) if day_text else 1)
        except ValueError:
            continue  # "31 June", "day 0": not a date after all
        found.append(DateSpan(match.start(), match.end(), match.group(), first_day, precision))
    return found


def years_between(earlier: datetime.date, later: datetime.date) -> int:
    """Whole years from one day to another."""
    return later.year - earlier.year - ((later.month, later.day) < (earlier.month, earlier.day))


_SCALE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CURRENCY = r"(?:[$€£¥]|US\$) ?|USD |EUR |GBP "
_UNIT = (
    r"%|percent|per cent|km/h|mph|rpm|km2|km²|m2|m²|sq mi|square (?:kilomet(?:er|re)s|miles|met(?:er|re)s|feet)|"
    r"kilomet(?:er|re)s?|met(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|miles?|feet|foot|inches|"
    r"km|cm|mm|m|ft|mi|kilograms?|tonnes?|tons?|grams?|pounds?|kg|mg|g|lbs?|litres?|liters?|L|ml|"
    r"GWh|MWh|kWh|GW|MW|kW|W|kV|V|hp|HP|[kMGT]i?B|kilobytes?|megabytes?|gigabytes?|terabytes?|bytes|bits|"
    r"milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|s|min|h|"
    r"people|inhabitants|residents|employees|staff|passengers|seats|students|members|vehicles|cars|euros?|"
    r"dollars?|°C|°F|knots"
)
_AMOUNT = re.compile(
    rf"(?<![\w.,/-])(?P<currency>{_CURRENCY})?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?"
    rf"|(?![1-9]\d{{0,2}}\.\d{{3}}(?!\d))\d+(?:\.\d+)?)"
    r"(?: (?P<scale>hundred|thousand|million|billion|trillion))?"
    rf"(?:[ -]?(?P<unit>{_UNIT})(?![\w²]))?(?![\w/]|[.,]\d|-\d|[–—]\d)"
)
_SAME_UNIT = {
    "percent": "%", "per cent": "%", "kilometers": "km", "kilometres": "km", "kilometer": "km", "kilometre": "km",
    "meters": "m", "metres": "m", "meter": "m", "metre": "m", "kilograms": "kg", "kilogram": "kg",
    "feet": "ft", "foot": "ft", "miles": "mi", "mile": "mi", "km²": "km2", "m²": "m2",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit. unit: '' for a bare number; currencies stand as their sign."""

    text: str
    value: Decimal
    unit: str


def whole_amount(text: str) -> Amount | None:
    """The amount that makes up the whole text; None for anything else, and for "1.200", which may be two things."""
    match = _AMOUNT.fullmatch(text.strip().rstrip("."))
    if match is None:
        return None
    value = Decimal(match["number"].replace(",", "")) * _SCALE.get(match["scale"] or "", 1)
    unit = (match["currency"] or "").strip() or (match["unit"] or "")
    return Amount(match.group(), value, _SAME_UNIT.get(unit, unit.rstrip("s") if len(unit) > 3 else unit))


def format_number(value: Decimal) -> str:
    """A plain number with thousands separators and no trailing zeros."""
    normal = value.normalize()
    return f"{int(normal):,}" if normal == normal.to_integral_value() else f"{normal:,f}"
