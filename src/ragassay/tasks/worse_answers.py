"""Answers that are worse on purpose, for pairs on which judges are checked (RAGAS, WikiEval)."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData


class RightAnswer(TaskData):
    """A question with its right answer and the context that the answer comes from.

    foreign: names that occur elsewhere in the collection and not in the context; rules put them in the place of right
    ones, a language model does not see them.
    """

    question: str
    answer: str
    context: str
    foreign: tuple[str, ...] = ()


class WorseAnswer(TaskData):
    """how: what was done to the right answer, or in its place."""

    text: str
    how: str


class GuessReply(ReplyData):
    answer: str = Field(description="one to three sentences")


class IncompleteReply(ReplyData):
    left_out: str = Field(description="what you leave out, at most 15 words")
    answer: str


def _guess(inputs: RightAnswer, reply: GuessReply) -> WorseAnswer:
    return WorseAnswer(text=_worse(inputs, reply.answer), how="written without the context")


def _incomplete(inputs: RightAnswer, reply: IncompleteReply) -> WorseAnswer:
    return WorseAnswer(text=_worse(inputs, reply.answer), how=f"left out: {' '.join(reply.left_out.split())}")


def _worse(inputs: RightAnswer, answer: str) -> str:
    text = answer.strip()
    if not text:
        raise ValueError("the answer is empty")
    if text == inputs.answer.strip():
        raise ValueError("the answer is the complete one, word for word")
    return text


GUESSED_ANSWER = Task(
    name="guessed_answer",
    version=1,
    input_type=RightAnswer,
    output_type=WorseAnswer,
    source="RAGAS (EACL 2024), WikiEval, the worse item for faithfulness",
    prompt="""\
You answer a question with nothing to look it up in. Your answer will stand beside one that was written from a source.
- Give names, numbers and dates as such an answer would; where you do not know them, guess what is likely.
- Do not say that you do not know, that you guess, or that information is missing.
- In the language of the question.""",
    material=lambda inputs: [Material("question", inputs.question)],
    reply_type=GuessReply,
    to_output=_guess,
)

INCOMPLETE_ANSWER = Task(
    name="incomplete_answer",
    version=1,
    input_type=RightAnswer,
    output_type=WorseAnswer,
    source="RAGAS (EACL 2024), WikiEval, the worse item for answer relevance",
    prompt="""\
You are given a question with its complete answer, and write an incomplete one in its place.
- It answers one part of the question and leaves another open; of a question with one part, it stays general where the
  complete answer is specific.
- What it does say is right and taken from the complete answer. It does not say that anything is missing.
- In the language of the answer.""",
    material=lambda inputs: [Material("question", inputs.question), Material("complete answer", inputs.answer)],
    reply_type=IncompleteReply,
    to_output=_incomplete,
)
