"""Questions, answers, references and keypoints that a language model writes: all of a document in one call.

What rules find at fault is written anew once, with the fault said; what still has one is dropped with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ragassay.generate.scenario.examples import Answered, Dropped, example_of, unsupported
from ragassay.generate.scenario.questions import Drafted
from ragassay.generate.scenario.schema import Schema
from ragassay.generate.scenario.values import states
from ragassay.generate.scenario.writer import Written
from ragassay.models.base import Model
from ragassay.records import Example, QuestionType, Span
from ragassay.tasks.scenarios import SCENARIO_QUESTIONS, QuestionsToWrite, QuestionToWrite, WrittenQuestion
from ragassay.text import sentence_spans

_TRIES = 2
_MOST_IN_CALL = 12
_UNWRITTEN = "no question was written"
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
) -> tuple[list[Example], list[Dropped]]:
    """Examples of the drafted questions, and why others became none; only faults of a reply are asked about again."""
    items = [Answered(each, each.question) for each in found]
    left = [at for at, each in enumerate(found) if each.facts]  # without an answer there is nothing to write
    for _ in range(_TRIES):
        calls = _calls(found, left)
        asked = [_asked(schema, written, [items[at] for at in places]) for places in calls]
        for places, reply in zip(calls, await model.ask_all(SCENARIO_QUESTIONS, asked), strict=True):
            if reply.value is None:
                left = [at for at in left if at not in places]
            answers = reply.value.items if reply.value else (None,) * len(places)
            for at, answer in zip(places, answers, strict=True):
                if answer:
                    items[at] = _answered(schema, written, found[at], answer)
                else:
                    items[at] = replace(items[at], fault=f"{_UNWRITTEN}: {reply.reason or 'passed over'}")
        left = [at for at in left if items[at].fault]
        if not left:
            break
    asked_before = {example.question for example in before}
    made, dropped = [], list[Dropped]()
    for each in items:
        if fault := each.fault or ("asked already" if each.question in asked_before else ""):
            dropped.append((each.drafted.kind, fault))
            continue
        asked_before.add(each.question)
        made.append(example_of(schema, written, each, model.name))
    return made, dropped


def _calls(found: Sequence[Drafted], places: Sequence[int]) -> list[list[int]]:
    """The places in parts, each about the same documents."""
    by_documents: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for at in places:
        by_documents[frozenset(found[at].documents)].append(at)
    return [
        same[first : first + _MOST_IN_CALL]
        for same in by_documents.values()
        for first in range(0, len(same), _MOST_IN_CALL)
    ]


def _asked(schema: Schema, written: Sequence[Written], items: Sequence[Answered]) -> QuestionsToWrite:
    return QuestionsToWrite(
        sentences=tuple(span.text for span in _sentences(written, items[0].drafted)),
        questions=tuple(
            QuestionToWrite(
                kind=_DEMANDS[each.drafted.kind],
                subjects=tuple(written[at].document.title for at in each.drafted.documents),
                facts=each.drafted.keypoints,
                fault="" if each.fault.startswith(_UNWRITTEN) else each.fault,
            )
            for each in items
        ),
        language=schema.language,
    )


def _sentences(written: Sequence[Written], drafted: Drafted) -> list[Span]:
    """All sentences of the documents, in the order of their places."""
    documents = [written[at].document for at in sorted(drafted.documents)]
    return [
        document.span(start, end)
        for document in documents
        for start, end in sentence_spans(document.text)
        if start > len(document.title)
    ]


def _answered(schema: Schema, written: Sequence[Written], drafted: Drafted, answer: WrittenQuestion) -> Answered:
    """The question with its references; its fault is the first that rules find."""
    sentences = _sentences(written, drafted)
    references = tuple(sentences[number - 1] for number in answer.sentences)
    found = Answered(drafted, answer.question, answer.answer, references, answer.keypoints)
    values = [
        written[fact.document].configuration.texts[name]
        for fact in drafted.facts
        for name in fact.fields
        if schema.fields[name].type not in ("option", "list", "text")  # which may be put in other words
    ]
    said = f"{answer.question}\n{answer.answer}"
    lost = [value for value in (drafted.result, *values) if not states(said, value)]
    if not answer.question or not answer.answer or not answer.keypoints:
        fault = "question, answer or keypoints are empty"
    elif lost:
        fault = f"the answer lacks values: {', '.join(map(repr, dict.fromkeys(lost)))}"
    else:
        fault = unsupported(found, written)
    return replace(found, fault=fault)
