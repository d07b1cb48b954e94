"""From a passage to statements: theme, facts, summaries, conclusions (Know Your RAG, statement extraction)."""

from __future__ import annotations

from pydantic import Field

from ragassay.records import Block
from ragassay.tasks.base import Material, ReplyData, Task, TaskData, numbered
from ragassay.tasks.languages import language_name
from ragassay.tasks.quoting import verbatim


class Passage(TaskData):
    """A stretch of a document that examples are made from.

    title: of the document. section: the headings above the passage, outermost first.
    text: verbatim. blocks, literals: its structure, offsets counted from the start of the passage.
    opening: the first lines of the document, where it says what it is about; the passage may come later.
    """

    title: str
    section: tuple[str, ...] = ()
    text: str
    language: str = "und"
    blocks: tuple[Block, ...] = ()
    literals: tuple[tuple[int, int], ...] = ()
    opening: str = ""


class Theme(TaskData):
    """What the passage is about, in a few words that name it unmistakably within the collection."""

    text: str


class Statement(TaskData):
    """One self-contained statement of a passage.

    quotes: the verbatim stretches of the passage that it rests on.
    """

    text: str
    quotes: tuple[str, ...] = ()


class Statements(TaskData):
    items: tuple[Statement, ...]


class PassageOnTheme(TaskData):
    passage: Passage
    theme: str


class PassageFacts(TaskData):
    """A passage with the factual statements that were found in it."""

    passage: Passage
    theme: str
    facts: tuple[Statement, ...]


class ThemeReply(ReplyData):
    theme: str = Field(description="2 to 8 words, no full stop")


class QuotedStatement(ReplyData):
    quotes: tuple[str, ...] = Field(
        description="the sentences or shorter stretches of the passage that the statement rests on, copied character "
        "by character"
    )
    statement: str


class StatementsReply(ReplyData):
    statements: tuple[QuotedStatement, ...] = Field(description="empty if the passage gives none")


_THEME_CHARS = 3_000
"""A theme shows in the first page or two of a passage; the rest would only cost tokens."""


def about(passage: Passage) -> list[Material]:
    """Where a passage stands, and its language where that is known."""
    return [
        Material("title", passage.title),
        Material("section", " > ".join(passage.section)),
        Material("language", language_name(passage.language)),
    ]


def _theme_material(passage: Passage) -> list[Material]:
    opening = "" if passage.text.startswith(passage.opening) else passage.opening
    return [
        *about(passage),
        Material("opening", opening),
        Material("passage", passage.text[:_THEME_CHARS]),
    ]


def _facts_material(inputs: PassageOnTheme) -> list[Material]:
    return [*about(inputs.passage), Material("theme", inputs.theme), Material("passage", inputs.passage.text)]


def _with_facts_material(inputs: PassageFacts) -> list[Material]:
    return [
        *about(inputs.passage),
        Material("theme", inputs.theme),
        Material("passage", inputs.passage.text),
        numbered("facts", (fact.text for fact in inputs.facts)),
    ]


def _theme(_: Passage, reply: ThemeReply) -> Theme:
    text = " ".join(reply.theme.split())
    if not text:
        raise ValueError("the theme is empty")
    return Theme(text=text)


def _statements(inputs: PassageOnTheme | PassageFacts, reply: StatementsReply) -> Statements:
    """A quote that is not in the passage stays as it is: its statement is dropped, and counted, when it is located.

    Where none is found, the model is told so, since it may have written them in words of its own all along.
    """
    statements = []
    any_found = False
    for each in reply.statements:
        quotes: list[str] = []
        for quote in each.quotes:
            found = verbatim(quote, inputs.passage.text)
            any_found = any_found or bool(found)
            quotes += found or (quote,)
        text = " ".join(each.statement.split())
        if text:
            statements.append(Statement(text=text, quotes=tuple(dict.fromkeys(quotes))))
    if statements and not any_found:
        raise ValueError("no quote stands in the passage; copy each quote from it character by character")
    return Statements(items=tuple(statements))


THEME = Task(
    name="theme",
    version=1,
    input_type=Passage,
    output_type=Theme,
    source="Know Your RAG (COLING 2025), statement extraction, step 1",
    prompt="""\
You name what a passage is about, for people who search a large collection of documents.
- A noun phrase that tells its subject from everything else in the collection: the name of the person, product, place,
  event or rule, with version, year or part where it takes that.
- Not the kind of text: no "introduction", no "questions and answers".
- In the language of the passage.""",
    material=_theme_material,
    reply_type=ThemeReply,
    to_output=_theme,
)

FACTS = Task(
    name="facts",
    version=1,
    input_type=PassageOnTheme,
    output_type=Statements,
    source="Know Your RAG (COLING 2025), statement extraction, step 2",
    prompt="""\
You list facts that a passage states. Choose the ones that somebody might look up, at most five. Each statement
- is one unit of information, in one sentence that could be the answer to a question;
- is understood by a reader who has neither the passage nor the other statements: it names what it speaks of, with the
  help of the theme, instead of "it", "this" or "the section above";
- says nothing that the passage and the theme do not say, and nothing that another statement of yours says;
- is in the language of the passage.
Menus, notices and other text around the content give no facts.""",
    material=_facts_material,
    reply_type=StatementsReply,
    to_output=_statements,
)

SUMMARIES = Task(
    name="summaries",
    version=1,
    input_type=PassageFacts,
    output_type=Statements,
    source="Know Your RAG (COLING 2025), statement extraction, step 3a",
    prompt="""\
You merge facts of a passage into summary statements, at most three. Each statement
- brings together two or more units of information that belong to one subject, such as the steps of a procedure, the
  members of a list, the sides of a comparison; where it tells a list, it tells all of the list that the passage has;
- is one to three complete sentences, understood by a reader who has neither the passage nor the facts;
- says nothing that the passage does not state, and shares no fact with another statement of yours;
- has a quote for every unit of information in it;
- is in the language of the passage.
Facts that have nothing to do with each other make no summary.""",
    material=_with_facts_material,
    reply_type=StatementsReply,
    to_output=_statements,
)

CONCLUSIONS = Task(
    name="conclusions",
    version=1,
    input_type=PassageFacts,
    output_type=Statements,
    source="Know Your RAG (COLING 2025), statement extraction, step 3b",
    prompt="""\
You draw conclusions from a passage, at most three. Each conclusion
- follows from two or more facts of the passage together: by comparing, counting, calculating, ordering in time, or
  applying a rule to a case; it has a quote for each of them;
- is stated nowhere in the passage, neither in these words nor in others;
- is certain to anybody who accepts the passage, with no more than common knowledge: no guess, no opinion, no motive;
- is one sentence, understood by a reader who has neither the passage nor the facts;
- is not what another conclusion of yours says;
- is in the language of the passage.
A passage from which nothing follows gives no conclusions.""",
    material=_with_facts_material,
    reply_type=StatementsReply,
    to_output=_statements,
)
