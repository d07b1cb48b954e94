"""Further processes that share the work of this one: in Python, rules and parsers keep one core busy a process."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

if TYPE_CHECKING:
    from loky import ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

MOST_PROCESSES = 8
"""This one included. Each loads its own rules and encoder, about 250 MB."""
FEWEST_SHARED = 32
"""Items for each process below which handing them over costs more than it saves, some ten milliseconds."""
BEGIN_AFTER_S = 0.3
"""Work done here before others are begun: small inputs need none."""
_WAITING = 24
"""Items that wait at each further process, so that none stands still while results are taken."""
_IDLE_S = 300.0
"""A process that has nothing to do for so long ends; the next work starts another."""
_LOOK_S = 1.0
"""How often a process looks whether its parent is still there."""
_MOST_AHEAD = 32
"""Results for each process that may wait for one that is slow: memory is bounded."""


def usable_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def peak_rss_mb() -> float:
    """The most memory that this process has held so far, in MB; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 if sys.platform != "darwin" else peak / 1024**2


class Measured(NamedTuple):
    """What came of a piece of work in another process, and what it cost there. value: pickled."""

    value: bytes
    cpu_s: float
    peak_rss_mb: float


@dataclass(frozen=True, slots=True)
class Crashed(Generic[T]):
    """The process that worked on an item died of it, twice."""

    item: T


