"""Answering a question from retrieved chunks: what the built-in system asks of its generator."""

from __future__ import annotations

from ragassay.tasks.base import Task, TaskData


class QuestionWithChunks(TaskData):
    """chunks: texts of the retrieved chunks, best first."""

    question: str
    chunks: tuple[str, ...]


class Answer(TaskData):
    """abstained: the chunks do not answer; ``text`` then says so. used: places in ``chunks`` that it rests on."""

    text: str
    abstained: bool
    used: tuple[int, ...] = ()


ANSWER = Task(
    name="answer",
    version=1,
    input_type=QuestionWithChunks,
    output_type=Answer,
    instruction="Answer from the given chunks alone; say that you do not know where they do not answer.",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), answering prompt",
)
