"""The eight critiques of a pair, each rated 1 to 5 with a short reason (Know Your RAG, section 4.3)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ragassay.tasks.base import Task, TaskData


class CritiquedPair(TaskData):
    context: str
    question: str
    answer: str = ""


class Rating(TaskData):
    rating: Annotated[int, Field(ge=1, le=5)]
    reason: str


_RATES = {
    "question_groundedness": (
        "Can the question be answered, clearly and unambiguously, from the context? 1 if it is no question."
    ),
    "answer_groundedness": "Can the answer be inferred, wholly, from the context?",
    "feasibility": "Could this context be found in a collection with this question?",
    "stand_alone": "Does the question make sense without the context? 1 if it points at the context or the document.",
    "question_usefulness": "Is the question useful to somebody with domain knowledge who searches this collection?",
    "context_usefulness": "Does the context hold several useful statements?",
    "context_clarity": "Is the context complete, clear and well formatted?",
    "tautology": "1: the answer repeats the question; 5: the answer is all new information.",
}

CRITIQUES: dict[str, Task[CritiquedPair, Rating]] = {
    name: Task(
        name=f"critique_{name}",
        version=1,
        input_type=CritiquedPair,
        output_type=Rating,
        instruction=instruction,
        source="Know Your RAG (COLING 2025), section 4.3",
    )
    for name, instruction in _RATES.items()
}
"""Critique name to its task."""
