"""The retrieval metrics of one example: by chunks, documents and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.inputs import Input, missing
from ragassay.metrics.item import Item
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.metrics.retrieval.families import FAMILIES, graded_ndcg_at_k
from ragassay.metrics.retrieval.references import (
    all_references_recall,
    effective_information_rate,
    reference_recall,
    sentence_precision,
)
from ragassay.metrics.retrieval.views import View

_RAGEVAL = "RAGEval (ACL 2025), retrieval metrics"
_UNITS: Sequence[tuple[str, str, Callable[[Item], View], tuple[Input, ...]]] = (
    ("", "", lambda item: item.chunk_view, ("ground spans", "chunks")),
    (
        "document_",
        "of documents in place of chunks",
        lambda item: item.document_view,
        ("ground spans", "chunk documents"),
    ),
    (
        "sentence_",
        "with each sentence of a reference as a ground span: right chunks contain it",
        lambda item: item.sentence_view,
        ("references", "chunk texts"),
    ),
)
"""The unit that a name begins with, what it means, and what it looks at."""
_USUAL = ("recall", "mrr", "ndcg")


def _of_view(family: str, view: Callable[[Item], View]) -> Measure:
    def measure(item: Item, k: int) -> Measured:
        if item.answered.example.is_graded and (reason := missing(item, "chunk documents")):
            return Measured(None, reason=reason)
        seen = view(item)
        if family == "ndcg" and seen.grades:
            return Measured(graded_ndcg_at_k(seen.ranked, seen.grades, k), seen.told)
        return Measured(FAMILIES[family].at(seen.ranked, seen.ground, k), seen.told)

    return measure


def _ranking_entries(unit: str, addition: str, view: Callable[[Item], View], inputs: tuple[Input, ...]) -> list[Metric]:
    return [
        Metric(
            name=f"{unit}{family}@k",
            kind="retrieval",
            meaning=f"As {family}@k, {addition}." if unit else meaning_of(FAMILIES[family].at),
            inputs=inputs,
            source=FAMILIES[family].source,
            measure=_of_view(family, view),
            is_usual=not unit and family in _USUAL,
        )
        for family in FAMILIES
        if (unit, family) != ("sentence_", "precision")  # RAGEval's way has a definition of its own
    ]


def _on_text(
    name: str,
    source: str,
    function: Callable[..., float | None],
    *,
    with_language: bool = False,
    is_usual: bool = False,
) -> Metric:
    def measure(item: Item, k: int) -> Measured:
        further = (item.language,) if with_language else ()
        return Measured(function(item.quoted_texts[:k], item.references, *further), item.told_matches(k))

    return Metric(
        name=name,
        kind="retrieval",
        meaning=meaning_of(function),
        inputs=("references", "chunk texts"),
        source=source,
        measure=measure,
        is_usual=is_usual,
    )


METRICS: Sequence[Metric] = (
    *_ranking_entries(*_UNITS[0]),
    _on_text("sentence_precision@k", f"ours, after {_RAGEVAL}", sentence_precision),
    _on_text("reference_recall@k", _RAGEVAL, reference_recall, is_usual=True),
    _on_text("all_references_recall@k", "RAGEval's released scorer", all_references_recall),
    _on_text("eir@k", _RAGEVAL, effective_information_rate, with_language=True, is_usual=True),
)
BY_UNIT: Sequence[Metric] = [metric for unit in _UNITS[1:] for metric in _ranking_entries(*unit)]
"""The ranking metrics by another unit than the chunk, which a name begins with: ``document_recall@5``."""
