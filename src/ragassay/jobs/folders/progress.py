"""What a run tells of its progress while it works."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ragassay.errors import InputError, ModelError, RunFolderError, UsageError
from ragassay.parts import Counted
from ragassay.plain_files import read_plain
from ragassay.systems.base import UnusableSystemError

PROGRESS_FILE = "progress.json"
"""In the folder of a run at work, for those who follow it; gone when the run is done, and left by one that was not."""
_EVERY_S = 0.5
_REFUSALS = (UsageError, InputError, RunFolderError, ModelError, UnusableSystemError)


class Served(NamedTuple):
    """What models on servers have answered: tasks of this stage, those without a usable answer, and US dollars in all.

    cost_usd: None once a price is not known; what a log held costs nothing.
    """

    replies: int = 0
    failed: int = 0
    cost_usd: float | None = 0.0

    def plus(self, failed: bool, cost_usd: float | None) -> Served:
        """With one more."""
        known = self.cost_usd is not None and cost_usd is not None
        total = (self.cost_usd or 0.0) + (cost_usd or 0.0) if known else None
        return Served(self.replies + 1, self.failed + failed, total)

    def in_next_stage(self) -> Served:
        return Served(cost_usd=self.cost_usd)


class Progress(Counted, Protocol):
    """Told by the stages how far they are, in what users know: documents, examples, settings; the stage names it.

    start: total is None where it is not known beforehand; done was done by an earlier run.
    reach: a share of the next thing counts, so that something moves where each takes long.
    replied: a model on a server has answered one more task, which may be long before a stage can tell; see ``Served``.
    """

    def replied(self, failed: bool, cost_usd: float | None) -> None: ...

    def waiting(self, news: str) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def start(self, stage: str, total: int | None, done: int = 0) -> None: ...

    def advance(self, by: int = 1) -> None: ...

    def reach(self, done: float) -> None: ...

    def replied(self, failed: bool, cost_usd: float | None) -> None: ...

    def waiting(self, news: str) -> None: ...


class Written:
    """Pass progress on, and keep it in a file as well, at most twice a second. May be told by any thread."""

    def __init__(
        self, inner: Progress, folder: Path | None, command: str, on_begin: Callable[[], None] = lambda: None
    ) -> None:
        """folder: None for no file. on_begin: see ``begin``."""
        self._inner = inner
        self._file = folder / PROGRESS_FILE if folder else None
        self._on_begin = on_begin
        self.has_begun = False
        self._lock = threading.Lock()
        self._served = Served()
        told = {"command": command, "stage": "", "done": 0, "total": None, **self._served._asdict()}
        self._told: dict[str, Any] = {**told, "stopped_by": "", "elapsed_s": 0.0}
        self._begun_at = time.monotonic()
        self._written_at = 0.0

    @property
    def is_stopped(self) -> bool:
        """Whether a limit ended the work."""
        return bool(self._told["stopped_by"])

    def begin(self) -> None:
        """All that was given can be used: from now on the folder is of this work, whether it comes to its end or not.

        An error before leaves no trace.
        """
        self._on_begin()
        self.has_begun = True

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        self._begun_at = time.monotonic()
        with self._lock:
            self._served = self._served.in_next_stage()
        self._tell({"stage": stage, "total": total, "done": done}, at_once=True)
        self._inner.start(stage, total, done)

    def advance(self, by: int = 1) -> None:
        self._inner.advance(by)
        self._tell({}, done=by)

    def reach(self, done: float) -> None:
        self._inner.reach(done)
        self._tell({"done": int(done)})

    def replied(self, failed: bool, cost_usd: float | None) -> None:
        """Count a reply; what was paid for is kept, so the work has begun with the first."""
        if self._file is not None and not self.has_begun:
            self.begin()
        self._inner.replied(failed, cost_usd)
        with self._lock:
            self._served = self._served.plus(failed, cost_usd)
        self._tell({})

    def waiting(self, news: str) -> None:
        self._inner.waiting(news)
        self._tell({"waiting": news})

    def stopped(self, why: str) -> None:
        """A limit ended the work before its end; empty where none did."""
        if why:
            self._tell({"stopped_by": why}, at_once=True)

    def write(self) -> None:
        """Tell at once how far the work is."""
        self._tell({}, at_once=True)

    def put_back(self, before: bytes | None) -> None:
        """What the file held goes back in its place, None for no file; nothing is written from now on."""
        with self._lock:
            if self._file is not None and before is None:
                self._file.unlink(missing_ok=True)
            elif self._file is not None and before is not None:
                self._put(before)
            self._file = None

    def _tell(self, news: Mapping[str, Any], *, done: int = 0, at_once: bool = False) -> None:
        """news: takes the place of what was told before. done: more than before."""
        with self._lock:
            self._told |= {**news, **self._served._asdict()}
            self._told["done"] += done
            if not at_once and time.monotonic() - self._written_at < _EVERY_S:
                return
            self._written_at = time.monotonic()
            self._told["elapsed_s"] = round(self._written_at - self._begun_at, 1)
            if self._file is not None:
                with suppress(OSError):  # a run does not fail because nobody can follow it
                    self._put(json.dumps(self._told).encode())

    def _put(self, content: bytes) -> None:
        """Whole or not at all; by one thread at a time."""
        assert self._file is not None
        part = self._file.with_name(f"{PROGRESS_FILE}.part")
        part.write_bytes(content)
        part.replace(self._file)


@contextmanager
def followed(
    progress: Progress, folder: Path | None, command: str, on_begin: Callable[[], None] = lambda: None
) -> Iterator[Written]:
    """Progress that is told in a folder as well, from here until the work is done.

    folder: None where there is none. on_begin: what ``Written.begin`` does.
    What failed, was killed or was stopped by a limit leaves the file, which then says where; what was refused before it
    had begun leaves the folder as it was.
    """
    written = Written(progress, folder, command, on_begin)
    before: bytes | None = None
    if folder is not None:
        with suppress(OSError):
            before = read_plain(folder / PROGRESS_FILE)
    written.write()
    try:
        yield written
    except _REFUSALS:
        if not written.has_begun:
            written.put_back(before)
        raise
    if not written.is_stopped:
        written.put_back(None)


class Prefixed:
    """Progress of one run of several, which its stages name."""

    def __init__(self, inner: Progress, prefix: str) -> None:
        self._inner, self._prefix = inner, prefix
        self.advance, self.reach = inner.advance, inner.reach
        self.replied, self.waiting = inner.replied, inner.waiting

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        self._inner.start(f"{self._prefix}: {stage}", total, done)
