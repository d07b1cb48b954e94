"""Conditions on a run: where they pass, where they fail, and where it cannot be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from by_hand import example_of

from ragassay.evaluation.gates import Condition, GateRow, Kind, Use, row_of
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scale
from ragassay.records import Example, Label


def example(number: int, label: Label | None = None, question_type: str | None = None) -> Example:
    return example_of(f"q{number}", requested_label=label, question_type=question_type)


def of(values: Sequence[float | None]) -> tuple[Mapping[str, float | None], list[Example]]:
    return {f"q{number}": value for number, value in enumerate(values)}, [example(n) for n in range(len(values))]


def scale(metric: str) -> Scale:
    found = scale_of(metric)
    assert found is not None
    return found


def held(
    values: Sequence[float | None], bound: float, use: Use = "interval", *, kind: Kind = "fail_under", metric: str = "x"
) -> GateRow:
    condition = Condition(kind=kind, metric=metric if metric != "x" else "token_f1", bound=bound)
    return row_of(condition, scale(condition.metric), *of(values), use, 0.95)


def test_twenty_right_answers_are_at_least_82_percent() -> None:
    # t(0.975, 19) = 2.0930, so the lower bound is 20 / (20 + 2.0930²) = 20 / 24.3807 = 0.8203
    assert held([1.0] * 20, 0.82).verdict == "passed"
    row = held([1.0] * 20, 0.83)
    assert (row.verdict, row.reason) == ("undecided", "cannot be told from these 20 questions")
    assert row.low == pytest.approx(0.8203, abs=5e-5)
    assert held([1.0] * 20, 1.0, "mean").verdict == "passed"


def test_half_right_is_not_80_percent() -> None:
    row = held([1.0, 0.0] * 10, 0.8)
    assert (row.verdict, row.reason, row.value, row.n, row.total) == (
        "failed",
        "the whole interval is below 0.8",
        0.5,
        20,
        20,
    )
    assert held([1.0, 0.0] * 10, 0.51, "mean").reason == "the mean is below 0.51"
    assert held([1.0, 0.0] * 10, 0.5, "mean").verdict == "passed"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([None] * 3, "none of 3 questions has a value"),
        ([1.0] * 18 + [None] * 2, "only 18 of 20 questions have a value; --coverage asks for 95 %"),
    ],
)
def test_too_few_values_fail(values: list[float | None], reason: str) -> None:
    row = held(values, 0.1)
    assert (row.verdict, row.reason) == ("failed", reason)


def test_a_condition_that_fails_names_the_worst() -> None:
    row = held([1.0, 0.2, 0.0, None, 0.5, 0.1], 0.8, "mean")
    assert [each.id for each in row.worst] == ["q3", "q2", "q5", "q1", "q4", "q0"]
    assert held([1.0] * 20, 0.82).worst == ()


def test_a_drop_names_those_that_lost_most() -> None:
    before, examples = of([1.0, 1.0, 0.5, 0.2, None])
    values, _ = of([1.0, 0.0, 0.0, 0.9, 0.0])
    condition = Condition(kind="max_drop", metric="token_f1", bound=0.01)
    row = row_of(condition, scale("token_f1"), values, examples, "mean", 0.5, before)
    assert [(each.id, each.before, each.value) for each in row.worst] == [("q1", 1.0, 0.0), ("q2", 0.5, 0.0)]


@pytest.mark.parametrize(("lost", "verdict"), [(14, "failed"), (7, "failed"), (6, "undecided"), (0, "undecided")])
def test_a_drop_that_is_not_chance_fails_although_the_interval_holds_the_bound(lost: int, verdict: str) -> None:
    # 14 of 80 worse: mean loss .175, interval about .11 to .27, bound .12. With 7 the mean .0875 is above .08, low > 0
    before, examples = of([1.0] * 80)
    values, _ = of([0.0] * lost + [1.0] * (80 - lost))
    bound = {14: 0.12, 7: 0.08, 6: 0.08, 0: 0.02}[lost]
    condition = Condition(kind="max_drop", metric="token_f1", bound=bound)
    row = row_of(condition, scale("token_f1"), values, examples, "interval", 0.95, before)
    assert (row.low or 0) < bound < (row.high or 0)
    assert row.verdict == verdict


def test_labels_types_and_what_cannot_be_answered() -> None:
    examples = [example(0, "fact_single"), example(1, "summary", "multi_hop"), example(2, "unanswerable", "multi_hop")]
    values = {"q0": 1.0, "q1": 0.5, "q2": 0.0}

    def mean(metric: str, group: str = "") -> float | None:
        condition = Condition(kind="fail_under", metric=metric, bound=0.5, group=group)
        return row_of(condition, scale(metric), values, examples, "mean", 0.95).value

    assert mean("token_f1") == 0.75
    assert mean("abstention_accuracy") == 0.5
    assert mean("token_f1", "fact_single") == 1
    assert mean("token_f1", "multi_hop") == 0.25
    assert mean("token_f1", "unanswerable") == 0


def drop(
    values: Sequence[float | None],
    before: Sequence[float | None],
    bound: float,
    use: Use = "interval",
    metric: str = "token_f1",
) -> GateRow:
    now, examples = of(values)
    condition = Condition(kind="max_drop", metric=metric, bound=bound)
    return row_of(condition, scale(metric), now, examples, use, 0.9, of(before)[0])


def test_a_drop_is_what_the_run_is_worse_by() -> None:
    row = drop([0.5] * 10, [1.0] * 10, 0.1)
    assert (row.verdict, row.value, row.baseline, row.mean) == ("failed", 0.5, 1.0, 0.5)
    assert row.low is not None
    assert row.low > 0.1
    # where low values are good, the same change is a gain
    assert drop([0.5] * 10, [1.0] * 10, 0.1, metric="irrelevancy").value == -0.5
    assert drop([0.5] * 10, [1.0] * 10, 0.1, metric="irrelevancy").verdict == "passed"
    assert drop([0.9] * 10, [1.0] * 10, 0.1, "mean").verdict == "passed"
