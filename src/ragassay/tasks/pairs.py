"""Questions written together with their answers: one of a passage, several, or an inventive one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import Field

from ragassay.tasks.base import ReplyData, TaskData, filled, one_line, pieces, task
from ragassay.tasks.quoting import NO_QUOTE, located_quotes
from ragassay.tasks.statements import COPIED, Passage, about_passage

_QUOTES = f"the sentences or shorter stretches that the answer rests on, {COPIED}"


class PairRequest(TaskData):
    """A passage to ask about. asked: questions that were asked of it before and are not to come again."""

    passage: Passage
    asked: tuple[str, ...] = ()


class ChunkRequest(PairRequest):
    """n: pairs that are wanted."""

    n: int


class GroundedPair(ReplyData):
    """A question with its answer, and the verbatim stretches that the answer rests on."""

    quotes: tuple[str, ...] = Field(description=_QUOTES)
    question: str = Field(description="empty if the passage says nothing worth a question")
    answer: str


class GroundedPairs(TaskData):
    """Empty where the passage gives nothing to ask about."""

    items: tuple[GroundedPair, ...]


class CheckedPair(ReplyData):
    quotes: tuple[str, ...] = Field(description=_QUOTES)
    question: str
    answer: str
    missing: bool = Field(
        description="whether, looked at once more, a part of the answer is missing from the passage, or the question "
        "needs the passage in hand to be understood"
    )


class CheckedPairs(ReplyData):
    pairs: tuple[CheckedPair, ...] = Field(description="fewer than asked for if the passage gives no more")


_NUMBERING = re.compile(r"^\s*(?:Q(?:uestion)?\s*\d*\s*[:.)]|\(?\d{1,2}[.)](?!\d))\s*", re.IGNORECASE)
_CHOICES = re.compile(r"(?:^|\s)[(]?[A-Da-d][.)]\s.+(?:^|\s)[(]?[B-Db-d][.)]\s", re.DOTALL)


_REQUESTED = (about_passage, ("passage", "passage.text"), ("asked before", "asked"))


def _grounded(question: str, answer: str, quotes: Iterable[str], text: str) -> GroundedPair:
    """A pair whose quotes are as the text has them.

    A quote that stands in none stays as it is, so that whoever locates it finds it lacking. Raises ValueError where the
    question or the answer is empty or no quote is found.
    """
    filled(question=question, answer=answer)
    located = located_quotes(quotes, text)
    if not located.any_found:
        raise ValueError(NO_QUOTE)
    return GroundedPair(question=one_line(question), answer=answer.strip(), quotes=located.items)


def _one_pair(inputs: PairRequest, reply: GroundedPair) -> GroundedPairs:
    """The pair, or none. Raises ValueError where its answer is empty or none of its quotes stands in the passage."""
    if not reply.question.strip():
        return GroundedPairs(items=())
    return GroundedPairs(items=(_grounded(reply.question, reply.answer, reply.quotes, inputs.passage.text),))


def _checked_pairs(inputs: ChunkRequest, reply: CheckedPairs) -> GroundedPairs:
    """Those that passed the model's own check and have no choices to pick from, without numbering.

    A pair whose quotes are not in the passage stays as it is: it is dropped, and counted, when it is located. Raises
    ValueError where that holds for all of them.
    """
    pairs: dict[str, GroundedPair] = {}
    fault: ValueError | None = None
    any_grounded = False
    for each in reply.pairs[: inputs.n]:
        question, answer = _NUMBERING.sub("", each.question), _NUMBERING.sub("", each.answer)
        if each.missing or not question.strip() or not answer.strip() or _CHOICES.search(each.question):
            continue
        try:
            pair = _grounded(question, answer, each.quotes, inputs.passage.text)
            any_grounded = True
        except ValueError as error:
            pair, fault = GroundedPair(question=question.strip(), answer=answer.strip(), quotes=each.quotes), error
        pairs.setdefault(pair.question.lower(), pair)
    if fault is not None and not any_grounded:
        raise fault
    return GroundedPairs(items=tuple(pairs.values()))


SIMPLE_PAIR = task(
    _one_pair,
    name="simple_pair",
    source="Know Your RAG (COLING 2025), simple generation",
    prompt="""\
You write one question that a passage answers, and the answer. The question will be put to a collection of documents,
by somebody who has not seen the passage.
- It asks for one fact: a name, a number, a date, a place, a short thing.
- Short, as people type it into a search, and specific: it names what it is about, with the help of the title.
- It never speaks of a passage, text, document or context, and does not give its answer away.
- The answer is complete and short, and says nothing that the passage does not state.
- It is none of the questions asked before, where some are given.
- Question and answer are in the language of the passage.""",
    material=pieces(*_REQUESTED),
)

CHUNK_PAIRS = task(
    _checked_pairs,
    name="chunk_pairs",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), question generation",
    prompt="""\
You write several questions about a passage, each with its answer, as many as the number says. They test a system that
answers questions from a collection of documents.
- Diverse: spread over the whole passage, of different kinds (what, when, why, how, how many), no two about the same
  thing; some ask for one fact, some for several things that belong together.
- Open questions without choices to pick from, without numbers in front.
- Each names what it is about and is understood without the passage; none speaks of a passage, text or document.
- Answers are whole and say only what the passage states: nothing from elsewhere, no guess.
- Before you go on to the next, check each pair against the passage.
- None is one of the questions asked before, where some are given.
- In the language of the passage.""",
    material=pieces(("number of pairs", "n"), *_REQUESTED),
)

CREATIVE_QUESTION = task(
    _one_pair,
    name="creative_question",
    source="RAGVAL, question generation: one creative question per knowledge block",
    prompt="""\
You invent one question that a reader with a real purpose might ask, and that a block of knowledge answers.
- Be creative: look for what is particular to this block, connect two things that it says, ask how or why, put the
  question into a situation; not the first fact of the first sentence.
- It makes sense to somebody who has never seen the block: it names what it is about and never speaks of a passage,
  text, article, block or document.
- One question, one or two sentences, no list of questions.
- The answer says all that the question asks for, follows from the block alone, and is as short as that allows.
- It is none of the questions asked before, where some are given.
- Question and answer are in the language of the block.""",
    material=pieces(*_REQUESTED),
    temperature=1.0,
)
