"""What a run tells of its progress while it works."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

PROGRESS_FILE = "progress.json"
"""In the folder of a run at work, for those who follow it; gone when the run is done."""
_EVERY_S = 0.5


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


class Written:
    """Passes progress on, and keeps it in a file as well, at most twice a second."""

    def __init__(self, inner: Progress, folder: Path) -> None:
        self._inner = inner
        self._file = folder / PROGRESS_FILE
        self._stage = ""
        self._done = 0
        self._total: int | None = None
        self._written_at = 0.0

    def start(self, stage: str, total: int | None) -> None:
        self._inner.start(stage, total)
        self._stage, self._done, self._total = stage, 0, total
        self._write()

    def advance(self, by: int = 1) -> None:
        self._inner.advance(by)
        self._reached(self._done + by)

    def reach(self, done: int) -> None:
        self._inner.reach(done)
        self._reached(done)

    def replied(self) -> None:
        self._inner.replied()

    def _reached(self, done: int) -> None:
        self._done = done
        if time.monotonic() - self._written_at >= _EVERY_S:
            self._write()

    def _write(self) -> None:
        self._written_at = time.monotonic()
        part = self._file.with_name(f"{PROGRESS_FILE}.part")
        with suppress(OSError):  # a run does not fail because nobody can follow it
            part.write_text(json.dumps({"stage": self._stage, "done": self._done, "total": self._total}), "utf-8")
            part.replace(self._file)
