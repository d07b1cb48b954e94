"""The line that shows how far a training is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bars

from ragassay.report.streams import clean_streams, open_console

if TYPE_CHECKING:
    from ragassay.training.loop import Progress

LINE_EVERY_S = 10.0
"""Seconds between two lines where standard error is no terminal."""


@contextmanager
def training_bar() -> Iterator[Callable[[Progress], None]]:
    """What to call after each step: a bar on a terminal, else a line every ten seconds."""
    console = open_console(stderr=True)
    if not console.is_terminal:
        yield _Lines().show
        return
    with (
        Bars(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), console=console) as bars,
        clean_streams(),
    ):
        task = bars.add_task("training", total=1.0)

        def show(progress: Progress) -> None:
            bars.update(task, completed=progress.done, description=_said(progress))

        yield show


class _Lines:
    def __init__(self) -> None:
        self._last = time.monotonic()

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last >= LINE_EVERY_S:
            self._last = now
            sys.stderr.write(f"{progress.done:.1%}, {_said(progress)}\n")


def _said(progress: Progress) -> str:
    said = f"epoch {progress.epoch + 1}"
    if progress.loss is not None:
        said += f", loss {progress.loss:.3f}"
    if progress.seconds_left is not None:
        said += f", {timedelta(seconds=round(progress.seconds_left))} left"
    return said
