"""From a passage to statements, and from statements to questions (Know Your RAG, statement extraction)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ragassay.tasks.base import (
    Material,
    ReplyData,
    TaskData,
    distinct_lines,
    filled,
    numbered,
    one_line,
    pieces,
    task,
)
from ragassay.tasks.languages import language_name
from ragassay.tasks.quoting import NO_QUOTE, located_quotes

COPIED = "copied character by character"


class Passage(TaskData):
    """A stretch of a document that examples are made from.

    title: of the document. section: the headings above the passage, outermost first. text: verbatim.
    opening: the first lines of the document, where it says what it is about; the passage may come later.
    """

    title: str
    section: tuple[str, ...] = ()
    text: str
    language: str = "und"
    opening: str = ""


class Theme(ReplyData):
    """What the passage is about, in a few words that name it unmistakably within the collection."""

    theme: str = Field(description="2 to 8 words, no full stop")


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


class PassageFacts(PassageOnTheme):
    """A passage with the factual statements that were found in it."""

    facts: tuple[Statement, ...]


class StatementOnTheme(PassageOnTheme):
    """A statement of a passage, to be asked for."""

    statement: Statement


class Question(ReplyData):
    """A question with its reference answer; both verbatim as they go into the example."""

    question: str
    answer: str


class MissCandidates(PassageOnTheme):
    """A passage, and facts stated elsewhere in the same document that might be asked of it in vain."""

    facts_elsewhere: tuple[Statement, ...] = ()


class NearMisses(TaskData):
    """Questions that fit the passage and that it does not answer; the answers are empty."""

    items: tuple[Question, ...]


class QuotedStatement(ReplyData):
    quotes: tuple[str, ...] = Field(
        description=f"the sentences or shorter stretches of the passage that the statement rests on, {COPIED}"
    )
    statement: str


class StatementsReply(ReplyData):
    statements: tuple[QuotedStatement, ...] = Field(description="empty if the passage gives none")


class NearMissReply(ReplyData):
    question: str
    nearest: str = Field(description="what the passage says that comes nearest to an answer, at most 15 words")
    missing: bool = Field(
        description="whether the answer, looked for once more, is missing from the passage altogether"
    )


class NearMissesReply(ReplyData):
    questions: tuple[NearMissReply, ...] = Field(description="up to three; empty if none can be asked")


_THEME_CHARS = 3_000
"""A theme shows in the first page or two of a passage; the rest would only cost tokens."""
_FACTS_SHOWN = 12


def about(passage: Passage) -> list[Material]:
    """Where a passage stands, and its language where that is known."""
    return [
        Material("title", passage.title),
        Material("section", " > ".join(passage.section)),
        Material("language", language_name(passage.language)),
    ]


def about_passage(inputs: Any) -> list[Material]:
    """As ``about``, of an input with a passage."""
    return about(inputs.passage)


def _theme_material(passage: Passage) -> list[Material]:
    opening = "" if passage.text.startswith(passage.opening) else passage.opening
    return [*about(passage), Material("opening", opening), Material("passage", passage.text[:_THEME_CHARS])]


_ON_THEME = (about_passage, "theme", ("passage", "passage.text"))


def _facts(inputs: PassageFacts) -> list[Material]:
    return [numbered("facts", (fact.text for fact in inputs.facts))]


def _facts_elsewhere(inputs: MissCandidates) -> list[Material]:
    return [numbered("facts elsewhere", (fact.text for fact in inputs.facts_elsewhere[:_FACTS_SHOWN]))]


def _theme(_: Passage, reply: Theme) -> Theme:
    filled(theme=reply.theme)
    return Theme(theme=one_line(reply.theme))


def _statements(inputs: PassageOnTheme, reply: StatementsReply) -> Statements:
    """A quote that is not in the passage stays as it is: its statement is dropped, and counted, when it is located.

    Where none is found, the model is told so, since it may have written them in words of its own all along.
    """
    located = [located_quotes(each.quotes, inputs.passage.text) for each in reply.statements]
    found = tuple(
        Statement(text=one_line(each.statement), quotes=quotes.items)
        for each, quotes in zip(reply.statements, located, strict=True)
        if each.statement.strip()
    )
    if found and not any(quotes.any_found for quotes in located):
        raise ValueError(NO_QUOTE)
    return Statements(items=found)


def _question(_: StatementOnTheme, reply: Question) -> Question:
    """The question on one line, and its answer. Raises ValueError where one of them is empty."""
    filled(question=reply.question, answer=reply.answer)
    return Question(question=one_line(reply.question), answer=reply.answer.strip())


def _near_misses(_: MissCandidates, reply: NearMissesReply) -> NearMisses:
    questions = distinct_lines(each.question for each in reply.questions if each.missing)
    return NearMisses(items=tuple(Question(question=question, answer="") for question in questions))


THEME = task(
    _theme,
    name="theme",
    source="Know Your RAG (COLING 2025), statement extraction, step 1",
    prompt="""\
