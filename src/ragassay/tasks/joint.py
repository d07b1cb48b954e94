"""Several tasks on one input as a single one: what they share is read once, and each has a part of the reply.

A part that cannot be read, or does not fit the input, is ``Unread`` with the reason; the others count all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pydantic import Field, ValidationError, WrapValidator, create_model, model_validator

from ragassay.tasks.base import In, Material, ReplyData, Task, TaskData


class Unread(TaskData):
    """Why a part of a reply has no value."""

    reason: str


class Part(NamedTuple):
    """One of the tasks. given: its input, made of the joint one. brief: what to do, as the joint prompt says it."""

    task: Task[Any, Any]
    given: Callable[[Any], TaskData]
    brief: str


@dataclass(frozen=True)
class JointTask(Task[In, TaskData]):
    """The output has a field for each part: the output of its task, or ``Unread``."""

    parts: Mapping[str, Part] = field(default_factory=dict)


def joint_task(
    name: str,
    *,
    version: int,
    input_type: type[In],
    head: str,
    parts: Mapping[str, Part],
    material: Callable[[In], list[Material]],
) -> JointTask[In]:
    """The parts as one task. head: what the prompt begins with; the parts' own lines follow."""
    filled_in: dict[str, Any] = {each: _slot(part.task.filled_in) for each, part in parts.items()}
    outputs: dict[str, Any] = {each: (part.task.output_type | Unread, ...) for each, part in parts.items()}
    title = "".join(word.title() for word in name.split("_"))

    def to_output(inputs: In, reply: Any) -> TaskData:
        values = {each: _value(part, inputs, getattr(reply, each)) for each, part in parts.items()}
        if all(isinstance(each, Unread) for each in values.values()):
            raise ValueError("; ".join(dict.fromkeys(each.reason for each in values.values())))
        return output_type(**values)

    output_type = create_model(f"{title}Parts", __base__=TaskData, **outputs)
    return JointTask(
        name=name,
        version=version,
        input_type=input_type,
        output_type=output_type,
        source="; ".join(dict.fromkeys(part.task.source for part in parts.values())),
        prompt="\n".join([head, *(f"- {each}: {part.brief}" for each, part in parts.items())]),
        material=material,
        reply_type=create_model(f"{title}Reply", __base__=_JointReply, **filled_in),
        to_output=to_output,
        parts=parts,
    )


class _JointReply(ReplyData):
    """A part that is not there is one that cannot be read, unless none of them is."""

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, given: Any) -> Any:
        names = cls.model_fields
        return dict.fromkeys(names) | given if isinstance(given, dict) and names.keys() & given.keys() else given

    @model_validator(mode="after")
    def _readable(self) -> _JointReply:
        if all(isinstance(each, Unread) for each in self.__dict__.values()):
            raise ValueError("; ".join(f"{name}: {each.reason}" for name, each in self.__dict__.items()))
        return self


def _slot(reply_type: type[TaskData]) -> tuple[Any, Any]:
    """The field of a part: what its task has filled in; where that is a single field, the value of it alone."""
    if len(reply_type.model_fields) > 1:
        return Annotated[reply_type, WrapValidator(_or_unread)], Field()
    (only,) = reply_type.model_fields.values()
    return Annotated[only.annotation, WrapValidator(_or_unread)], Field(description=only.description)


def _or_unread(given: Any, read: Callable[[Any], Any]) -> Any:
    if given is None:
        return Unread(reason="it is missing")
    try:
        return read(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        return Unread(reason=f"{place}: {first['msg']}" if place else first["msg"])


def _value(part: Part, inputs: Any, read: Any) -> Any:
    if isinstance(read, Unread):
        return read
    reply_type = part.task.filled_in
    if not isinstance(read, reply_type):
        read = reply_type(**dict.fromkeys(reply_type.model_fields, read))
    try:
        return part.task.to_output(part.given(inputs), read)
    except ValueError as error:
        return Unread(reason=str(error))
