"""The metrics of those who name none: all that the data have the inputs for, out of a usual few."""

from __future__ import annotations

from ragassay.metrics.answer.abstention import is_unanswerable
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.item import Item
from ragassay.metrics.pairing import Pairs
from ragassay.metrics.scoring import never_there

_OF_CHUNKS = ("recall", "mrr", "ndcg", "reference_recall", "eir")
_OF_ANSWERS = ("exact_match", "token_f1", "rouge_l", "answer_relevance", "completeness")
_OF_CONVERSATIONS = ("standalone_f1", "standalone_similarity")


def default_metrics(pairs: Pairs, top_k: int) -> tuple[str, ...]:
    """Metrics of retrieval, of answers and rewritings against references, and three of a judge, as far as they apply.

    top_k: depth of those of retrieval, which are left out, as faithfulness is, where nothing was retrieved. The
    accuracy of abstaining needs a question that is unanswerable. Recall where nothing applies, for its reasons.
    """
    usual = [f"{family}@{top_k}" for family in _OF_CHUNKS]
    names = [*_OF_ANSWERS, *_OF_CONVERSATIONS]
    if any(each.prediction.chunks for each in pairs):
        names = [*usual, *_OF_ANSWERS, "faithfulness", *_OF_CONVERSATIONS]
    if any(is_unanswerable(each.example)[0] for each in pairs):
        names.append("abstention_accuracy")
    metrics = metrics_named(names)
    found = [metric.name for metric, _ in metrics if never_there(metric, map(Item, pairs)) is None]
    return tuple(found) or (usual[0],)