You name what a passage is about, for people who search a large collection of documents.
- A noun phrase that tells its subject from everything else in the collection: the name of the person, product, place,
  event or rule, with version, year or part where it takes that.
- Not the kind of text: no "introduction", no "questions and answers".
- In the language of the passage.""",
    material=_theme_material,
)

FACTS = task(
    _statements,
    name="facts",
    source="Know Your RAG (COLING 2025), statement extraction, step 2",
    prompt="""\
You list facts that a passage states. Choose the ones that somebody might look up, at most five. Each statement
- is one unit of information, in one sentence that could be the answer to a question;
- is understood by a reader who has neither the passage nor the other statements: it names what it speaks of, with the
  help of the theme, instead of "it", "this" or "the section above";
- says nothing that the passage and the theme do not say, and nothing that another statement of yours says;
- is in the language of the passage.
Menus, notices and other text around the content give no facts.""",
    material=pieces(*_ON_THEME),
)

SUMMARIES = task(
    _statements,
    name="summaries",
    input_type=PassageFacts,
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
    material=pieces(*_ON_THEME, _facts),
)

CONCLUSIONS = task(
    _statements,
    name="conclusions",
    input_type=PassageFacts,
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
    material=pieces(*_ON_THEME, _facts),
)

QUESTION = task(
    _question,
    name="question",
    source="Know Your RAG (COLING 2025), statement extraction, step 5",
    prompt="""\
You write the question to which a statement is the answer. It will be put to a collection of many documents, by somebody
who has not seen the one that the statement comes from.
- One short question, as people type it into a search.
- Specific: with what it names, from the statement, the theme or the title, this statement alone answers it.
- It does not give its answer away, and asks for all that the statement says, not for a detail of it.
- It never speaks of a passage, text, document or statement.
- The answer is made of the statement: all of it that answers the question, in its words, and nothing else.
- Question and answer are in the language of the statement.""",
    material=pieces(
        ("title", "passage.title"), "theme", ("language", "passage.language"), ("statement", "statement.text")
    ),
)

NEAR_MISSES = task(
    _near_misses,
    name="near_misses",
    source="Know Your RAG (COLING 2025), labels: unanswerable",
    prompt="""\
You write questions that a passage seems to answer and does not. They test whether a system admits what it cannot know.
- Each asks for one thing about the very subject of the passage, named as the passage names it, which a reader would
  expect to find there.
- The passage neither states the answer, nor a part of it, nor lets one infer it.
- The question takes nothing for granted that the passage contradicts or does not say.
- Facts elsewhere, where given, are stated outside the passage; what only they answer can be asked.
- Short, as people type it into a search, never speaking of a passage, text or document.
- In the language of the passage.""",
    material=pieces(*_ON_THEME, _facts_elsewhere),
)
