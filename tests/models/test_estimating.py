"""What a run will cost: the real prompts, counted once each, and replies of the length that is to be expected."""

from __future__ import annotations

import asyncio

import pytest

from ragassay.models.base import Reply
from ragassay.models.estimating import Estimates, EstimatingModel, reply_tokens, total
from ragassay.models.llm.prices import Price, Prices
from ragassay.models.llm.token_counts import estimate_chat_tokens
from ragassay.models.scripted import ScriptedModel
from ragassay.tasks.critique import LABEL, LabelVerdict, Pair
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerToQuestion

FACT = LabelVerdict(label="fact_single", reason="The context says so.")
PAIRS = [Pair(context=f"Lamp {n} is red.", question="Which colour has it?") for n in range(3)]
SAID = AnswerToQuestion(question="Which colour has it?", answer="It is red. It is old.")
PRICES = Prices({"small": Price(prompt=1.0, completion=10.0)})


def estimated(name: str = "https://gateway.example/v1#small") -> tuple[EstimatingModel, Estimates]:
    inner = ScriptedModel({"label": FACT, "answer_statements": Reply(None, "nothing")})
    estimates = Estimates(PRICES)
    return EstimatingModel(inner, name, estimates), estimates


def test_the_real_prompts_are_counted_by_stage_and_task() -> None:
    model, estimates = estimated()
    estimates.stage = "make examples"
    assert asyncio.run(model.ask_all(LABEL, PAIRS)) == [Reply(FACT)] * 3
    estimates.stage = "judge"
    assert asyncio.run(model.ask(ANSWER_STATEMENTS, SAID)) == Reply(None, "nothing")
    first, second = estimates.rows()
    prompt_tokens = sum(estimate_chat_tokens(messages_for(LABEL, pair)) for pair in PAIRS)
    completion_tokens = 3 * reply_tokens(LABEL.filled_in, FACT)
    assert (first.stage, first.task, first.calls) == ("make examples", "label", 3)
    assert (first.prompt_tokens, first.completion_tokens) == (prompt_tokens, completion_tokens)
    # 1 dollar for a million tokens of prompts, 10 for those of replies
    assert first.cost_usd == pytest.approx(prompt_tokens / 1e6 + completion_tokens / 1e5)
    assert (second.stage, second.task, second.calls) == ("judge", "answer_statements", 1)
    both = total([first, second])
    assert (both.calls, both.prompt_tokens) == (4, first.prompt_tokens + second.prompt_tokens)
    assert both.cost_usd == pytest.approx((first.cost_usd or 0) + (second.cost_usd or 0))


def test_an_unknown_price_makes_no_number() -> None:
    model, estimates = estimated("openai:gpt-99")
    free, _ = estimated("ollama:llama3.1")
    asyncio.run(model.ask(LABEL, PAIRS[0]))
    assert total(estimates.rows()).cost_usd is None
    assert total(estimates.rows()).prompt_tokens > 0
    assert total([]).cost_usd == 0
    assert free.name == "ollama:llama3.1"
