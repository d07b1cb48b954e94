"""Questions, answers, references and keypoints that a language model writes, made consistent round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ragassay.generate.scenario.examples import Answered, example_of, unsupported
from ragassay.generate.scenario.questions import Drafted
from ragassay.generate.scenario.schema import Schema
from ragassay.generate.scenario.writer import Written
from ragassay.models.base import Model, Reply
from ragassay.records import Example, QuestionType, Span
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.scenarios import (
    SCENARIO_QUESTION,
    SCENARIO_REFERENCES,
    SCENARIO_REVISION,
    AnswerOnSentences,
    AnswerToRevise,
    QuestionToWrite,
    ReferenceNumbers,
    RevisedAnswer,
)
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement, Keypoints
from ragassay.text import sentence_spans

_REVISIONS = 2
"""Rounds of revision: RAGEval goes on until an answer stands; the keypoints of one that does not are checked anyway."""
_DEMANDS: dict[QuestionType, str] = {
    "factual": "factual: asks for one stated fact about one subject",
    "summarization": "summary: asks for an overview that brings several facts about one subject together",
    "multi_hop": "multi-hop: one fact has to be found first, and the answer follows from it together with another",
    "information_integration": "integration: asks for the same things of two subjects, side by side",
    "numerical_comparison": "comparison: asks which of two subjects has the higher number, and by how much",
    "temporal_sequence": "order in time: asks in which of two cases something happened first, and how much earlier",
    "unanswerable": "without an answer: asks one thing about the subject that no document says",
}


async def model_examples(
    schema: Schema, written: Sequence[Written], found: Sequence[Drafted], model: Model, before: Sequence[Example]
) -> tuple[list[Example], Counter[str]]:
    """Examples of one type and, by reason, how many questions did not become one."""
    items = await _questions(schema, written, found, model)
    items = await _with_references(written, items, model)
    for _ in range(_REVISIONS):
        revised = await _step(items, model, SCENARIO_REVISION, _to_revise, _revised)
        if revised == items:
            break
        items = await _with_references(written, revised, model)
    items = await _step(items, model, KEYPOINTS, _to_keypoints, _with_keypoints)
    asked = {example.question for example in before}
    made, dropped = [], Counter[str]()
    for each in items:
        repeated = "asked already" if each.question in asked else ""
        if fault := each.fault or unsupported(each, written) or repeated:
            dropped[fault] += 1
            continue
        asked.add(each.question)
        made.append(example_of(schema, written, each, model.name))
    return made, dropped


async def _questions(
    schema: Schema, written: Sequence[Written], found: Sequence[Drafted], model: Model
) -> list[Answered]:
    """Each question and answer as the model words them; the draft of a question without an answer is kept."""
    worded = [each for each in found if each.facts]
    asked = [
        QuestionToWrite(
            kind=_DEMANDS[each.kind],
            subjects=tuple(written[at].document.title for at in each.documents),
            facts=each.keypoints,
            language=schema.language,
        )
        for each in worded
    ]
    made = [Answered(each, each.question) for each in found if not each.facts]
    for each, reply in zip(worded, await model.ask_all(SCENARIO_QUESTION, asked), strict=True):
        if reply.value is None:
            made.append(Answered(each, "", fault=f"without a question: {reply.reason}"))
        else:
            made.append(Answered(each, reply.value.question, reply.value.answer))
    return made


async def _step(
    items: Sequence[Answered],
    model: Model,
    task: Task[In, Out],
    asked_of: Callable[[Answered], In],
    applied: Callable[[Answered, Reply[Out]], Answered],
) -> list[Answered]:
    """The items as they are after a task, which is asked of those that have an answer and no fault."""
    open_places = [at for at, each in enumerate(items) if each.answer and not each.fault]
    found = list(items)
    replies = await model.ask_all(task, [asked_of(items[at]) for at in open_places])
    for at, reply in zip(open_places, replies, strict=True):
        found[at] = applied(items[at], reply)
    return found


async def _with_references(written: Sequence[Written], items: Sequence[Answered], model: Model) -> list[Answered]:
    def sentences(each: Answered) -> list[Span]:
        documents = [written[at].document for at in each.drafted.documents]
        return [
            document.span(start, end)
            for document in documents
            for start, end in sentence_spans(document.text)
            if start > len(document.title)
        ]

    def asked_of(each: Answered) -> AnswerOnSentences:
        texts = tuple(span.text for span in sentences(each))
        return AnswerOnSentences(question=each.question, answer=each.answer, sentences=texts)

    def applied(each: Answered, reply: Reply[ReferenceNumbers]) -> Answered:
        if reply.value is None:
            return replace(each, fault=f"without references: {reply.reason}")
        if not reply.value.items:
            return replace(each, fault="no sentence supports the answer")
        spans = sentences(each)
        return replace(each, references=tuple(spans[number] for number in reply.value.items))

    return await _step(items, model, SCENARIO_REFERENCES, asked_of, applied)


def _to_revise(each: Answered) -> AnswerToRevise:
    references = tuple(span.text for span in each.references)
    return AnswerToRevise(question=each.question, answer=each.answer, references=references)


def _revised(each: Answered, reply: Reply[RevisedAnswer]) -> Answered:
    """Make the answer consistent with its references; without a revision nobody knows whether it is."""
    if reply.value is None:
        return replace(each, fault=f"without a revision: {reply.reason}")
    return replace(each, answer=reply.value.answer) if reply.value.changed else each


def _to_keypoints(each: Answered) -> AnswerStatement:
    return AnswerStatement(question=each.question, answer=each.answer, statements=each.drafted.keypoints)


def _with_keypoints(each: Answered, reply: Reply[Keypoints]) -> Answered:
    if reply.value is None or not reply.value.items:
        return replace(each, fault=f"without keypoints: {reply.reason or 'none was given'}")
    return replace(each, keypoints=reply.value.items)
