"""Which of the four labels a (context, question) pair has (Know Your RAG, section 3)."""

from __future__ import annotations

from ragassay.records import Label
from ragassay.tasks.base import Task, TaskData


class Pair(TaskData):
    """answer: the reference answer where there is one; a labeller may do without it."""

    context: str
    question: str
    answer: str = ""


class LabelVerdict(TaskData):
    label: Label
    reason: str


LABEL = Task(
    name="label",
    version=1,
    input_type=Pair,
    output_type=LabelVerdict,
    instruction=(
        "Say how the context answers the question. fact_single: stated, one unit of information. summary: stated, "
        "several units; a shorter answer would be partly right. reasoning: not stated, but follows by inference. "
        "unanswerable: neither stated nor inferable."
    ),
    source="Know Your RAG (COLING 2025), section 3",
)
