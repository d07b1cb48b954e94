"""Judged metrics with scripted replies: a judge that failed or miscounted gives no value, and says why."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragassay.metrics.judged.abstention import abstention_accuracy
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.completeness import completeness
from ragassay.metrics.judged.faithfulness import faithfulness
from ragassay.models.base import Reply
from ragassay.records import Example, Prediction, Provenance, Score, Span
from ragassay.tasks.verdicts import AnswerStatements, KeypointVerdict, KeypointVerdicts, StatementVerdict
from ragassay.tasks.verdicts import StatementVerdicts as Verdicts

STATED = Reply(AnswerStatements(items=("The tower is red.", "It is old.")))
YES = StatementVerdict(supported=True, support=1, reason="stated")
NO = StatementVerdict(supported=False, support=0, reason="not stated")
COVERED = KeypointVerdict(verdict="covered", support=1, reason="said")
SILENT = KeypointVerdict(verdict="neither", support=0, reason="silent")


class Scripted:
    """Gives the replies of a task in their order."""

    name = "scripted"

    def __init__(self, **replies: Reply[Any]) -> None:
        self._replies = replies

    async def ask(self, task: Any, inputs: Any) -> Reply[Any]:
        return self._replies[task.name]

    async def ask_all(self, task: Any, inputs: Sequence[Any]) -> list[Reply[Any]]:
        return [self._replies[task.name] for _ in inputs]


def answered(answer: str | None = "The tower is red and old.", **prediction: Any) -> Answered:
    context = Span(document_id="d", start=0, end=17, text="The tower is red.")
    example = Example(
        id="e",
        question="What is the tower like?",
        answer="red",
        context=context,
        references=(context,),
        keypoints=("It is red.", "It is old."),
        requested_label="fact_single",
        verified_label="fact_single",
        provenance=Provenance(synthesizer="s", model="m", pattern="p", statement="The tower is red."),
    )
    return Answered(example, Prediction(example_id="e", system="s", chunks=(), answer=answer, **prediction), ("text",))


def outcome(scores: Sequence[Score]) -> tuple[float | None, str | None]:
    return scores[0].value, scores[0].reason


@pytest.mark.parametrize(
    ("split", "verdicts", "expected"),
    [
        (STATED, Reply(Verdicts(items=(YES, NO))), (0.5, None)),
        (Reply(None, "timed out"), Reply(None, "never asked"), (None, "timed out")),
        (Reply(AnswerStatements(items=())), Reply(None, "never asked"), (None, "the answer makes no statement")),
        (STATED, Reply(Verdicts(items=(YES,))), (None, "1 verdict for 2 statements")),
        (STATED, Reply(Verdicts(items=())), (None, "0 verdicts for 2 statements")),
    ],
)
def test_faithfulness(split: Reply[Any], verdicts: Reply[Any], expected: tuple[float | None, str | None]) -> None:
    model = Scripted(answer_statements=split, statement_verdicts=verdicts)
    assert outcome(asyncio.run(faithfulness(model, [answered()]))) == expected


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ((COVERED, SILENT), (0.5, None)),
        ((COVERED, COVERED, SILENT), (None, "3 verdicts for 2 keypoints")),
        ((), (None, "0 verdicts for 2 keypoints")),
    ],
)
def test_completeness(verdicts: tuple[KeypointVerdict, ...], expected: tuple[float | None, str | None]) -> None:
    model = Scripted(keypoint_verdicts=Reply(KeypointVerdicts(items=verdicts)))
    assert outcome(asyncio.run(completeness(model, [answered()]))) == expected


def test_abstention_needs_an_answer_or_an_abstention() -> None:
    assert outcome(abstention_accuracy([answered()])) == (1.0, None)
    assert outcome(abstention_accuracy([answered(None, abstained=True)])) == (0.0, None)
    assert outcome(abstention_accuracy([answered(None)])) == (None, "the answer is empty")
    assert outcome(abstention_accuracy([answered(None, error="full")])) == (None, "the system failed: full")


@pytest.mark.parametrize(("scope", "expected"), [("context", None), ("document", 0.0), ("corpus", 0.0)])
def test_answering_what_only_the_context_lacks_is_no_fault(scope: Any, expected: float | None) -> None:
    each = answered()
    provenance = replace(each.example.provenance, unanswerable_in=scope)
    example = replace(each.example, requested_label="unanswerable", provenance=provenance)
    (score,) = abstention_accuracy([replace(each, example=example)])
    assert score.value == expected
    assert (score.reason is None) == (expected is not None)
