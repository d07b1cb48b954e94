"""Limits of what may be spent: never passed by more than calls were underestimated, whatever the order of events."""

from __future__ import annotations

import threading

import pytest

from ragassay.errors import UsageError
from ragassay.models.llm.budget import Budget, Spent, check_budget
from ragassay.models.llm.prices import Prices


def made(budget: Budget, prompt_tokens: int, completion_tokens: int, cost: float | None) -> bool:
    """A call that takes what it was expected to take; whether it was let through."""
    reservation = budget.reserve(prompt_tokens, completion_tokens, cost)
    if reservation is not None:
        reservation.settle(prompt_tokens, completion_tokens, cost)
    return reservation is not None


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
    budget = Budget(max_tokens=100)
    first = budget.reserve(20, 60, None)
    assert first is not None
    assert budget.reserve(20, 60, None, may_wait=True) is None
    assert budget.reached is None
    first.settle(20, 0, None)  # 20 + 80 fit
    second = budget.reserve(20, 60, None, may_wait=True)
    assert second is not None
    second.settle(20, 1, None)
    assert budget.reserve(20, 60, None, may_wait=True) is None  # 41 + 80, with nobody to wait for
    assert budget.reached == "--max-tokens 100 reached"


def test_many_threads_never_go_over() -> None:
    budget = Budget(max_calls=500, max_cost=4.0)

    def work() -> None:
        while (reservation := budget.reserve(10, 10, 0.01)) is not None:
            reservation.settle(10, 10, 0.01)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # 4 dollars are 400 calls; other threads' open reservations may end it a few calls earlier, never later
    assert 392 < budget.spent.calls <= 400
    assert budget.spent.cost_usd <= 4.0 + 1e-9


def test_dollars_cannot_limit_what_has_no_price() -> None:
    prices = Prices.load()
    check_budget(Budget(max_cost=1), prices, ["openai:gpt-4o-mini", "ollama:llama3.1"])
    check_budget(Budget(max_calls=1), prices, ["openai:gpt-99"])
    with pytest.raises(
        UsageError, match=r"--max-cost: no price for openai:gpt-99, so its cost cannot be limited; add it with"
    ):
        check_budget(Budget(max_cost=1), prices, ["openai:gpt-4o-mini", "openai:gpt-99"])


def test_what_is_reserved_counts_until_it_is_settled() -> None:
    budget = Budget(max_tokens=100)
    first = budget.reserve(40, 20, None)
    assert first is not None
    first.settle(10, 5, None)  # 15 instead of 60
    second = budget.reserve(70, 15, None)
    assert second is not None
    second.cancel()
    second.settle(70, 15, None)  # changes nothing any more
    first.cancel()
    assert budget.spent == Spent(1, 10, 5, 0.0, 1)
    assert budget.reserve(70, 16, None) is None  # 15 + 86
    assert budget.reserve(1, 0, None) is None
    assert budget.reached == "--max-tokens 100 reached"
