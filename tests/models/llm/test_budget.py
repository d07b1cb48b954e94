"""Limits of what may be spent: never passed by more than calls were underestimated, whatever the order of events."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from asking import GOOD, MakeModel, asked, inputs, values

from ragassay.errors import UsageError
from ragassay.models.llm.budget import Budget, Spent, check_budget, spent_on
from ragassay.models.llm.prices import Prices


def made(budget: Budget, prompt_tokens: int, completion_tokens: int, cost: float | None) -> bool:
    """A call that takes what it was expected to take; whether it was let through."""
    call = spent_on(prompt_tokens, completion_tokens, cost)
    if has_room := budget.reserve(call):
        budget.settle(call, call)
    return has_room


def test_calls_tokens_and_dollars() -> None:
    calls, tokens, dollars = Budget(max_calls=2), Budget(max_tokens=250), Budget(max_cost=0.3)
    assert [made(calls, 90, 10, None) for _ in range(3)] == [True, True, False]
    # 100 + 100 fit into 250, 300 do not; 50 would, but it is over by then
    assert [made(tokens, 90, each, None) for each in (10, 10, 10)] == [True, True, False]
    assert not made(tokens, 50, 0, None)
    # 0.1 + 0.1 + 0.1 is 0.30000000000000004: no more than asked for
    assert [made(dollars, 1, 1, 0.1) for _ in range(4)] == [True, True, True, False]
    assert [each.reached for each in (calls, tokens, dollars)] == [
        "--max-calls 2 reached",
        "--max-tokens 250 reached",
        "--max-cost 0.3 reached",
    ]
    assert calls.spent == Spent(calls=2, prompt_tokens=180, completion_tokens=20, unpriced=2)


def test_a_call_may_wait_for_what_others_have_reserved() -> None:
    budget, call = Budget(max_tokens=100), spent_on(20, 60, None)
    assert budget.reserve(call)
    assert not budget.reserve(call)
    assert budget.reached is None
    budget.settle(call, spent_on(20, 0, None))  # 20 + 80 fit
    assert budget.reserve(call)
    budget.settle(call, None)  # it was not made
    assert made(budget, 20, 1, None)
    assert budget.spent == Spent(2, 40, 1, 0.0, 2)
    assert not budget.reserve(call)  # 41 + 80, with nobody to wait for
    assert budget.reached == "--max-tokens 100 reached"
    assert not budget.reserve(spent_on(1, 0, None))


def test_many_threads_never_go_over() -> None:
    budget = Budget(max_calls=500, max_cost=4.0)

    def work() -> None:
        while budget.reached is None:
            made(budget, 10, 10, 0.01)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent.calls == 400  # 4 dollars
    assert budget.spent.cost_usd <= 4.0 + 1e-9


def test_dollars_cannot_limit_what_has_no_price() -> None:
    prices = Prices.load()
    check_budget(Budget(max_cost=1), prices, ["openai:gpt-4o-mini", "ollama:llama3.1"])
    check_budget(Budget(max_calls=1), prices, ["openai:gpt-99"])
    with pytest.raises(
        UsageError, match=r"--max-cost: no price for openai:gpt-99, so its cost cannot be limited; add it with"
    ):
        check_budget(Budget(max_cost=1), prices, ["openai:gpt-4o-mini", "openai:gpt-99"])


def test_a_budget_stops_cleanly_and_the_next_run_goes_on(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    replies = asked(model_at(server.url, budget=Budget(max_calls=7)), inputs(20))
    assert values(replies) == server.stats.requests == 7
    reasons = {reply.reason for reply in replies if reply.value is None}
    assert reasons == {"budget reached: --max-calls 7 reached"}
    budget = Budget(max_calls=13, max_tokens=1_000_000, max_cost=1.0)
    assert values(asked(model_at(server.url, budget=budget), inputs(20))) == 20
    assert server.stats.requests == 20
    assert budget.spent.calls == 13


def test_long_replies_do_not_pass_a_limit(servers: Any, model_at: MakeModel, scripts: Any) -> None:
    # 1 000 tokens each, as long as they may be; expected without a limit of their own are 300
    server = servers.scripted(scripts.completion(GOOD) | {"usage": {"prompt_tokens": 200, "completion_tokens": 1000}})
    endpoint = {"extra_body": {"max_tokens": 1000}}
    budget = Budget(max_tokens=6000)
    replies = asked(model_at(server.url, budget=budget, endpoint=endpoint), inputs(20))
    spent = budget.spent.prompt_tokens + budget.spent.completion_tokens
    assert values(replies) == server.stats.requests
    assert 6000 - 1000 - 500 < spent <= 6000
    assert budget.reached == "--max-tokens 6000 reached"


def test_retries_that_are_not_billed_take_nothing_from_the_budget(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(busy=0.5, retry_after="0.01", first_tries_only=True)
    budget = Budget(max_calls=20)
    assert values(asked(model_at(server.url, budget=budget, limits={"max_in_flight": 1}), inputs(20))) == 20
    assert server.stats.requests > 20
    assert budget.spent.calls == 20
