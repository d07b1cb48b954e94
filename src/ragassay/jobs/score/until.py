"""No more questions than a decision needs: a system is asked in batches until it is better, worse or as good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ragassay.errors import InputError, UsageError
from ragassay.evaluation.sequential import Decision, confidence_sequence, next_look, verdict_of
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.asking.dry_run import estimates_now
from ragassay.jobs.asking.model_options import left
from ragassay.jobs.report.comparing import read_scored
from ragassay.jobs.report.set_report import write_report
from ragassay.jobs.score.result import Evaluation
from ragassay.metrics.catalogue import metric_named
from ragassay.models.llm.budget import Spent
from ragassay.report.costs import StageCost, together
from ragassay.report.summary import write_metrics


def until_decided(options: EvaluateOptions, ask: Callable[[EvaluateOptions], Evaluation]) -> Evaluation:
    """Ask in an order by chance, a batch more each time, until the first metric decides or all are asked.

    ask: scores so many questions, and those that the folder holds. A limit on calls holds for all batches together. A
    dry run takes one batch of all, the most that it may take. Raises UsageError or InputError for what cannot decide.
    """
    against, most = options.beside.decide_against, options.limit
    assert against is not None
    metric, _ = metric_named(options.names[0])
    if metric.bounds is None:
        raise UsageError(f"--metrics: {metric.name} has no range to decide by; name another metric first")
    reach = metric.bounds[1] - metric.bounds[0]
    margin = options.beside.margin * reach
    scored = read_scored(against, None, "--decide-against").values.get(metric.name, {})
    before = {name: value for name, value in scored.items() if value is not None}
    if not before:
        raise InputError(f"{against} has no value of {metric.name}; evaluate it by this metric first")
    costs: list[StageCost] = []
    asked_now, n, notes = 0, 0, None
    while True:
        batch = most if estimates_now() is not None else min(next_look(n), most or next_look(n))
        found = ask(replace(options, limit=batch))
        predicted = found.predicted
        assert predicted is not None
        if found.cost is None:  # the system failed throughout
            return found
        costs.append(found.cost)
        asked_now, n = asked_now + predicted.asked, predicted.at_random
        notes = predicted.notes if notes is None else notes  # later ones count this run's answers as earlier ones
        now = {each.example_id: each.value for each in found.scores if each.metric == metric.name}
        drawn = [(now.get(each.id), before.get(each.id)) for each in found.examples[:n]]
        apart = np.array([new - old for new, old in drawn if new is not None and old is not None], dtype=np.float64)
        low, high = confidence_sequence(apart, (-reach, reach)) if len(apart) else (-reach, reach)
        verdict = verdict_of(low, high, margin, higher_is_better=metric.higher_is_better)
        if verdict != "undecided" or n >= min(predicted.total, most or n + 1) or found.summary.stopped_by:
            break
        models = left(left(options.models, predicted.spent), _spent(found.cost))
        options = replace(options, models=models, overwrite=False, retry_failed=False)
    decision = Decision(
        metric=metric.name,
        against=str(against),
        verdict=verdict,
        difference=float(apart.mean()) if len(apart) else 0.0,
        low=low,
        high=high,
        margin=margin,
        asked=n,
        total=predicted.total,
    )
    last = {name: getattr(found.cost, name) for name in ("name", "model_calls", "served", "unanswered")}
    cost = replace(together(costs), **last)  # a batch is judged again with the next, from the log of calls
    summary = replace(found.summary, decision=decision)
    write_metrics(predicted.folder, summary, [cost])
    write_report(predicted.folder)
    return replace(found, summary=summary, cost=cost, predicted=replace(predicted, asked=asked_now, notes=notes))


def _spent(cost: StageCost) -> Spent:
    return Spent(cost.sent, cost.prompt_tokens, cost.completion_tokens, cost.cost_usd, cost.unpriced)
