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
from contextlib import suppress
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
    """The process that worked on an item died, and so did a new one that had nothing but this item to do."""

    item: T


class Workers:
    """This process and others beside it, begun once there has been something to do and used once they are there.

    What is handed over is pickled; functions have to be importable. A result never depends on which process made it.
    A process that dies is replaced, and its work is done again. Where none can be had, all is done here.
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
        self._lone: ProcessPoolExecutor | None = None
        self._can_have_others = True
        self._peaks = [0.0] * wanted  # the last: of those that had a single item to do
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
        try:
            for item in items:
                begun.append(self._begin(function, item, begun))
                while begun and (begun[0].is_finished or len(begun) >= _MOST_AHEAD * self.processes):
                    outcome = self._outcome(function, begun.popleft())
                    yield outcome
            while begun:
                outcome = self._outcome(function, begun.popleft())
                yield outcome
        finally:
            self._stop_lone()

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
        handed = [self._submit(process, there, hand) for process, hand in zip(others, hands[1:], strict=True)]
        results = [self._here(here, hands[0])]
        for work, hand in zip(handed, hands[1:], strict=True):
            if work is None:
                results.append(here(hand))
                continue
            try:
                results.append(self._taken(work.process, work.future.result()))
            except BrokenProcessPool:
                self._replace(work)
                results.append(here(hand))
        return results

    def close(self) -> None:
        """Ends the other processes."""
        self._stop_lone()
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
            if each.handed is not None and each.handed.process in waiting and not each.is_finished:
                waiting[each.handed.process] += 1
        process = min(waiting, key=waiting.__getitem__, default=None)
        if process is not None and waiting[process] < _WAITING:
            handed = self._submit(process, function, item)
            if handed is not None:
                return _Begun(item, handed=handed)
        return _Begun(item, value=(self._here(function, item),))

    def _there(self) -> list[int]:
        """The other processes that are up; they are begun here once it is time."""
        if self._left_s <= 0 and self._can_have_others:
            for process, executor in enumerate(self._others):
                if executor is None:
                    self._start(process)
        up = [process for process, loaded in enumerate(self._loaded) if loaded is not None and loaded.done()]
        if any(self._has_failed(process) for process in up):
            self._can_have_others = False  # no fault of an item: where one cannot load, others hardly can
        return up if self._can_have_others else []

    def _here(self, function: Callable[[Any], R], argument: Any) -> R:
        begun = time.perf_counter()
        value = function(argument)
        self._left_s -= time.perf_counter() - begun
        return value

    def _outcome(self, function: Callable[[T], R], begun: _Begun[T, R]) -> R | Crashed[T]:
        if begun.handed is None:
            return begun.value[0]
        try:
            value: R = self._taken(begun.handed.process, begun.handed.future.result())
        except BrokenProcessPool:
            self._replace(begun.handed)
            return self._alone(function, begun.item)
        return value

    def _alone(self, function: Callable[[T], R], item: T) -> R | Crashed[T]:
        """Once more, in a process that does nothing else, for it may have died of another item or of no item at all.

        One that has done an item well is kept for the next, but what an item is blamed for happened in a new one.
        """
        is_new = False
        while not is_new:
            is_new = self._lone is None
            lone = self._lone = self._lone or self._loaded_lone()
            if lone is None:
                self._can_have_others = False
                return self._here(function, item)
            try:
                value: R = self._taken(-1, lone.submit(_measured, _pickled(function, item)).result())
            except BrokenProcessPool:
                self._stop_lone()
            else:
                return value
        return Crashed(item)

    def _loaded_lone(self) -> ProcessPoolExecutor | None:
        """A new process that is up, and waits for a single item; None where there can be none."""
        if not self._can_have_others:
            return None
        executor = None
        try:
            executor = _new_executor()
            executor.submit(_measured, _pickled(_load, self._imports)).result()
        except Exception:  # noqa: BLE001 - whatever kept it from loading, it was no item
            _end(executor)
            return None
        return executor

    def _submit(self, process: int, function: Callable[[Any], Any], argument: Any) -> _Handed | None:
        """Hands work over; None where the process cannot take it any more."""
        executor = self._others[process]
        if executor is None:
            return None
        # Pickled here: the thread that hands it over would have to wait for this one again and again.
        work = _pickled(function, argument)
        try:
            return _Handed(process, executor, executor.submit(_measured, work))
        except BrokenProcessPool:
            self._stop(process)
        except OSError:  # it ended for it had nothing to do, and there can be no other
            self._can_have_others = False
        return None

    def _start(self, process: int) -> None:
        executor = None
        try:
            executor = _new_executor()
            self._loaded[process] = executor.submit(_measured, _pickled(_load, self._imports))
            self._others[process] = executor
        except _NO_PROCESS:
            _end(executor)
            self._can_have_others = False

    def _has_failed(self, process: int) -> bool:
        loaded = self._loaded[process]
        return loaded is not None and loaded.done() and loaded.exception() is not None

    def _replace(self, handed: _Handed) -> None:
        """Ends what is left of a process that died, unless another has taken its place already."""
        if self._others[handed.process] is handed.executor:
            self._stop(handed.process)

    def _stop(self, process: int) -> None:
        executor, self._others[process] = self._others[process], None
        self._loaded[process] = None
        _end(executor)

    def _stop_lone(self) -> None:
        lone, self._lone = self._lone, None
        _end(lone)

    def _taken(self, process: int, measured: Measured) -> Any:
        self.cpu_s += measured.cpu_s
        self._peaks[process] = max(self._peaks[process], measured.peak_rss_mb)
        return pickle.loads(measured.value)


@dataclass(frozen=True, slots=True)
class _Handed:
    """Work at another process. executor: by now, another one may stand in its place."""

    process: int
    executor: ProcessPoolExecutor
    future: Future[Measured]


@dataclass(frozen=True, slots=True)
class _Begun(Generic[T, R]):
    """An item at another process, or, with its value, done here."""

    item: T
    handed: _Handed | None = None
    value: tuple[R, ...] = ()

    @property
    def is_finished(self) -> bool:
        return self.handed is None or self.handed.future.done()


_NO_PROCESS = (OSError, ImportError, NotImplementedError)
"""What is raised where no process can be had, or no semaphores to speak with it."""


def _new_executor() -> ProcessPoolExecutor:
    from loky import ProcessPoolExecutor  # imported late: small inputs need none

    # loky rather than multiprocessing: it does not run the user's script a second time
    return ProcessPoolExecutor(max_workers=1, timeout=_IDLE_S, initializer=_begin_to_help, initargs=(os.getpid(),))


def _end(executor: ProcessPoolExecutor | None) -> None:
    if executor is not None:
        with suppress(OSError):
            executor.shutdown(wait=True, kill_workers=True)


def _pickled(function: Callable[[Any], Any], argument: Any) -> bytes:
    return pickle.dumps((function, argument), pickle.HIGHEST_PROTOCOL)


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
