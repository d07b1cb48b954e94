"""A rating by a question of the user's own."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, as_number


class AnswerUnderRubric(TaskData):
    """rubric: the user's question. highest: the best rating; the worst is 1. context, reference: empty if not shown."""

    rubric: str
    highest: Annotated[int, Field(ge=2, le=100)]
    question: str
    answer: str
    context: str = ""
    reference: str = ""


class Rating(TaskData):
    """rating: from 1 to the highest."""

    rating: int
    reason: str


class RatingReply(ReplyData):
    reason: str = Field(description="what decides, at most 25 words; think before you rate")
    rating: Annotated[int, BeforeValidator(as_number)] = Field(description="from 1 to the highest rating")


def _material(inputs: AnswerUnderRubric) -> list[Material]:
    return [
        Material("rubric", inputs.rubric),
        Material("highest rating", str(inputs.highest)),
        Material("context", inputs.context),
        Material("question", inputs.question),
        Material("reference answer", inputs.reference),
        Material("answer", inputs.answer),
    ]


def _rating(inputs: AnswerUnderRubric, reply: RatingReply) -> Rating:
    if not 1 <= reply.rating <= inputs.highest:
        raise ValueError(f"the rating is {reply.rating}, and must be a whole number from 1 to {inputs.highest}")
    return Rating(rating=reply.rating, reason=reply.reason)


RUBRIC = Task(
    name="rubric",
    version=1,
    input_type=AnswerUnderRubric,
    output_type=Rating,
    source="ours, after G-Eval (EMNLP 2023), section 2",
    prompt="""\
You rate the answer of a system by one rubric, a question that the team behind the system asks of every answer. Rate by
the rubric alone: what it does not ask about, such as length, style or truth, does not count.
1: the rubric is not met at all. The highest rating: it is met to the full. Numbers between lie evenly between.
A context and a reference answer, where they are shown, are there to check the answer against.""",
    material=_material,
    reply_type=RatingReply,
    to_output=_rating,
)
