"""Sentences as RAGEval's released scorer splits them."""

from __future__ import annotations

import re
from functools import lru_cache

_ENGLISH_GAP = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])|\n+")
_LAST_WORD = re.compile(r"([A-Za-z]+|(?<!\S)\d{1,2})\.\Z")
_NO_END = frozenset("mr mrs ms dr prof v vs st rev hon sgt capt gen gov sen rep jr sr messrs".split())
"""Words after which pysbd ends no sentence; those of its list that occur in such documents."""
_LOOK_BACK = 12
_CHINESE_END = re.compile(r"(?<=[。！？])|\n")
KEPT_TEXTS = 4096
"""References split so far that are remembered: many systems are scored on the same ones."""


@lru_cache(maxsize=KEPT_TEXTS)
def released_sentences(text: str, language: str = "en") -> tuple[str, ...]:
    """The sentences of a reference without white space around them; empty ones are left out.

    English: those of pysbd 0.3.4, which the released scorer uses. This is not pysbd but a rule that gives the same for
    every reference of the published DragonBall file; lists, decorated text and rare abbreviations may differ. ``zh``:
    after 。！？ and at line breaks. Other languages are split as English.
    Source: RAGEval's released scorer.
    """
    parts = _CHINESE_END.split(text) if language == "zh" else _english(text)
    return tuple(stripped for part in parts if (stripped := part.strip()))


def _english(text: str) -> list[str]:
    parts, start = [], 0
    for gap in _ENGLISH_GAP.finditer(text):
        if "\n" not in gap.group() and _is_abbreviated(text, start, gap):
            continue
        parts.append(text[start : gap.start()])
        start = gap.end()
    return [*parts, text[start:]]


def _is_abbreviated(text: str, start: int, gap: re.Match[str]) -> bool:
    """Whether the stop in front of the gap belongs to an initial, a title, or the number of an item or article."""
    end = gap.start()
    found = _LAST_WORD.search(text, max(start, end - _LOOK_BACK), end)
    if found is None:
        return False
    word = found[1]
    if word.isdecimal():
        return found.start() == start
    if word.lower() == "no":
        return text[gap.end()].isdecimal()
    return (len(word) == 1 and word.isupper()) or word.lower() in _NO_END
