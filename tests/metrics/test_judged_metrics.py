"""Judged metrics with scripted replies: a judge that failed or miscounted gives no value, and says why."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.contexts import average_precision
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.judged.scoring import judged_scores
from ragassay.models.base import Reply
from ragassay.records import Example, Prediction, Provenance, Score, Span
from ragassay.tasks.contexts import ChunkUse, ChunkUses
from ragassay.tasks.verdicts import AnswerStatements, StatementVerdict
from ragassay.tasks.verdicts import StatementVerdicts as Verdicts

STATED = Reply(AnswerStatements(items=("The tower is red.", "It is old.")))
YES = StatementVerdict(supported=True, support=1, reason="stated")
NO = StatementVerdict(supported=False, support=0, reason="not stated")


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
    assert outcome(asyncio.run(judged_scores(Judge(model=model), [METRICS["faithfulness"]], [answered()]))) == expected


@pytest.mark.parametrize(
    ("useful", "expected"),
    [
        ((True, False, True), (1 / 1 + 2 / 3) / 2),
        ((False, True, True), (1 / 2 + 2 / 3) / 2),
        ((True, True, True), 1.0),
        ((False, False, True), 1 / 3),
        ((False, False, False), 0.0),
        ((), 0.0),
    ],
)
def test_average_precision(useful: tuple[bool, ...], expected: float) -> None:
    assert average_precision(useful) == pytest.approx(expected)


def uses(*useful: bool) -> Reply[Any]:
    return Reply(ChunkUses(items=tuple(ChunkUse(useful=each, reason=f"{each}") for each in useful)))


def test_context_precision() -> None:
    def of(reply: Reply[Any], each: Answered) -> Score:
        judge = Judge(model=Scripted(context_usefulness=reply))
        return asyncio.run(judged_scores(judge, [METRICS["context_precision"]], [each]))[0]

    three = replace(answered(), chunk_texts=("one", "two", "three"))
    score = of(uses(False, True, True), three)
    assert score.value == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert score.evidence[:3] == ("not useful: chunk 1 (False)", "useful: chunk 2 (True)", "useful: chunk 3 (True)")
    assert outcome([of(uses(True), three)]) == (None, "1 verdict for 3 chunks")
    assert outcome([of(Reply(None, "timed out"), three)]) == (None, "timed out")
    assert outcome([of(uses(), replace(three, chunk_texts=()))]) == (None, "no chunk was retrieved")
    assert outcome([of(uses(), answered(None, abstained=True))]) == (None, "the system abstained")
