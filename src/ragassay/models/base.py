"""Who answers tasks: the protocol that every provider keeps, and the shape of its replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ragassay.tasks.base import In, Out, Task

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Effort:
    """What all turns of a reply took. replayed: out of the log, at no time. cost_usd: None for an unknown price."""

    input_tokens: int
    output_tokens: int
    replayed: bool = False
    cost_usd: float | None = None

    def plus(self, other: Effort) -> Effort:
        """Return what both took; one of them that was made now takes time."""
        cost = None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd
        read, written = self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens
        return Effort(read, written, self.replayed and other.replayed, cost)


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What came of one task: a value, or None with the reason. Never a default in place of an answer.

    effort: None where the model counts no tokens. unheard: nothing came back, so that asking again may well help.
    """

    value: T | None
    reason: str | None = None
    effort: Effort | None = field(default=None, compare=False)
    unheard: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a reply holds either a value or the reason why there is none")


class Model(Protocol):
    """A provider. ``ask`` and ``ask_all`` never raise for one bad reply: they say why in the Reply.

    name: what reports and cache keys call it.
    """

    @property
    def name(self) -> str: ...

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]: ...

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]: ...


class InBatches:
    """A model that answers one input as a batch of one."""

    async def ask(self: Model, task: Task[In, Out], inputs: In) -> Reply[Out]:
        return (await self.ask_all(task, [inputs]))[0]


class Around(InBatches):
    """A model that does more about the answers of another, whose name it has."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        return await self._model.ask_all(task, inputs)


class Encoder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity.

    name: identifies weights, precision and token limit; part of every cache key.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) float32, each row of unit length, in the order of the texts."""
        ...


Lookup = Callable[[Sequence[str]], npt.NDArray[np.float32]]


def encoded(encoder: Encoder, texts: Iterable[str]) -> Lookup:
    """Encode each text once, in one call; return what gives the vectors of some of them: (n, dimension) float32."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = encoder.encode(list(rows)) if rows else np.zeros((0, 1), np.float32)
    return lambda wanted: vectors[[rows[text] for text in wanted]]
