"""The same amount in other words: "twice a week" and "two times per week", "an hour and a half" and "90 minutes"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.reading.lexicon import NUMBER_WORDS
from ragassay.models.embedded.reading.quantities import CURRENCIES, MEASURES, Quantity, quantities
from ragassay.models.embedded.reading.terms import term_of

_PERIODS = "second|minute|hour|night|day|week|month|quarter|year"
_ADVERBS = dict(
    zip(
        "hourly nightly daily weekly monthly quarterly yearly annually annual".split(),
        "hour night day week month quarter year year year".split(),
        strict=True,
    )
)
_MOST_ONES = 9
_UNIT = "|".join(name for name, (dimension, _) in MEASURES.items() if dimension == "time" and len(name) > 2)
_TENS = "|".join(word for word, value in NUMBER_WORDS.items() if value >= 20)
_ONES = "|".join(["one", *(word for word, value in NUMBER_WORDS.items() if value <= _MOST_ONES)])
_FORM = re.compile(
    rf"""\b(?:
    (?P<before>an?|one|\d+|[a-z]+(?:-[a-z]+)?)\s+(?P<unit1>{_UNIT})\s+and\s+a\s+half
    | (?P<halves>\d+|[a-z]+(?:-[a-z]+)?)\s+and\s+a\s+half\s+(?P<unit2>{_UNIT})
    | half\s+an?\s+(?P<unit3>{_UNIT})
    | (?:(?<=for\ )|(?<=in\ )|(?<=of\ )|(?<=within\ )|(?<=after\ )|(?<=takes\ )|(?<=lasts\ ))an?\s+(?P<unit4>{_UNIT})
    | (?P<half>half)(?=\s+(?:of\s|the\s)) | (?P<quarters>an?|one|three)\s+quarters?(?=\s+of\s)
    | (?:per|an?|each|every)\s+(?P<period>{_PERIODS})
    | (?P<adverb>{"|".join(_ADVERBS)})
    | (?P<dozens>half\s+a|an?|[a-z]+)\s+dozen
    | (?P<once>once)(?=\s+(?:an?|per|each|every|daily|weekly|monthly|yearly)\b)
    | (?P<one>one\s+time) | (?P<twice>twice)
    | (?P<compound>(?:{_TENS})-(?:{_ONES}))
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Amounts without a number, or with more than one word for it."""


class _Amount(NamedTuple):
    """key: the same for all wordings of one amount."""

    start: int
    end: int
    key: tuple[str, str, float]


@lru_cache(maxsize=1024)
def plainly(text: str) -> str:
    """The text with its amounts as numbers: "two and a half hours" as "2.5 hours", "annually" as "per year"."""
    end, parts = 0, []
    for match in _FORM.finditer(text):
        parts += [text[end : match.start()], _number(match)]
        end = match.end()
    return "".join(parts) + text[end:]


def reworded(claim: str, text: str) -> str:
    """The claim with those amounts that the text gives, too, in the text's words."""
    given = {amount.key: text[amount.start : amount.end] for amount in reversed(_amounts(text))}
    for amount in reversed(_amounts(claim)):
        said = claim[amount.start : amount.end]
        if amount.key in given and said not in text:
            claim = claim[: amount.start] + given[amount.key] + claim[amount.end :]
    return claim


@lru_cache(maxsize=256)
def _amounts(text: str) -> tuple[_Amount, ...]:
    """The amounts of a text in their order; dates are none."""
    forms = list(_in_words(text))
    taken = [range(form.start, form.end) for form in forms]
    numbers = (_Amount(each.start, _end(each, text), _key(each)) for each in quantities(text) if each.kind in _COMPARED)
    return tuple(sorted((*forms, *(each for each in numbers if not any(each.start in span for span in taken)))))


_COMPARED = ("percent", "money", "number")
_LAST_WORD = re.compile(r"\s*[^\W\d_]+$")


def _end(quantity: Quantity, text: str) -> int:
    """Where an amount ends, without a word behind it that is no unit of it: "14 pounds", but "£14" of "£14 an"."""
    last = _LAST_WORD.search(text, quantity.start, quantity.end)
    if last is None:
        return quantity.end
    word = last.group().strip().lower()
    is_unit = word in CURRENCIES or word.startswith("percent") or word == "cent"
    return quantity.end if is_unit or (quantity.kind == "number" and term_of(word)) else last.start()


def _in_words(text: str) -> Iterator[_Amount]:
    for match in _FORM.finditer(text):
        plain = _number(match)
        if plain.startswith("per "):
            yield _Amount(match.start(), match.end(), ("per", "", float(_PERIODS.find(plain[4:]))))
        else:
            noun = _NOUN.match(text, match.end()) if match["dozens"] or match["compound"] else None
            end = noun.end() if noun else match.end()
            for each in quantities(f"{plain}{noun.group() if noun else ''}")[:1]:
                yield _Amount(match.start(), end, _key(each))


_NOUN = re.compile(r"\s+[^\W\d_]+")


def _key(quantity: Quantity) -> tuple[str, str, float]:
    dimension, value = quantity.measure or (quantity.unit, quantity.value)
    return (quantity.kind, dimension, value)


def _number(match: re.Match[str]) -> str:
    """An amount as a number with its unit; the words themselves where they hold no number."""
    if match["period"]:
        return f"per {match['period'].lower()}"
    if match["adverb"]:
        return f"per {_ADVERBS[match['adverb'].lower()]}"
    if match["compound"]:
        return f"{_count(match['compound']):g}"
    if match["once"] or match["one"] or match["twice"]:
        return "2 times" if match["twice"] else "1 time"
    if match["half"] or match["quarters"]:
        return "50 percent" if match["half"] else "75 percent" if match["quarters"].lower() == "three" else "25 percent"
    if match["dozens"]:
        count = 0.5 if match["dozens"].lower().startswith("half") else _count(match["dozens"])
        return f"{12 * count:g}" if count else match.group()
    unit = match["unit1"] or match["unit2"] or match["unit3"] or match["unit4"]
    whole = _count(match["before"] or match["halves"] or "a")
    value = 0.5 if match["unit3"] else 1.0 if match["unit4"] else whole + 0.5
    return f"{value:g} {unit}" if whole else match.group()


def _count(word: str) -> float:
    found = quantities(word)
    return 1.0 if word.lower() in ("a", "an", "one") else found[0].value if found else 0.0
