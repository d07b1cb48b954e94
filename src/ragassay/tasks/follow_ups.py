"""A question in a conversation, made into one that can be understood without it."""

from __future__ import annotations

from pydantic import Field

from ragassay.records import Turn
from ragassay.tasks.base import Material, ReplyData, TaskData, pieces, task

MOST_CHARS = 12_000
"""Of the turns that a language model is shown, the latest first: what is further back is seldom meant."""


class FollowUp(TaskData):
    """turns: what was said before the question, the earliest first."""

    turns: tuple[Turn, ...]
    question: str


class StandaloneQuestion(TaskData):
    """The question in words that need no conversation; the same words where it needs none anyway."""

    text: str


class StandaloneReply(ReplyData):
    question: str = Field(description="the question, complete in itself")


def _turns(inputs: FollowUp) -> list[Material]:
    shown: list[Material] = []
    left = MOST_CHARS
    for turn in reversed(inputs.turns):
        if left <= 0:
            break
        shown.append(Material(turn.role, turn.content[:left]))
        left -= len(turn.content)
    return shown[::-1]


def _standalone(_: FollowUp, reply: StandaloneReply) -> StandaloneQuestion:
    if not reply.question.strip():
        raise ValueError("the question is empty; repeat it as it stands where it needs no other words")
    return StandaloneQuestion(text=reply.question.strip())


STANDALONE_QUESTION = task(
    _standalone,
    name="standalone_question",
    source="Anantha et al. 2021, Open-Domain Question Answering Goes Conversational via Question Rewriting, section 3",
    prompt="""\
You read a conversation and the question that ends it. Rewrite the question so that somebody who has not read the
conversation understands it.
- Put names in the place of words such as it, they or there, and add what the question leaves out.
- Change nothing else: ask for the same thing, in the same language. Do not answer it.
- A question that needs nothing is repeated word for word.""",
    material=pieces(_turns, "question"),
)
