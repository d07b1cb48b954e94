"""Every metric there is, by name: what tables, documentation and commands take it from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from ragassay.errors import UsageError
from ragassay.metrics.answer.entries import ANSWER_METRICS
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.abstention import abstention_accuracy
from ragassay.metrics.judged.answer_relevance import answer_relevance
from ragassay.metrics.judged.completeness import completeness
from ragassay.metrics.judged.context_precision import context_precision
from ragassay.metrics.judged.faithfulness import faithfulness
from ragassay.metrics.metric import Kind, Measured, Metric, meaning_of
from ragassay.metrics.released.entries import RELEASED_METRICS
from ragassay.metrics.retrieval.entries import RETRIEVAL_METRICS


def _abstention(item: Item, _: int) -> Measured:
    score = abstention_accuracy([item.answered])[0]
    return Measured(score.value, score.evidence, score.reason)


def _judged(name: str, kind: Kind, function: Callable[..., object], inputs: tuple[Input, ...], source: str) -> Metric:
    return Metric(
        name=name, kind=kind, meaning=meaning_of(function), inputs=inputs, source=source, needs="model", measure=None
    )


_JUDGED = (
    _judged("faithfulness", "answer", faithfulness, ("answer", "chunk texts"), "RAGAS (EACL 2024), section 3"),
    _judged("answer_relevance", "answer", answer_relevance, ("answer",), "RAGAS (EACL 2024), section 3"),
    _judged(
        "completeness",
        "answer and reference",
        completeness,
        ("answer", "keypoints"),
        "RAGEval (ACL 2025), section 4.2",
    ),
    _judged(
        "context_precision",
        "retrieval",
        context_precision,
        ("answer", "chunk texts"),
        "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS",
    ),
    Metric(
        name="abstention_accuracy",
        kind="answer",
        meaning=meaning_of(abstention_accuracy),
        inputs=("prediction",),
        source="ours",
        measure=_abstention,
    ),
)

METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*RETRIEVAL_METRICS, *ANSWER_METRICS, *_JUDGED, *RELEASED_METRICS)
}


_AT = re.compile(r"_at_(\d+)\Z")


def metric_named(name: str) -> tuple[Metric, int]:
    """The metric of a name and its depth: ``recall@5`` is recall@k with k = 5; 0 where there is no depth.

    ``recall_at_5`` is another way to write it; the metric keeps the name that was asked for.

    Raises UsageError for a name that is not there, or that has no depth where it needs one.
    """
    family, _, depth = _AT.sub(r"@\1", name).partition("@")
    if depth.isdecimal() and int(depth) > 0 and f"{family}@k" in METRICS:
        return replace(METRICS[f"{family}@k"], name=name), int(depth)
    if name in METRICS and not METRICS[name].has_depth:
        return METRICS[name], 0
    if f"{family}@k" in METRICS:
        raise UsageError(f"{name}: say how many chunks count, for example {family}@5")
    near = [each.replace("@k", "@5") for each in get_close_matches(name, METRICS, n=3)]
    hint = f"do you mean {' or '.join(near)}?" if near else "`ragassay metrics` lists them"
    raise UsageError(f"there is no metric {name!r}; {hint}")


def metrics_named(names: Sequence[str]) -> list[tuple[Metric, int]]:
    """``metric_named`` of each, every one once. Raises UsageError where there is none."""
    if not names:
        raise UsageError("no metric was asked for; `ragassay metrics` lists them")
    return [metric_named(name) for name in dict.fromkeys(names)]
