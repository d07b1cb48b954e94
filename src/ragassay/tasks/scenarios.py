"""From seed documents to a benchmark: elements, values, sections, questions, references, revision (RAGEval).

Whole documents, without a configuration, are the baselines that its documents are ranked against.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, TaskData, filled, one_line, pieces, task


class SeedDocument(TaskData):
    title: str
    text: str
    language: str = "und"


class SchemaElement(ReplyData):
    """What documents of this kind state, with the value that one of them has."""

    name: str = Field(description="1 to 4 words, as it would fit any document of this kind")
    value: str = Field(description="what this document has there, copied exactly, without a sentence around it")


class SchemaElements(TaskData):
    items: tuple[SchemaElement, ...]


class ValueToWrite(TaskData):
    """A value that no rule can draw. element: what is wanted; facts: what is settled; examples: values of others."""

    scenario: str
    element: str
    facts: tuple[str, ...]
    examples: tuple[str, ...] = ()
    language: str = "und"


class WrittenValue(ReplyData):
    value: str = Field(description="at most 12 words, no full stop")


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
    """The facts that a question of a type is to ask for; kind says what the type demands."""

    kind: str
    subjects: tuple[str, ...]
    facts: tuple[str, ...]
    language: str = "und"


class ScenarioQuestion(ReplyData):
    question: str
    answer: str


class AnswerOnSentences(TaskData):
    question: str
    answer: str
    sentences: tuple[str, ...]


class ReferenceNumbers(TaskData):
    """Places of sentences, from 0, in their order."""

    items: tuple[int, ...]


class AnswerToRevise(TaskData):
    question: str
    answer: str
    references: tuple[str, ...]


class RevisedAnswer(TaskData):
    answer: str
    changed: bool


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


class ElementsReply(ReplyData):
    elements: tuple[SchemaElement, ...]


class ReferencesReply(ReplyData):
    sentences: tuple[int, ...] = Field(description="numbers of the sentences, the fewest that will do")


class RevisionReply(ReplyData):
    reason: str = Field(description="what the answer lacks or says too much, at most 20 words")
    verdict: Literal["keep", "change"]
    answer: str = Field(description="the answer as it is, or as it should be")


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


def _elements(_: SeedDocument, reply: ElementsReply) -> SchemaElements:
    found: dict[str, SchemaElement] = {}
    for each in reply.elements:
        name, value = one_line(each.name), one_line(each.value)
        if name and value:
            found.setdefault(name.lower(), SchemaElement(name=name, value=value))
    if not found:
        raise ValueError("there is no element with a name and a value; name what the document states")
    return SchemaElements(items=tuple(found.values()))


def _value(_: ValueToWrite, reply: WrittenValue) -> WrittenValue:
    value = one_line(reply.value).rstrip(".。")
    filled(value=value)
    return WrittenValue(value=value)


def _section(_: SectionToWrite, reply: SectionText) -> SectionText:
    filled(text=reply.text)
    return SectionText(text="\n\n".join(filter(None, map(one_line, reply.text.split("\n")))))


def _question(inputs: QuestionToWrite, reply: ScenarioQuestion) -> ScenarioQuestion:
    filled(question=reply.question, **({"answer": reply.answer} if inputs.facts else {}))
    return ScenarioQuestion(question=one_line(reply.question), answer=one_line(reply.answer))


def _references(inputs: AnswerOnSentences, reply: ReferencesReply) -> ReferenceNumbers:
    beyond = [number for number in reply.sentences if not 1 <= number <= len(inputs.sentences)]
    if beyond:
        raise ValueError(f"there is no sentence {beyond[0]}; their numbers are 1 to {len(inputs.sentences)}")
    return ReferenceNumbers(items=tuple(sorted({number - 1 for number in reply.sentences})))


def _revision(inputs: AnswerToRevise, reply: RevisionReply) -> RevisedAnswer:
    answer = one_line(reply.answer)
    if reply.verdict == "keep":
        return RevisedAnswer(answer=inputs.answer, changed=False)
    if not answer:
        raise ValueError("the answer is empty; write it as it should be")
    return RevisedAnswer(answer=answer, changed=answer != inputs.answer)


SCHEMA_ELEMENTS = task(
    _elements,
    name="scenario_schema",
    source="RAGEval (ACL 2025), schema",
    prompt="""\
You find out how documents of one kind are made, from an example of them. Others will be written after the same plan.
- List what the document states: names, dates, amounts, places, events, decisions, outcomes, reasons.
- Name each element so that it fits any document of this kind, never by what only this one has.
- One value for each element. What has parts, such as an event with a date and an amount, is several elements.
- The first element is what the document is about.
- Elements in the language of the document.""",
    material=pieces("title", "language", ("document", "text")),
)

SCENARIO_VALUE = task(
    _value,
    name="scenario_value",
    source="RAGEval (ACL 2025), configuration",
    prompt="""\
You fill in one element of a made-up document.
- A short phrase, which could stand where the examples stand, and is none of them.
- It agrees with the facts that are settled, and repeats none of them.
- Plausible and specific; real persons and companies do not occur.
- In the language that is named.""",
    material=pieces(("kind", "scenario"), "language", "facts", "element", "examples"),
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

SCENARIO_QUESTION = task(
    _question,
    name="scenario_question",
    source="RAGEval (ACL 2025), questions and answers",
    prompt="""\
You write a question and its answer for a test of search systems. Whoever is asked has a large collection of documents
and has not seen the facts.
- The question is of the type that is described, and needs all the facts given.
- It names its subjects in full, so that it cannot be taken to be about others, and gives no part of the answer away.
- It never speaks of facts, documents or lists.
- The answer is made of the facts: all of them, in whole sentences, with numbers, dates and names as they are.
- Where no facts are given, ask for what a reader would expect to learn about the subject; the answer is empty.
- In the language that is named.""",
    material=pieces(("type", "kind"), "language", "subjects", "facts"),
)

SCENARIO_REFERENCES = task(
    _references,
    name="scenario_references",
    source="RAGEval (ACL 2025), references and optimisation",
    prompt="""\
You look for the sentences that an answer rests on.
- Choose the sentences that state what the answer states; together they support all of it.
- As few as possible: where two say the same, the one that says more.
- What follows from sentences by comparing or calculating is supported by those sentences.
- None, if no sentence supports any of it.""",
    material=pieces("question", "answer", "sentences"),
)

SCENARIO_REVISION = task(
    _revision,
    name="scenario_revision",
    source="RAGEval (ACL 2025), references and optimisation",
    prompt="""\
You compare an answer with the sentences that it rests on.
- What the references say in answer to the question, and the answer lacks, is added.
- What the answer says and the references neither say nor let one conclude is taken out.
- What is right stays word for word; numbers, dates and names are copied from the references.
- Where nothing has to be done, keep the answer.
- In the language of the answer.""",
    material=pieces("question", "answer", "references"),
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
