"""Every metric there is, by name: what tables, documentation and commands take it from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from ragassay.errors import UsageError
from ragassay.metrics.answer.entries import ANSWER_METRICS
from ragassay.metrics.judged.entries import JUDGED_METRICS
from ragassay.metrics.metric import Metric
from ragassay.metrics.released.entries import RELEASED_METRICS
from ragassay.metrics.retrieval.entries import RETRIEVAL_METRICS

METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*RETRIEVAL_METRICS, *ANSWER_METRICS, *JUDGED_METRICS, *RELEASED_METRICS)
}


_AT = re.compile(r"_at_(\d+)\Z")
_MOST_DIGITS = 9
"""Of a depth: no system retrieves a milliard of chunks, and numbers of thousands of digits are not read at all."""


def metric_named(name: str) -> tuple[Metric, int]:
    """The metric of a name and its depth: ``recall@5`` is recall@k with k = 5; 0 where there is no depth.

    ``recall_at_5`` is another way to write it; the metric keeps the name that was asked for.

    Raises UsageError for a name that is not there, or that has no depth where it needs one.
    """
    family, _, depth = _AT.sub(r"@\1", name).partition("@")
    if depth.isdecimal() and f"{family}@k" in METRICS:
        if len(depth) > _MOST_DIGITS:
            raise UsageError(f"{family}: a depth of {len(depth)} digits is too large; give a smaller one")
        if int(depth) > 0:
            return replace(METRICS[f"{family}@k"], name=name), int(depth)
    if name in METRICS and not METRICS[name].has_depth:
        return METRICS[name], 0
    if f"{family}@k" in METRICS:
        raise UsageError(f"{name}: needs a number of chunks, such as {family}@5")
    near = [each.replace("@k", "@5") for each in get_close_matches(name, METRICS, n=3)]
    hint = f"did you mean {' or '.join(near)}?" if near else "`ragassay metrics` lists them"
    raise UsageError(f"unknown metric {name!r}; {hint}")


def metrics_named(names: Sequence[str]) -> list[tuple[Metric, int]]:
    """``metric_named`` of each, every one once. Raises UsageError where there is none."""
    if not names:
        raise UsageError("no metric given; `ragassay metrics` lists them")
    return [metric_named(name) for name in dict.fromkeys(names)]
