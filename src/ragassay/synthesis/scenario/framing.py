"""Wordings of questions: no two of one pattern are put alike while there is another way to put them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from random import Random

from ragassay.synthesis.scenario.questions import Drafted
from ragassay.synthesis.scenario.schema import Schema


@dataclass(frozen=True, slots=True)
class Wording:
    """A question as it is put; ask, frame: their places among those that the pattern and the schema have."""

    text: str
    ask: int
    frame: int


class Framing:
    """Chooses, for each question, the wording that its pattern has used least; the same for the same random state."""

    def __init__(self, schema: Schema, random: Random) -> None:
        self._frames = list(product(schema.endings, schema.frames))
        self._english = schema.language != "zh"
        self._random = random
        self._used: Counter[tuple[str, int, int]] = Counter()
        self._orders: dict[str, list[tuple[int, int]]] = {}

    def wording(self, drafted: Drafted) -> Wording:
        """The wording to use next; plain ones first."""
        order = self._orders.setdefault(drafted.pattern, self._order(len(drafted.asks) or 1))
        usable = [pair for pair in order if pair[0] < max(1, len(drafted.asks))]
        ask, frame = min(usable, key=lambda pair: self._used[drafted.pattern, *pair])
        question = drafted.asks[ask] if drafted.asks else drafted.question
        return Wording(self._framed(self._frames[frame], question), ask, frame)

    def use(self, drafted: Drafted, wording: Wording) -> None:
        """Counts a wording that an example has."""
        self._used[drafted.pattern, wording.ask, wording.frame] += 1

    def _order(self, asks: int) -> list[tuple[int, int]]:
        plain = [(ask, 0) for ask in range(asks)]
        framed = [(ask, frame) for ask in range(asks) for frame in range(1, len(self._frames))]
        self._random.shuffle(plain)
        self._random.shuffle(framed)
        return plain + framed

    def _framed(self, around: tuple[str, str], question: str) -> str:
        """In English a question after a comma begins in lower case, unless its first word is a name."""
        ending, frame = around
        first = question.split(" ", 1)[0]
        if self._english and ", {question}" in frame and first in _OPENERS:
            question = question[0].lower() + question[1:]
        return frame.replace("{question}", question) + ending


_OPENERS = frozenset(
    "What When Where Which Who Whose How Why In On At To By Into For From With Under Within Is Was Were "
    "Did Does Has Had Give Summarise Describe Outline Compare".split()
)
"""Words that a question begins with and that are no names."""
