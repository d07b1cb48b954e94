"""Questions, and what became of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from ragassay.records import Prediction
from ragassay.systems.base import Question, System

Answered = Callable[..., dict[str, Prediction]]


@pytest.fixture
def answered() -> Answered:
    """A system's predictions for some questions, by id; ``a`` and ``b`` if none are given."""

    def run(system: System, questions: Sequence[Question] = ()) -> dict[str, Prediction]:
        made: dict[str, Prediction] = {}
        asked = questions or [Question("a", "When did it open?"), Question("b", "How long is it?")]

        def take(prediction: Prediction) -> None:
            assert prediction.example_id not in made
            made[prediction.example_id] = prediction

        async def work() -> None:
            try:
                await system.answer(asked, take)
            finally:
                await system.close()

        asyncio.run(work())
        return made

    return run
