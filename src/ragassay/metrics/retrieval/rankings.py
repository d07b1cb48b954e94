"""The ranking metrics, each of a single ranking at depth k, and how they are declared.

All take ``ranked``, ids best first without repeats, and ``ground``, for each ground span the ids that are right for it.
None when there is no ground span. They raise ValueError if k < 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from math import log2
from typing import NamedTuple, TypeVar

from ragassay.metrics.answered import Answered
from ragassay.metrics.inputs import Input, missing
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.metrics.retrieval.references import (
    View,
    all_references_recall,
    effective_information_rate,
    reference_recall,
    sentence_precision,
)

ChunkId = TypeVar("ChunkId", str, int)


def recall_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Share of the ground spans of which a right chunk is among the first k, in [0, 1].

    A ground span without any right chunk (the chunking lost it) counts as not found. Of several right chunks of one
    span, one is enough, because overlapping chunks hold the same text twice.
    Source: Know Your RAG (COLING 2025), retrieval per label; Manning et al. 2008, section 8.3, cut at rank k.
    """
    _check_depth(k)
    if not ground:
        return None
    first = set(ranked[:k])
    return sum(not first.isdisjoint(right) for right in ground) / len(ground)


def precision_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Number of right chunks among the first k, divided by k, in [0, 1].

    The divisor is k even where fewer chunks were retrieved, as in trec_eval: to return less is not to be more right.
    Source: Manning et al. 2008, section 8.4.
    """
    _check_depth(k)
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    return sum(chunk in right for chunk in ranked[:k]) / k


def hit_rate_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """1 if a right chunk of any ground span is among the first k, else 0; its mean is the hit rate (success@k).

    Source: success@k of trec_eval (Voorhees and Harman 2005).
    """
    found = recall_at_k(ranked, ground, k)
    return None if found is None else float(found > 0)


def mrr_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """1 / rank of the first right chunk if it is among the first k, else 0; its mean is the MRR.

    Source: Voorhees 1999 (TREC-8 question answering track), cut at rank k.
    """
    _check_depth(k)
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    return next((1 / rank for rank, chunk in enumerate(ranked[:k], start=1) if chunk in right), 0.0)


def map_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Mean over all ground spans of spans found by then / rank where this one is found, 0 beyond rank k, in [0, 1].

    rank: from which the span counts (``counting_ranks``). All spans count, even beyond k, as in trec_eval's map_cut.
    Source: Manning et al. 2008, section 8.4, and trec_eval, which it equals where each span has one right chunk of its
    own.
    """
    _check_depth(k)
    if not ground:
        return None
    found = counting_ranks(ranked, ground, k)
    return sum(number / rank for number, rank in enumerate(found, start=1)) / len(ground)


