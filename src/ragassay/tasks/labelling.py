"""Which of the four labels a (context, question) pair has (Know Your RAG, labels)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from ragassay.records import Label
from ragassay.tasks.base import ReplyData, Task, TaskData, as_name, pieces


class Pair(TaskData):
    """answer: the reference answer where there is one.

    Labellers do without it, as in the paper; that there is none would tell them which pairs were meant to be
    unanswerable.
    """

    context: str
    question: str
    answer: str = ""


class LabelVerdict(TaskData):
    label: Label
    reason: str


class LabelReply(ReplyData):
    reason: str = Field(description="one short sentence")
    label: Annotated[Label, BeforeValidator(as_name)]


def _verdict(_: Pair, reply: LabelReply) -> LabelVerdict:
    return LabelVerdict(label=reply.label, reason=reply.reason)


LABEL = Task(
    name="label",
    version=1,
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
    reply_type=LabelReply,
    to_output=_verdict,
)
