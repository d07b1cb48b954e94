"""A question in a conversation, made into one that can be understood without it; and the other way round."""

from __future__ import annotations

from pydantic import Field

from ragassay.records import Turn
from ragassay.tasks.base import Material, ReplyData, Task, TaskData, pieces, task

MOST_CHARS = 12_000
"""Of the turns that a language model is shown, the latest first: what is further back is seldom meant."""


class FollowUp(TaskData):
    """turns: what was said before the question, the earliest first."""

    turns: tuple[Turn, ...]
    question: str


class StandaloneQuestion(TaskData):
    """The question in words that need no conversation; the same words where it needs none anyway."""

    text: str


class QuestionToFollow(TaskData):
    """A question that stands alone, to be asked by somebody who has just heard the answer to another one.

    first, answer: what was asked and said before.
    """

    first: str
    answer: str
    question: str


class FollowUpQuestion(TaskData):
    """The question as it follows on the other one; empty where it has nothing that was named before."""

    text: str


class StandaloneReply(ReplyData):
    question: str = Field(description="the question, complete in itself")


class FollowUpReply(ReplyData):
    named_before: str = Field(
        description="what the second question names that the first question or its answer has named, in a few words; "
        "empty if there is nothing"
    )
    question: str = Field(description="the second question as a follow-up; empty if nothing was named before")


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

FOLLOW_UP_QUESTION = Task(
    name="follow_up_question",
    input_type=QuestionToFollow,
    output_type=FollowUpQuestion,
    source="ours, the reverse of question rewriting (Anantha et al. 2021, section 3)",
    prompt="""\
You read a question, its answer, and a second question. Write the second question as somebody would ask it who has just
heard the answer.
- Put a word such as it, they, she or "that plan" in the place of what the first question or its answer has named, or
  leave it out where it is understood.
- Change nothing else: ask for the same thing, in the same language, and keep every name, number and condition that was
  not named before.
- Who has read the first question and its answer must know what is meant, and nothing else may be meant.
- If the second question names nothing that was named before, leave the question empty.""",
    material=pieces(("first question", "first"), "answer", ("second question", "question")),
    reply_type=FollowUpReply,
    to_output=lambda _, reply: FollowUpQuestion(text=reply.question.strip()),
)
