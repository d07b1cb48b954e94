"""Work shared by several processes: the same results in the same order, whatever happens to one of them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragassay.process import Limits, Process, peak_rss_mb
from ragassay.workers import Lost, Workers

_ENDS_AT_ONCE = shutil.which("false") or sys.executable
_AMPLE = Limits(seconds=60, memory_mb=4_000)


@pytest.fixture(scope="module", autouse=True)
def new_processes() -> Iterator[None]:
    """None that another test has left behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragassay.workers.Process", Process)
        yield


def _both() -> Workers:
    """This process and another that is up."""
    workers = Workers(2, begin_after_s=0)
    while not workers._there():
        time.sleep(0.01)
    return workers


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with _both() as both:
        yield both


def _square(number: int) -> int:
    return number * number


def _process(_: int) -> int:
    return os.getpid()


def _squares(numbers: Sequence[int]) -> tuple[int, list[int]]:
    return os.getpid(), [_square(number) for number in numbers]


class _Fatal:
    """Kills any process but the one that made it, whenever it is read there."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.parent = os.getpid()


def _number(item: _Fatal) -> int:
    if item.number == 7 and os.getpid() != item.parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return item.number


def test_map_uses_both_processes_and_gives_results_in_the_order_of_the_items(workers: Workers) -> None:
    assert list(workers.map(_square, range(100))) == [number * number for number in range(100)]
    assert len(set(workers.map(_process, range(400)))) == 2


def test_no_other_process_for_little_work() -> None:
    with Workers(2, begin_after_s=60) as workers:
        assert set(workers.map(_process, range(400))) == {os.getpid()}
        assert [process for process, _ in workers.share_out(list(range(100)), _squares, _squares)] == [os.getpid()]


def test_map_takes_few_items_ahead(workers: Workers) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = workers.map(_square, items())
    next(results)
    assert len(taken) < 200


def test_a_map_that_is_left_half_way_leaves_no_process_and_no_result() -> None:
    with _both() as workers:
        for results in (workers.map(_square, range(10_000)), workers.map_within(_AMPLE, _square, range(10_000))):
            assert next(results) == 0
            results.close()  # type: ignore[attr-defined]
        assert list(workers.map(_square, range(100, 200))) == [number * number for number in range(100, 200)]
        unread = workers.map_within(_AMPLE, _square, range(1_000))
        assert next(unread) == 0
        helpers = [each.pid for each in workers._others if isinstance(each, Process)]
    assert helpers
    assert all(map(_ends, helpers))


def test_an_item_that_kills_its_process_is_named_and_the_others_are_done() -> None:
    with _both() as workers:  # 24 items go to the other process before one is done here
        outcomes = list(workers.map(_number, [_Fatal(number) for number in range(40)]))
    assert _crashed(outcomes) == [7]
    assert [outcome for outcome in outcomes if not isinstance(outcome, Lost)] == [*range(7), *range(8, 40)]


def _crashed(outcomes: Sequence[int | Lost[_Fatal]]) -> list[int]:
    return [outcome.item.number for outcome in outcomes if isinstance(outcome, Lost)]


@dataclass(frozen=True)
class _Unlucky:
    """Kills the first other process that it is read in, as a lack of memory might, and none after that."""

    number: int
    flags: Path
    parent: int


def _number_at_second_try(item: _Unlucky) -> int:
    time.sleep(0.001)
    flag = item.flags / str(item.number)
    if item.number % 20 == 5 and os.getpid() != item.parent and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item.number


def test_no_item_is_blamed_for_what_befell_its_process(tmp_path: Path) -> None:
    with Workers(3, begin_after_s=0) as workers:
        while len(workers._there()) < 2:
            time.sleep(0.01)
        items = [_Unlucky(number, tmp_path, os.getpid()) for number in range(200)]
        assert list(workers.map(_number_at_second_try, items)) == list(range(200))
    assert len(list(tmp_path.iterdir())) > 1


def test_a_system_that_allows_no_further_process_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("subprocess.Popen", refuse)
    with Workers(2, begin_after_s=0) as workers:
        assert set(workers.map(_process, range(100))) == {os.getpid()}
        assert set(workers.map_within(_AMPLE, _process, range(100))) == {os.getpid()}
        assert [process for process, _ in workers.share_out(range(100), _squares, _squares)] == [os.getpid()]


def test_where_no_process_can_be_had_again_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    with _both() as workers:
        monkeypatch.setattr("subprocess.Popen", refuse)
        assert list(workers.map(_number, [_Fatal(number) for number in range(40)])) == list(range(40))


def test_share_out_deals_to_every_process(workers: Workers) -> None:
    shares = workers.share_out(list(range(100)), _squares, _squares)
    assert [numbers for _, numbers in shares] == [
        [number * number for number in range(0, 100, 2)],
        [number * number for number in range(1, 100, 2)],
    ]
    assert shares[0][0] == os.getpid() != shares[1][0]


def test_a_hand_whose_process_dies_is_done_here() -> None:
    with _both() as workers:
        shares = workers.share_out(list(range(100)), _squares, _kill)
    assert [process for process, _ in shares] == [os.getpid()] * 2


def _kill(numbers: Sequence[int]) -> tuple[int, list[int]]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed before")


def test_costs_of_other_processes_are_counted(workers: Workers) -> None:
    before = workers.cpu_s
    list(workers.map(_sum_up, [200_000] * 200))
    assert workers.cpu_s > before
    assert workers.peak_rss_mb > peak_rss_mb() + 5  # no interpreter takes less


def _sum_up(count: int) -> int:
    return sum(range(count))


_WAITS_WITH_A_WORKER = """
import os, time
from ragassay.workers import Workers
workers = Workers(2, begin_after_s=0)
while not workers._there():
    time.sleep(0.01)
