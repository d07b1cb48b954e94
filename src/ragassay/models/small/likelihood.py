"""How likely the small language model holds a question, given what its answer rests on: which questions read well.

On 1 406 questions that the parse drafted and strict readers judged (``training_data/drafts.jsonl``), log-probability
over the root of the number of tokens orders those taken as they stood with AUROC .80 (mean of a token
.75, sum .80), on 72 pairs of finished sets .77; a head fitted on readers' verdicts had .62 and .75.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ragassay.models.kept_values import Remembered
from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel, kept_readings

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
        self._remembered = Remembered(
            kept_readings(model), f"{model.identity}-likelihood of a question", KEPT, _to_bytes, _from_bytes
        )

    def taken(self, pairs: Sequence[Pair]) -> list[float]:
        """Return for each pair the probability, in (0, 1), that a strict reader takes the question as it stands."""
        asked = [(pair.title, pair.stated[:STATED_CHARS], pair.question) for pair in pairs]
        return [1 / (1 + math.exp(-(SCALE * each + SHIFT))) for each in self._remembered.values(asked, self._read_all)]

    def _read_all(self, asked: Sequence[tuple[str, ...]]) -> list[float]:
        """Return log-probabilities over the root of the number of tokens."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._read, asked))

    def _read(self, asked: tuple[str, ...]) -> float:
        title, stated, question = asked
        prompt = wording.prefix(title, "", wording.sentence(stated)) + _PROMPT
        (tokens,) = self._model.log_probabilities([prompt], [wording.question_target(question)])
        return float(tokens.sum()) / math.sqrt(max(1, len(tokens)))


def _to_bytes(likelihood: float) -> bytes:
    return repr(likelihood).encode()


def _from_bytes(kept: bytes) -> float | None:
    likelihood = float(kept)
    return likelihood if math.isfinite(likelihood) and likelihood <= 0 else None
