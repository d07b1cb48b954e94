"""What sets that stand side by side are compared by: labels, question words, critiques, what was rejected, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.datasets.card import question_word
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.records import Example
from ragassay.report.set_figures import RATING, composition, matrix

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One critique of a set. ratings: 1 to 5 to examples; mean: over documents, of those that have a rating."""

    ratings: Mapping[int, int]
    mean: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class MakingCost:
    """What making the set took, the model calls included that found nothing worth keeping.

    calls: tasks put to models, embedded or on servers. prompt_tokens, completion_tokens: of servers; sent by this run,
    not those that an earlier one had in its log. cost_usd: None where a price is not known.
    """

    wall_s: float
    cpu_s: float
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFigures:
    """One set. documents: that its examples rest on. critiques: name to ratings, of the examples that have any.

    matrix: label asked for to label given, of all candidates where the folder says so, else of the examples.
    rejected: reason to candidates, the most frequent first; cost: both None where the folder does not say.
    """

    name: str
    examples: int
    documents: int
    synthesizers: Counts
    labels: Counts
    matrix: Mapping[str, Counts]
    question_words: Counts
    critiques: Mapping[str, Rated]
    rejected: Counts | None = None
    cost: MakingCost | None = None


def set_figures_of(
    name: str,
    examples: Sequence[Example],
    *,
    candidates: Mapping[str, Counts] | None = None,
    rejected: Counts | None = None,
    cost: MakingCost | None = None,
) -> SetFigures:
    """candidates: the matrix of all candidates, where it is known."""
    documents = {span.document_id for each in examples for span in (each.context, *each.references)} - {""}
    return SetFigures(
        name=name,
        examples=len(examples),
        documents=len(documents),
        synthesizers=_ordered(Counter(each.provenance.synthesizer or "not named" for each in examples)),
        labels=dict(composition(examples)),
        matrix={asked: dict(given) for asked, given in (candidates or matrix(examples)).items()},
        question_words=_ordered(Counter(question_word(each.question) for each in examples)),
        critiques=_critiques(examples),
        rejected=None if rejected is None else _ordered(rejected),
        cost=cost,
    )


def _critiques(examples: Sequence[Example]) -> dict[str, Rated]:
    found: dict[str, list[tuple[Example, int | None]]] = {}
    for example in examples:
        for critique in example.critiques:
            found.setdefault(critique.name, []).append((example, critique.value))
    return {
        name: Rated(
            ratings={rating: sum(value == rating for _, value in rated) for rating in range(1, 6)},
            mean=estimate(
                [None if value is None else float(value) for _, value in rated],
                bounds=RATING,
                clusters=clusters_of([example for example, _ in rated]),
            ),
        )
        for name, rated in found.items()
    }


def _ordered(counts: Counts) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def names_of_critiques(sets: Sequence[SetFigures]) -> list[str]:
    """Of all sets, in the order of their first occurrence."""
    return list(dict.fromkeys(name for each in sets for name in each.critiques))


def sets_object(sets: Sequence[SetFigures]) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {"sets": [asdict(each) for each in sets]}
