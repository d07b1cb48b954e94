"""Questions to models behind OpenAI's protocol, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from ragassay.models.base import Reply
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerStatements, AnswerToQuestion

MakeModel = Callable[..., OpenAICompatible]
GOOD = '{"statements": ["The lamp is red."]}'


def inputs(n: int) -> list[AnswerToQuestion]:
    return [
        AnswerToQuestion(question=f"Question {i}?", answer=f"Lamp {i} is red. It was lit in 1899.") for i in range(n)
    ]


def asked(model: OpenAICompatible, given: Sequence[AnswerToQuestion]) -> list[Reply[AnswerStatements]]:
    """All replies, and the connections closed."""

    async def ask() -> list[Reply[AnswerStatements]]:
        async with model:
            return await model.ask_all(ANSWER_STATEMENTS, given)

    return asyncio.run(ask())


def asked_one(model: OpenAICompatible) -> Reply[AnswerStatements]:
    return asked(model, inputs(1))[0]


def values(replies: Sequence[Reply[Any]]) -> int:
    return sum(reply.value is not None for reply in replies)
