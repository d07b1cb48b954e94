"""What servers say, in the words that they use, and what it means."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from ragassay.models.llm.server_replies import Answer, Busy, Fault, Hopeless, Refusal, Usage, chat_answer
from ragassay.models.llm.transport import Received


def outcome(status: int, body: Any, **headers: str) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = CIMultiDict({name.replace("_", "-"): value for name, value in headers.items()})
    return chat_answer(Received(status, named, data))


def said(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


RATE = "Rate limit reached for gpt-4 on requests per min. Add a payment method at https://x.example/account/billing."
TOO_MUCH = (
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048 tokens"
)

ASKED = (  # llama-cpp-python, vLLM
    "This model's maximum context length is 2048 tokens. However, you requested {} tokens ({} in the messages, 48 in "
    "the completion). Please reduce the length of the messages or completion."
)


@pytest.mark.parametrize(
    ("status", "body", "meaning"),
    [
        (429, said(RATE), Busy),
        (429, said("You exceeded your current quota, please check your plan", status="RESOURCE_EXHAUSTED"), Busy),
        (429, said("You exceeded your current quota", code="insufficient_quota"), Hopeless),
        (400, said("Too many tokens, please wait before trying again.", code="ThrottlingException"), Busy),
        (400, {"__type": "ThrottlingException", "message": "Too many requests, please wait."}, Busy),
        (503, b"<html><body>Overloaded</body></html>", Busy),
        (529, said("Overloaded"), Busy),
        (500, said("The server had an error while processing your request"), Fault),
        (502, b"", Fault),
        (408, b"", Fault),
        (500, said("failed to parse grammar"), Refusal),
        (400, said("Unsupported parameter: 'temperature' is not supported with this model."), Refusal),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, Refusal),
        (400, said("The model `x` does not exist", code="model_not_found"), Hopeless),
        (404, said('model "llama3.1" not found, try pulling it first'), Hopeless),
        (404, b"404 page not found", Hopeless),
        (401, {"error": "Unauthorized"}, Hopeless),
        (402, said("Insufficient Balance"), Hopeless),
        (302, b"", Hopeless),
        (400, said("This model's maximum context length is 8192 tokens."), Answer),
        (400, said("prompt is too long: 210000 tokens > 200000 maximum"), Answer),
        (400, said("the request exceeds the available context size, try increasing it"), Answer),
        (413, b"Payload Too Large", Refusal),
        (413, said("Request body exceeds the maximum content length"), Refusal),
        (413, said("the input is too long: maximum context is 512 tokens"), Answer),
        (400, said(TOO_MUCH), Refusal),
        (400, said(TOO_MUCH + " and your request has 2047 input tokens"), Refusal),
        (400, said(TOO_MUCH + " and your request has 2048 input tokens"), Answer),
        (400, said(ASKED.format(3079, 3031)), Answer),
        (400, said(ASKED.format(2095, 2047)), Refusal),
        (400, said("The response was filtered", code="content_filter"), Answer),
        (400, said("refused", type="content_policy_violation"), Answer),
        (400, said("refused", code="400", innererror={"code": "ResponsibleAIPolicyViolation"}), Answer),
        (400, said("no field 'moderation'; see our content policy, or the text was flagged"), Refusal),
        (422, said("safety system: unknown parameter"), Refusal),
        (403, said("Your input was flagged by moderation"), Hopeless),
        (403, said("refused", code="content_filter"), Hopeless),
        (200, said("Provider returned error", code=502), Fault),
        (200, b"", Fault),
        (200, [], Fault),
    ],
)
def test_meanings(status: int, body: Any, meaning: type) -> None:
    found = outcome(status, body)
    assert type(found) is meaning
    if isinstance(found, Answer):
        assert found.failure
        assert found.usage == Usage(0, 0)
    else:
        assert f"HTTP {502 if 'Provider' in found.reason else status}" in found.reason or status == 200


@pytest.mark.parametrize("page", [b"<!DOCTYPE html><title>Log in</title>", b" \n<html>", b"<?xml version='1.0'?><a/>"])
def test_a_web_page_in_place_of_json_is_said(page: bytes) -> None:
    found = outcome(200, page)
    assert isinstance(found, Fault)
    assert found.of_address
    assert found.reason.startswith("it returned a web page instead of JSON")
    assert not outcome(200, b"no page").of_address


NAMES = [
    "choices",
    "message",
    "content",
    "error",
    "code",
    "usage",
    "prompt_tokens",
    "finish_reason",
    "refusal",
    "detail",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=20,
)


@given(st.sampled_from([200, 204, 400, 429, 500]), VALUES | st.binary(max_size=40))
def test_nothing_that_a_server_sends_is_an_error_of_ours(status: int, body: Any) -> None:
    found = outcome(status, body)
    assert isinstance(found, (Answer, Busy, Fault, Hopeless, Refusal))
