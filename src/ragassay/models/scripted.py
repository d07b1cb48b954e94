"""A model that says what it is told to: for tests of whatever asks models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragassay.models.base import Reply
from ragassay.tasks.base import In, Out, Task, TaskData

Scripted = TaskData | Reply[Any]
"""A value, or a reply: the way to script that there is no value, and why."""

Script = (
    Sequence[Scripted]
    | Mapping[str, Scripted | Callable[[Any], Scripted]]
    | Callable[[Task[Any, Any], Any], Scripted | None]
)
"""Replies in the order of asking; or by the name of a task, the reply to all of its inputs or a function of the input;
or a function of task and input, None where it has nothing to say."""


class ScriptedCall(NamedTuple):
    """One question that was put to a model."""

    task: str
    inputs: Any


class ScriptedModel:
    """Answers by a script and remembers what it was asked; TypeError for a value of another type than the task's."""

    def __init__(self, script: Script, name: str = "scripted") -> None:
        self.name = name
        self.calls: list[ScriptedCall] = []
        self._script = script
        self._in_order: Iterator[Scripted] = iter(script if isinstance(script, Sequence) else ())

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Return the next reply."""
        self.calls.append(ScriptedCall(task.name, inputs))
        said = self._say(task, inputs)
        if said is None:
            return Reply(None, f"nothing is scripted for call {len(self.calls)}, of the task {task.name!r}")
        reply: Reply[Any] = said if isinstance(said, Reply) else Reply(said)
        if reply.value is not None and not isinstance(reply.value, task.output_type):
            raise TypeError(f"the script has {type(reply.value).__name__} for the task {task.name!r}")
        return reply

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Return the next replies, one for each input."""
        return [await self.ask(task, each) for each in inputs]

    def asked(self, task_name: str) -> list[Any]:
        """Return the inputs of one task, in the order of asking."""
        return [call.inputs for call in self.calls if call.task == task_name]

    def _say(self, task: Task[Any, Any], inputs: Any) -> Scripted | None:
        if isinstance(self._script, Sequence):
            return next(self._in_order, None)
        if callable(self._script):
            return self._script(task, inputs)
        said = self._script.get(task.name)
        return said(inputs) if callable(said) else said
