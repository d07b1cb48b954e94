"""The embedded model where it stands in, in an estimate, for one that may know things: all blocks are new to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragassay.models.base import Model, Reply
from ragassay.tasks.answering import Answer
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.creative import CLOSED_BOOK, KNOWLEDGE_CHECK, Known
from ragassay.tasks.follow_ups import (
    FOLLOW_UP_QUESTION,
    STANDALONE_QUESTION,
    FollowUp,
    FollowUpQuestion,
    QuestionToFollow,
    StandaloneQuestion,
)


class IgnorantModel:
    """The model inside, but for what it cannot know."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answers one task."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answers one task for many inputs, in their order."""
        said = _SAID.get(task.name)
        return await self._inner.ask_all(task, inputs) if said is None else [Reply(said(each)) for each in inputs]


def _follow_up(asked: QuestionToFollow) -> FollowUpQuestion:
    """The question without the words that were said before: a language model can word nearly all, rules only a few."""
    said = set(f"{asked.first} {asked.answer}".split())
    return FollowUpQuestion(text=" ".join(word for word in asked.question.split() if word not in said))


def _restored(asked: FollowUp) -> StandaloneQuestion:
    return StandaloneQuestion(text=" ".join((asked.question, *(turn.content for turn in asked.turns))))


_SAID: Mapping[str, Callable[[Any], Any]] = {
    KNOWLEDGE_CHECK.name: lambda asked: Known(known=False, after_cutoff=False, reason="nothing is known of it"),
    CLOSED_BOOK.name: lambda asked: Answer(text="I do not know that.", abstained=True),
    FOLLOW_UP_QUESTION.name: _follow_up,
    STANDALONE_QUESTION.name: _restored,
}
