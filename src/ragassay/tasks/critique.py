"""What is asked of a pair: its label, and eight critiques, each rated 1 to 5 with a short reason (Know Your RAG)."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from ragassay.records import Label
from ragassay.tasks.base import ReplyData, Task, TaskData, as_name, as_number, pieces

NO_RULE = "the embedded model does not rate this; use a language model with --judge"
"""Why a critique has no rating: no failure of the judge, which has no rule for it."""


class Pair(TaskData):
    """answer: the reference answer where there is one.

    Labellers do without it, as in the paper; that there is none would tell them which pairs were meant to be
    unanswerable.
    """

    context: str
    question: str
    answer: str = ""


class LabelVerdict(ReplyData):
    reason: str = Field(description="one short sentence")
    label: Annotated[Label, BeforeValidator(as_name)]


class Rating(TaskData):
    rating: Annotated[int, Field(ge=1, le=5)]
    reason: str


class RatingReply(ReplyData):
    reason: str = Field(description="one short sentence; think before you rate")
    rating: Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(as_number)]


class _Critique(NamedTuple):
    """asked: as people are asked. shown: pieces that it can be decided from; the others would only cost tokens."""

    asked: str
    shown: tuple[Literal["context", "question", "answer"], ...]
    prompt: str


_RATES = {
    "question_groundedness": _Critique(
        "Can the question be answered, clearly and unambiguously, from the context? 1 if it is no question.",
        ("context", "question"),
        """\
You rate how well a question can be answered from a context alone.
5: clearly and unambiguously. 3: in part, or only with more than one reading. 1: not at all, or it is no question.""",
    ),
    "answer_groundedness": _Critique(
        "Can the answer be inferred, wholly, from the context?",
        ("context", "question", "answer"),
        """\
You rate how far the answer to a question can be inferred from a context alone. Whether it is true is no matter.
5: all of it. 3: its main point, with details that the context lacks. 1: nothing, or the context contradicts it.""",
    ),
    "feasibility": _Critique(
        "Could this context be found in a collection with this question?",
        ("context", "question"),
        """\
You rate whether a search with a question could find a context among thousands of others.
5: the question names what sets this context apart. 3: it fits a number of contexts alike. 1: it is so general that it \
fits nearly any, or has nothing to do with this one.""",
    ),
    "stand_alone": _Critique(
        "Does the question make sense without the context? 1 if it points at the context or the document.",
        ("question",),
        """\
You rate whether a question makes sense by itself, to a reader who knows the field and has no document before them.
5: all it speaks of is named; jargon and acronyms are fine. 3: one has to guess what is meant. 1: it points at a text, \
passage, document, table, author or example that only its writer saw, or at something unnamed.""",
    ),
    "question_usefulness": _Critique(
        "Is the question useful to somebody with domain knowledge who searches this collection?",
        ("context", "question"),
        """\
You rate how useful a question is to somebody who knows the field and searches the collection that a context is from.
5: they may well need to know this. 3: conceivable, of little consequence. 1: nobody would ask it: it is trivial, or \
about wording, layout or chance details.""",
    ),
    "context_usefulness": _Critique(
        "Does the context hold several useful statements?",
        ("context",),
        """\
You rate how much useful information a context holds for somebody who knows the field.
5: several statements worth looking up. 3: one or two. 1: none, such as a menu, a list of links or boilerplate.""",
    ),
    "context_clarity": _Critique(
        "Is the context complete, clear and well formatted?",
        ("context",),
        """\
You rate how complete, clear and well formatted a context is.
5: whole sentences or clean tables and lists, understood without what stood around them. 3: readable, with parts cut \
off, out of order or unexplained. 1: fragments or debris that cannot be followed.""",
    ),
    "tautology": _Critique(
        "1: the answer repeats the question; 5: the answer is all new information.",
        ("question", "answer"),
        """\
You rate how much an answer says that its question does not say already. Whether it is right is no matter.
5: all that it tells is new. 3: half of it repeats the question. 1: it only repeats the question.""",
    ),
}


def _task(name: str, critique: _Critique) -> Task[Pair, Rating]:
    return Task(
        name=f"critique_{name}",
        input_type=Pair,
        output_type=Rating,
        source="Know Your RAG (COLING 2025), critiques",
        prompt=f"{critique.prompt} 2 and 4 lie between.",
        material=pieces(*critique.shown),
        reply_type=RatingReply,
        to_output=lambda _, reply: Rating(rating=reply.rating, reason=reply.reason),
    )


LABEL = Task(
    name="label",
    input_type=Pair,
    output_type=LabelVerdict,
    source="Know Your RAG (COLING 2025), labels",
    prompt="""\
You say how a context answers a question. Exactly one label holds for the complete answer:
- fact_single: the context states it, and it is one unit of information: right or wrong, never partly right.
- summary: the context states it, and it has several units, such as a list, a procedure or a composite: with some
  of them left out it would still be partly right. Units that stand side by side in one sentence are several units.
- reasoning: the context does not state it, but it follows from the context by simple inference.
- unanswerable: the context neither states it nor lets one infer it, or answers only something similar.
Use the context alone, not what you know otherwise.""",
    material=pieces("context", "question"),
)

CRITIQUES: dict[str, Task[Pair, Rating]] = {name: _task(name, critique) for name, critique in _RATES.items()}
"""Critique name to its task."""
ASKED_OF_PEOPLE: dict[str, str] = {name: critique.asked for name, critique in _RATES.items()}
OF_ANSWERS = frozenset(name for name, critique in _RATES.items() if "answer" in critique.shown)
"""Critiques that cannot be rated where there is no reference answer."""
