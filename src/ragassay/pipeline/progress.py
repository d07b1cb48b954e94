"""What a run tells of its progress while it works."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told by the stages how far they are; total is None where it is not known beforehand.

    replied: a model on a server has answered one more task, which may be long before a stage can tell.
    """

    def start(self, stage: str, total: int | None) -> None: ...

    def advance(self, by: int = 1) -> None: ...

    def reach(self, done: int) -> None: ...

    def replied(self) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def start(self, stage: str, total: int | None) -> None:
        """Says nothing."""

    def advance(self, by: int = 1) -> None:
        """Says nothing."""

    def reach(self, done: int) -> None:
        """Says nothing."""

    def replied(self) -> None:
        """Says nothing."""
