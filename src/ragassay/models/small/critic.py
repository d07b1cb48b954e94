"""The critic: how likely a strict reader takes a question, with its answer, as it stands.

The verifier's adapter learned it beside its claims (``training/worth.py``): the small language model reads the passage,
the sentence, the question and the answer. The judgement is calibrated like a claim's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import Calibration

WINDOW_TOKENS = 160
"""Most tokens of the passage around a sentence: half of what the adapter was trained with, for speed."""
LONGEST = 600
"""Characters of a question or an answer that are read."""


class Asked(NamedTuple):
    """A question and what it was made of. quote: empty for a question that the text leaves open, as ``answer`` is."""

    title: str
    heading: str
    text: str
    quote: str
    question: str
    answer: str


class Critic:
    """Judges questions. A judgement depends on the question, its answer and its passage alone."""

    def __init__(self, model: SmallModel, calibration: Calibration) -> None:
        self._model = model
        self._calibration = calibration

    @cached_property
    def name(self) -> str:
        return self._model.name

    def worth(self, asked: Sequence[Asked]) -> list[float]:
        """For each question the probability that it is good, in [0, 1]."""
        by_prefix: dict[str, list[int]] = {}
        for place, each in enumerate(asked):
            by_prefix.setdefault(self._prefix(each), []).append(place)
        found = [0.0] * len(asked)
        for prefix, places in by_prefix.items():
            branches = [_branch(asked[place]) for place in places]
            for place, odds in zip(places, self.odds(prefix, branches), strict=True):
                scaled = self._calibration.scale * odds + self._calibration.shift
                found[place] = 1 / (1 + math.exp(-max(min(scaled, 50.0), -50.0)))
        return found

    def odds(self, prefix: str, branches: Sequence[str]) -> list[float]:
        """Log-odds of "good" against both other labels, as the adapter gives them."""
        rows = self._model.classify_branches(prefix, list(branches)).astype(float)
        return [float(good - _log_sum(wrong, poor)) for good, wrong, poor in rows]

    def _prefix(self, asked: Asked) -> str:
        def count(part: str) -> int:
            return len(self._model.tokenizer.encode(part))

        text = wording.plain(asked.text)
        quote = wording.sentence(asked.quote)
        at = max(text.find(quote[:40]), 0)
        start, end = wording.window(text, at, at + max(len(quote), 1), count, WINDOW_TOKENS)
        text = text[start:end]
        return wording.prefix(asked.title, asked.heading, text)


def _branch(asked: Asked) -> str:
    return wording.worth_prompt(asked.quote, asked.question[:LONGEST], asked.answer[:LONGEST])


def _log_sum(one: float, other: float) -> float:
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))
