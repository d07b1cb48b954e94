"""Where a Chinese text answers a question: which of its units speak of what is asked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.chinese.amounts import amounts
from ragassay.models.embedded.chinese.dates import dates
from ragassay.models.embedded.chinese.parsed_question import HAN, ParsedQuestion, pairs
from ragassay.models.embedded.reading.units import Unit, units

# What a pair is worth to a unit when it stands in the heading above, in the sentence before, or in the title.
HEADING_SHARE, BEFORE_SHARE, TITLE_SHARE = 0.9, 0.7, 0.6
# What it is worth where both its signs stand apart; half of that where one does. Words are cut short and put the other
# way round (chosen on half of XQuAD: 0.893 -> 0.903 of pairs of own and other paragraphs told apart).
LOOSE_SHARE = 0.5
# Holding nothing of the kind that is asked for costs this share.
WRONG_KIND = 0.7
# A pair that many units have tells little: this is the least it counts for.
COMMON_WEIGHT = 0.4

_PERSON = re.compile(
    rf"[{HAN}]{{1,2}}某|[{HAN}]·[{HAN}]|[A-Z][a-z]+ [A-Z]|由[{HAN}]{{2,4}}(?:担任|负责|主持)"
    rf"|(?:是|为|：|人|长|员|师|生|家|王|帝)[{HAN}]{{2,4}}"
)
_PLACE = re.compile(
    rf"[{HAN}](?:市|省|县|区|州|国|镇|村|路|街|岛|河|山|海|湖|洲|港|城|部|院|校)|位于|总部|产地|地址|地点|籍贯|[东南西北]"
)
_DATE_WORDS = re.compile(
    r"\d{1,2}月|世纪|年代|\d{1,4}\s?年|星期|周[一二三四五六日]|[春夏秋冬]|上午|下午|小时|分钟|[一二三四五六七八九十]月"
)
_AMOUNT_WORDS = re.compile(r"\d|[一二两三四五六七八九十百千万亿]|半|几|数")


class Place(NamedTuple):
    """A unit that may answer. share: weighted share of what is asked that it has or inherits; fits: of that kind."""

    unit: int
    share: float
    fits: bool

    @property
    def score(self) -> float:
        return self.share if self.fits else self.share * WRONG_KIND


class Text:
    """A context, read once for many questions."""

    __slots__ = ("counts", "every", "held", "inherited", "signs", "title", "units")

    def __init__(self, text: str) -> None:
        self.units: list[Unit] = units(text)
        self.held: list[frozenset[str]] = [frozenset(pairs(unit.text)) for unit in self.units]
        self.signs: list[frozenset[str]] = [frozenset(unit.text) for unit in self.units]
        self.inherited: list[tuple[frozenset[str], frozenset[str]]] = []
        self.counts: dict[str, int] = {}
        for held in self.held:
            for pair in held:
                self.counts[pair] = self.counts.get(pair, 0) + 1
        self.every = frozenset(self.counts)
        self.title = self.held[0] if self.held else frozenset[str]()
        heading = before = header = frozenset[str]()
        kind_before = ""
        for unit, held in zip(self.units, self.held, strict=True):
            if unit.kind == "row" and kind_before != "row":
                header = held
            elif unit.kind != "row":
                header = frozenset()
            self.inherited.append((heading | header, before))
            kind_before = unit.kind
            if unit.kind == "heading":
                heading, before = held, frozenset()
            elif unit.kind != "item":
                before = held

    def weight(self, pair: str) -> float:
        """1 for a pair that one unit has or none; less, the more of them have it."""
        return max(COMMON_WEIGHT, 1.0 / math.sqrt(max(1, self.counts.get(pair, 0))))

    def share(self, wanted: Sequence[str], place: int) -> float:
        """Weighted share of the pairs that a unit has or inherits."""
        total = sum(self.weight(pair) for pair in wanted)
        gained: float = sum(self.weight(pair) * self._worth(pair, place) for pair in wanted)
        return gained / total if total else 0.0

    def best_share(self, wanted: Sequence[str]) -> float:
        """The largest share of the pairs that one unit has or inherits."""
        return max((self.share(wanted, place) for place in range(len(self.units))), default=0.0)

    def _worth(self, pair: str, place: int) -> float:
        heading, before = self.inherited[place]
        if pair in self.held[place]:
            return 1.0
        if pair in heading:
            return HEADING_SHARE
        if pair in before:
            return BEFORE_SHARE
        if pair in self.title:
            return TITLE_SHARE
        if len(pair) == _PAIR and not pair.isascii():
            return LOOSE_SHARE * sum(sign in self.signs[place] for sign in pair) / _PAIR
        return 0.0


_PAIR = 2


@lru_cache(maxsize=1024)
def read_text(text: str) -> Text:
    """A context, read; remembered, since labeller, verdicts and answerer ask for the same one."""
    return Text(text)


def rank_places(asked: ParsedQuestion, text: Text) -> list[Place]:
    """Every unit that shares something with the question, best first; ties in the order of the text."""
    wanted = set(asked.wanted)
    found = [
        Place(place, text.share(asked.wanted, place), fits(unit.text, asked))
        for place, unit in enumerate(text.units)
        if not wanted.isdisjoint(text.held[place]) or not wanted.isdisjoint(text.inherited[place][0])
    ]
    return sorted(found, key=lambda place: (-place.score, place.unit))


def fits(unit: str, asked: ParsedQuestion) -> bool:
    """Whether a unit holds a thing of the kind asked for that the question does not give."""
    if asked.kind == "date":
        given = {date.text for date in dates(asked.text)}
        return any(date.text not in given for date in dates(unit)) or _DATE_WORDS.search(unit) is not None
    if asked.kind == "amount":
        given_amounts = {amount.text for amount in amounts(asked.text)}
        return any(amount.text not in given_amounts for amount in amounts(unit)) or bool(_AMOUNT_WORDS.search(unit))
    if asked.kind == "person":
        return _PERSON.search(unit) is not None
    if asked.kind == "place":
        return _PLACE.search(unit) is not None
    return True
