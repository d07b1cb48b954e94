"""Retrieved chunks that hold a reference, and others of the same question. For ``judge.py``."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.grouped_share import groups_of
from ragassay.agreement.measure import Measure, MeasureEstimate, defined
from ragassay.agreement.resampling import with_intervals
from ragassay.models.base import Encoder
from ragassay.models.embedded.judging import contexts
from ragassay.models.embedded.reading.units import sentences
from ragassay.tasks.contexts import AnswerFromChunks

USEFUL_QUESTIONS = 60
"""So many take half a minute: the verifier reads each of their chunks."""


class Retrieved(NamedTuple):
    """A question of DragonBall with GPT-4o's answer. holds: which of its chunks hold a reference: some, but not all."""

    question: str
    answer: str
    chunks: Sequence[str]
    holds: Sequence[bool]


def retrieved(data: Path) -> Iterator[Retrieved]:
    """In the order of the file."""
    for line in (data / "dragonball/finance_en_gpt4o.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        parts = [_squeezed(part) for text in row["ground_truth"]["references"] for part in (text, *sentences(text))]
        chunks = row["prediction"]["references"]
        holds = [any(len(part) > 30 and part in _squeezed(chunk) for part in parts) for chunk in chunks]
        if any(holds) and not all(holds):
            yield Retrieved(row["query"]["content"], row["prediction"]["content"], chunks, holds)


def useful_chunks(data: Path, encoder: Encoder) -> MeasureEstimate:
    """Balanced accuracy of what context precision takes for useful, on some questions; the interval is over these."""
    given = list(retrieved(data))
    asked = random.Random(5).sample(given, min(USEFUL_QUESTIONS, len(given)))
    inputs = [AnswerFromChunks(question=each.question, answer=each.answer, chunks=tuple(each.chunks)) for each in asked]
    replies = contexts.HANDLERS["context_usefulness"](encoder, inputs)
    said = np.array([use.useful for reply in replies if reply.value for use in reply.value.items])
    holds = np.array([hold for each in asked for hold in each.holds])
    groups = groups_of([number for number, each in enumerate(asked) for _ in each.holds])

    def balanced(drawn: npt.NDArray[np.int64]) -> Measure:
        right, held = said[drawn] == holds[drawn], holds[drawn]
        return defined((right[held].mean() + right[~held].mean()) / 2, len(drawn))

    (found,) = with_intervals(len(said), lambda drawn: [balanced(drawn)], groups=groups)
    return found


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())
