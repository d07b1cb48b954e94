"""What tasks that write a question together with its answer have in common: their input, output and reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, TaskData, numbered
from ragassay.tasks.quoting import verbatim
from ragassay.tasks.statements import Passage, about


class PairRequest(TaskData):
    """A passage to ask about. asked: questions that were asked of it before and are not to come again."""

    passage: Passage
    asked: tuple[str, ...] = ()


class GroundedPair(TaskData):
    """A question with its answer.

    quotes: the verbatim stretches that the answer rests on. statement, pattern: of makers that derive the question from
    a self-contained statement by a named rule; empty for the others.
    """

    question: str
    answer: str
    quotes: tuple[str, ...]
    statement: str = ""
    pattern: str = ""


class GroundedPairs(TaskData):
    """Empty where the passage gives nothing to ask about."""

    items: tuple[GroundedPair, ...]


QUOTES = "the sentences or shorter stretches that the answer rests on, copied character by character"


class PairReply(ReplyData):
    quotes: tuple[str, ...] = Field(description=QUOTES)
    question: str = Field(description="empty if the passage says nothing worth a question")
    answer: str


def request_material(inputs: PairRequest) -> list[Material]:
    """Where the passage stands, the passage, and what was asked of it before."""
    return [*about(inputs.passage), Material("passage", inputs.passage.text), numbered("asked before", inputs.asked)]


def one_pair(inputs: PairRequest, reply: PairReply) -> GroundedPairs:
    """The pair, or none. Raises ValueError where its answer is empty or none of its quotes stands in the passage."""
    if not reply.question.strip():
        return GroundedPairs(items=())
    return GroundedPairs(items=(grounded(reply.question, reply.answer, reply.quotes, (inputs.passage.text,)),))


def grounded(question: str, answer: str, quotes: Iterable[str], texts: Sequence[str]) -> GroundedPair:
    """A pair whose quotes are as they stand in one of the texts.

    A quote that stands in none stays as it is, so that whoever locates it finds it lacking. Raises ValueError where the
    question or the answer is empty or no quote is found.
    """
    asked, answered = " ".join(question.split()), answer.strip()
    if not asked or not answered:
        raise ValueError(f"the {'answer' if asked else 'question'} is empty")
    found: list[str] = []
    any_found = False
    for quote in quotes:
        stretches = next(filter(None, (verbatim(quote, text) for text in texts)), ())
        any_found = any_found or bool(stretches)
        found += stretches or (quote,)
    if not any_found:
        raise ValueError("no quote stands in the passage; copy each quote from it character by character")
    return GroundedPair(question=asked, answer=answered, quotes=tuple(dict.fromkeys(found)))
