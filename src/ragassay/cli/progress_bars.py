"""How far a command is, on standard error: bars on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from ragassay.jobs.folders.progress import Served
from ragassay.report.safe_text import clean_streams, open_console, visible

LINE_EVERY_S = 10.0
"""Seconds between two lines where standard error is no terminal."""


class _TimeLeft(ProgressColumn):
    """Of the stage, at the pace that it had so far."""

    def render(self, task: Task) -> Text:
        return Text("" if task.stop_time is not None else _time_left(task))


COLUMNS = (
    TextColumn("{task.description:>24}"),
    BarColumn(20),
    MofNCompleteColumn(),
    TimeElapsedColumn(),
    _TimeLeft(),
    TextColumn("{task.fields[news]}"),
)


class Bars:
    """One line a stage; a stage is done when the next one starts."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task: TaskID | None = None
        self._served = Served()

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        """Ends the line of the stage before and begins one."""
        self.finish()
        self._task = self._bars.add_task(stage, total=total, completed=done, before=done, news="")
        self._served = self._served.in_next_stage()

    def advance(self, by: int = 1) -> None:
        if self._task is not None:
            self._bars.advance(self._task, by)

    def reach(self, done: float) -> None:
        if self._task is not None:
            self._bars.update(self._task, completed=done)

    def replied(self, failed: bool, cost_usd: float | None) -> None:
        """Counts one more reply of a model on a server behind the line, those without a usable answer, and dollars."""
        self._served = self._served.plus(failed, cost_usd)
        n, n_failed, dollars = self._served
        parts = [
            f"{n:,} {'reply' if n == 1 else 'replies'}",
            f"{n_failed:,} failed" if n_failed else "",
            f"${dollars:,.2f}" if dollars else "",
        ]
        self.waiting(", ".join(filter(None, parts)))

    def waiting(self, news: str) -> None:
        """Shows how far a batch is, behind the line."""
        if self._task is not None:
            self._bars.update(self._task, news=visible(news))

    def finish(self) -> None:
        """Ends the line of the stage where it is: what was not done is not shown as done."""
        if self._task is not None:
            task = self._bars.tasks[self._task]
            self._bars.stop_task(self._task)
            if task.total is None:
                self._bars.update(self._task, total=task.completed)

    def line(self) -> str:
        """How far the stage is, in words; empty before the first one."""
        if self._task is None:
            return ""
        task = self._bars.tasks[self._task]
        done = f"{int(task.completed):,}"
        if task.total is not None:
            counted = f"{done} of {task.total:,.0f}"
        else:
            counted = f"{done} so far" if task.completed else f"for {_time(task.elapsed or 0.0)}"
        told = [f"{task.description}: {counted}", _time_left(task), task.fields["news"]]
        return ", ".join(filter(None, told))


@contextmanager
def progress_bars() -> Iterator[Bars]:
    """Bars while something runs, or lines where standard error is no terminal."""
    console = open_console(stderr=True)
    # Clean once more: rich puts a stream of its own in place of standard error, above the bars.
    with Progress(*COLUMNS, console=console, disable=not console.is_terminal) as bars, clean_streams():
        shown = Bars(bars)
        if console.is_terminal:
            yield shown
        else:
            with _lines(shown.line):
                yield shown
        shown.finish()


@contextmanager
def _lines(line: Callable[[], str]) -> Iterator[None]:
    is_over = threading.Event()
    thread = threading.Thread(target=write_lines, args=(line, is_over.wait), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def write_lines(line: Callable[[], str], wait: Callable[[float], bool]) -> None:
    """Write how far the work is after every ``LINE_EVERY_S``. wait: for so many seconds; True once the work is over."""
    while not wait(LINE_EVERY_S):
        if told := line():
            with suppress(OSError, ValueError):  # who hears of no progress gets the results all the same
                sys.stderr.write(f"ragassay: {told}\n")
                sys.stderr.flush()


def _time_left(task: Task) -> str:
    done = task.completed - task.fields["before"]
    if task.total is None or done <= 0 or task.completed >= task.total or not task.elapsed:
        return ""
    return f"{_time(task.elapsed * (task.total - task.completed) / done)} left"


def _time(exact_s: float) -> str:
    seconds = round(exact_s)
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
