"""Progress bars on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ragassay.pipeline.folders.progress import Served
from ragassay.report.safe_text import visible
from ragassay.report.streams import clean_streams, open_console

_REPLIES = TextColumn("{task.fields[replies]}")


class _Rate(ProgressColumn):
    """Of the last half minute."""

    def render(self, task: Task) -> Text:
        rate = task.finished_speed or task.speed
        if not rate:
            return Text("")
        return Text(f"{rate:.3g} a second" if rate >= 1 else f"{60 * rate:.3g} a minute")


class Bars:
    """One line a stage; a stage is done when the next one starts."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task: TaskID | None = None
        self._served = Served()

    def start(self, stage: str, total: int | None) -> None:
        """Ends the line of the stage before and begins one."""
        self.finish()
        self._task = self._bars.add_task(stage, total=total, replies="")
        self._served = self._served.in_next_stage()

    def advance(self, by: int = 1) -> None:
        """Moves the line on."""
        if self._task is not None:
            self._bars.advance(self._task, by)

    def reach(self, done: int) -> None:
        """Moves the line to a place."""
        if self._task is not None:
            self._bars.update(self._task, completed=done)

    def replied(self, failed: bool, cost_usd: float | None) -> None:
        """Counts one more reply of a model on a server behind the line, those without a usable answer, and dollars."""
        self._served = self._served.plus(failed, cost_usd)
        n, n_failed, dollars = self._served
        parts = [f"{n:,} replies", f"{n_failed:,} failed" if n_failed else "", f"${dollars:,.2f}" if dollars else ""]
        if self._task is not None:
            self._bars.update(self._task, replies=", ".join(filter(None, parts)))

    def waiting(self, news: str) -> None:
        """Shows how far a batch is, behind the line."""
        if self._task is not None:
            self._bars.update(self._task, replies=visible(news))

    def finish(self) -> None:
        """Fills the line of the stage that ends."""
        if self._task is not None:
            task = self._bars.tasks[self._task]
            total = task.total if task.total is not None else max(task.completed, 1)
            self._bars.update(self._task, total=total, completed=total)


@contextmanager
def progress_bars() -> Iterator[Bars]:
    """Bars while something runs; silent where standard error is no terminal."""
    console = open_console(stderr=True)
    columns = (
        TextColumn("{task.description:>24}"),
        BarColumn(20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True, elapsed_when_finished=False),
        _REPLIES,
    )
    # Clean once more: rich puts a stream of its own in place of standard error, above the bars.
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars, clean_streams():
        shown = Bars(bars)
        yield shown
        shown.finish()