class Workers:
    """This process and others beside it, begun once there has been something to do and used once they are there.

    What is handed over is pickled; functions have to be importable. A result never depends on which process made it.
    A process that dies is replaced, and its work is done again.
    """

    def __init__(
        self, processes: int | None = None, *, imports: Sequence[str] = (), begin_after_s: float = BEGIN_AFTER_S
    ) -> None:
        """processes: this one included; None takes one for each core, at most ``MOST_PROCESSES``.

        imports: modules that the others load before they count as there. begin_after_s: seconds of work here after
        which they are begun.
        """
        wanted = min(usable_cores(), MOST_PROCESSES) if processes is None else processes
        self._others: list[ProcessPoolExecutor | None] = [None] * (wanted - 1)
        self._loaded: list[Future[Measured] | None] = [None] * (wanted - 1)
        self._peaks = [0.0] * (wanted - 1)
        self._imports = tuple(imports)
        self._left_s = begin_after_s
        self.cpu_s = 0.0

    @property
    def processes(self) -> int:
        """This one included."""
        return 1 + len(self._others)

    @property
    def peak_rss_mb(self) -> float:
        """The peaks of all processes added up: never less than what they held together at any time."""
        return peak_rss_mb() + sum(self._peaks)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R | Crashed[T]]:
        """Results in the order of the items; only a few items are taken ahead of the result that is asked for.

        Each goes to whichever process has room, this one included. ``Crashed`` stands for an item that killed another
        process.
        """
        begun = deque[_Begun[T, R]]()
        for item in items:
            begun.append(self._begin(function, item, begun))
            while begun and (begun[0].is_finished or len(begun) >= _MOST_AHEAD * self.processes):
                outcome = self._outcome(function, begun.popleft())
                yield outcome
        while begun:
            outcome = self._outcome(function, begun.popleft())
            yield outcome

    def share_out(
        self, items: Sequence[T], here: Callable[[Sequence[T]], R], there: Callable[[Sequence[T]], R]
    ) -> list[R]:
        """Deals the items out to p processes: the first gets items 0, p, 2p, ..., and its result comes first.

        The same place in a list goes to the same process every time, so that what it remembers is of use; neighbours,
        which often take equally long, go to different ones. here, there: what is done with a hand in this process and
        in another.
        """
        others = self._there()[: max(0, len(items) // FEWEST_SHARED - 1)]
        hands = [items[number :: 1 + len(others)] for number in range(1 + len(others))]
        futures = [self._submit(process, there, hand) for process, hand in zip(others, hands[1:], strict=True)]
        results = [self._here(here, hands[0])]
        for process, future, hand in zip(others, futures, hands[1:], strict=True):
            try:
                results.append(self._taken(process, future.result()))
            except BrokenProcessPool:
                self._stop(process)
                results.append(here(hand))
        return results

    def close(self) -> None:
        """Ends the other processes."""
        for number in range(len(self._others)):
            self._stop(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, function: Callable[[T], R], item: T, begun: Iterable[_Begun[T, R]]) -> _Begun[T, R]:
        """Hands an item to the process with the shortest queue, or does it here where all have enough waiting."""
        waiting = dict.fromkeys(self._there(), 0)
        for each in begun:
            if each.process in waiting and each.future is not None and not each.future.done():
                waiting[each.process] += 1
        process = min(waiting, key=waiting.__getitem__, default=None)
        if process is None or waiting[process] >= _WAITING:
            return _Begun(item, value=(self._here(function, item),))
        return _Begun(item, process=process, future=self._submit(process, function, item))

    def _there(self) -> list[int]:
        """The other processes that are up; they are begun here once it is time."""
        if self._left_s <= 0:
            for process, executor in enumerate(self._others):
                if executor is None:
                    self._start(process)
        return [process for process, loaded in enumerate(self._loaded) if loaded is not None and loaded.done()]

    def _here(self, function: Callable[[Any], R], argument: Any) -> R:
        begun = time.perf_counter()
        value = function(argument)
        self._left_s -= time.perf_counter() - begun
        return value

    def _outcome(self, function: Callable[[T], R], begun: _Begun[T, R]) -> R | Crashed[T]:
        if begun.future is None:
            return begun.value[0]
        try:
            value: R = self._taken(begun.process, begun.future.result())
        except BrokenProcessPool:
            self._stop(begun.process)
            return self._again(function, begun)
        return value

    def _again(self, function: Callable[[T], R], begun: _Begun[T, R]) -> R | Crashed[T]:
        """Once more and alone, for the crash may have been the fault of another item."""
        try:
            value: R = self._taken(begun.process, self._submit(begun.process, function, begun.item).result())
        except BrokenProcessPool:
            self._stop(begun.process)
            return Crashed(begun.item)
        return value

    def _submit(self, process: int, function: Callable[[Any], Any], argument: Any) -> Future[Measured]:
        executor = self._others[process] or self._start(process)
        # Pickled here: the thread that hands it over would have to wait for this one again and again.
        work = pickle.dumps((function, argument), pickle.HIGHEST_PROTOCOL)
        try:
            future: Future[Measured] = executor.submit(_measured, work)
        except BrokenProcessPool:
            self._stop(process)
            future = self._start(process).submit(_measured, work)
        return future

    def _start(self, process: int) -> ProcessPoolExecutor:
        from loky import ProcessPoolExecutor  # imported late: small inputs need none

        # loky rather than multiprocessing: it does not run the user's script a second time
        executor = ProcessPoolExecutor(
            max_workers=1, timeout=_IDLE_S, initializer=_begin_to_help, initargs=(os.getpid(),)
        )
        self._others[process] = executor
        self._loaded[process] = executor.submit(_measured, pickle.dumps((_load, self._imports)))
        return executor

    def _stop(self, process: int) -> None:
        executor, self._others[process] = self._others[process], None
        self._loaded[process] = None
        if executor is not None:
            executor.shutdown(wait=True, kill_workers=True)

    def _taken(self, process: int, measured: Measured) -> Any:
        self.cpu_s += measured.cpu_s
        self._peaks[process] = max(self._peaks[process], measured.peak_rss_mb)
        return pickle.loads(measured.value)


@dataclass(frozen=True, slots=True)
class _Begun(Generic[T, R]):
    """An item at another process, or, with its value, done here."""

    item: T
    process: int = -1
    future: Future[Measured] | None = None
    value: tuple[R, ...] = ()

    @property
    def is_finished(self) -> bool:
        return self.future is None or self.future.done()


def _measured(work: bytes) -> Measured:
    begun = time.process_time()
    function, argument = pickle.loads(work)
    value = pickle.dumps(function(argument), pickle.HIGHEST_PROTOCOL)
    return Measured(value, time.process_time() - begun, peak_rss_mb())


def _load(modules: Sequence[str]) -> None:
    for module in modules:
        import_module(module)


def _begin_to_help(parent: int) -> None:
    """Interrupts are for the parent to hear, and when it ends, however it does, this process ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # there only the idle time ends it
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)
