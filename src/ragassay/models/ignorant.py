"""The embedded model where it stands in, in an estimate, for one that may know things: all blocks are new to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.models.base import Model, Reply
from ragassay.tasks.answering import Answer
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.creative import CLOSED_BOOK, KNOWLEDGE_CHECK, Known


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
        return await self._inner.ask_all(task, inputs) if said is None else [Reply(said) for _ in inputs]


_SAID: Mapping[str, Any] = {
    KNOWLEDGE_CHECK.name: Known(known=False, after_cutoff=False, reason="nothing is known of it"),
    CLOSED_BOOK.name: Answer(text="I do not know that.", abstained=True),
}
