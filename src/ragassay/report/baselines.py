"""Answers with nothing retrieved beside answers with the right block, and what a model knows already (RAGVAL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Block, Column, Table, Text, Value
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
    """Count the questions of a part and compare their baselines; the first try is the one without retrieval."""
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
    """Return the figures of questions answered with nothing retrieved and, in the same order, with their block."""

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


_HEADS: Mapping[KnowledgePart, str] = {"all": "all", "where": "--where", "new": "new to the model"}


def baseline_table(parts: Sequence[tuple[str, str, BaselineFigures]]) -> Table:
    """Return RAGVAL's table of ratings. parts: names of the columns without and with the block, and their figures."""
    figures = [each for _, _, each in parts]
    rows: list[Sequence[Value]] = [
        ("truthfulness", *(of for each in figures for of in (each.truthfulness, each.truthfulness_with_block))),
        ("relevance", *(of for each in figures for of in (each.relevance, each.relevance_with_block))),
    ]
    sums = [of for each in figures for of in (each.sums, each.sums_with_block)]
    rows += [
        (f"answers with the sum {number}", *(str(of[number]) if any(of.values()) else None for of in sums))
        for number in range(2, 11)
        if any(of[number] for of in sums)
    ]
    columns = ["", *(Column(name, "two") for one, other, _ in parts for name in (one, other))]
    title = f"Ratings from 1 to 5 by the block of answers by {figures[0].answerer}, means with 95 % intervals"
    return Table(title, columns, rows)


def blocks_of_knowledge(parts: Sequence[KnowledgeFigures]) -> Iterator[Block]:
    """Yield what a model knows of each part of a set already (RAGVAL, filters)."""
    columns = ["", *(Column(_HEADS[each.part], "count") for each in parts)]
    rows: list[Sequence[Value]] = [
        ("questions", *(each.baselines.truthfulness.total for each in parts)),
        ("always known", *(each.always for each in parts)),
        ("sometimes known", *(each.sometimes for each in parts)),
        ("unknown", *(each.unknown for each in parts)),
        ("not rated", *(each.unrated for each in parts)),
    ]
    answerer = parts[0].baselines.answerer
    yield Table(f"Questions that {answerer} answers without context, of several tries", columns, rows)
    names = [_HEADS[each.part] for each in parts]
    yield baseline_table(
        [(f"{name}, nothing retrieved", f"{name}, with the block", each.baselines)
         for name, each in zip(names, parts, strict=True)]
    )  # fmt: skip
    yield Text("Known: both ratings 4 or better. The first try is the baseline with nothing retrieved.")
