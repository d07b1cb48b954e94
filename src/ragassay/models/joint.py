"""Joint tasks: asked in one call of a model on a server, part by part of any other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from ragassay.models.base import Model, Reply
from ragassay.tasks.base import In, Out, Task, TaskData
from ragassay.tasks.joint import JointTask, Unread
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides


class JointModel:
    """A model that is asked what belongs together in one call: see ``jointly``.

    overrides: tasks with a prompt of the user's own are asked by themselves.
    """

    def __init__(self, model: Model, overrides: PromptOverrides = NO_OVERRIDES) -> None:
        self._model = model
        self.overrides = overrides

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """As the model inside."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside."""
        return await self._model.ask_all(task, inputs)


class _Informed:
    """A model with replies at hand; only what is not among them is asked."""

    def __init__(self, model: Model, known: dict[tuple[str, TaskData], Reply[Any]]) -> None:
        self._model = model
        self._known = known

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """The reply at hand, else as the model inside."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """The replies at hand, and for the rest those of the model inside."""
        new = list(dict.fromkeys(each for each in inputs if (task.name, each) not in self._known))
        replies = dict(zip(new, await self._model.ask_all(task, new), strict=True)) if new else {}
        return [replies[each] if each in replies else self._known[task.name, each] for each in inputs]


async def jointly(model: Model, *asked: tuple[JointTask[Any], Sequence[Any]]) -> Model:
    """The model with its replies to all parts of joint tasks at hand, if it is a ``JointModel``; else as it is.

    asked: tasks, each with its inputs. A part of a reply that could not be read is left out, so that whoever needs it
    asks for it by itself; where the whole reply could not, no part has a value.
    """
    if not isinstance(model, JointModel):
        return model
    found = await asyncio.gather(*(model.ask_all(task, inputs) for task, inputs in asked))
    own = model.overrides.prompts
    known: dict[tuple[str, TaskData], Reply[Any]] = {}
    for (task, inputs), replies in zip(asked, found, strict=True):
        parts = {name: part for name, part in task.parts.items() if part.task.name not in own}
        for each, reply in zip(inputs, replies, strict=True):
            for name, part in parts.items():
                value = None if reply.value is None else getattr(reply.value, name)
                if not isinstance(value, Unread):
                    known[part.task.name, part.given(each)] = Reply(value, reply.reason, unheard=reply.unheard)
    return _Informed(model, known)


async def part_by_part(model: Model, task: JointTask[In], inputs: Sequence[In]) -> list[Reply[TaskData]]:
    """A joint task as a model has it that knows only the single ones."""
    of_parts = [await model.ask_all(part.task, [part.given(each) for each in inputs]) for part in task.parts.values()]
    return [_joined(task, replies) for replies in zip(*of_parts, strict=True)]


def _joined(task: JointTask[In], replies: Sequence[Reply[Any]]) -> Reply[TaskData]:
    if all(reply.value is None for reply in replies):
        return Reply(None, replies[0].reason)
    values = [Unread(reason=reply.reason or "") if reply.value is None else reply.value for reply in replies]
    return Reply(task.output_type(**dict(zip(task.parts, values, strict=True))))