print(workers.share_out("1" * 100, len, len), workers._others[0].pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there an idle process ends after some minutes")
def test_no_process_outlives_a_parent_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _WAITS_WITH_A_WORKER], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        helper = int(parent.stdout.readline().split()[-1])
        os.kill(helper, 0)  # it is there
        parent.kill()
    assert _ends(helper)


def _ends(process: int) -> bool:
    for _ in range(600):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def _within(item: object) -> object:
    """An item that is a number is squared; others take more than they may."""
    if item == "time":
        return re.match(r"(a+)+b", "a" * 60)  # some thousand years, and no other thread of Python runs
    if item == "memory":
        return len(bytearray(3_000_000_000))
    if item == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    assert isinstance(item, int)
    return item * item, os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited there alone")
@pytest.mark.parametrize("processes", [1, 3])
def test_an_item_beyond_its_limits_is_lost_and_no_other(processes: int) -> None:
    items = [0, "time", 2, 3, "memory", 5, "crash", "time", *range(8, 100)]
    with Workers(processes, begin_after_s=0) as workers:
        outcomes = list(workers.map_within(Limits(seconds=0.5, memory_mb=1_000), _within, items))
    lost = {each.item: each.why for each in outcomes if isinstance(each, Lost)}
    assert lost == {"time": "time", "memory": "memory", "crash": "crash"}
    assert [isinstance(each, Lost) for each in outcomes] == [isinstance(each, str) for each in items]
    done = [each for each in outcomes if isinstance(each, tuple)]
    assert [square for square, _ in done] == [item * item for item in items if isinstance(item, int)]
    assert os.getpid() not in {process for _, process in done}


_WAITS_FOR_A_READER = """
import os, re
from ragassay.process import Limits, Process
process = Process()
process.submit(re.compile, "(a+)+b").result()
work = process.submit(re.compile("(a+)+b").match, "a" * 60, Limits(seconds=2, memory_mb=1000))
print(process.pid, flush=True)
work.exception()
"""


def test_what_only_waits_ends_after_ten_times_its_limit() -> None:
    with Workers(1) as workers:
        assert list(workers.map_within(Limits(0.1, 1_000), time.sleep, [0.5, 3_600])) == [None, Lost(3_600, "time")]


@pytest.mark.skipif(sys.platform == "win32", reason="there an idle process ends after some minutes")
def test_what_holds_the_interpreter_ends_with_its_limit_though_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _WAITS_FOR_A_READER], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        helper = int(parent.stdout.readline())
        parent.kill()
    assert _ends(helper)
