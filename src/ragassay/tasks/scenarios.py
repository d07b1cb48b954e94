"""From seed documents to a benchmark: elements, values, sections, questions with their references (RAGEval).

Whole documents, without a configuration, are the baselines that its documents are ranked against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, OnErrorOmit, TypeAdapter

from ragassay.tasks.base import (
    Material,
    ReplyData,
    TaskData,
    distinct_lines,
    filled,
    in_order,
    numbered,
    one_line,
    pieces,
    task,
)

N = TypeVar("N", "WrittenValue", "WrittenQuestion")


def _numbers(value: Any) -> list[int]:
    """The whole numbers in "S1", [1.0, "2"] or 3."""
    items = value if isinstance(value, list | tuple) else [value]
    return [int(digits) for each in items for digits in re.findall(r"\d+", str(each).removesuffix(".0"))]


def _number(value: Any) -> Any:
    return next(iter(_numbers(value)), value)


def _readable(kind: Any) -> BeforeValidator:
    """Leave out the items of a list that cannot be read; the others still say what they say."""
    return BeforeValidator(TypeAdapter(list[OnErrorOmit[kind]]).validate_python)


class SeedDocument(TaskData):
    title: str
    text: str


class SeedDocuments(TaskData):
    """Documents of one kind."""

    seeds: tuple[SeedDocument, ...]
    language: str = "und"


class SchemaElement(ReplyData):
    """What documents of a kind state. values: one for each document, in their order; empty where it has none."""

    name: str = Field(description="1 to 4 words, as it would fit any document of this kind")
    values: tuple[str, ...] = Field(
        description="for each document what it has there, copied exactly, no sentence around it; empty if nothing"
    )
    alternatives: tuple[str, ...] = Field(
        description="of a phrase or category, 5 to 10 others that could stand there; empty for names, dates, amounts"
    )
    sentences: tuple[str, ...] = Field(
        description="2 or 3 wordings that state it, with {value}, and {subject} where needed"
    )
    questions: tuple[str, ...] = Field(description="2 wordings that ask for it, with {subject}, never with {value}")
    fact: str = Field(description="one sentence that states it by itself, with {subject} and {value}")


class SchemaElements(ReplyData):
    items: tuple[SchemaElement, ...]


class ElementToFill(TaskData):
    """examples: values of other documents, which it could stand beside."""

    name: str
    examples: tuple[str, ...] = ()


class ValuesToWrite(TaskData):
    """Values of one document that no rule can draw. facts: what is settled."""

    scenario: str
    facts: tuple[str, ...]
    elements: tuple[ElementToFill, ...]
    language: str = "und"


class WrittenValue(ReplyData):
    number: Annotated[int, BeforeValidator(_number)] = Field(description="of the element")
    value: str = Field(description="at most 12 words, no full stop")


class ValuesReply(ReplyData):
    values: Annotated[tuple[WrittenValue, ...], _readable(WrittenValue)] = Field(
        description="one for each element, in their order"
    )


class WrittenValues(TaskData):
    """items: by place of the element; empty where there is none."""

    items: tuple[str, ...]


class SectionToWrite(TaskData):
    """A section with the facts that it must state.

    before: what the document says so far. earlier, lost: a version that did not state some values, and those values.
    """

    scenario: str
    title: str
    section: str
    facts: tuple[str, ...]
    before: str = ""
    earlier: str = ""
    lost: tuple[str, ...] = ()
    language: str = "und"


class SectionText(ReplyData):
    text: str = Field(description="one to three paragraphs, no heading, no list")


class QuestionToWrite(TaskData):
    """kind: what the type demands. fault: of an earlier version, which is to be written anew; empty at first."""

    kind: str
    subjects: tuple[str, ...]
    facts: tuple[str, ...]
    fault: str = ""


class QuestionsToWrite(TaskData):
    """Questions about the same documents. sentences: all that these say, in order."""

    sentences: tuple[str, ...]
    questions: tuple[QuestionToWrite, ...]
    language: str = "und"


class WrittenQuestion(ReplyData):
    """sentences: their numbers, from 1."""

    number: Annotated[int, BeforeValidator(_number)] = Field(description="of the question")
    question: str
    sentences: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = Field(
        description="numbers of the sentences that the answer rests on"
    )
    answer: str
    keypoints: Annotated[tuple[str, ...], BeforeValidator(lambda each: [each] if isinstance(each, str) else each)] = (
        Field(description="what the answer says, one claim each, understood alone")
    )


class QuestionsReply(ReplyData):
    questions: Annotated[tuple[WrittenQuestion, ...], _readable(WrittenQuestion)] = Field(
        description="one for each, in their order"
    )


class WrittenQuestions(TaskData):
    """items: by place of the question; None for one that the reply passes over."""

    items: tuple[WrittenQuestion | None, ...]


class DocumentToWrite(TaskData):
    """kind: what the document is of, as 'finance'. example: a real one of its kind; empty for none.

    chars: about how long it is to be. number: which of several such documents; 0 and up.
    """

    kind: str
    language: str
    chars: int
    example: str = ""
    number: int = 0


class WholeDocument(ReplyData):
    text: str = Field(description="the whole document, with its title in the first line")


_EXAMPLE_CHARS = 8_000
"""Of the example: its kind shows in so much of it."""


def _form_and_example(inputs: DocumentToWrite) -> list[Material]:
    return [
        Material("language", inputs.language),
        Material("length", f"about {inputs.chars} characters"),
        Material("example", inputs.example[:_EXAMPLE_CHARS]),
    ]


def _whole(_: DocumentToWrite, reply: WholeDocument) -> WholeDocument:
    filled(document=reply.text)
    return WholeDocument(text=reply.text.strip())


def _seeds(inputs: SeedDocuments) -> list[Material]:
    return [
        Material(f"document {number}", f"{each.title}\n{each.text}".strip())
        for number, each in enumerate(inputs.seeds, 1)
    ]


def _elements(inputs: SeedDocuments, reply: SchemaElements) -> SchemaElements:
    found: dict[str, SchemaElement] = {}
    for each in reply.items:
        name = one_line(each.name)
        values = tuple(map(one_line, each.values))[: len(inputs.seeds)]
        if name and any(values):
            tidy = {
                "name": name,
                "values": values,
                "alternatives": distinct_lines(each.alternatives),
                "sentences": distinct_lines(each.sentences),
                "questions": distinct_lines(each.questions),
                "fact": one_line(each.fact),
            }
            found.setdefault(name.lower(), each.model_copy(update=tidy))
    if not found:
        raise ValueError("there is no element with a name and a value; name what the documents state")
    return SchemaElements(items=tuple(found.values()))


def _elements_to_fill(inputs: ValuesToWrite) -> list[Material]:
    shown = (f"{each.name}, such as: {'; '.join(each.examples)}" for each in inputs.elements)
    return [numbered("elements", shown)]


def _by_number(items: Sequence[N], asked: int) -> tuple[N | None, ...]:
    """For each number from 1 its item, None where there is none; a reply that counts from 0 is shifted by one."""
    numbers = [each.number for each in items]
    try:
        return tuple(items[at] for at in in_order(numbers, asked, "item"))
    except ValueError:  # some are left out, or there twice
        first = 0 if 0 in numbers else 1
        found = {each.number: each for each in reversed(items)}
        return tuple(found.get(number) for number in range(first, first + asked))


def _values(inputs: ValuesToWrite, reply: ValuesReply) -> WrittenValues:
    found = _by_number(reply.values, len(inputs.elements))
    items = tuple(one_line(each.value).rstrip(".。") if each else "" for each in found)
    if not any(items):
        raise ValueError(f"there must be a value for each element, numbers 1 to {len(items)}")
    return WrittenValues(items=items)


def _section(_: SectionToWrite, reply: SectionText) -> SectionText:
    filled(text=reply.text)
    return SectionText(text="\n\n".join(filter(None, map(one_line, reply.text.split("\n")))))


def _questions_to_write(inputs: QuestionsToWrite) -> list[Material]:
    shown = [numbered("sentences", inputs.sentences)]
    for number, each in enumerate(inputs.questions, 1):
        lines = [f"type: {each.kind}", f"about: {'; '.join(each.subjects)}", *(f"fact: {fact}" for fact in each.facts)]
        if each.fault:
            lines.append(f"write it anew; in an earlier version {each.fault}")
        shown.append(Material(f"question {number}", "\n".join(lines)))
    return shown


def _questions(inputs: QuestionsToWrite, reply: QuestionsReply) -> WrittenQuestions:
    """The questions by number. Raises ValueError where none has a number that there is."""
    found = []
    for each in reply.questions:
        tidy = {
            "question": one_line(each.question),
            "answer": one_line(each.answer),
            "keypoints": distinct_lines(each.keypoints),
            "sentences": tuple(sorted({at for at in each.sentences if 1 <= at <= len(inputs.sentences)})),
        }
        found.append(each.model_copy(update=tidy))
    items = _by_number(found, len(inputs.questions))
    if not any(items):
        raise ValueError(f"no question has a number that was asked for, 1 to {len(items)}")
    return WrittenQuestions(items=items)


SCHEMA_ELEMENTS = task(
    _elements,
    name="scenario_schema",
    source="RAGEval (ACL 2025), schema",
    prompt="""\
