"""What metrics ask of the same answers, asked in one call where the judge answers jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from ragassay.metrics.judged.answered import Answered
from ragassay.models.base import Model
from ragassay.models.joint import JointModel, informed, jointly
from ragassay.tasks.answer_judgement import ANSWER_JUDGEMENT, CHUNK_JUDGEMENT, AnswerOnChunks
from ragassay.tasks.base import TaskData
from ragassay.tasks.joint import JointTask
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerToQuestion, KeypointsOnAnswer

JOINT = {part.task.name for task in (ANSWER_JUDGEMENT, CHUNK_JUDGEMENT) for part in task.parts.values()}
"""Tasks that may be asked together with others."""

_Answers = Sequence[tuple[Answered, TaskData]]


class JointReplies(NamedTuple):
    """model: has the replies at hand. asked_as: key of an answer and task to the joint task that it was asked in."""

    model: Model
    asked_as: Mapping[tuple[tuple[str, str], str], str]


async def replies_jointly(model: Model, tasks: Set[str], answered: Sequence[Answered]) -> JointReplies:
    """Asks what the tasks have in common. tasks: of all metrics that are to be worked out."""
    asked_as: dict[tuple[tuple[str, str], str], str] = {}
    if not isinstance(model, JointModel):
        return JointReplies(model, asked_as)
    asked = [each for each in answered if each.missing is None and each.context.strip()]
    if _tasks_of(ANSWER_JUDGEMENT) <= tasks:
        with_keypoints = [each for each in asked if each.example.keypoints]
        model = await _jointly(model, ANSWER_JUDGEMENT, [(each, _answer(each)) for each in with_keypoints], asked_as)
    if _tasks_of(CHUNK_JUDGEMENT) <= tasks:
        texts = [AnswerToQuestion(question=each.question, answer=each.answer) for each in asked]
        splits = await model.ask_all(ANSWER_STATEMENTS, texts)
        model = informed(
            model, {(ANSWER_STATEMENTS.name, text): split for text, split in zip(texts, splits, strict=True)}
        )
        stated = [
            (each, _on_chunks(each, split.value.items))
            for each, split in zip(asked, splits, strict=True)
            if split.value is not None and split.value.items
        ]
        model = await _jointly(model, CHUNK_JUDGEMENT, stated, asked_as)
    return JointReplies(model, asked_as)


def _tasks_of(task: JointTask[Any]) -> set[str]:
    return {part.task.name for part in task.parts.values()}


async def _jointly(
    model: JointModel, task: JointTask[Any], answers: _Answers, asked_as: dict[tuple[tuple[str, str], str], str]
) -> JointModel:
    """The model with the replies; notes in ``asked_as`` which of them could be used."""
    found = await jointly(model, (task, list(dict.fromkeys(inputs for _, inputs in answers))))
    assert isinstance(found, JointModel)
    for each, inputs in answers:
        for part in task.parts.values():
            if found.knows(part.task, part.given(inputs)):
                asked_as[each.key, part.task.name] = task.name
    return found


def _answer(each: Answered) -> KeypointsOnAnswer:
    return KeypointsOnAnswer(question=each.question, answer=each.answer, keypoints=each.example.keypoints)


def _on_chunks(each: Answered, statements: tuple[str, ...]) -> AnswerOnChunks:
    return AnswerOnChunks(
        question=each.question,
        answer=each.answer,
        statements=statements,
        chunks=each.chunk_texts,
        context=each.context,
    )
