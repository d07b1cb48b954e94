"""What a judge is checked on: items that people have compared or rated, in three shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Quality = Literal["faithfulness", "answer_relevance", "context_relevance", "preference", "truthfulness"]
"""What is judged. preference: which of two answers is better by a reference; truthfulness: by a knowledge block."""
QUALITIES: tuple[Quality, ...] = get_args(Quality)

Aspect = Literal["correctness", "completeness", "overall"]
"""In what respect one of two answers is preferred (RAGChecker's annotations)."""
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two items of which the better one is known.

    better, worse: answers, or contexts for context relevance. context: that answers are faithful to; else empty.
    where: file and line, for messages and for the values that are written down.
    """

    where: str
    question: str
    better: str
    worse: str
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two answers with what one person said of them.

    key: the same for all judgements of one pair. labels: aspect to a number, above 0 where the second answer is better,
    below 0 where the first is, 0 where they are alike.
    """

    where: str
    key: str
    question: str
    reference: str
    first: str
    second: str
    labels: Mapping[Aspect, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One answer, or one context, with a rating.

    block: the knowledge that the rater had; empty where it had none. tokens: that the answer took, read and written.
    """

    where: str
    question: str
    answer: str
    rating: float
    context: str = ""
    block: str = ""
    tokens: tuple[int | None, int | None] = (None, None)


Items = tuple[Pair, ...] | tuple[Compared, ...] | tuple[Rated, ...]
"""The items of one quality: all of one shape, in the order of the file."""
