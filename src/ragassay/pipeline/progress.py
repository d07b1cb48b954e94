"""What a run tells of its progress while it works."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

PROGRESS_FILE = "progress.json"
"""In the folder of a run at work, for those who follow it; gone when the run is done, and left by one that was not."""
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

    def __init__(self, inner: Progress, folder: Path | None, command: str) -> None:
        """folder: None for no file."""
        self._inner = inner
        self._file = folder / PROGRESS_FILE if folder else None
        self._told = {"command": command, "stage": "", "done": 0, "total": None, "replies": 0, "stopped_by": ""}
        self._done = self._replies = 0
        self._written_at = 0.0

    @property
    def is_stopped(self) -> bool:
        """Whether a limit ended the work."""
        return bool(self._told["stopped_by"])

    def start(self, stage: str, total: int | None) -> None:
        self._told |= {"stage": stage, "total": total}
        self._done = self._replies = 0
        self.write()
        self._inner.start(stage, total)

    def advance(self, by: int = 1) -> None:
        self._inner.advance(by)
        self._reached(self._done + by)

    def reach(self, done: int) -> None:
        self._inner.reach(done)
        self._reached(done)

    def replied(self) -> None:
        self._inner.replied()
        self._replies += 1
        self._reached(self._done)

    def stopped(self, why: str) -> None:
        """A limit ended the work before its end; empty where none did."""
        if why:
            self._told["stopped_by"] = why
            self.write()

    def _reached(self, done: int) -> None:
        self._done = done
        if time.monotonic() - self._written_at >= _EVERY_S:
            self.write()

    def write(self) -> None:
        """Tells at once how far the work is."""
        self._written_at = time.monotonic()
        self._told |= {"done": self._done, "replies": self._replies}
        if self._file is None:
            return
        part = self._file.with_name(f"{PROGRESS_FILE}.part")
        with suppress(OSError):  # a run does not fail because nobody can follow it
            part.write_text(json.dumps(self._told), "utf-8")
            part.replace(self._file)


@contextmanager
def followed(progress: Progress, folder: Path | None, command: str) -> Iterator[Written]:
    """Progress that is told in a folder as well, from here until the work is done.

    folder: None where there is none. What failed, was killed or was stopped by a limit leaves the file, which then says
    where.
    """
    written = Written(progress, folder, command)
    written.write()
    yield written
    if folder is not None and not written.is_stopped:
        (folder / PROGRESS_FILE).unlink(missing_ok=True)
