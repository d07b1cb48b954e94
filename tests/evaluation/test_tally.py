"""Columns of values: means over any part, the row of refusals, and what nothing surpasses at its price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from by_hand import example_of

from ragassay.evaluation.aggregate import pareto_front
from ragassay.evaluation.tally import Tally, unanswerable
from ragassay.metrics.catalogue import metrics_named
from ragassay.records import Example, Label, Prediction, Provenance


def tally() -> Tally:
    made = Tally([metric for metric, _ in metrics_named(["rouge_1", "truthfulness", "eir_released@5"])], 4)
    for place, value in enumerate((0.5, 1.0, None, 0.0)):
        made.add(place, "rouge_1", value, None if value is not None else "the answer is empty")
    made.add(3, "truthfulness", 5.0, None)
    made.add(0, "eir_released@5", 1.5, None)
    made.add(1, "eir_released@5", None, None)
    return made


def test_means_over_all_and_over_a_part() -> None:
    found = tally().estimates()
    assert list(found) == ["rouge_1", "truthfulness", "eir_released@5"]
    assert (found["rouge_1"].value, found["rouge_1"].n, found["rouge_1"].total) == (0.5, 3, 4)
    assert (found["truthfulness"].value, found["truthfulness"].n) == (5.0, 1)
    assert found["truthfulness"].low is not None
    assert 1 <= found["truthfulness"].low < 5 == found["truthfulness"].high
    assert (found["eir_released@5"].value, found["eir_released@5"].low) == (1.5, None)  # one value without bounds
    part = tally().estimates([0, 2])
    assert (part["rouge_1"].value, part["rouge_1"].n, part["rouge_1"].total) == (0.5, 1, 2)
    assert part["truthfulness"].value is None


def test_the_headline_leaves_unanswerable_questions_out_but_for_refusals_and_published_scorers() -> None:
    of_all = ("abstention_accuracy", "rouge_l_released", "reference_recall_released@5")
    made = Tally([metric for metric, _ in metrics_named(["rouge_1", *of_all])], 4, np.array([0, 0, 1, 2]))
    for place, value in enumerate((1.0, 0.0, 0.5, 0.0)):
        made.add(place, "rouge_1", value, None)
        for name in of_all:
            made.add(place, name, value, None)
    found = made.headline(["summary", "unanswerable", "unlabelled", "unanswerable"])
    assert (found["rouge_1"].value, found["rouge_1"].total, found["rouge_1"].method) == (0.75, 2, "Wilson with t")
    for name in of_all:  # (1 + 0 + 0.5 + 0) / 4
        assert (found[name].value, found[name].total) == (0.375, 4)
        assert found[name].method == "Wilson with t within these documents"
    assert made.headline([]) == made.estimates()


def example(name: str, label: Label, *, in_context_alone: bool = False) -> Example:
    made = Provenance(synthesizer="by_hand", model="none", unanswerable_in="context" if in_context_alone else None)
    return example_of(name, requested_label=label, provenance=made)


def prediction(name: str, answer: str | None, *, abstained: bool = False) -> Prediction:
    return Prediction(example_id=name, system="s", chunks=(), answer=answer, abstained=abstained)


EXAMPLES = [
    example("refused", "unanswerable"),
    example("answered", "unanswerable"),
    example("failed", "unanswerable"),
    example("asked of a passage", "unanswerable", in_context_alone=True),
    example("answerable", "fact_single"),
]
PREDICTIONS = [
    prediction("refused", None, abstained=True),
    prediction("answered", "In 1912."),
    replace(prediction("failed", None), error="timed out"),
    prediction("asked of a passage", "In 1913."),
    prediction("answerable", "In 1914."),
]


def test_one_of_two_was_right() -> None:
    found = unanswerable(EXAMPLES, PREDICTIONS)
    assert found is not None
    assert (found.right.value, found.right.n, found.right.total) == (0.5, 2, 3)
    assert (found.wrong, found.undecided) == (1, 1)


def test_no_row_without_such_questions_or_without_answers() -> None:
    assert unanswerable(EXAMPLES[4:], PREDICTIONS) is None
    assert unanswerable(EXAMPLES, [prediction(each.id, None) for each in EXAMPLES]) is None
    assert unanswerable([], []) is None


Point = tuple[str, float, float]


def front(points: list[Point]) -> str:
    return "".join(name for name, _, _ in pareto_front(points, lambda point: point[1], lambda point: point[2]))


def test_the_front_holds_what_nothing_surpasses_at_the_same_price_or_less() -> None:
    points = [("a", 100.0, 0.5), ("b", 200.0, 0.4), ("c", 300.0, 0.7), ("d", 300.0, 0.6), ("e", 400.0, 0.7)]
    assert front(points) == front(points[::-1]) == "ac"
    assert front([]) == ""


def test_of_equal_points_the_first_is_on_it() -> None:
    assert front([("b", 1.0, 0.3), ("a", 1.0, 0.3)]) == "b"
    assert front([("a", 1.0, 0.1 + 0.2), ("b", 2.0, 0.3), ("c", 0.5, 0.3)]) == "c"  # 0.1 + 0.2 is not above 0.3