You find out how documents of one kind are made, from examples of them. Others will be written after the same plan.
- List what the documents state: names, dates, amounts, places, events, decisions, outcomes, reasons.
- Name each element so that it fits any document of this kind, never by what only one has. What several documents state
  under different names is one element.
- One value of each document for each element. What has parts, such as an event with a date and an amount, is several
  elements.
- The first element is what a document is about, its subject.
- Wordings are as such documents and their readers would put it; they name nobody and nothing of the examples and hold
  no numbers. They fit every value: {value} stands for it with its unit or sign, {subject} for the subject's value.
- Alternatives are made up, and none of the examples' own.
- All in the language of the documents.""",
    material=pieces("language", _seeds),
)

SCENARIO_VALUES = task(
    _values,
    name="scenario_values",
    source="RAGEval (ACL 2025), configuration",
    prompt="""\
You fill in elements of a made-up document.
- Each a short phrase, which could stand where the examples stand, and is none of them.
- It agrees with the facts that are settled and with the other elements, and repeats none of them.
- Plausible and specific; real persons and companies do not occur.
- In the language that is named.""",
    material=pieces(("kind", "scenario"), "language", "facts", _elements_to_fill),
)

SCENARIO_SECTION = task(
    _section,
    name="scenario_section",
    source="RAGEval (ACL 2025), documents",
    prompt="""\
