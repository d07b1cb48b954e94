"""Answers with nothing retrieved beside answers with the right block, and what a model knows already (RAGVAL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.synthesis.baselines import KNOWN_FROM, Attempts, Baseline

KnowledgePart = Literal["all", "where", "new"]
"""Of a set: all of it; the documents that meet conditions on metadata; of these, the documents new to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineFigures:
    """Answers with nothing retrieved beside answers with the right block (RAGVAL, baselines).

    Each estimate is a mean over the examples with an answer. known: share of examples that the answering model answers
    without the block. sums: rating sum, 2 to 10, to examples, for either baseline.
    """

    answerer: str
    truthfulness: Estimate
    relevance: Estimate
    truthfulness_with_block: Estimate
    relevance_with_block: Estimate
    known: Estimate
    sums: Mapping[int, int]
    sums_with_block: Mapping[int, int]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFigures:
    """What a model knows of the questions of a set, or of those of a part of it.

    always, sometimes, unknown: questions that it answers without context in every try, in some, in none.
    unrated: those of which a try has no answer or no ratings.
    """

    part: KnowledgePart
    always: int
    sometimes: int
    unknown: int
    unrated: int
    baselines: BaselineFigures


def knowledge_figures(part: KnowledgePart, made: Sequence[Attempts], answerer: str) -> KnowledgeFigures:
    """Counts the questions of a part and compares their baselines; the first try is the one without retrieval."""
    tries = [each.knows for each in made]
    rated = [each for each in tries if each is not None]
    always, never = sum(map(all, rated)), sum(not any(each) for each in rated)
    return KnowledgeFigures(
        part=part,
        always=always,
        sometimes=len(rated) - always - never,
        unknown=never,
        unrated=len(tries) - len(rated),
        baselines=baseline_figures([each.closed[0] for each in made], [each.open for each in made], answerer),
    )


def baseline_figures(closed: Sequence[Baseline], opened: Sequence[Baseline], answerer: str) -> BaselineFigures:
    """The figures of questions answered with nothing retrieved and, in the same order, with their block."""

    def mean(of: Sequence[Baseline], rating: str) -> list[float | None]:
        return [None if each.ratings is None else float(getattr(each.ratings, rating)) for each in of]

    known = [None if each.lower is None else float(each.lower >= KNOWN_FROM) for each in closed]
    scale = (1.0, 5.0)
    return BaselineFigures(
        answerer=answerer,
        truthfulness=estimate(mean(closed, "truthfulness"), bounds=scale),
        relevance=estimate(mean(closed, "relevance"), bounds=scale),
        truthfulness_with_block=estimate(mean(opened, "truthfulness"), bounds=scale),
        relevance_with_block=estimate(mean(opened, "relevance"), bounds=scale),
        known=estimate(known),
        sums=_sums(closed),
        sums_with_block=_sums(opened),
        reason=next((each.reason for each in closed if each.ratings is None), ""),
    )


def _sums(baselines: Sequence[Baseline]) -> Mapping[int, int]:
    """Rating sum, 2 to 10, to examples; sums between two whole numbers count for the nearer one."""
    sums = Counter(
        int(each.ratings.truthfulness + each.ratings.relevance + 0.5) for each in baselines if each.ratings is not None
    )
    return {number: sums[number] for number in range(2, 11)}
