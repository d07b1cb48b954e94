"""Questions put to a system that breaks its rules or is gone: each ends as one prediction, or stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from ragassay.jobs.answer.loop import IN_A_ROW, ask_system
from ragassay.records import Prediction
from ragassay.systems.base import Question, Take, UnusableSystemError


class Odd:
    """A system of a function that is told questions one batch at a time."""

    name = "odd"
    most_at_once = 2

    def __init__(self, behave: Callable[[Question, Take], None], batch: int = 1) -> None:
        self.batch = batch
        self._behave = behave

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        for question in questions:
            self._behave(question, take)

    async def close(self) -> None:
        pass


def fine(question: Question) -> Prediction:
    return Prediction(example_id=question.id, system="odd", chunks=(), answer="x")


def asked(behave: Callable[[Question, Take], None], n: int = 50, batch: int = 1) -> dict[str, Prediction]:
    made: dict[str, Prediction] = {}

    def take(prediction: Prediction) -> None:
        assert prediction.example_id not in made
        made[prediction.example_id] = prediction

    questions = [Question(f"q{number}", "?") for number in range(n)]
    asyncio.run(ask_system(Odd(behave, batch), questions, take))
    return made


def test_systems_that_break_the_rules_still_account_for_all() -> None:
    def behave(question: Question, take: Take) -> None:
        number = int(question.id[1:])
        if number % 5 == 0:
            raise ZeroDivisionError("by\nzero")
        if number % 5 == 1:
            return  # says nothing
        take(fine(question))
        take(fine(question))  # says it twice
        take(fine(SimpleNamespace(id="q999")))  # and of what nobody asked

    made = asked(behave)
    assert len(made) == 50
    assert made["q5"].error == "ZeroDivisionError: by zero"
    assert made["q6"].error == "no answer: the system returned nothing for this question"
    assert made["q7"].error is None


def test_what_a_batch_told_before_it_broke_is_kept() -> None:
    def behave(question: Question, take: Take) -> None:
        if question.id == "q7":
            raise ZeroDivisionError
        take(fine(question))

    made = asked(behave, n=12, batch=6)
    assert [name for name, each in made.items() if each.error] == [f"q{number}" for number in range(7, 12)]


def test_what_cannot_be_kept_is_a_failure_and_not_lost() -> None:
    made: dict[str, Prediction] = {}

    def take(prediction: Prediction) -> None:
        if prediction.answer == "unkeepable":
            raise ValueError("no file can hold it")
        made[prediction.example_id] = prediction

    def behave(question: Question, tell: Take) -> None:
        tell(replace(fine(question), answer="unkeepable") if question.id == "q3" else fine(question))

    questions = [Question(f"q{number}", "?") for number in range(6)]
    asyncio.run(ask_system(Odd(behave), questions, take))
    assert sorted(made) == ["q0", "q1", "q2", "q3", "q4", "q5"]
    assert [each.error for each in made.values() if each.error] == ["ValueError: no file can hold it"]


def test_a_few_refusals_at_first_do_not_end_the_work() -> None:
    def behave(question: Question, take: Take) -> None:
        if question.id in ("q0", "q1"):
            raise UnusableSystemError("odd", "HTTP 404")
        take(fine(question))

    made = asked(behave)
    assert [name for name, each in made.items() if each.error] == ["q0", "q1"]
    assert made["q0"].error == "HTTP 404"


def test_a_system_that_is_gone_ends_the_work_and_leaves_questions_open() -> None:
    made: dict[str, Prediction] = {}

    def behave(question: Question, take: Take) -> None:
        if int(question.id[1:]) >= 10:
            raise UnusableSystemError("odd", "not connected", "refused")
        take(fine(question))

    questions = [Question(f"q{number}", "?") for number in range(100)]

    def take(prediction: Prediction) -> None:
        made[prediction.example_id] = prediction

    with pytest.raises(UnusableSystemError, match="odd: not connected: refused"):
        asyncio.run(ask_system(Odd(behave), questions, take))
    assert list(made) == [f"q{number}" for number in range(10)]
    # fewer than that are failures like others
    made = asked(behave, n=10 + IN_A_ROW - 1)
    assert sum(each.error is not None for each in made.values()) == IN_A_ROW - 1
