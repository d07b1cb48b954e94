"""Questions, answers, references and keypoints that a language model writes, made consistent round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragassay.models.base import Model
from ragassay.records import Example, QuestionType, Span
from ragassay.synthesis.scenario.examples import example_of, unsupported
from ragassay.synthesis.scenario.questions import Drafted
from ragassay.synthesis.scenario.schema import Schema
from ragassay.synthesis.scenario.writer import Written
from ragassay.tasks.scenarios import (
    SCENARIO_QUESTION,
    SCENARIO_REFERENCES,
    SCENARIO_REVISION,
    AnswerOnSentences,
    AnswerToRevise,
    QuestionToWrite,
)
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement
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


@dataclass(frozen=True, slots=True)
class _Answered:
    """A question on its way to an example."""

    drafted: Drafted
    question: str
    answer: str
    references: tuple[Span, ...] = ()
    keypoints: tuple[str, ...] = ()
    fault: str = ""


async def model_examples(
    schema: Schema, written: Sequence[Written], found: Sequence[Drafted], model: Model, before: Sequence[Example]
) -> tuple[list[Example], Counter[str]]:
    """Examples of one type and, by reason, how many questions did not become one."""
    items = await _questions(schema, written, found, model)
    items = await _with_references(written, items, model)
    for _ in range(_REVISIONS):
        items, changed = await _revised(items, model)
        if not changed:
            break
        items = await _with_references(written, items, model)
    items = [_checked(each, written) for each in await _with_keypoints(items, model)]
    asked = {example.question for example in before}
    made, dropped = [], Counter[str]()
    for each in items:
        fault = each.fault or ("asked already" if each.question in asked else "")
        if fault:
            dropped[fault] += 1
            continue
        asked.add(each.question)
        made.append(
            example_of(
                schema,
                written,
                each.drafted,
                model.name,
                each.question,
                each.answer,
                each.references,
                each.keypoints,
            )
        )
    return made, dropped


async def _questions(
    schema: Schema, written: Sequence[Written], found: Sequence[Drafted], model: Model
) -> list[_Answered]:
    """Each question and answer as the model words them; its own draft of a question without an answer is kept."""
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
    made = [_Answered(each, each.question, "") for each in found if not each.facts]
    for each, reply in zip(worded, await model.ask_all(SCENARIO_QUESTION, asked), strict=True):
        if reply.value is None:
            made.append(_Answered(each, "", "", fault=f"without a question: {reply.reason}"))
        else:
            made.append(_Answered(each, reply.value.question, reply.value.answer))
    return made


def _sentences(written: Sequence[Written], drafted: Drafted) -> list[Span]:
    documents = [written[at].document for at in drafted.documents]
    return [
        document.span(start, end)
        for document in documents
        for start, end in sentence_spans(document.text)
        if start > len(document.title)
    ]


async def _with_references(written: Sequence[Written], items: Sequence[_Answered], model: Model) -> list[_Answered]:
    asked = [at for at, each in enumerate(items) if each.answer and not each.fault]
    sentences = {at: _sentences(written, items[at].drafted) for at in asked}
    inputs = [
        AnswerOnSentences(
            question=items[at].question,
            answer=items[at].answer,
            sentences=tuple(span.text for span in sentences[at]),
        )
        for at in asked
    ]
    found = list(items)
    for at, reply in zip(asked, await model.ask_all(SCENARIO_REFERENCES, inputs), strict=True):
        if reply.value is None:
            found[at] = replace(found[at], fault=f"without references: {reply.reason}")
        elif not reply.value.items:
            found[at] = replace(found[at], fault="no sentence supports the answer")
        else:
            found[at] = replace(found[at], references=tuple(sentences[at][each] for each in reply.value.items))
    return found


async def _revised(items: Sequence[_Answered], model: Model) -> tuple[list[_Answered], bool]:
    """The answers made consistent with their references, and whether any was changed."""
    asked = [at for at, each in enumerate(items) if each.references and not each.fault]
    inputs = [
        AnswerToRevise(
            question=items[at].question,
            answer=items[at].answer,
            references=tuple(span.text for span in items[at].references),
        )
        for at in asked
    ]
    found, changed = list(items), False
    for at, reply in zip(asked, await model.ask_all(SCENARIO_REVISION, inputs), strict=True):
        if reply.value is not None and reply.value.changed:
            found[at], changed = replace(found[at], answer=reply.value.answer), True
    return found, changed


async def _with_keypoints(items: Sequence[_Answered], model: Model) -> list[_Answered]:
    asked = [at for at, each in enumerate(items) if each.references and not each.fault]
    inputs = [
        AnswerStatement(question=items[at].question, answer=items[at].answer, statements=items[at].drafted.keypoints)
        for at in asked
    ]
    found = list(items)
    for at, reply in zip(asked, await model.ask_all(KEYPOINTS, inputs), strict=True):
        if reply.value is None or not reply.value.items:
            found[at] = replace(found[at], fault=f"without keypoints: {reply.reason or 'none was given'}")
        else:
            found[at] = replace(found[at], keypoints=reply.value.items)
    return found


def _checked(each: _Answered, written: Sequence[Written]) -> _Answered:
    """With a fault where a keypoint says more than the references, or a document that is asked about has none."""
    if each.fault or not each.references:
        return each
    return replace(each, fault=unsupported(each.drafted, written, each.references, each.keypoints))
