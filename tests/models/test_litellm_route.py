"""The way through litellm, with a module in its place that answers and fails as it does."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ragassay.errors import ModelError
from ragassay.models.base import Reply
from ragassay.models.litellm_route import LitellmTransport
from ragassay.models.llm.endpoints import endpoint_of
from ragassay.models.llm.server_replies import Busy, Hopeless, Refusal, chat_answer
from ragassay.models.llm.transport import Received

ENDPOINT = endpoint_of("litellm:anthropic/small", {"RAGASSAY_HEADERS": '{"X-Team": "search"}'})
BODY = json.dumps({"model": "anthropic/small", "messages": [{"role": "user", "content": "Hm?"}], "seed": 1}).encode()
ANSWER = {
    "choices": [{"finish_reason": "stop", "message": {"content": "Yes."}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 2},
}


class ProviderError(Exception):
    """As litellm raises them. status, headers: of the provider's reply."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status_code = status
        self.response = SimpleNamespace(headers=headers or {})


Respond = Callable[..., Awaitable[Any]]


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> Callable[[Respond], ModuleType]:
    def install(respond: Respond) -> ModuleType:
        module = ModuleType("litellm")
        module.acompletion = respond  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "litellm", module)
        monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
        return module

    return install


def post(timeout_s: float = 5.0) -> Received:
    return asyncio.run(LitellmTransport(ENDPOINT).post("/chat/completions", BODY, timeout_s=timeout_s))


def answers(**fields: Any) -> Any:
    return SimpleNamespace(model_dump_json=lambda: json.dumps(ANSWER | fields))


def test_a_request_goes_through_as_it_is(litellm: Callable[[Respond], ModuleType]) -> None:
    asked: list[dict[str, Any]] = []

    async def respond(**fields: Any) -> Any:
        asked.append(fields)
        return answers()

    module = litellm(respond)
    found = chat_answer(post())
    assert (found.text, found.usage.prompt_tokens, found.finish_reason) == ("Yes.", 7, "stop")  # type: ignore[union-attr]
    assert asked == [
        {**json.loads(BODY), "extra_headers": {"X-Team": "search"}, "timeout": 5.0, "num_retries": 0, "max_retries": 0}
    ]
    assert (module.telemetry, module.suppress_debug_info) == (False, True)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (ProviderError(401, "litellm.AuthenticationError: AnthropicException - no key"), Hopeless),
        (ProviderError(404, "litellm.NotFoundError: no such model"), Hopeless),
        (ProviderError(429, "litellm.RateLimitError: slow down", {"Retry-After": "3"}), Busy),
        (
            ProviderError(400, "litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed']"),
            Refusal,
        ),
    ],
)
def test_errors_are_read_as_those_of_a_server(
    litellm: Callable[[Respond], ModuleType], failure: ProviderError, expected: type
) -> None:
    async def respond(**_: Any) -> Any:
        raise failure

    litellm(respond)
    received = post()
    assert received.status == failure.status_code
    found = chat_answer(received)
    assert isinstance(found, expected)
    assert "litellm" not in found.reason
    if isinstance(found, Busy):
        assert found.wait_s == 3


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(ModelError, match=r"pip install 'ragassay\[litellm\]'"):
        LitellmTransport(ENDPOINT)


def test_a_task_through_litellm_is_logged(litellm: Callable[[Respond], ModuleType], tmp_path: Path) -> None:
    from ragassay.models.llm.budget import Budget
    from ragassay.models.llm.call_log import LOG_FILE, CallLog
    from ragassay.models.openai_compatible import OpenAICompatible
    from ragassay.tasks.statements import THEME, Passage, Theme

    asked: list[dict[str, Any]] = []

    async def respond(**fields: Any) -> Any:
        asked.append(fields)
        message = {"content": '{"theme": "Lamps of Skaldar"}'}
        return answers(choices=[{"finish_reason": "stop", "message": message}])

    litellm(respond)
    passage = Passage(title="Lamps", text="The lamps of Skaldar are red.")

    async def ask_twice() -> list[Reply[Theme]]:
        with CallLog(tmp_path / LOG_FILE) as log:
            async with OpenAICompatible(ENDPOINT, log, Budget()) as model:
                return [await model.ask(THEME, passage) for _ in range(2)]

    assert asyncio.run(ask_twice()) == [Reply(Theme(text="Lamps of Skaldar"))] * 2
    assert len(asked) == 1
    assert asked[0]["model"] == "anthropic/small"
