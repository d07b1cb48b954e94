"""Which judgements of support the verifier decides, and how it says so; the others are rules.

One at a time, by measurement on the same rows (``benchmarks/judgements.py``, docs/decisions/embedded-judge.md): what
the verifier of today decides worse than rules is not listed, and an adapter that is better adds it here.
"""

from __future__ import annotations

from typing import Literal

from ragassay.models.base import Encoder
from ragassay.models.small import roles
from ragassay.models.small.verifier import Judged, Verifier

Judgement = Literal["statements", "keypoints", "label", "question_groundedness", "answer_groundedness", "chunks"]

DECIDED: frozenset[Judgement] = frozenset(
    {"statements", "label", "question_groundedness", "answer_groundedness", "chunks"}
)


def verifier_for(judgement: Judgement, encoder: Encoder | None) -> Verifier | None:
    """The verifier, where it decides a judgement; None where rules do, so in the judge by words alone (no encoder)."""
    return roles.verifier() if judgement in DECIDED and encoder is not None else None


def told(judged: Judged, text: str, *, supported: bool) -> str:
    """The reason for a verdict. text: what was read, "the context" or "the answer"."""
    if supported:
        return f"{text} says so, probability {judged.supported:.2f}"
    if judged.contradicted > judged.not_stated:
        return f"{text} says otherwise, probability {judged.contradicted:.2f}"
    return f"{text} does not say it, probability {judged.not_stated:.2f}"
