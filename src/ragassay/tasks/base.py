"""A task: one typed question put to a model. Tasks know nothing of who answers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class TaskData(BaseModel):
    """Input or output of a task: frozen, and strict about its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


In = TypeVar("In", bound=TaskData)
Out = TypeVar("Out", bound=TaskData)


@dataclass(frozen=True)
class Task(Generic[In, Out]):
    """One thing that is asked of a model.

    version: raised whenever the meaning of the input or output changes; part of every cache key.
    instruction: in one or two sentences, what the answer must be.
    source: the paper and section that requires it.
    """

    name: str
    version: int
    input_type: type[In]
    output_type: type[Out]
    instruction: str
    source: str
