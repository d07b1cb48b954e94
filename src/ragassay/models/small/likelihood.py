"""How likely the small language model holds a question, given what its answer rests on: which questions read well.

On 1 406 questions that the parse drafted and strict readers judged (``training_data/drafts.jsonl``), log-probability
over the root of the number of tokens orders those taken as they stood with AUROC .80 (mean of a token
.75, sum .80), on 72 pairs of finished sets .77; a head fitted on readers' verdicts had .62 and .75.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel
from ragassay.models.small.remembered import Remembered

STATED_CHARS = 500
"""Characters that are read of what a question rests on."""
SCALE, SHIFT = 0.324, 0.909
"""Log-odds that a reader takes a question as it stands: SCALE * likelihood + SHIFT, fitted on those 1 406."""
KEPT = 20_000
"""Likelihoods that are kept: a document is asked again at every visit."""
_PROMPT = "Question:"


class Pair(NamedTuple):
    """title: of the document. stated: what the answer rests on."""

    title: str
    stated: str
    question: str


class Likelihood:
    """Rates questions. A rating depends on its pair alone. Several threads may ask."""

    def __init__(self, model: SmallModel, threads: int = 1) -> None:
        self._model = model
        self._threads = threads
        self._lock = Lock()
        self._kept: dict[Pair, float] = {}
        self._remembered = Remembered(model.identity, "likelihood of a question")

    def taken(self, pairs: Sequence[Pair]) -> list[float]:
        """Return for each pair the probability, in (0, 1), that a strict reader takes the question as it stands."""
        with self._lock:
            if len(self._kept) > KEPT:
                self._kept.clear()
            unknown = list(dict.fromkeys(pair for pair in pairs if pair not in self._kept))
            self._kept.update(zip(unknown, self._likelihoods(unknown), strict=True))
            return [1 / (1 + math.exp(-(SCALE * self._kept[pair] + SHIFT))) for pair in pairs]

    def _likelihoods(self, pairs: Sequence[Pair]) -> list[float]:
        """Return log-probabilities over the root of the number of tokens; each pair is read once, in whatever run."""
        keys = [self._remembered.key(pair.title, pair.stated[:STATED_CHARS], pair.question) for pair in pairs]
        known = {key: float(kept) for key, kept in self._remembered.known(keys).items() if _is_likelihood(kept)}
        unread = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        with ThreadPoolExecutor(self._threads) as pool:
            known.update(zip(unread, pool.map(self._read, unread.values()), strict=True))
        self._remembered.keep({key: repr(known[key]).encode() for key in unread})
        return [known[key] for key in keys]

    def _read(self, pair: Pair) -> float:
        prompt = wording.prefix(pair.title, "", wording.sentence(pair.stated[:STATED_CHARS])) + _PROMPT
        (tokens,) = self._model.log_probabilities([prompt], [wording.question_target(pair.question)])
        return float(tokens.sum()) / math.sqrt(max(1, len(tokens)))


def _is_likelihood(kept: bytes) -> bool:
    try:
        return math.isfinite(float(kept)) and float(kept) <= 0
    except ValueError:
        return False
