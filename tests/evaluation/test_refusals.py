"""Unanswerable questions: who was right to refuse, who answered, and what nobody can say."""

from __future__ import annotations

from dataclasses import replace

from by_hand import example_of

from ragassay.evaluation.tally import unanswerable
from ragassay.records import Example, Label, Prediction, Provenance


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
