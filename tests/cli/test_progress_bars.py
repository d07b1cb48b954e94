"""What is told of progress on standard error: bars on a terminal, lines elsewhere; by a clock of the test's own."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from ragassay.cli.progress_bars import COLUMNS, LINE_EVERY_S, Bars, write_lines
from ragassay.parts import in_batches, in_parts


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bars(clock: Clock) -> Bars:
    return Bars(Progress(*COLUMNS, console=Console(file=io.StringIO()), disable=True, get_time=clock))


@pytest.mark.parametrize(
    ("total", "before", "reached", "after_s", "line"),
    [
        (40, 0, 0, 30, "judging examples: 0 of 40"),  # no pace is known
        (40, 0, 10, 30, "judging examples: 10 of 40, 1 min 30 s left"),  # 3 s each, 30 to come
        (40, 0, 0.5, 10, "judging examples: 0 of 40, 13 min 10 s left"),  # 20 s each, 39.5 to come
        (40, 30, 35, 10, "judging examples: 35 of 40, 10 s left"),  # 2 s each: the first 30 were there before
        (40, 0, 40, 20, "judging examples: 40 of 40"),
        (None, 0, 1200, 20, "judging examples: 1,200 so far"),
        (None, 0, 0, 70, "judging examples: for 1 min 10 s"),
        (10000, 0, 10, 10, "judging examples: 10 of 10,000, 2 h 46 min left"),  # 9 990 s
    ],
)
def test_a_line_says_how_far_and_how_long(
    bars: Bars, clock: Clock, total: int | None, before: int, reached: float, after_s: float, line: str
) -> None:
    assert bars.line() == ""
    bars.start("judging examples", total, before)
    bars.reach(reached)
    clock.now += after_s
    assert bars.line() == line


def test_a_line_every_ten_seconds_while_there_is_something_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    lines, waited = iter(["", "reading documents: 1 of 3", "reading documents: 2 of 3"]), list[float]()

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        return len(waited) > 3

    write_lines(lambda: next(lines), wait)
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "ragassay: reading documents: 1 of 3\nragassay: reading documents: 2 of 3\n")
    assert waited == [LINE_EVERY_S] * 4


def test_a_terminal_sees_a_bar_that_ends_where_the_work_did(clock: Clock) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    drawn = Progress(*COLUMNS, console=console, auto_refresh=False, get_time=clock)
    bars = Bars(drawn)
    bars.start("making examples", 40)
    clock.now += 10
    bars.reach(20)
    with console.capture() as capture:
        console.print(drawn)
    assert "20/40" in capture.get()
    assert "10 s left" in capture.get()
    bars.reach(22)
    bars.start("judging examples", 22)
    clock.now += 10
    with console.capture() as capture:
        console.print(drawn)
    assert "22/40" in capture.get()
    assert "left" not in capture.get()


class Told:
    """What a stage was told."""

    def __init__(self) -> None:
        self.places: list[float] = []

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        self.places = [done]

    def advance(self, by: int = 1) -> None:
        self.places.append(self.places[-1] + by)

    def reach(self, done: float) -> None:
        self.places.append(done)


def test_parts_are_told_as_shares_of_things() -> None:
    told = Told()
    advance = in_parts(told, "embedding documents", 3, 12)
    for by in (2, 6, 4, 9):  # more than there are is the end
        advance(by)
    assert told.places == [0, 0.5, 2, 3, 3]
    in_parts(told, "embedding documents", 0, 0)(0)
    assert told.places == [0, 0]
    assert list(in_batches("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]


def test_what_servers_say_stands_behind_it(bars: Bars) -> None:
    bars.start("judging examples", 4)
    bars.replied(failed=True, cost_usd=0.5)
    assert bars.line() == "judging examples: 0 of 4, 1 reply, 1 failed, $0.50"
    bars.waiting("batch \x1b[31m1")
    assert "\x1b" not in bars.line()
