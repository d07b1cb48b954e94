"""The client against a real server: llama-cpp-python with the small language model's weights.

What the model answers is poor; that it is asked, counted, read, repaired and logged as with any server is the point.
``make test-server`` installs the server into an environment of its own and runs these tests.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asking import MakeModel, asked, asked_one
from llama_server import PYTHON_VARIABLE, Server, python_with_llama, running

from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.models.small.weights import find_weights
from ragassay.tasks.verdicts import AnswerToQuestion

PYTHON = python_with_llama()
KEY = "sk-of-the-real-server"
CONTEXT = 1024
SHORT, LONG = ({"extra_body": {"max_tokens": tokens}} for tokens in (4, 64))

pytestmark = [
    pytest.mark.real_server,
    pytest.mark.skipif(
        PYTHON is None, reason=f"llama-cpp-python is not installed, nor named by {PYTHON_VARIABLE}: make test-server"
    ),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert PYTHON is not None
    log = tmp_path_factory.mktemp("server") / "server.log"
    with running(PYTHON, find_weights(), log, "--context", str(CONTEXT), "--key", KEY) as started:
        yield started


@pytest.fixture
def model_there(server: Server, model_at: MakeModel) -> Callable[..., OpenAICompatible]:
    def make(**options: Any) -> OpenAICompatible:
        # One call at a time: the server does no more, and machines that test may be slow.
        limits = {"max_in_flight": 1, "call_timeout_s": 300.0} | options.pop("limits", {})
        return model_at(server.url, **{"key": KEY, "endpoint": SHORT, "limits": limits} | options)

    return make


def calls(log: CallLog) -> list[dict[str, Any]]:
    with sqlite3.connect(log.path) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute("SELECT * FROM calls ORDER BY id")]


def test_replies_are_counted_and_logged(model_there: Callable[..., OpenAICompatible], log: CallLog) -> None:
    budget = Budget()
    model = model_there(endpoint=LONG, budget=budget)
    reply = asked_one(model)
    assert model.dialect.format == "json_object_schema"
    made = calls(log)
    assert budget.spent.calls == len(made) >= 1
    assert budget.spent.prompt_tokens == sum(call["prompt_tokens"] for call in made)
    assert reply.effort is not None
    assert reply.effort.output_tokens == sum(call["completion_tokens"] for call in made)
    for call in made:
        assert not call["tokens_estimated"]
        assert 0 < call["completion_tokens"] <= 64
        assert (call["finish_reason"] in {"stop", "length"}, call["failure"]) == (True, None)
    # What the schema holds the reply to, unless it was cut off, is what is read.
    last = made[-1]
    assert (reply.value is not None) == (last["unreadable"] is None)
    assert last["reply"].lstrip().startswith("{")


def test_a_text_longer_than_the_context_is_an_answer_and_costs_the_others_nothing(
    model_there: Callable[..., OpenAICompatible], log: CallLog
) -> None:
    model = model_there()
    [reply] = asked(model, [AnswerToQuestion(question="What?", answer="word " * CONTEXT)])
    assert "too long for the model" in str(reply.reason)
    assert f"maximum context length is {CONTEXT} tokens" in str(reply.reason)
    assert model.dialect.length_name == "max_tokens"
    assert [call["finish_reason"] for call in calls(log)] == ["context_length"]
