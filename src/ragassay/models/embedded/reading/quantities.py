"""Dates, amounts and numbers in text, and whether two texts give the same ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ragassay.language import detect_language
from ragassay.models.embedded.reading.terms import (
    LOWER_MONTHS,
    MONTHS,
    NUMBER_WORDS,
    OTHER_MONTHS,
    SCALES,
    plain_number,
    term_of,
)

Kind = Literal["year", "month", "day", "percent", "money", "number"]


class Date(NamedTuple):
    """A date as precisely as it is written; start and end are offsets into its text."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int


class Quantity(NamedTuple):
    """unit: currency for money, the term of the counted noun for a number, else empty. digits: significant, as written.

    measure: its dimension and its value in seconds, metres, grams or litres; None where the unit is none of these.
    other_reading: what its value is times, if the one mark before three digits means what it does not mean in English.
    """

    kind: Kind
    value: float
    unit: str
    digits: int
    start: int
    end: int
    measure: tuple[str, float] | None = None
    other_reading: float = 1.0


_MONTH_OF = {**MONTHS, **OTHER_MONTHS}
_WRITTEN_MONTHS = {name if name in LOWER_MONTHS else name.capitalize() for name in _MONTH_OF} | {"Mai"}
_MONTH = "(?:" + "|".join(sorted(_WRITTEN_MONTHS, key=lambda name: (-len(name), name))) + r")\b\.?"
_YEAR = r"(?:1[0-9]|20)\d\d"
_DATE = re.compile(
    rf"""
    (?<![\d.,])(?P<day1>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?(?P<month1>{_MONTH})
      (?:,?\s+(?:del?\s+)?(?P<year1>{_YEAR})\b)?
    | (?<![\d.,])(?P<day9>[0-3]?\d)\.(?P<month9>[01]?\d)\.(?P<year9>{_YEAR})(?![\d.])
    | \b(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%])(?:,?\s+(?P<year2>{_YEAR})\b)?
    | \b(?P<month3>{_MONTH}),?\s+(?:of\s+|del?\s+)?(?P<year3>{_YEAR})\b
    | (?<!\d)(?P<year4>\d{{4}})-(?P<month4>[01]\d)-(?P<day4>[0-3]\d)(?!\d)
    | (?P<year5>\d{{4}})\s?年(?:\s?(?P<month5>\d{{1,2}})\s?月(?:\s?(?P<day5>\d{{1,2}})\s?[日号])?)?
    | (?<!\d)(?P<month6>\d{{1,2}})\s?月(?:份|(?P<day6>\d{{1,2}})[日号])?
    | \b(?P<month7>{_MONTH})
    | (?<![\d.,$€£¥-])(?P<year8>{_YEAR})(?:s\b)?(?![\d%]|[.,]\d|\s?(?:million|billion|thousand|percent)\b)
      (?=\W|$|[^\W\d_])
    """,
    re.VERBOSE,
)
# Alone, these are words or surnames as often as months.
_DOUBTFUL_MONTHS = frozenset({"may", "march", "mar", "jan", "sep", "dec", "jun"}) | LOWER_MONTHS
_MONTH_LEAD = re.compile(
    r"\b(?:in|of|since|until|till|by|during|late|early|mid|from|to|and|through|between|last|next"
    r"|en|im|ab|bis|seit|de|desde|hasta|depuis|fin)[\s-]$",
    re.I,
)

