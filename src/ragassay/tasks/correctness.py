"""What an answer has of its reference: the statements of both, sorted (RAGAS 0.1, answer correctness)."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import ReplyData, Task, TaskData, pieces
from ragassay.tasks.verdicts import Share


class AnswerAndReference(TaskData):
    """reference: the answer that is known to be right."""

    question: str
    answer: str
    reference: str


class Correctness(TaskData):
    """confirmed: statements of the answer that the reference says; unconfirmed: the others of the answer.

    left_out: statements of the reference that the answer does not say. correctness: in [0, 1], from a judge that says
    it directly, with precision, how much of the answer is right, and recall, how much of the reference it says; None
    from one that sorts statements instead.
    """

    correctness: Share | None = None
    precision: Share | None = None
    recall: Share | None = None
    confirmed: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    reason: str


class CorrectnessReply(ReplyData):
    reason: str = Field(description="where answer and reference differ, at most 15 words")
    confirmed: tuple[str, ...] = Field(description="statements of the answer that the reference says too")
    unconfirmed: tuple[str, ...] = Field(description="statements of the answer that the reference does not say")
    left_out: tuple[str, ...] = Field(description="statements of the reference that the answer does not say")


def _correctness(_: AnswerAndReference, reply: CorrectnessReply) -> Correctness:
    sorted_ones = [
        tuple(dict.fromkeys(line for text in texts if (line := " ".join(text.split()))))
        for texts in (reply.confirmed, reply.unconfirmed, reply.left_out)
    ]
    if not any(sorted_ones):
        raise ValueError("no statement is sorted; the answer and the reference each make at least one")
    confirmed, unconfirmed, left_out = sorted_ones
    return Correctness(confirmed=confirmed, unconfirmed=unconfirmed, left_out=left_out, reason=reply.reason)


CORRECTNESS = Task(
    name="correctness",
    version=1,
    input_type=AnswerAndReference,
    output_type=Correctness,
    source="RAGAS 0.1 (its documentation, section on answer correctness)",
    prompt="""\
You compare an answer to a question with a reference answer, which is right. Break both into short statements, each with
one claim, and sort every one of them:
- confirmed: the answer makes it, and the reference says it too, in whatever words, or it follows from the reference.
- unconfirmed: the answer makes it, and the reference contradicts it or is silent about it.
- left_out: the reference makes it, and the answer does not.
Each statement stands in one list, once.""",
    material=pieces("question", ("reference answer", "reference"), "answer"),
    reply_type=CorrectnessReply,
    to_output=_correctness,
)
