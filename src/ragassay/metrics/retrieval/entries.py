"""The retrieval metrics of one example: by chunks, documents and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.inputs import Input, missing
from ragassay.metrics.item import Item
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.metrics.retrieval.catalogue import FAMILIES, ranking_metric
from ragassay.metrics.retrieval.chunk_use import chunk_attribution, chunk_utilisation
from ragassay.metrics.retrieval.eir import effective_information_rate
from ragassay.metrics.retrieval.graded_ndcg import graded_ndcg_at_k
from ragassay.metrics.retrieval.reference_recall import all_references_recall, reference_recall, sentence_precision
from ragassay.metrics.retrieval.views import View

_VIEWS: tuple[tuple[str, str, Callable[[Item], View], tuple[Input, ...]], ...] = (
    ("", "", lambda item: item.chunk_view, ("ground spans", "chunks")),
    (
        "document_",
        ", of documents in place of chunks.",
        lambda item: item.document_view,
        ("ground spans", "chunk documents"),
    ),
    (
        "sentence_",
        ", with each sentence of a reference as a ground span: right chunks contain it.",
        lambda item: item.sentence_view,
        ("references", "chunk texts"),
    ),
)
_ON_TEXT: tuple[Input, ...] = ("references", "chunk texts")


def _of_view(family: str, view: Callable[[Item], View]) -> Measure:
    def measure(item: Item, k: int) -> Measured:
        if item.answered.example.is_graded and (reason := missing(item, "chunk documents")):
            return Measured(None, reason=reason)
        seen = view(item)
        if family == "ndcg" and seen.grades:
            return Measured(graded_ndcg_at_k(seen.ranked, seen.grades, k, "linear"), seen.told)
        return Measured(ranking_metric(f"{family}@{k}").one(seen.ranked, seen.ground), seen.told)

    return measure


def _ranking_entries() -> list[Metric]:
    return [
        Metric(
            name=f"{prefix}{family}@k",
            kind="retrieval",
            meaning=f"As {family}@k{addition}" if addition else meaning_of(FAMILIES[family].one),
            inputs=inputs,
            source=FAMILIES[family].source,
            measure=_of_view(family, view),
        )
        for prefix, addition, view, inputs in _VIEWS
        for family in FAMILIES
        if (prefix, family) != ("sentence_", "precision")  # RAGEval's way has a definition of its own
    ]


def _exponential(item: Item, k: int) -> Measured:
    seen = item.document_view
    return Measured(graded_ndcg_at_k(seen.ranked, seen.grades, k, "exponential"), seen.told)


def _eir(item: Item, k: int) -> Measured:
    return Measured(
        effective_information_rate(item.quoted_texts[:k], item.references, item.language), item.told_matches(k)
    )


def _recall(item: Item, k: int) -> Measured:
    return Measured(reference_recall(item.quoted_texts[:k], item.references), item.told_matches(k))


def _all_references(item: Item, k: int) -> Measured:
    return Measured(all_references_recall(item.quoted_texts[:k], item.references), item.told_matches(k))


def _precision(item: Item, k: int) -> Measured:
    return Measured(sentence_precision(item.quoted_texts[:k], item.references), item.told_matches(k))


def _attribution(item: Item, k: int) -> Measured:
    return Measured(chunk_attribution(item.quoted_texts[:k], item.reference_sentences), item.told_matches(k))


def _utilisation(item: Item, k: int) -> Measured:
    return Measured(chunk_utilisation(item.quoted_texts[:k], item.reference_sentences), item.told_matches(k))


def _text_entry(name: str, function: Callable[..., float | None], source: str, measure: Measure) -> Metric:
    return Metric(
        name=name, kind="retrieval", meaning=meaning_of(function), inputs=_ON_TEXT, source=source, measure=measure
    )


METRICS: Sequence[Metric] = (
    *_ranking_entries(),
    Metric(
        name="ndcg_exponential@k",
        kind="retrieval",
        meaning="nDCG@k of a BEIR folder, where a document gains 2^g - 1; ndcg@k is there with the grade g as gain.",
        inputs=("graded judgements", "chunk documents"),
        source="Burges et al. 2005",
        measure=_exponential,
    ),
    _text_entry(
        "sentence_precision@k", sentence_precision, "ours, after RAGEval (ACL 2025), retrieval metrics", _precision
    ),
    _text_entry("reference_recall@k", reference_recall, "RAGEval (ACL 2025), retrieval metrics", _recall),
    _text_entry("all_references_recall@k", all_references_recall, "RAGEval's released scorer", _all_references),
    _text_entry("eir@k", effective_information_rate, "RAGEval (ACL 2025), retrieval metrics", _eir),
    _text_entry("chunk_attribution@k", chunk_attribution, "ours, after Galileo", _attribution),
    _text_entry("chunk_utilisation@k", chunk_utilisation, "ours, after Galileo", _utilisation),
)
