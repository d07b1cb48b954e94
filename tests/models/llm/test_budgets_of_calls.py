"""Limits on what calls may cost: what is under way counts, and what is not billed does not."""

from __future__ import annotations

from typing import Any

from asking import GOOD, MakeModel, asked, inputs, values

from ragassay.models.llm.budget import Budget


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
