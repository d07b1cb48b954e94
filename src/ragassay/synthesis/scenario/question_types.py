"""The shares of RAGEval's seven types of question, and the label that each comes nearest to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragassay.errors import UsageError
from ragassay.records import QUESTION_TYPES, Label, QuestionType
from ragassay.synthesis.options import whole_numbers

TWO_DOCUMENTS: frozenset[QuestionType] = frozenset(
    {"information_integration", "numerical_comparison", "temporal_sequence"}
)

SHARES: Mapping[QuestionType, float] = {
    "factual": 0.1935,
    "summarization": 0.1728,
    "multi_hop": 0.1610,
    "information_integration": 0.2221,
    "numerical_comparison": 0.1040,
    "temporal_sequence": 0.0715,
    "unanswerable": 0.0751,
}
"""Shares among the 6 711 questions of DragonBall (RAGEval (ACL 2025), DragonBall)."""

LABEL_OF: Mapping[QuestionType, Label] = {
    "factual": "fact_single",
    "summarization": "summary",
    "multi_hop": "reasoning",
    "information_integration": "summary",
    "numerical_comparison": "reasoning",
    "temporal_sequence": "reasoning",
    "unanswerable": "unanswerable",
}
"""The label asked for: types say what a question demands, labels how its context answers, so this is the usual case."""


def parse_types(text: str) -> tuple[QuestionType, ...]:
    """Types out of ``factual,multi_hop``, in the order of QUESTION_TYPES; all of them for "all".

    Raises UsageError that lists the types where one is unknown or none is named.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["all"]:
        return QUESTION_TYPES
    unknown = [name for name in names if name not in QUESTION_TYPES]
    if unknown or not names:
        said = f"unknown question type {unknown[0]!r}" if unknown else "no question type is named"
        raise UsageError(f"--types: {said}; choose from all, {', '.join(QUESTION_TYPES)}")
    return tuple(kind for kind in QUESTION_TYPES if kind in names)


def counts_of(n: int, types: Sequence[QuestionType]) -> dict[QuestionType, int]:
    """How many of each type add up to ``n``, by DragonBall's shares, the largest remainders rounded up."""
    total = sum(SHARES[kind] for kind in types)
    counts = whole_numbers(n, {kind: SHARES[kind] / total for kind in types})
    return {kind: counts[kind] for kind in types}
