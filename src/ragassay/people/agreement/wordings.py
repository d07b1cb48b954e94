"""Whether a judge prefers its own wording: right answers in its words against the same in other words."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.models.base import Model
from ragassay.tasks.base import ReplyData, Task, TaskData, pieces
from ragassay.tasks.ratings import PREFERENCES, Candidates

SHIPPED = Path(__file__).with_name("wordings.jsonl")
_PREFER, _POINTS = PREFERENCES["answer_relevance"], {"first": 1.0, "tie": 0.5, "second": 0.0}


class _RightAnswer(TaskData):
    question: str
    answer: str
    other: str


class _RewordedAnswer(ReplyData):
    answer: str = Field(description="the answer in your own words")


REWORDED_ANSWER = Task(
    name="reworded_answer",
    input_type=_RightAnswer,
    output_type=_RewordedAnswer,
    source="ours, after Panickssery et al. 2024",
    prompt="Say the same in your own words: add nothing to the answer, leave nothing out, and keep about its length.",
    material=pieces("question", "answer"),
)


async def own_preferred(model: Model) -> Estimate:
    """Return the share of answers of which it prefers its own wording, over both orders; a tie counts half."""
    right = [_RightAnswer.model_validate_json(line) for line in SHIPPED.read_text("utf-8").splitlines()]
    own = [reply.value for reply in await model.ask_all(REWORDED_ANSWER, right)]
    # Without a wording, as in a dry run, the answer as it stands is asked about, and does not count.
    texts = [(each.question, (mine or each).answer, each.other) for mine, each in zip(own, right, strict=True)]
    asked = [Candidates(question=question, first=mine, second=other) for question, mine, other in texts]
    asked += [Candidates(question=question, first=other, second=mine) for question, mine, other in texts]
    said = [_POINTS[each.value.preferred] if each.value else None for each in await model.ask_all(_PREFER, asked)]
    orders = zip(own, said[: len(own)], said[len(own) :], strict=True)
    return estimate([None if not mine or a is None or b is None else (a + 1 - b) / 2 for mine, a, b in orders])
