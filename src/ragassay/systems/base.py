"""What a system under test is: questions in; answer, ranked chunks, tokens, latency, error out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ragassay.errors import RagassayError
from ragassay.records import Prediction, Turn

Take = Callable[[Prediction], None]
"""Told every prediction as soon as it is there: what was told is kept, whatever happens next."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a system gets to see of an example: never the answer, the references or the label.

    history: the turns of the conversation before it.
    """

    id: str
    text: str
    history: tuple[Turn, ...] = ()

    @property
    def earlier(self) -> list[dict[str, str]]:
        """Return the turns before it as messages, the form in which systems outside get them."""
        return [{"role": turn.role, "content": turn.content} for turn in self.history]


class System(Protocol):
    """A system under test.

    name: what predictions, tables and reports call it.
    batch: questions that it takes at once. most_at_once: batches at the same time that it can bear, unless the user
        says otherwise.
    """

    @property
    def name(self) -> str: ...

    @property
    def batch(self) -> int: ...

    @property
    def most_at_once(self) -> int: ...

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Tell ``take`` one prediction for each question, in any order. A failure is a prediction with an error.

        A question that nothing was told of counts as failed. Raises UnusableSystemError where none can be answered.
        """
        ...

    async def close(self) -> None:
        """End what it holds: connections, processes."""
        ...


class UnusableSystemError(RagassayError):
    """A system that cannot be used as it is set up: not reached, not found, or its replies are not as described."""

    exit_code = 6

    def __init__(self, system: str, kind: str, detail: str = "") -> None:
        """kind, detail: as for ``failed``."""
        super().__init__(": ".join(part for part in (system, kind, detail) if part))
        self.kind, self.detail = kind, detail


def failed(system: str, question: Question, kind: str, detail: str = "", latency_s: float | None = None) -> Prediction:
    """Return the record of a question that a system did not answer.

    kind: the reason in few words, the same for the same trouble, since reports count by it: "time-out". detail: the
    rest, one line.
    """
    error = f"{kind}: {detail}" if detail else kind
    return Prediction(example_id=question.id, system=system, chunks=(), error=error, latency_s=latency_s)
