"""Columns of values: means over any part, reasons, and bounds of their own."""

from __future__ import annotations

import numpy as np

from ragassay.evaluation.tally import Tally
from ragassay.metrics.catalogue import metrics_named


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
        assert (found[name].value, found[name].total, found[name].method) == (0.375, 4, "Wilson with t over documents")
    assert made.headline([]) == made.estimates()
