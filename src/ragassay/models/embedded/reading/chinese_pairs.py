"""What Chinese texts are compared by: pairs of neighbouring signs, and how far a unit of a text holds some of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ragassay.models.embedded.reading.chinese_quantities import dates
from ragassay.models.embedded.reading.units import Unit, units

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
# What a pair is worth to a unit when it stands in the heading above, in the sentence before, or in the title.
HEADING_SHARE, BEFORE_SHARE, TITLE_SHARE = 0.9, 0.7, 0.6
# What it is worth where both its signs stand apart; half of that where one does: words are cut short and put the other
# way round.
LOOSE_SHARE = 0.5
# A pair that many units have tells little: this is the least it counts for.
COMMON_WEIGHT = 0.4

_ASKING = re.compile(
    r"检查结果如何|在什么时候|是?什么时候|什么时间|于?哪年哪月|于?何时|在?哪一?[年天日月]|哪个?月|何年|何月|百分之多少|百分之几|多长时间|多少周岁|多少岁|多少[年月天日元钱]?"
    r"|多[大长久高远深宽重快]|几(?=[个名位次家种项岁年天月倍人座条分点])|什么地方|什么样|是什么|为什么|什么|哪里|哪儿|何处|在哪|哪一?[家个种位名些项款部]|哪[些几]?"
    r"|谁|是?怎样的?|如何|怎么样?|是否|有没有|是不是|还是|吗|呢|请问|请|概述|总结|列出|说明|介绍|一下|分别|叫做?|哪"
)
_NAME = re.compile(
    rf"^在?(?:[{HAN}A-Za-z0-9（）()·]{{2,30}}?(?:有限公司|集团|公司|中心|银行|医院|保健院|法院)(?:审理)?)"
    rf"|患者[{HAN}]{{1,2}}某{{1,2}}|被告人[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{1,2}}某{{1,2}}案?|[{HAN}]{{2,4}}案(?=[中的，])"
    r"|20\d\d年(?:度|财年)|《[^》]*》"
)
_FRAME = re.compile(r"^(?:在|根据)?(?P<frame>.{2,40}?)(?:中，|(?<=》)，)")
_FUNCTION = frozenset("的了是在和与及或也都就而被把对从到于以为其之这那有吗呢吧着地得中")


class Said(NamedTuple):
    """wanted: pairs of signs, numbers and Latin words of a question or statement, each once, in order.

    about: those of the names in it, which a text need not repeat.
    """

    wanted: tuple[str, ...]
    about: frozenset[str]


@lru_cache(maxsize=4096)
def read(question: str) -> Said:
    """What a question or a statement says, and of whom."""
    rest = question
    about: list[str] = []
    if frame := _FRAME.match(rest):
        about += pairs(frame["frame"])
        rest = rest[frame.end() :]
    for name in _NAME.findall(rest):
        about += pairs(name)
    found = dict.fromkeys(pairs(_ASKING.sub(" ", _NAME.sub(" ", rest))))
    telling = [pair for pair in found if len(pair) > 1]  # "犯什么罪" leaves two signs that say nothing by themselves
    return Said(tuple(telling or [*dict.fromkeys(about), *found]), frozenset(about))


def pairs(text: str) -> list[str]:
    """What Chinese texts are compared by: pairs of neighbouring Han signs, Latin words, numbers, dates.

    Without pairs of which either sign is a function word; ``2021年3月`` is one number of its own, whatever its writing.
    """
    found: list[str] = []
    last = 0
    for date in dates(text):
        found += _plain_pairs(text[last : date.start])
        found.append("-".join(str(part) for part in date.value if part))
        last = date.end
    return found + _plain_pairs(text[last:])


def _plain_pairs(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text):
        if not _HAN_RUN.match(run):
            found.append(run.lower().replace(",", ""))
        elif len(run) == 1:
            found += [run] if run not in _FUNCTION and run not in _SINGLE else []
        else:
            found += [pair for pair in map("".join, pairwise(run)) if _FUNCTION.isdisjoint(pair)]
    return found


_RUN = re.compile(rf"[{HAN}]+|[A-Za-z][A-Za-z0-9_.+#-]*|\d+(?:[.,]\d+)*")
_HAN_RUN = re.compile(f"[{HAN}]")
_SINGLE = frozenset("年月日号一元人个名次多少何谁哪我你他她它不无未")


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
    """A context, read; remembered, since many statements are held against the same one."""
    return Text(text)
