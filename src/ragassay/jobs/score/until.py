"""No more questions than a decision needs: a system is asked in batches until it is better, worse or as good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragassay.errors import InputError, RecordError, UsageError
from ragassay.evaluation.sequential import Decision, confidence_sequence, verdict_of
from ragassay.jobs.answer.options import NOWHERE, EvaluateOptions
from ragassay.jobs.folders.run_folder import SCORES_FILE
from ragassay.jobs.report.set_report import write_report
from ragassay.jobs.score.result import Evaluation
from ragassay.metrics.catalogue import metric_named
from ragassay.records import Score, read_jsonl
from ragassay.report.summary import write_metrics

BATCH = 20
"""Questions between two looks."""


def until_decided(options: EvaluateOptions, ask: Callable[[EvaluateOptions], Evaluation]) -> Evaluation:
    """Ask in an order by chance, a batch more each time, until the first metric decides or all are asked.

    ask: scores so many questions; what was asked stays in the folder. Raises UsageError for what is missing, InputError
    for a run that has no values of the metric.
    """
    against = options.beside.decide_against
    assert against is not None
    if options.out == NOWHERE:
        raise UsageError("--out: missing; a comparison in batches keeps its answers in a folder")
    if not options.names:
        raise UsageError("--metrics: missing; name the metric that decides, first")
    if not options.asks_system:
        raise UsageError("--decide-against: needs a system to ask; use `ragassay compare` for recorded answers")
    metric, _ = metric_named(options.names[0])
    if metric.bounds is None:
        raise UsageError(f"--metrics: {metric.name} has no range to decide by; name another metric first")
    reach = metric.bounds[1] - metric.bounds[0]
    before = _values(against, metric.name)
    asked, most = 0, options.limit
    alone = replace(options, beside=replace(options.beside, decide_against=None), shuffled=True)
    while True:
        asked = min(asked + BATCH, most or asked + BATCH)
        found = ask(replace(alone, limit=asked))
        now = _values(options.out, metric.name)
        order = [each.id for each in found.examples if each.id in now and each.id in before]
        apart = np.array([now[each] - before[each] for each in order], dtype=np.float64)
        if not len(apart) and len(found.examples) < asked:
            raise InputError(f"{against}: no question has a value of {metric.name} in both runs; name one on this set")
        low, high = confidence_sequence(apart, (-reach, reach)) if len(apart) else (-reach, reach)
        margin = options.beside.margin * reach
        verdict = verdict_of(low, high, margin, higher_is_better=metric.higher_is_better)
        if verdict != "undecided" or len(found.examples) < asked or asked == most:
            break
    decision = Decision(
        metric=metric.name,
        against=str(against),
        verdict=verdict,
        difference=float(apart.mean()) if len(apart) else 0.0,
        low=low,
        high=high,
        margin=margin,
        asked=len(found.examples),
        total=len(before),
    )
    summary = replace(found.summary, decision=decision)
    write_metrics(options.out, summary, [found.cost] if found.cost is not None else [])
    write_report(options.out)
    return replace(found, summary=summary)


def _values(folder: Path, metric: str) -> dict[str, float]:
    """Example to the value of a metric in a run folder. Raises InputError that names it."""
    try:
        scores = list(read_jsonl(folder / SCORES_FILE, Score))
    except (OSError, RecordError) as error:
        raise InputError(f"{folder} holds no scores ({error}); name a folder of `ragassay evaluate`") from None
    found = {each.example_id: each.value for each in scores if each.metric == metric and each.value is not None}
    if not found:
        raise InputError(f"{folder} has no value of {metric}; evaluate it by this metric first")
    return found
