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
AT_ONCE = 16
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
        unread = [place for place, key in enumerate(keys) if key not in known]
        unread.sort(key=lambda place: -len(pairs[place].stated))  # texts of a length are read together
        parts = [unread[first : first + AT_ONCE] for first in range(0, len(unread), AT_ONCE)]
        with ThreadPoolExecutor(self._threads) as pool:
            for part, read in zip(
                parts, pool.map(lambda part: self._read([pairs[p] for p in part]), parts), strict=True
            ):
                known.update(zip([keys[place] for place in part], read, strict=True))
        self._remembered.keep({keys[place]: repr(known[keys[place]]).encode() for place in unread})
        return [known[key] for key in keys]

    def _read(self, pairs: Sequence[Pair]) -> list[float]:
        prompts = [
            wording.prefix(pair.title, "", wording.sentence(pair.stated[:STATED_CHARS])) + _PROMPT for pair in pairs
        ]
        read = self._model.log_probabilities(prompts, [wording.question_target(pair.question) for pair in pairs])
        return [float(tokens.sum()) / math.sqrt(max(1, len(tokens))) for tokens in read]


def _is_likelihood(kept: bytes) -> bool:
    try:
        return math.isfinite(float(kept)) and float(kept) <= 0
    except ValueError:
        return False