CURRENCIES = {"$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "dólares": "$"} | {
    "€": "€",
    "eur": "€",
    "euro": "€",
    "euros": "€",
    "£": "£",
    "gbp": "£",
    "pound": "£",
    "pounds": "£",
    "¥": "¥",
    "rmb": "¥",
    "yuan": "¥",
    "元": "¥",
    "yen": "yen",
}
MEASURES = {
    name: (dimension, size)
    for dimension, size, names in (
        ("time", 1.0, "second seconds sec secs sekunde sekunden seconde secondes segundos"),
        ("time", 60.0, "minute minutes min mins minuten minutos"),
        ("time", 3600.0, "hour hours hr hrs h stunde stunden heure heures hora horas"),
        ("time", 86_400.0, "day days tage tagen jour jours días"),
        ("time", 604_800.0, "week weeks woche wochen semaine semaines semana semanas"),
        ("length", 0.001, "millimetre millimetres millimeter millimeters mm"),
        ("length", 0.01, "centimetre centimetres centimeter centimeters cm"),
        ("length", 1.0, "metre metres meter meters mètre mètres metros"),
        ("length", 1000.0, "kilometre kilometres kilometer kilometers km kilomètres kilómetros"),
        ("mass", 1e-6, "microgram micrograms mcg µg"),
        ("mass", 0.001, "milligram milligrams mg"),
        ("mass", 1.0, "gram grams g gramm grammes gramos"),
        ("mass", 1000.0, "kilogram kilograms kg kilo kilos kilogramm"),
        ("mass", 1e6, "tonne tonnes tonnen toneladas"),
        ("volume", 0.001, "millilitre millilitres milliliter milliliters ml"),
        ("volume", 1.0, "litre litres liter liters l litros"),
    )
    for name in names.split()
}
"""Units by their sizes. A month or a mile has none that is the same everywhere; "m" may be a million."""
_TENS = "|".join(word for word, value in NUMBER_WORDS.items() if value >= 20)
_UNITS = "|".join(["one", *(word for word, value in NUMBER_WORDS.items() if value < 10)])
_BELOW_100 = rf"(?:(?:{_TENS})[\s-](?:{_UNITS})\b|(?:{'|'.join(NUMBER_WORDS)})\b)"
_BELOW_1000 = rf"(?:(?:{_UNITS})\s+hundred\b(?:(?:\s+and)?\s+(?:{_BELOW_100}|one\b))?|{_BELOW_100})"
_IN_WORDS = rf"\b(?:(?:one|{_BELOW_1000})\s+thousand(?:\s+and)?\s+{_BELOW_1000}|{_BELOW_1000})"
"""Cardinals below a million, "four hundred and twelve"; round thousands are left to the scale."""
_SCALES = "|".join(sorted(SCALES, key=lambda name: (-len(name), name)))
_AMOUNT = re.compile(
    rf"""
    (?P<prefix>US\$|[$€£¥]|(?:USD|EUR|GBP|RMB)\s)?
    (?<![A-Za-z0-9_.])
    (?P<digits>\d{{1,3}}(?:(?:\.\d{{3}})+,\d+|(?:\.\d{{3}}){{2,}}|(?:['’\u00a0\u202f]\d{{3}})+(?:[.,]\d+)?)(?![.,]?\d)
      |(?<!\d,)\d+,(?!\d{{3}}(?!\d))\d+(?!,?\d)|\d+(?:,\d{{3}})*(?:\.\d+)?|{_IN_WORDS})
    (?:st\b|nd\b|rd\b|th\b)?
    (?P<percent>\s?%|[\s-]per\s?cent\b|[\s-]percent(?:age)?\b|\s(?:prozent|pour\scent|por\sciento)\b)?
    (?:[\s-]?(?P<scale>{_SCALES})(?![^\W\d_]))?(?:\sd(?:e\s|['’]))?
    (?:\s?(?P<unit>元|[^\W\d_]+))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+")
_THREE_DIGITS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_SPACED = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?: \d{3})+(?!\w)")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])\d+,(?!\d{3}(?!\d))(?=\d+(?!,?\d))")
_SHORT_ENGLISH = re.compile(r"\b(?:the|and|are)\b", re.IGNORECASE)
_POINT_OF_THOUSANDS = frozenset(("de", "fr", "es", "und"))
"""Languages of texts in which "1.200" may be 1200 and "12 500" is one number; ``und``: too short to tell."""
_NUMERIC_WORDS = frozenset(NUMBER_WORDS) | frozenset(_MONTH_OF) | {"hundred", "thousand"}
_PLURAL_NOUN = re.compile(r"\s([a-z]{3,}s)\b")
_DATE_LEAD = re.compile(
    r"\b(?:in|of|since|until|till|by|during|late|early|from|to|and|through|year|before|after)[\s-]$", re.I
)


def dates(text: str) -> Iterator[Date]:
    """Yield the dates of a text, in their order."""
    for match in _DATE.finditer(text):
        parts = {name.rstrip("123456789"): value for name, value in match.groupdict().items() if value}
        month_name = parts.get("month", "").rstrip(".").lower()
        month = int(month_name) if month_name.isdigit() else _MONTH_OF.get(month_name)
        alone = len(parts) == 1 and month_name in _DOUBTFUL_MONTHS
        if alone and not _MONTH_LEAD.search(text[max(0, match.start() - 10) : match.start()]):
            continue
        if match["year8"] and _counts_something(text, match):
            continue
        year = int(parts["year"]) if "year" in parts else None
        day = int(parts["day"]) if "day" in parts else None
        if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
            continue
        yield Date(year, month, day, match.start(), match.end())


def _counts_something(text: str, match: re.Match[str]) -> bool:
    """Whether four digits are an amount ("2000 employees") although they could be a year."""
    noun = _PLURAL_NOUN.match(text, match.end())
    if noun is None or not term_of(noun[1]):
        return False
    return _DATE_LEAD.search(text[max(0, match.start() - 10) : match.start()]) is None


def quantities(text: str) -> list[Quantity]:
    """Every number of a text with its kind; the parts of a date count singly, dates first."""
    if _DIGIT.search(text) is None and _NUMERIC_WORDS.isdisjoint(_WORD.findall(text.lower())):
        return []
    found: list[Quantity] = []
    taken: list[tuple[int, int]] = []
    for date in dates(text):
        taken.append((date.start, date.end))
        parts: tuple[tuple[Kind, int | None], ...] = (("year", date.year), ("month", date.month), ("day", date.day))
        found.extend(
            Quantity(kind, float(value), "", len(str(value)), date.start, date.end)
            for kind, value in parts
            if value is not None
        )
    place = 0  # both come in the order of the text: no date is looked at again for every number
    language = _language(text) if any(mark.search(text) for mark in (_SPACED, _THREE_DIGITS, _DECIMAL_COMMA)) else "en"
    if language == "en" or (language == "und" and _SHORT_ENGLISH.search(text)):  # "steps 1,2" are two
        text = _DECIMAL_COMMA.sub(lambda found: found[0].replace(",", ";"), text)
    if language in _POINT_OF_THOUSANDS:
        text = _SPACED.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    for match in _AMOUNT.finditer(text):
        start, end = match.span("digits")
        while place < len(taken) and taken[place][1] <= start:
            place += 1
        if place == len(taken) or taken[place][0] >= end:
            found.append(_quantity(match, language))
    return found


_language = lru_cache(maxsize=64)(detect_language)


def _quantity(match: re.Match[str], language: str) -> Quantity:
    written = match["digits"].lower()
    other = 1.0
    if written[0].isdigit():
        plain = plain_number(written)
        value = float(plain)
        digits = len(plain.replace(".", "").lstrip("0"))
        if language in _POINT_OF_THOUSANDS and _THREE_DIGITS.fullmatch(written):
            other = 1000.0 if "." in written else 0.001 if language != "und" else 1.0
    else:
        value = _cardinal(written)
        digits = max(_LEAST_DIGITS, len(f"{value:.0f}".rstrip("0")))
    scale = (match["scale"] or "").lower()
    value *= SCALES.get(scale, 1.0)
    unit = (match["unit"] or "").lower()
    currency = CURRENCIES.get((match["prefix"] or "").strip().lower()) or CURRENCIES.get(unit)
    if match["percent"]:
        return Quantity("percent", value, "", digits, match.start(), match.end(), None, other)
    if currency:
        return Quantity("money", value, currency, digits, match.start(), match.end(), None, other)
    dimension, size = MEASURES.get(unit, ("", 0.0))
    # Without the last digits, in which 700 ml are not 0.7 litres.
    measure = (dimension, float(f"{value * size:.9g}")) if dimension else None
    return Quantity("number", value, term_of(unit) if unit else "", digits, match.start(), match.end(), measure, other)


def _cardinal(words: str) -> float:
    """The value of a cardinal in words, lower case."""
    total = 0.0
    for word in words.replace("-", " ").split():
        if word == "thousand":
            total *= 1000
        elif word == "hundred":
            total += 99 * (total % 1000)
        elif word != "and":
            total += NUMBER_WORDS.get(word, 1)
    return total


_LEAST_DIGITS = 2
"""Significant digits from which on an amount may agree with one that is written more exactly."""
_OF_DATES = frozenset(("year", "month", "day"))


def _readings(quantity: Quantity) -> Iterator[Quantity]:
    """The quantity, and as its other reading has it."""
    yield quantity
    if (times := quantity.other_reading) != 1:
        measure = quantity.measure and (quantity.measure[0], quantity.measure[1] * times)
        yield quantity._replace(value=float(f"{quantity.value * times:.9g}"), measure=measure, other_reading=1.0)


def same_value(stated: Quantity, given: Quantity) -> bool:
    """Return whether two quantities agree, as exactly as the coarser is written; measures are compared in one unit."""
    return any(_same(one, other) for one in _readings(stated) for other in _readings(given))


def _same(stated: Quantity, given: Quantity) -> bool:
    one, other = stated.value, given.value
    if stated.measure and given.measure:
        if stated.measure[0] != given.measure[0]:
            return False
        one, other = stated.measure[1], given.measure[1]
    if one == other:
        return True
    digits = min(stated.digits, given.digits)
    if digits < _LEAST_DIGITS or stated.kind in _OF_DATES or given.kind in _OF_DATES:
        return False
    return _as_digits(one, digits) == _as_digits(other, digits)


def _as_digits(value: float, digits: int) -> str:
    return f"{value:.{digits - 1}e}"


def comparable(stated: Quantity, given: Quantity) -> bool:
    """Whether the two give a value to the same kind of thing: years, money, one noun, units of one dimension."""
    if stated.kind != given.kind:
        return False
    if stated.measure and given.measure:
        return stated.measure[0] == given.measure[0]
    return stated.kind != "number" or stated.unit == given.unit or not (stated.unit and given.unit)


class Agreement(NamedTuple):
    """Of a statement's quantities those that a text does not give; clashing: it gives another for the same thing."""

    clashing: tuple[Quantity, ...]
    missing: tuple[Quantity, ...]


_UNMEASURED, _AS_WRITTEN = "", "as written"


class _Values:
    """Quantities in which another is looked up as by ``same_value``, so that a text with thousands is read once."""

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        self._exact: set[tuple[str, float]] = set()
        self._amounts: dict[tuple[str, int], set[float]] = defaultdict(set)
        for each in (reading for quantity in quantities for reading in _readings(quantity)):
            for scale, value in (each.measure or (_UNMEASURED, each.value), (_AS_WRITTEN, each.value)):
                self._exact.add((scale, value))
                if each.kind not in _OF_DATES and each.digits >= _LEAST_DIGITS:
                    self._amounts[scale, each.digits].add(value)
        self._rounded: dict[tuple[str, int, int], set[str]] = {}

    def hold(self, quantity: Quantity) -> bool:
        """Whether one of them has this value, as exactly as the coarser of the two is written."""
        return any(map(self._hold, _readings(quantity)))

    def _hold(self, quantity: Quantity) -> bool:
        sought = [(_AS_WRITTEN, quantity.value)]
        if quantity.measure:
            sought = [quantity.measure, (_UNMEASURED, quantity.value)]
        if any(each in self._exact for each in sought):
            return True
        if quantity.kind in _OF_DATES or quantity.digits < _LEAST_DIGITS:
            return False
        return any(
            _as_digits(value, digits) in self._written(scale, digits, written)
            for scale, value in sought
            for of, written in self._amounts
            if of == scale and (digits := min(quantity.digits, written))
        )

    def _written(self, scale: str, digits: int, written: int) -> set[str]:
        """The amounts that are written with so many digits, each as ``digits`` of them give it."""
        key = (scale, digits, written)
        if key not in self._rounded:
            self._rounded[key] = {_as_digits(value, digits) for value in self._amounts[scale, written]}
        return self._rounded[key]


def agreement(stated: Sequence[Quantity], given: Sequence[Quantity]) -> Agreement:
    """Compares each stated quantity with those that a text gives."""
    in_text, in_statement = _Values(given), _Values(stated)
    # A value that the statement itself repeats elsewhere is not the rival of this one.
    rivals = {(other.kind, other.unit): other for other in given if not in_statement.hold(other)}
    lacking: tuple[list[Quantity], list[Quantity]] = ([], [])
    for quantity in stated:
        if not in_text.hold(quantity):
            lacking[not any(comparable(quantity, other) for other in rivals.values())].append(quantity)
    return Agreement(*map(tuple, lacking))
