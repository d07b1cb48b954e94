"""The critic: how likely a strict reader takes a question with its answer as they stand.

A linear head on the state in which the verifier's model leaves the question, put to what its answer rests on, fitted on
readers' verdicts (``benchmarks/fit_critic.py``). No other weights are read for it. It is asked whether the question is
answered, as the verifier is, since that is what the adapter learned.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np

from ragassay.models.small import wording
from ragassay.models.small.gguf import Weight
from ragassay.models.small.heads import Linear
from ragassay.models.small.model import SmallModel
from ragassay.models.small.remembered import Remembered

HEAD = Path(__file__).with_name("critic.json")
STATED_CHARS = 500
"""Characters that are read of what a question rests on."""
AT_ONCE = 16
KEPT = 20_000
"""Ratings that are kept: a document is asked again at every visit."""


HeadName = Literal["answered", "open"]
"""Heads: for questions with an answer, and for those without."""


class Pair(NamedTuple):
    """title: of the document. stated: what the answer rests on; of a question without an answer, the passage.

    form: the rule that asks, "" where it has no name.
    """

    title: str
    stated: str
    question: str
    form: str = ""


class Head(NamedTuple):
    """The log-odds of a pair: of its state, and of its form."""

    of_state: Linear
    forms: Mapping[str, float]

    @classmethod
    def read(cls, name: HeadName, path: Path = HEAD) -> Head:
        record = json.loads(path.read_text(encoding="utf-8"))
        return cls(Linear.read(path, name), record[name]["forms"])


class Critic:
    """Rates pairs. A rating depends on its pair alone. Several threads may ask."""

    def __init__(self, model: SmallModel, head: Head, threads: int = 1) -> None:
        self._model = model
        self._head = head
        self._threads = threads
        self._lock = Lock()
        self._kept: dict[Pair, float] = {}
        self._remembered = Remembered(model.identity, head.of_state.digest)

    def taken(self, pairs: Sequence[Pair]) -> list[float]:
        """For each pair the probability, in (0, 1), that a strict reader takes it."""
        with self._lock:
            if len(self._kept) > KEPT:
                self._kept.clear()
            unknown = list(dict.fromkeys(pair for pair in pairs if pair not in self._kept))
            for pair, read in zip(unknown, self._odds(unknown), strict=True):
                odds = read + self._head.forms.get(pair.form, 0.0)
                self._kept[pair] = 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))
            return [self._kept[pair] for pair in pairs]

    def _odds(self, pairs: Sequence[Pair]) -> list[float]:
        """Of each pair the log-odds without its form; each is read once, in whatever run."""
        keys = [self._remembered.key(*_text(pair)) for pair in pairs]
        found = {key: float(kept) for key, kept in self._remembered.known(keys).items() if _is_number(kept)}
        unread = [place for place, key in enumerate(keys) if key not in found]
        states = self.states([pairs[place] for place in unread])
        for place, odds in zip(unread, self._head.of_state.odds(states), strict=True):
            found[keys[place]] = odds
        self._remembered.keep({keys[place]: repr(found[keys[place]]).encode() for place in unread})
        return [found[key] for key in keys]

    def states(self, pairs: Sequence[Pair]) -> Weight:
        """What the head reads of each pair: (n_pairs, hidden) float32."""
        texts = [
            wording.prefix(title, "", wording.sentence(stated)) + wording.answered_prompt(question)
            for title, stated, question in map(_text, pairs)
        ]
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        parts = [order[first : first + AT_ONCE] for first in range(0, len(order), AT_ONCE)]
        with ThreadPoolExecutor(self._threads) as pool:
            read = pool.map(lambda part: self._model.states([texts[place] for place in part]), parts)
            found = np.empty((len(texts), self._head.of_state.weights.shape[0]), np.float32)
            for part, states in zip(parts, read, strict=True):
                found[part] = states
        return found


def _text(pair: Pair) -> tuple[str, str, str]:
    """What the model reads of a pair."""
    return pair.title, pair.stated[:STATED_CHARS], pair.question


def _is_number(kept: bytes) -> bool:
    try:
        return math.isfinite(float(kept))
    except ValueError:
        return False
