"""Answers copied from their chunks: how many there are, and when that makes a metric circular."""

from __future__ import annotations

from dataclasses import replace

import pytest
from by_hand import example_of

from ragassay.metrics.answered import Answered
from ragassay.metrics.judged.faithfulness import CopiedAnswers, copied_answers
from ragassay.records import Prediction, Score

CHUNK = "The Alba was painted blue in 1998. She carries forty cars."
COPIED, OWN = "The Alba was painted blue in 1998.", "In 1998 somebody painted her blue."


def answered(number: int, answer: str, *, system: str = "ours", abstained: bool = False) -> Answered:
    prediction = Prediction(example_id=str(number), system=system, chunks=(), answer=answer, abstained=abstained)
    return Answered(example_of(str(number)), prediction, (CHUNK,))


def scores(items: list[Answered], metric: str = "faithfulness", value: float | None = 1.0) -> list[Score]:
    return [each.score(metric, value) for each in items]


def test_answers_with_a_value_are_counted_by_system_and_metric() -> None:
    ours = [answered(0, COPIED), answered(1, OWN)]
    theirs = [answered(0, COPIED, system="theirs")]
    both = [*ours, *theirs]
    found = copied_answers(both, [*scores(both), *scores(ours, "context_precision"), *scores(ours, "correctness")])
    assert list(found) == [
        CopiedAnswers(system="ours", metric="faithfulness", copied=1, scored=2),
        CopiedAnswers(system="theirs", metric="faithfulness", copied=1, scored=1),
        CopiedAnswers(system="ours", metric="context_precision", copied=1, scored=2),
    ]


def test_context_precision_goes_by_a_reference_answer_where_there_is_one() -> None:
    items = [answered(0, COPIED), answered(1, COPIED)]
    items[1] = replace(items[1], example=replace(items[1].example, answer="In 1998."))
    (precision,) = copied_answers(items, scores(items, "context_precision"))
    assert (precision.copied, precision.scored) == (1, 2)
    (faithful,) = copied_answers(items, scores(items))
    assert (faithful.copied, faithful.scored) == (2, 2)


@pytest.mark.parametrize(("copied", "scored", "circular"), [(2, 4, False), (3, 4, True), (0, 0, False), (1, 1, True)])
def test_more_than_half_makes_a_metric_circular(copied: int, scored: int, circular: bool) -> None:
    counts = CopiedAnswers(system="s", metric="faithfulness", copied=copied, scored=scored)
    assert counts.is_circular is circular
