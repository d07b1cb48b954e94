"""Questions written together with their answers: one of a passage, several, an inventive one, or a seed made harder.

Each task names the paper that requires it; to make a seed harder is how RAGAS 0.1 evolves its questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, TaskData, as_name, filled, one_line, pieces, task
from ragassay.tasks.quoting import NO_QUOTE, located_quotes
from ragassay.tasks.statements import COPIED, Passage, about

TwoDocumentKind = Literal["information_integration", "numerical_comparison", "temporal_sequence"]
"""RAGEval's question types that need two documents."""
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


class SeedOnPassage(TaskData):
    """A question that a passage answers, to be made harder."""

    passage: Passage
    seed: GroundedPair


class SeedsOnTwo(TaskData):
    """Two passages, each with a question that it answers, to be made one question of."""

    first: Passage
    first_seed: GroundedPair
    second: Passage
    second_seed: GroundedPair


class CombinedPair(ReplyData):
    """first_quotes, second_quotes: what the answer rests on in either passage. kind: a question type of RAGEval."""

    common: str = Field(description="what the two have in common that one question can be about, at most 15 words")
    first_quotes: tuple[str, ...] = Field(description=f"of the first passage, {_QUOTES}")
    second_quotes: tuple[str, ...] = Field(description=f"of the second passage, {_QUOTES}")
    question: str = Field(description="empty if one question about both would be artificial")
    answer: str
    kind: Annotated[TwoDocumentKind, BeforeValidator(as_name)] = Field(
        description="whether it compares numbers, orders things in time, or brings together what both say"
    )


class CombinedPairs(TaskData):
    """Empty where the two have nothing to do with each other."""

    items: tuple[CombinedPair, ...]


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


def _about_passage(inputs: PairRequest | SeedOnPassage) -> list[Material]:
    return [*about(inputs.passage), Material("passage", inputs.passage.text)]


def _about_first(inputs: SeedsOnTwo) -> list[Material]:
    return [*about(inputs.first), Material("first passage", inputs.first.text)]


_REQUESTED = (_about_passage, ("asked before", "asked"))


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


def _one_pair(inputs: PairRequest | SeedOnPassage, reply: GroundedPair) -> GroundedPairs:
    """The pair, or none. Raises ValueError where its answer is empty or none of its quotes stands in the passage."""
    if not reply.question.strip():
        return GroundedPairs(items=())
    return GroundedPairs(items=(_grounded(reply.question, reply.answer, reply.quotes, inputs.passage.text),))


def _harder(inputs: SeedOnPassage, reply: GroundedPair) -> GroundedPairs:
    made = _one_pair(inputs, reply)
    if any(pair.question.lower() == inputs.seed.question.lower() for pair in made.items):
        raise ValueError("the question is the seed question; make it harder, or leave it empty")
    return made


def _combined(inputs: SeedsOnTwo, reply: CombinedPair) -> CombinedPairs:
    if not reply.question.strip():
        return CombinedPairs(items=())
    first = _grounded(reply.question, reply.answer, reply.first_quotes, inputs.first.text)
    second = _grounded(reply.question, reply.answer, reply.second_quotes, inputs.second.text)
    made = {**first.model_dump(exclude={"quotes"}), "first_quotes": first.quotes, "second_quotes": second.quotes}
    return CombinedPairs(items=(reply.model_copy(update=made),))


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
    input_type=PairRequest,
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
    input_type=PairRequest,
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

EVOLVE_REASONING = task(
    _harder,
    name="evolve_reasoning",
    source="RAGAS 0.1 (its documentation, section on test set generation: reasoning); a baseline of Know Your RAG",
    prompt="""\
You make a question harder. The seed question is answered by one statement of a passage; yours takes an inference.
- Its answer is stated nowhere in the passage and follows from two or more of its statements, one of them the seed's: by
  comparing, counting, calculating, ordering in time, finding a cause or applying a rule to a case.
- The answer is certain to anybody who accepts the passage, and short.
- The quotes are all the statements that one has to put together.
- The question is one sentence, names what it is about, and never speaks of a passage, text or document.
- Question and answer are in the language of the passage.
A seed from which nothing follows gives an empty question.""",
    material=pieces(_about_passage, ("seed question", "seed.question"), ("seed answer", "seed.answer")),
)

EVOLVE_COMBINED = task(
    _combined,
    name="evolve_combined",
    source="RAGAS 0.1 (its documentation, section on test set generation: multi-context)",
    prompt="""\
You make one question that can be answered only by somebody who has found both of two passages.
- It compares, orders, adds up or connects a thing from each: what the seed questions ask, if that fits together.
- The answer is short and says only what both together state or let one infer.
- One natural question, not two joined by "and". It names both subjects and never speaks of passages.
- Every statement that it rests on is quoted, from each passage at least one.
- In the language of the first passage.
Passages that have nothing to do with each other give an empty question.""",
    material=pieces(
        _about_first,
        ("first seed", "first_seed.question"),
        ("second title", "second.title"),
        ("second passage", "second.text"),
        ("second seed", "second_seed.question"),
    ),
)
