"""One further Python process, which does piece after piece of work, each within limits of time and memory if any.

A program of its own that reads from a pipe and writes to another: unlike ``multiprocessing`` that needs no semaphores
and does not run the user's script a second time. The limits are the system's: they hold whatever the process is doing.
"""

from __future__ import annotations

import faulthandler
import math
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, partial
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

_LENGTH = struct.Struct("!Q")
_LOOK_S = 1.0
"""How often a process looks whether its parent is still there."""
_IDLE_S = 300.0
"""A process that has nothing to do for so long ends and gives its memory back."""
_CLOCK_TIMES = 10
_MEGABYTE = 1_000_000


class Limits(NamedTuple):
    """seconds: of the processor, and ten times as many by the clock (on Windows only these). memory_mb: on Linux."""

    seconds: float
    memory_mb: float


class WorkResult(NamedTuple):
    """What came of a piece of work in another process, and what it cost there. value: pickled."""

    value: bytes
    cpu_s: float
    peak_rss_mb: float


class EndedError(Exception):
    """The process ended before the work was done. at_work: at this piece. too_long: the limit of time ended it."""

    def __init__(self, *, at_work: bool, too_long: bool = False) -> None:
        super().__init__("the process ended")
        self.at_work = at_work
        self.too_long = too_long

    def __reduce__(self) -> tuple[Callable[[], EndedError], tuple[()]]:
        return partial(EndedError, at_work=self.at_work, too_long=self.too_long), ()


class Process:
    """Raises OSError where there can be no further process."""

    def __init__(self) -> None:
        if not sys.executable:
            raise FileNotFoundError("no Python interpreter to start")
        start = f"import sys; sys.path[:] = {sys.path!r}; from ragassay.process import serve; serve({os.getpid()})"
        self._process = subprocess.Popen([sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self._process.pid
        self._work: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._pending: deque[Future[WorkResult]] = deque()
        self._lock = threading.Lock()
        self._has_ended = False
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[[Any], Any], argument: Any, limits: Limits | None = None) -> Future[WorkResult]:
        """Hand work over; it is done in the order of the calls. What goes wrong is the future's exception."""
        # Pickled here: the thread that sends it would have to wait for this one again and again.
        work = pickle.dumps((limits, pickle.dumps((function, argument), pickle.HIGHEST_PROTOCOL)))
        future: Future[WorkResult] = Future()
        with self._lock:
            if self._has_ended:
                future.set_exception(EndedError(at_work=False))
                return future
            self._pending.append(future)
            self._work.put(work)
        return future

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError), pipe:  # a process that has ended is for the other thread to see
            for work in iter(self._work.get, None):
                _write(pipe, work)

    def _receive(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe:
            while (reply := _read(pipe)) is not None:
                done = pickle.loads(reply)
                future = self._pending.popleft()
                if isinstance(done, WorkResult):
                    future.set_result(done)
                else:
                    future.set_exception(done)
        code = self._process.wait()
        with self._lock:
            self._has_ended = True
            self._work.put(None)
        too_long = code in _TOO_LONG
        for place, future in enumerate(self._pending):
            future.set_exception(EndedError(at_work=place == 0, too_long=too_long and place == 0))


class FurtherProcess(Protocol):
    """A process as ``Process`` is one, on this machine or another."""

    def submit(
        self, function: Callable[[Any], Any], argument: Any, limits: Limits | None = None
    ) -> Future[WorkResult]: ...

    def close(self) -> None: ...


class Engine(Protocol):
    """Where further processes run, if not on this machine. processes: how many there are to be had."""

    @property
    def processes(self) -> int: ...

    def begin(self) -> FurtherProcess:
        """Raise OSError where there can be no further process."""


_engine: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def running_on(engine: Engine) -> Iterator[None]:
    """Have ``Workers`` made meanwhile begin their further processes there, unless told how many to have."""
    token = _engine.set(engine)
    try:
        yield
    finally:
        _engine.reset(token)


def current_engine() -> Engine | None:
    """Return where further processes run; None for this machine."""
    return _engine.get()


def _write(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """Return the next message; None when there is no whole one any more."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = pipe.read(length)
    return message if len(message) == length else None


def peak_rss_mb() -> float:
    """Return the most memory that this process has held so far, in MB; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0.0
    with suppress(OSError, StopIteration):  # what getrusage says on Linux is the parent's, if that had more
        status = Path("/proc/self/status").read_text("ascii", errors="replace").splitlines()
        return int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 if sys.platform != "darwin" else peak / 1024**2


def serve(parent: int) -> None:
    """Do the work of the further process until the pipe ends or its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are for the parent to hear
    idle = _Idle()
    if sys.platform != "win32":  # there only the end of the pipe tells of the parent's
        for number in (signal.SIGPROF, signal.SIGALRM):  # the parent may have them otherwise
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGPROF, signal.SIGALRM))
        threading.Thread(target=idle.end_with, args=(parent,), daemon=True).start()
    works, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what anything prints is no reply
    while (work := _read(works)) is not None:
        idle.since = math.inf
        _write(replies, _reply(work))
        idle.since = time.monotonic()


class _Idle:
    """since: when the last piece was done; infinite while there is one."""

    def __init__(self) -> None:
        self.since = time.monotonic()

    def end_with(self, parent: int) -> None:
        """End this process with its parent, or when it has had nothing to do for long."""
        while os.getppid() == parent and time.monotonic() - self.since <= _IDLE_S:
            time.sleep(_LOOK_S)
        os._exit(0)  # a piece that comes at this very moment is done again elsewhere


def _reply(work: bytes) -> bytes:
    begun = time.process_time()
    try:
        limits, asked = pickle.loads(work)
        function, argument = pickle.loads(asked)
        if limits is None:
            value = pickle.dumps(function(argument), pickle.HIGHEST_PROTOCOL)
        else:
            value = _within(limits, function, argument)
        return pickle.dumps(WorkResult(value, time.process_time() - begun, peak_rss_mb()))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the parent's to hear
        try:
            reply = pickle.dumps(error)
            pickle.loads(reply)
        except Exception:  # noqa: BLE001 - an error that cannot be sent as it is
            return pickle.dumps(RuntimeError(repr(error)))
        return reply


def _within(limits: Limits, function: Callable[[Any], Any], argument: Any) -> bytes:
    """Return the pickled value. Out of time, the process ends; out of memory, MemoryError is raised, or it ends too."""
    free = _limit_memory(limits.memory_mb)
    _begin_time(limits.seconds)
    try:
        return pickle.dumps(function(argument), pickle.HIGHEST_PROTOCOL)
    finally:
        _end_time()
        free()


if sys.platform == "win32":
    _TOO_LONG = (1,)

    def _begin_time(seconds: float) -> None:
        faulthandler.dump_traceback_later(_CLOCK_TIMES * seconds, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115

    def _end_time() -> None:
        faulthandler.cancel_dump_traceback_later()

else:
    _TOO_LONG = (-signal.SIGPROF, -signal.SIGALRM)

    def _begin_time(seconds: float) -> None:
        # The system's own way to end a process: a handler in Python would wait for a parser in C to return.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, _CLOCK_TIMES * seconds)

    def _end_time() -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_memory(memory_mb: float) -> Callable[[], None]:
    """Bound the memory from now on; what is returned lifts the bound."""
    base = _base_bytes()
    if not base or sys.platform == "win32":
        return lambda: None
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = base + int(memory_mb * _MEGABYTE)
    if before != resource.RLIM_INFINITY:
        most = min(most, before)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (before, hard))


@cache
def _base_bytes() -> int:
    """Address space of this process when it is first asked; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
