"""Slots: how many, in which order, and what a busy server changes about them."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from ragassay.models.llm.pace import Limits, Pace, Vigil


def test_the_first_goes_alone_and_the_others_in_order() -> None:
    async def run() -> list[int]:
        pace = Pace(Limits(max_in_flight=2))
        order: list[int] = []

        async def call(number: int) -> None:
            assert await pace.enter()
            order.append(number)
            await asyncio.sleep(0.01)
            pace.leave()
            pace.went_well()

        calls = [asyncio.create_task(call(number)) for number in range(6)]
        await asyncio.sleep(0.001)
        assert order == [0]
        await asyncio.gather(*calls)
        return order

    assert asyncio.run(run()) == [0, 1, 2, 3, 4, 5]


def test_a_few_refusals_change_nothing_and_many_narrow_and_pause() -> None:
    async def run() -> None:
        pace = Pace(Limits(max_in_flight=64))
        pace.open()
        for _ in range(20):  # one in five
            pace.was_pushed_back(time.monotonic(), 5.0)
            for _ in range(4):
                pace.went_well()
        assert pace.room == 64
        for _ in range(40):
            started = time.monotonic()
            pace.was_pushed_back(started, 0.05)
        assert pace.room < 64
        assert await pace.enter()
        assert time.monotonic() - started >= 0.04  # all wait now
        pace.leave()
        for _ in range(300):
            pace.went_well()
        assert pace.room == 64

    asyncio.run(run())


def test_a_pause_beyond_patience_gives_no_slot() -> None:
    async def run() -> None:
        pace = Pace(Limits(patience_s=1.0))
        pace.was_pushed_back(time.monotonic(), 3600.0)
        assert not await pace.enter()

    asyncio.run(run())


def test_one_long_wait_is_said_when_it_begins_and_one_time_out_when_it_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, "ragassay")
    Vigil("a", 600).failed("HTTP 429", wait_s=300)
    Vigil("b", 600).failed("time-out", took_s=120)
    Vigil("c", 600).failed("HTTP 429", wait_s=3600)  # longer than it is waited for: the run is stopped, and says so
    Vigil("d", 600).failed("HTTP 500", took_s=1, wait_s=5)
    answered = Vigil("e", 600)
    answered.answered()
    answered.failed("time-out", took_s=120)  # others were answered meanwhile
    assert [each[:2] for each in caplog.messages] == ["a:", "b:"]
    assert all(words in caplog.messages[0] for words in ("HTTP 429", "300 s", "until", "Ctrl-C"))
    assert all(words in caplog.messages[1] for words in ("time-out", "120 s", "until", "Ctrl-C"))