You write one section of a made-up document. Its facts are settled, and readers will be asked about them.
- State every fact. Copy each value as it is given: numbers, units, dates, names, phrases.
- Add connections and general remarks where they help, but no further numbers, names, dates or events.
- Continue the earlier sections, without saying again what they say.
- Write as documents of this kind are written, in whole sentences.
- Where an earlier version lost values, write the section anew with those values in it.
- In the language that is named.""",
    material=pieces(
        ("kind", "scenario"),
        "title",
        "language",
        ("earlier sections", "before"),
        "section",
        "facts",
        ("earlier version", "earlier"),
        ("lost values", "lost"),
    ),
)

SCENARIO_QUESTIONS = task(
    _questions,
    name="scenario_questions",
    source="RAGEval (ACL 2025), questions and answers; RAGEval (ACL 2025), references and optimisation; "
    "RAGEval (ACL 2025), keypoints",
    prompt="""\
You write questions, their answers and what these rest on, for a test of search systems. Whoever is asked has a large
collection of documents and has not seen the facts. You see the sentences of a document, or of two, with their numbers,
and for each question its type, its subjects and the facts that it is to ask for.
The question
- is of the type that is described, and needs all its facts;
- names its subjects in full, so that it cannot be taken to be about others, and gives no part of the answer away;
- never speaks of facts, sentences, documents or lists.
Its sentences: the fewest that state all that the answer states, of each document that it is about. What follows from
sentences by comparing or calculating is supported by those.
The answer
- is made of the facts: all of them, in whole sentences, with numbers, dates and names as they are written there;
- says what its sentences say in reply to the question, and nothing that they neither say nor let one conclude.
Keypoints: three to five where the answer has so many claims, a conclusion first; one fact or conclusion each, with its
subject named.
In the language that is named.""",
    material=pieces("language", _questions_to_write),
)

WHOLE_DOCUMENT = task(
    _whole,
    name="whole_document",
    source="RAGEval (ACL 2025), document quality",
    prompt="""\
You write one document of the kind that is named, in full, as a professional of the field would.
- All people, organisations, places, dates and numbers in it are made up, and agree with each other.
- Where an example is given, write a document of the same form on another case; take nothing from its facts.
- In the language and of the length that are named.""",
    material=pieces("kind", _form_and_example),
    temperature=1.0,
    sample=lambda inputs: inputs.number,
)
