"""Further processes that share the work of this one: in Python, rules and parsers keep one core busy a process."""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, Literal, Self, TypeVar

from ragassay.errors import ModelError
from ragassay.process import EndedError, FurtherProcess, Limits, Process, WorkResult, current_engine, peak_rss_mb

T = TypeVar("T")
R = TypeVar("R")

MOST_PROCESSES = 8
"""This one included. Each loads its own rules and encoder, about 250 MB."""
FEWEST_SHARED = 32
"""Items for each process below which handing them over costs more than it saves, some ten milliseconds."""
BEGIN_AFTER_S = 0.3
"""Work done before further processes are begun: small inputs need none, or one."""
_WAITING = 24
"""Items that wait at each further process, so that none stands still while this one does an item of its own."""
_WAITING_WITHIN_LIMITS = 4
"""The same where this process only takes results; what waits behind an item that takes too long is little."""
_MOST_IN_VAIN = 3
"""Processes for each core of an engine that may end one after another, before all of them are given up."""
_MOST_AHEAD = 32
"""Results for each process that may wait for one that is slow: memory is bounded."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Lost(Generic[T]):
    """An item of which nothing came: too much time or memory, or two processes died that worked on it."""

    item: T
    why: Literal["time", "memory", "crash"]


class Workers:
    """This process and others beside it, begun once there has been something to do and used once they are there.

    What is handed over is pickled; functions have to be importable. A result never depends on which process made it. A
    process that dies is replaced, and its work is done again. Where none can be had, all is done here. Raises
    ModelError where those of an engine end again and again. cpu_s: that the others took so far.
    """

    def __init__(
        self, processes: int | None = None, *, imports: Sequence[str] = (), begin_after_s: float = BEGIN_AFTER_S
    ) -> None:
        """processes: this one included; None takes as many as the engine has, here up to ``MOST_PROCESSES``.

        imports: modules that the others load first. begin_after_s: seconds of work after which they are begun.
        """
        self._engine = None if processes == 1 else current_engine()
        usual = min(usable_cores(), MOST_PROCESSES) if self._engine is None else self._engine.processes + 1
        wanted = usual if processes is None else processes
        # The last is for work within limits, of which this process does none.
        self._others: list[FurtherProcess | None] = [None] * wanted
        self._loaded: list[Future[WorkResult] | None] = [None] * wanted
        self._can_have_others = True
        self._in_vain = 0
        self._peaks = [0.0] * wanted
        self._imports = tuple(imports)
        self._left_s = begin_after_s
        self.cpu_s = 0.0

    @property
    def processes(self) -> int:
        return len(self._others)

    @property
    def are_elsewhere(self) -> bool:
        """Return whether further processes run on other machines, or might."""
        return self._engine is not None

    @property
    def peak_rss_mb(self) -> float:
        """Return the peaks of all processes added up: never less than what they held together at any time."""
        return peak_rss_mb() + sum(self._peaks)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R | Lost[T]]:
        """Yield results in the order of the items; ``Lost`` stands for one that killed another process."""
        return self._results(_Work(function), items)

    def map_within(self, limits: Limits, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R | Lost[T]]:
        """Map as ``map``, in other processes within limits; where there can be none, here and without."""
        try:
            yield from self._results(_Work(function, limits), items)
        finally:
            self._load_others()

    def _results(self, work: _Work[T, R], items: Iterable[T]) -> Iterator[R | Lost[T]]:
        begun = deque[_Begun[T, R]]()
        for item in items:
            while begun and not self._has_room(work, begun):
                if begun[0].is_finished:
                    outcome = self._outcome(work, begun)
                    yield outcome
                else:
                    self._await_one(begun)
            begun.append(self._begin(work, item, begun))
            while begun and begun[0].is_finished:
                outcome = self._outcome(work, begun)
                yield outcome
        while begun:
            outcome = self._outcome(work, begun)
            yield outcome

    def share_out(
        self, items: Sequence[T], here: Callable[[Sequence[T]], R], there: Callable[[Sequence[T]], R]
    ) -> list[R]:
        """Deal the items out to p processes: the first gets items 0, p, 2p, ..., and its result comes first.

        The same place in a list goes to the same process every time, so that what it remembers is of use; neighbours,
        which often take equally long, go to different ones. here, there: what is done with a hand in this process and
        in another.
        """
        others = self._there()[: max(0, len(items) // FEWEST_SHARED - 1)]
        hands = [items[number :: 1 + len(others)] for number in range(1 + len(others))]
        handed = [self._submit(_Work(there), number, hand) for number, hand in zip(others, hands[1:], strict=True)]
        results = [self._here(here, hands[0])]
        for work, hand in zip(handed, hands[1:], strict=True):
            try:
                results.append(self._taken(work.number, work.future.result()))
            except EndedError as ended:
                self._replace(work, ended)
                results.append(here(hand))
        return results

    def close(self) -> None:
        """End the other processes."""
        for number in range(len(self._others)):
            self._stop(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _begin(self, work: _Work[T, R], item: T, begun: Iterable[_Begun[T, R]]) -> _Begun[T, R]:
        """Hand an item to the process with the shortest queue; without limits, do it here where all have enough."""
        waiting = self._waiting(self._there() if work.limits is None else self._within(), begun)
        number = min(waiting, key=waiting.__getitem__, default=None)
        if number is not None and (work.limits is not None or waiting[number] < _WAITING):
            return _Begun(item, handed=self._submit(work, number, item))
        try:
            return _Begun(item, value=(self._here(work.function, item),))
        except MemoryError:
            return _Begun(item, value=(Lost(item, "memory"),))

    def _begin_elsewhere(self, work: _Work[T, R], item: T) -> _Begun[T, R]:
        """Hand an item whose process died over once more; where no process can be had, it is lost or done here."""
        self._start(0, self._imports if work.limits is None else ())
        if self._others[0] is None:
            lost = Lost(item, "crash") if work.limits is not None else self._here(work.function, item)
            return _Begun(item, value=(lost,))
        return _Begun(item, handed=self._submit(work, 0, item), is_suspect=True)

    def _waiting(self, numbers: Iterable[int], begun: Iterable[_Begun[T, R]]) -> dict[int, int]:
        waiting = dict.fromkeys(numbers, 0)
        for each in begun:
            if each.handed is not None and each.handed.number in waiting and not each.is_finished:
                waiting[each.handed.number] += 1
        return waiting

    def _has_room(self, work: _Work[T, R], begun: deque[_Begun[T, R]]) -> bool:
        """Return whether one more item may be begun."""
        waiting = self._waiting(self._within(), begun) if work.limits is not None else {}
        most = _WAITING_WITHIN_LIMITS if len(waiting) == self.processes else 1
        return min(waiting.values(), default=0) < most and len(begun) < _MOST_AHEAD * self.processes

    def _await_one(self, begun: Iterable[_Begun[T, R]]) -> None:
        """Wait until an item is finished, or it is time to begin further processes."""
        open_ones = [each.handed.future for each in begun if each.handed is not None and not each.is_finished]
        if self._left_s <= 0:
            wait(open_ones, return_when=FIRST_COMPLETED)
            return
        if self._loaded[0] is not None:
            wait([self._loaded[0]])  # to come up is no work
        since = time.perf_counter()
        wait(open_ones, return_when=FIRST_COMPLETED, timeout=self._left_s)
        self._left_s -= time.perf_counter() - since

    def _there(self) -> list[int]:
        """Return the others that share work with this one and are up; they are begun here once it is time."""
        numbers = range(self.processes - 1)
        if self._left_s <= 0:
            for number in numbers:
                self._start(number, self._imports)
        up = [number for number in numbers if self._is_up(number)]
        return up if self._can_have_others else []

    def _within(self) -> list[int]:
        """Return those that work within limits: one at first, all of them once there has been something to do."""
        most = self.processes if self._engine is None else self._engine.processes
        numbers = range(most if self._left_s <= 0 else 1)
        for number in numbers:
            self._start(number, ())
        if not self._can_have_others:
            return []
        up = [number for number in numbers if self._is_up(number)]
        if self._engine is None or up:
            return up or list(numbers)
        self._start(0, ())  # its machine may have gone since
        return [] if self._others[0] is None else [0]

    def _load_others(self) -> None:
        """Have those that will share work with this process load what that needs, after work within limits."""
        needed = self.processes - 1 if self._left_s <= 0 else 0
        for number, process in enumerate(self._others):
            if number >= needed:
                self._stop(number)
            elif process is not None:
                self._loaded[number] = process.submit(_load, self._imports)

    def _here(self, function: Callable[[Any], R], argument: Any) -> R:
        begun = time.perf_counter()
        value = function(argument)
        self._left_s -= time.perf_counter() - begun
        return value

    def _outcome(self, work: _Work[T, R], begun: deque[_Begun[T, R]]) -> R | Lost[T]:
        first = begun.popleft()
        while first.handed is not None:
            try:
                value: R = self._taken(first.handed.number, first.handed.future.result())
            except MemoryError:
                return Lost(first.item, "memory")
            except EndedError as ended:
                self._replace(first.handed, ended)
                if ended.too_long:
                    return Lost(first.item, "time")
                if ended.at_work and first.is_suspect:
                    return Lost(first.item, "crash")
                if ended.at_work or first.is_suspect:
                    first = self._begin_elsewhere(work, first.item)
                else:
                    first = self._begin(work, first.item, begun)
            else:
                return value
        return first.value[0]

    def _submit(self, work: _Work[Any, Any], number: int, argument: Any) -> _Handed:
        process = self._others[number]
        assert process is not None
        return _Handed(number, process, process.submit(work.function, argument, work.limits))

    def _start(self, number: int, imports: Sequence[str]) -> None:
        if self._others[number] is not None or not self._can_have_others:
            return
        try:
            process = Process() if self._engine is None else self._engine.begin()
        except OSError:
            self._can_have_others = False
            return
        self._others[number] = process
        self._loaded[number] = process.submit(_load, imports)

    def _is_up(self, number: int) -> bool:
        loaded = self._loaded[number]
        if loaded is None or not loaded.done():
            return False
        error = loaded.exception()
        if isinstance(error, EndedError) and self.are_elsewhere:
            self._stop(number)  # its machine went; another may take its place
            self._went(error)
            return False
        if error is not None:
            self._can_have_others = False  # no fault of an item: where one cannot load, others hardly can
        return True

    def _replace(self, handed: _Handed, ended: EndedError) -> None:
        """End what is left of a process that died, unless another has taken its place already."""
        if self._others[handed.number] is handed.process:
            if self._is_up(handed.number) and not ended.at_work:
                self._went(ended)
            self._stop(handed.number)

    def _went(self, ended: EndedError) -> None:
        """Count a process that ended by itself since the last that did its work."""
        self._in_vain += 1
        if self._engine is not None and self._in_vain > _MOST_IN_VAIN * self.processes:
            why = " ".join(str(ended.__cause__ or ended).split())[:300].rstrip(".")
            raise ModelError(
                f"--engine: {self._in_vain} processes on other machines ended one after another ({why}); look there "
                "for the reason, or use --engine local; the same command goes on from here"
            ) from ended

    def _stop(self, number: int) -> None:
        process, self._others[number] = self._others[number], None
        self._loaded[number] = None
        if process is not None:
            process.close()

    def _taken(self, number: int, measured: WorkResult) -> Any:
        self._in_vain = 0
        self.cpu_s += measured.cpu_s
        self._peaks[number] = max(self._peaks[number], measured.peak_rss_mb)
        return pickle.loads(measured.value)


@dataclass(frozen=True, slots=True)
class _Work(Generic[T, R]):
    """What is done with each item. limits: None where it may be done here as well."""

    function: Callable[[T], R]
    limits: Limits | None = None


@dataclass(frozen=True, slots=True)
class _Handed:
    """Work at another process. process: by now, another one may stand in its place."""

    number: int
    process: FurtherProcess
    future: Future[WorkResult]


@dataclass(frozen=True, slots=True)
class _Begun(Generic[T, R]):
    """An item at another process, or, with its value, done here. is_suspect: a process died that worked on it."""

    item: T
    handed: _Handed | None = None
    value: tuple[R | Lost[T], ...] = ()
    is_suspect: bool = False

    @property
    def is_finished(self) -> bool:
        return self.handed is None or self.handed.future.done()


def _load(modules: Sequence[str]) -> None:
    for module in modules:
        import_module(module)
