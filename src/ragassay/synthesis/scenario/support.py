"""Whether references support a keypoint: every number and name in it is said there or follows by arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import permutations

from ragassay.synthesis.scenario.values import dates_in
from ragassay.synthesis.scenario.writer import says

_NUMBER = re.compile(r"(?<![\dA-Za-z])\d+(?:,\d{3})*(?:\.\d+)?")
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
        computed = _computed(numbers, said)
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


def _computed(numbers: Sequence[Decimal], text: str) -> set[Decimal]:
    """Differences, shares in percent to one decimal, and days or months between dates: what conclusions compute."""
    dates = dates_in(text)
    days = [day.toordinal() for _, _, day, precision in dates if precision == "day"]
    months = [12 * day.year + day.month for _, _, day, _ in dates]
    found = {Decimal(abs(first - second)) for some in (days, months) for first, second in permutations(some, 2)}
    for first, second in permutations(numbers, 2):
        found.add(abs(first - second))
        if second:
            found.add((100 * first / second).quantize(Decimal("0.1"), ROUND_HALF_UP))
    return found
