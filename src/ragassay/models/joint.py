"""Joint tasks: asked in one call of a model on a server, part by part of any other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.models.base import InBatches, Model, Reply
from ragassay.tasks.base import In, Out, Task, TaskData
from ragassay.tasks.joint import JointTask, Unread
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides

Known = Mapping[tuple[str, TaskData], Reply[Any]]
_NOTHING: Known = {}


class JointModel(InBatches):
    """A model that is asked what belongs together in one call: see ``jointly``. known: not asked again."""

    def __init__(self, model: Model, overrides: PromptOverrides = NO_OVERRIDES, known: Known = _NOTHING) -> None:
        self.model = model
        self.overrides = overrides
        self.known = known

    @property
    def name(self) -> str:
        return self.model.name

    def knows(self, task: Task[In, Out], inputs: In) -> bool:
        """Return whether the reply is at hand."""
        return (task.name, inputs) in self.known

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Return the replies at hand, and for the rest those of the model inside."""
        new = [each for each in inputs if not self.knows(task, each)]
        replies = iter(await self.model.ask_all(task, new) if new else ())
        return [self.known[task.name, each] if self.knows(task, each) else next(replies) for each in inputs]


def informed(model: JointModel, known: Known) -> JointModel:
    """Return the model with more replies at hand."""
    return JointModel(model.model, model.overrides, {**model.known, **known})


async def jointly(model: Model, *asked: tuple[JointTask[Any], Sequence[Any]]) -> Model:
    """Return the model with its replies to all parts of joint tasks at hand, if it is a ``JointModel``; else as it is.

    A part of a reply that could not be read is left out, so that whoever needs it asks for it by itself; where the
    whole reply could not, no part has a value. Parts with prompts of the user's own are left to these.
    """
    if not isinstance(model, JointModel):
        return model
    own = model.overrides.prompts
    shared = [
        (task, inputs, {name: part for name, part in task.parts.items() if part.task.name not in own})
        for task, inputs in asked
    ]
    shared = [each for each in shared if len(each[2]) > 1]
    found = await asyncio.gather(*(model.ask_all(task, inputs) for task, inputs, _ in shared))
    known: dict[tuple[str, TaskData], Reply[Any]] = {}
    for (_, inputs, parts), replies in zip(shared, found, strict=True):
        for each, reply in zip(inputs, replies, strict=True):
            for name, part in parts.items():
                value = None if reply.value is None else getattr(reply.value, name)
                if not isinstance(value, Unread):
                    known[part.task.name, part.given(each)] = Reply(value, reply.reason, unheard=reply.unheard)
    return informed(model, known)


async def part_by_part(model: Model, task: JointTask[In], inputs: Sequence[In]) -> list[Reply[TaskData]]:
    """Return a joint task as a model has it that knows only the single ones."""
    of_parts = [await model.ask_all(part.task, [part.given(each) for each in inputs]) for part in task.parts.values()]
    return [_joined(task, replies) for replies in zip(*of_parts, strict=True)]


def _joined(task: JointTask[In], replies: Sequence[Reply[Any]]) -> Reply[TaskData]:
    if all(reply.value is None for reply in replies):
        return Reply(None, replies[0].reason)
    values = [Unread(reason=reply.reason or "") if reply.value is None else reply.value for reply in replies]
    return Reply(task.output_type(**dict(zip(task.parts, values, strict=True))))
