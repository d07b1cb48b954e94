"""Conditions on a run: is a mean high enough, has it dropped too far, or are there too few questions to tell?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ragassay.evaluation.aggregate import ROUNDING, estimate
from ragassay.evaluation.clusters import answerable_rows
from ragassay.evaluation.paired import PairedTest, column_of, paired_tests
from ragassay.evaluation.prediction_powered import Corrected
from ragassay.metrics.metric import Scale
from ragassay.records import Example

Kind = Literal["fail_under", "fail_over", "max_drop"]
Verdict = Literal["passed", "failed", "undecided"]
Use = Literal["interval", "mean"]
"""What is held against the bound: the 95 % interval of the mean, or the mean alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """kind: fail_under has a least mean, fail_over a greatest, max_drop a greatest loss against the baseline.

    group: label or question type whose questions count; empty for all those that the metric's headline is of.
    """

    kind: Kind
    metric: str
    bound: float
    group: str = ""


class Worst(NamedTuple):
    """A question with its values in baseline and run; None where there is none."""

    id: str
    question: str
    before: float | None
    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """A condition with what was found.

    value, low, high: the mean with its 95 % interval; of max_drop the mean loss against the baseline, which is positive
    where the run is worse. None where there is none. mean, baseline: of max_drop the two means over the questions with
    a value in both; else None. is_corrected: whether value, low and high are those of the judge corrected by people.
    n: questions with a value; total: those that should have one. reason: why it did not pass, else empty. worst: of a
    condition that did not pass, the questions without a value, then those with the worst values, or that lost most.
    """

    condition: Condition
    verdict: Verdict
    value: float | None
    low: float | None
    high: float | None
    n: int
    total: int
    reason: str = ""
    mean: float | None = None
    baseline: float | None = None
    is_corrected: bool = False
    worst: tuple[Worst, ...] = ()


WORST = 10
"""Questions that a condition which did not pass names at most."""
Values = Mapping[str, float | None]
"""Example id to value."""
Found = tuple[float | None, float | None, float | None]
"""Mean, or mean loss, with low and high."""


def examples_of(condition: Condition, scale: Scale, examples: Sequence[Example]) -> list[Example]:
    """The examples that a condition is about; none where nobody has its label or type."""
    if condition.group:
        labelled = [each for each in examples if each.label == condition.group]
        return labelled or [each for each in examples if each.question_type == condition.group]
    if scale.over_all:
        return list(examples)
    return [examples[place] for place in answerable_rows([each.label for each in examples]).tolist()]


def row_of(
    condition: Condition,
    scale: Scale,
    values: Values,
    examples: Sequence[Example],
    use: Use,
    coverage: float,
    before: Values | None = None,
    corrected: Corrected | None = None,
    failed: Set[str] = frozenset(),
) -> GateRow:
    """A mean against its bound; for max_drop the loss against the baseline, question by question.

    Questions are taken for independent: a gate is about these documents, not about others.

    scale: of the metric. values, examples: of the run. coverage: least share of questions with a value. before: values
    of the baseline; questions that it lacks have no value. corrected: takes the place of the mean. failed: questions
    that the system failed at, which have the worst value of a metric with bounds.
    """
    chosen = examples_of(condition, scale, examples)
    scored = values
    if scale.bounds is not None:
        values = {**values, **dict.fromkeys(failed, scale.bounds[0 if scale.higher_is_better else 1])}
    test: PairedTest | None = None
    if before is None:
        mean = estimate([values.get(each.id) for each in chosen], bounds=scale.bounds)
        shown = mean if corrected is None else corrected.estimate
        n, found = mean.n, (shown.value, shown.low, shown.high)
    else:
        old, new = (column_of(each, chosen)[:, None] for each in (before, values))
        (test,) = paired_tests(old, new, bounds=[scale.bounds])
        n, found = int((~np.isnan(new - old)).sum()), _loss(test, scale)
    verdict, reason = _decided(condition, found, n, len(chosen), use, coverage)
    return GateRow(
        condition=condition,
        verdict=verdict,
        value=found[0],
        low=found[1],
        high=found[2],
        n=n,
        total=len(chosen),
        reason=reason,
        mean=None if test is None else test.b,
        baseline=None if test is None else test.a,
        is_corrected=before is None and corrected is not None,
        worst=() if verdict == "passed" else _worst(scale, scored, before, chosen),
    )


def _worst(scale: Scale, values: Values, before: Values | None, examples: Sequence[Example]) -> tuple[Worst, ...]:
    """Return questions by the least gain over the baseline, or by the worst values; those without a value first."""
    sign = 1 if scale.higher_is_better else -1
    found = []
    for place, each in enumerate(examples):
        old, new = None if before is None else before.get(each.id), values.get(each.id)
        if (before is None or old is not None) and (new is None or before is None or sign * (new - (old or 0)) < 0):
            gain = -np.inf if new is None else sign * (new - (old or 0.0))
            found.append((gain, place, Worst(each.id, each.question, old, new)))
    return tuple(each for *_, each in sorted(found, key=lambda row: row[:2])[:WORST])


def _loss(test: PairedTest | None, scale: Scale) -> Found:
    """By how much the run is worse than the baseline."""
    if test is None:
        return None, None, None
    if test.low == test.high:  # without bounds, and nothing differs
        return test.difference, None, None
    if scale.higher_is_better:
        return -test.difference, -test.high, -test.low
    return test.difference, test.low, test.high


def is_covered(n: int, total: int, coverage: float) -> bool:
    """Whether enough of the questions have a value to say anything of all."""
    return n > 0 and n >= coverage * total - ROUNDING


def _decided(
    condition: Condition,
    found: Found,
    n: int,
    total: int,
    use: Use,
    coverage: float,
) -> tuple[Verdict, str]:
    """The verdict, and why it is not that it passed."""
    where = "a value in both runs" if condition.kind == "max_drop" else "a value"
    if not n:
        return "failed", f"none of {total} questions has {where}"
    if not is_covered(n, total, coverage):
        return "failed", f"only {n} of {total} questions have {where}; --coverage asks for {100 * coverage:g} %"
    mean, low, high = found
    if use == "mean":
        low = high = mean
    if low is None or high is None:
        return "undecided", "values without bounds that do not differ say nothing about other questions"
    is_floor = condition.kind == "fail_under"
    good, bad = (low, high) if is_floor else (-high, -low)
    bound = condition.bound if is_floor else -condition.bound
    if good >= bound - ROUNDING:
        return "passed", ""
    is_drop = condition.kind == "max_drop" and use == "interval"
    if is_drop and mean is not None and mean > condition.bound + ROUNDING and low > ROUNDING:
        return "failed", f"the mean loss is above {condition.bound:g}, and that there is a loss is not chance"
    of = "the mean" if use == "mean" else "the whole interval"
    if bad < bound - ROUNDING:
        return "failed", f"{of} is {'below' if is_floor else 'above'} {condition.bound:g}"
    return "undecided", f"cannot be told from {'this question' if n == 1 else f'these {n} questions'}"
