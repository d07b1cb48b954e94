"""What models and gateways do in their own ways: thoughts apart, several choices, other names, probabilities."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from asking import GOOD, MakeModel, asked_one

from ragassay.models.base import Reply
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.call_records import ServedBy, open_records
from ragassay.models.llm.chat_request import Sampling
from ragassay.models.llm.samplings import Samplings
from ragassay.models.openai_compatible import ONLY_THOUGHTS, OpenAICompatible
from ragassay.tasks.ratings import QUALITY_SCORES, QualityCase, QualityScore
from ragassay.tasks.verdicts import AnswerStatements

LAMP = AnswerStatements(items=("The lamp is red.",))
EXPECTED = Samplings(Sampling(expected_rating=True))


def scored(model: OpenAICompatible) -> Reply[QualityScore]:
    async def ask() -> Reply[QualityScore]:
        async with model:
            case = QualityCase(question="Which colour?", answer="Red.", context="The lamp is red.")
            return await model.ask(QUALITY_SCORES["faithfulness"], case)

    return asyncio.run(ask())


def with_logprobs(completion: dict[str, Any], *tokens: tuple[str, dict[str, float]]) -> dict[str, Any]:
    content = [
        {
            "token": token,
            "logprob": math.log(others[token]),
            "top_logprobs": [{"token": other, "logprob": math.log(chance)} for other, chance in others.items()],
        }
        for token, others in tokens
    ]
    completion["choices"][0]["logprobs"] = {"content": content}
    return completion


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_apart_are_kept_and_not_read(
    name: str, servers: Any, model_at: MakeModel, scripts: Any, log: CallLog
) -> None:
    server = servers.scripted(scripts.completion(GOOD, **{name: '{"statements": ["A draft."]}'}))
    assert asked_one(model_at(server.url)).value == LAMP
    with open_records(log.path.parent) as records:
        assert records.call(1)["aside"] == {"reasoning": '{"statements": ["A draft."]}'}
    # nothing but thoughts is no answer, and is asked about again
    empty = servers.scripted(scripts.completion("", reasoning_content=GOOD), GOOD)
    assert asked_one(model_at(empty.url)).value == LAMP
    assert empty.stats.requests == 2
    never = asked_one(model_at(servers.scripted(scripts.completion("", reasoning_content=GOOD)).url))
    assert (never.value, (never.reason or "").endswith(ONLY_THOUGHTS)) == (None, True)
    with open_records(log.path.parent) as records:
        assert [*records.problems()][-1].reason == ONLY_THOUGHTS


def test_of_several_choices_the_first_that_answers_counts(servers: Any, model_at: MakeModel, scripts: Any) -> None:
    refused, good, other = (
        scripts.completion(*given)["choices"][0]
        for given in (("", "content_filter"), (GOOD, "stop"), ('{"statements": []}', "stop"))
    )
    body = {"choices": [refused, good, other], "usage": {"prompt_tokens": 7, "completion_tokens": 9}}
    assert asked_one(model_at(servers.scripted(body).url)).value == LAMP
    alone = asked_one(model_at(servers.scripted({"choices": [refused]}).url))
    assert alone.reason == "a filter of the server cut the reply off"


@pytest.mark.parametrize(
    ("finish_reason", "reason"),
    [("SAFETY", "a filter of the server cut the reply off"), ("refusal", "the model refused, and said no more")],
)
def test_other_words_for_a_refusal(
    finish_reason: str, reason: str, servers: Any, model_at: MakeModel, scripts: Any
) -> None:
    server = servers.scripted(scripts.completion("", finish_reason))
    assert asked_one(model_at(server.url)).reason == reason
    assert server.stats.requests == 1


def test_another_model_than_asked_for_is_noted(servers: Any, model_at: MakeModel, scripts: Any, log: CallLog) -> None:
    for served in ("m", "m-large"):
        asked_one(model_at(servers.scripted({**scripts.completion(GOOD), "model": served}).url))
    with open_records(log.path.parent) as records:
        (found,) = records.served_by()
        assert found == ServedBy(records.call(2)["model"], "m-large", 1)
        assert records.served_by("label") == []


def test_a_score_is_a_mean_where_probabilities_are_given(
    servers: Any, model_at: MakeModel, scripts: Any, log: CallLog
) -> None:
    text = '{"reason": "All of it.", "score": 8}'
    tokens = (
        ('{"reason": "All of it.", "score": ', {'{"reason": "All of it.", "score": ': 1.0}),
        ("8", {"8": 0.5, "9": 0.25, "10": 0.25}),
        ("}", {"}": 1.0}),
    )
    server = servers.scripted(with_logprobs(scripts.completion(text), *tokens))
    reply = scored(model_at(server.url, samplings=EXPECTED))
    assert reply.value == QualityScore(score=8, reason="All of it.")
    assert reply.expected == {"score": pytest.approx(8 * 0.5 + 9 * 0.25 + 10 * 0.25)}
    assert (server.stub.bodies[0]["logprobs"], server.stub.bodies[0]["top_logprobs"]) == (True, 20)
    # the log answers with the same
    again = scored(model_at(server.url, samplings=EXPECTED))
    assert again.expected == reply.expected
    assert server.stats.requests == 1
    # unless it is asked for, nothing is; nor of tasks without a rating
    assert scored(model_at(server.url)).expected != {}  # a server that gives them all the same
    assert "logprobs" not in server.stub.bodies[1]
    plain = servers.scripted(GOOD)
    assert asked_one(model_at(plain.url, samplings=EXPECTED)).value == LAMP
    assert "logprobs" not in plain.stub.bodies[0]


@pytest.mark.parametrize(
    ("status", "said", "left"),
    [
        (400, "Requested sample logprobs of 20, which is greater than max allowed: 5", 5),
        (403, "You are not allowed to request logprobs from this model", None),
        (500, "logprobs is not supported for models created with logits_all=False", None),
    ],
)
def test_probabilities_that_are_refused_cost_no_score(
    status: int, said: str, left: int | None, servers: Any, model_at: MakeModel, scripts: Any
) -> None:
    refusals = [scripts.error(status, said)] * (1 if left else 2)
    server = servers.scripted(*refusals, '{"reason": "All of it.", "score": 8}')
    reply = scored(model_at(server.url, samplings=EXPECTED))
    assert reply.value is not None
    assert reply.expected == {}
    assert server.stub.bodies[-1].get("top_logprobs") == left