def r_precision_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Ground spans found among the first R chunks, divided by R, the number of ground spans, in [0, 1].

    Of rankings that are cut at k, the first min(R, k) are looked at, and the divisor stays R.
    Source: Manning et al. 2008, section 8.4, and for k of at least R trec_eval, which it equals where each span has one
    right chunk of its own.
    """
    _check_depth(k)
    return len(counting_ranks(ranked, ground, min(k, len(ground)))) / len(ground) if ground else None


def ndcg_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """DCG@k / ideal DCG@k, in [0, 1], with DCG@k = sum over the ground spans found up to k of 1 / log2(rank + 1).

    rank: from which the span counts (``counting_ranks``). The ideal finds a further span at each of the ranks
    1 to min(k, number of spans): it is the same for all rankings, and for all ways to cut the documents.
    Source: Jarvelin and Kekalainen 2002, with the discount log2(rank + 1) of Burges et al. 2005 and trec_eval, which it
    equals where each span has one right chunk of its own; that a span gains once is Clarke et al. 2008, alpha = 1.
    """
    _check_depth(k)
    if not ground:
        return None
    gained = sum(map(_discount, counting_ranks(ranked, ground, k)))
    return gained / sum(map(_discount, range(1, min(k, len(ground)) + 1)))


def graded_ndcg_at_k(ranked: Sequence[ChunkId], grades: Mapping[ChunkId, int], k: int) -> float | None:
    """nDCG@k where a chunk gains its grade, in [0, 1]; the ideal has all judged chunks in the order of their grades.

    grades: of the chunks that are judged; others, and those below 0, count as 0.
    None when nothing is judged; 0 when nothing has a grade above 0.
    Source: Jarvelin and Kekalainen 2002, with the discount of trec_eval.
    """
    _check_depth(k)
    if not grades:
        return None
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]
    found = [grades.get(chunk, 0) for chunk in ranked[:k]]
    return _dcg(found) / _dcg(best) if best else 0.0


def _dcg(grades: Sequence[int]) -> float:
    return sum(max(0.0, float(grade)) / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def counting_ranks(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> list[int]:
    """Return the ranks up to k from which ground spans count, rising: of first right chunks, but the i-th not before i.

    A chunk that holds several spans therefore brings no more than as many chunks with one span each could have brought
    by then, and a chunk whose spans all stand further up brings nothing. With one right chunk for each span, these are
    the ranks of the right chunks. What counts depends on no chunk that was not retrieved.
    """
    places = {chunk: rank for rank, chunk in reversed([*enumerate(ranked[:k], start=1)])}
    firsts = (min((places[chunk] for chunk in right if chunk in places), default=0) for right in ground)
    found = sorted(filter(None, firsts))
    return [rank for number, first in enumerate(found, start=1) if (rank := max(first, number)) <= k]


def _check_depth(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; it counts from 1")


class Family(NamedTuple):
    """A ranking metric at any depth: of a ranking, the ground spans and k."""

    at: Callable[..., float | None]
    source: str


FAMILIES: Mapping[str, Family] = {
    "map": Family(map_at_k, "Manning et al. 2008, chapter 8"),
    "hit_rate": Family(hit_rate_at_k, "Voorhees and Harman 2005 (trec_eval)"),
    "mrr": Family(mrr_at_k, "Voorhees 1999"),
    "ndcg": Family(ndcg_at_k, "Jarvelin and Kekalainen 2002"),
    "precision": Family(precision_at_k, "Manning et al. 2008, chapter 8"),
    "r_precision": Family(r_precision_at_k, "Manning et al. 2008, chapter 8"),
    "recall": Family(recall_at_k, "Know Your RAG (COLING 2025), retrieval per label"),
}
RANKING_METRICS = tuple("recall@1 recall@3 recall@5 recall@10 hit_rate@5 mrr@10 ndcg@10 precision@5".split())
"""Those that every run measures."""


_RAGEVAL = "RAGEval (ACL 2025), retrieval metrics"
_UNITS: Sequence[tuple[str, str, Callable[[Answered], View], tuple[Input, ...]]] = (
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
UNSEEN = "unmarked passages that answer too; the answer itself"


def _of_view(family: str, view: Callable[[Answered], View]) -> Measure:
    def measure(item: Answered, k: int) -> Measured:
        if item.example.is_graded and (reason := missing(item, "chunk documents")):
            return Measured(None, reason=reason)
        seen = view(item)
        if family == "ndcg" and seen.grades:
            return Measured(graded_ndcg_at_k(seen.ranked, seen.grades, k), seen.told)
        return Measured(FAMILIES[family].at(seen.ranked, seen.ground, k), seen.told)

    return measure


def _ranking_entries(
    unit: str, addition: str, view: Callable[[Answered], View], inputs: tuple[Input, ...]
) -> list[Metric]:
    return [
        Metric(
            name=f"{unit}{family}@k",
            kind="retrieval",
            meaning=f"As {family}@k, {addition}." if unit else meaning_of(FAMILIES[family].at),
            inputs=inputs,
            source=FAMILIES[family].source,
            unseen=UNSEEN,
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
    def measure(item: Answered, k: int) -> Measured:
        further = (item.language,) if with_language else ()
        return Measured(function(item.quoted_texts[:k], item.references, *further), item.told_matches(k))

    return Metric(
        name=name,
        kind="retrieval",
        meaning=meaning_of(function),
        inputs=("references", "chunk texts"),
        source=source,
        unseen=UNSEEN,
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
