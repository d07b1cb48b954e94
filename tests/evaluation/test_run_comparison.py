"""Two runs, metric by metric and label by label: which pairs count, families of tests, what changed most."""

from __future__ import annotations

import pytest
from by_hand import example_of

from ragassay.evaluation.paired import RunComparison, Values
from ragassay.evaluation.paired import compare_values as compare_by
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scale
from ragassay.records import Example


def compare_values(a: Values, b: Values, examples: list[Example], metrics: list[str], **more: int) -> RunComparison:
    return compare_by(a, b, examples, metrics, scales={name: scale_of(name) for name in metrics}, **more)


EXAMPLES = [example_of(f"q{number}", verified_label="summary" if number % 2 else "fact_single") for number in range(8)]
HIGH = {each.id: 0.9 for each in EXAMPLES}
LOW = {each.id: 0.5 for each in EXAMPLES}


def test_only_pairs_count() -> None:
    b: dict[str, float | None] = {**HIGH, "q0": None}
    del b["q1"]
    found = compare_values({"rouge_1": LOW}, {"rouge_1": b}, EXAMPLES, ["rouge_1"], only_a=2)
    test = found.metrics["rouge_1"]
    assert (test.n, test.total, test.better) == (6, 8, 6)
    assert test.difference == pytest.approx(0.4)
    # six differences of 0.4 and k more pairs of that size, k = (t / 2.5706)^2 with 5 degrees of freedom: t is
    # 6 / (6 + k) / sqrt((1 - (6 / (6 + k))^2) * 6/5 / (6 + k)) at t = 3.2439
    assert test.p_value == pytest.approx(0.02285, abs=5e-6)
    assert (found.examples, found.only_a, found.only_b) == (8, 2, 0)
    assert {label: tests["rouge_1"].n for label, tests in found.labels.items()} == {"fact_single": 3, "summary": 3}
    assert found.types == {}


def test_what_changed_most_comes_first_by_the_range_of_each_metric() -> None:
    a = {"rouge_1": {"q0": 0.2, "q1": 0.5, "q2": 0.5}, "truthfulness": {"q0": 3.0, "q1": 1.0, "q2": 3.0}}
    b = {"rouge_1": {"q0": 0.4, "q1": 0.5, "q2": None}, "truthfulness": {"q0": 3.0, "q1": 5.0, "q2": 3.0}}
    found = compare_values(a, b, EXAMPLES, ["rouge_1", "truthfulness"])
    # q1: (0 + 4 / 4) / 2; q0: (0.2 + 0) / 2; q2 has no rouge_1 in b, and its truthfulness is the same
    assert [(each.example_id, each.change) for each in found.changed] == [
        ("q1", pytest.approx(0.5)),
        ("q0", pytest.approx(0.1)),
    ]
    assert found.changed[0].values == {"rouge_1": (0.5, 0.5), "truthfulness": (1.0, 5.0)}
    assert found.changed[0].label == "summary"
    assert len(compare_values(a, b, EXAMPLES, ["rouge_1"], most_changed=0).changed) == 0


def test_bounds_are_those_of_the_metric() -> None:
    found = {
        name: scale and (scale.bounds, scale.higher_is_better)
        for name in (
            "recall@5",
            "reference_recall_released@5",
            "truthfulness",
            "irrelevancy",
            "eir_released@5",
            "sleep",
        )
        for scale in [scale_of(name)]
    }
    assert found == {
        "recall@5": ((0, 1), True),
        "reference_recall_released@5": ((0, 1), True),
        "truthfulness": ((1, 5), True),
        "irrelevancy": ((0, 1), False),
        "eir_released@5": (None, True),
        "sleep": None,
    }
    kept = {"sleep": Scale(low=0, high=24)}
    assert scale_of("sleep", kept) == kept["sleep"]


def test_unanswerable_questions_are_a_label_and_in_no_figure_above_it() -> None:
    examples = [
        *EXAMPLES,
        example_of("none", requested_label="unanswerable"),
        example_of("nil", verified_label="unanswerable"),
    ]
    a = {"rouge_1": {each.id: 0.0 for each in examples}, "abstention_accuracy": {each.id: 0.0 for each in examples}}
    b = {"rouge_1": {each.id: 1.0 for each in examples}, "abstention_accuracy": {each.id: 1.0 for each in examples}}
    found = compare_values(a, b, examples, ["abstention_accuracy", "rouge_1"])
    assert list(found.metrics) == ["abstention_accuracy", "rouge_1"]
    assert (found.metrics["rouge_1"].total, found.metrics["abstention_accuracy"].total) == (8, 10)
    assert found.labels["unanswerable"]["rouge_1"].total == 2
