"""The stub server of the benchmarks, one that follows a script, and models that ask them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import stub_server
from aiohttp import web

from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.pace import Limits
from ragassay.models.openai_compatible import OpenAICompatible

KEY = "sk-very-secret-0123456789"


class Scripted(stub_server.Stub):
    """Replies in the order of a script: a text, an object as the whole body, or (status, object, headers)."""

    def __init__(self, script: list[Any]) -> None:
        super().__init__(stub_server.Settings())
        self.script = script
        self.seen: list[tuple[str, Mapping[str, str]]] = []
        self.keeps_bodies = True

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.seen.append((request.path_qs, request.headers))
        self.stats.requests += 1
        reply = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(reply, str):
            reply = completion(reply)
        status, body, headers = reply if isinstance(reply, tuple) else (200, reply, {})
        if isinstance(body, str):
            return web.Response(status=status, text=body, headers=headers)
        return web.json_response(body, status=status, headers=headers)


def completion(text: str | None, finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish_reason}
    return {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **fields: Any) -> tuple[Any, ...]:
    return status, {"error": {"message": message, **fields}}, dict(headers or {})


class Servers:
    """Starts servers that are stopped after the test."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def stub(self, **settings: Any) -> stub_server.RunningStub:
        server = self._stack.enter_context(stub_server.running(**settings))
        server.stub.keeps_bodies = True
        return server

    def scripted(self, *script: Any) -> stub_server.RunningStub:
        server = stub_server.RunningStub(Scripted(list(script)))
        self._stack.callback(server.stop)
        return server


@pytest.fixture(autouse=True)
def the_first_goes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes on a busy machine, for tests that count what is sent after it."""
    monkeypatch.setattr("ragassay.models.llm.pace.FIRST_ALONE_S", 60.0)


@pytest.fixture
def servers() -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(stack)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CallLog]:
    with CallLog(tmp_path / "run" / LOG_FILE) as opened:
        yield opened


@pytest.fixture
def model_at(log: CallLog) -> Callable[..., OpenAICompatible]:
    """A model at a URL, with shorter waits than by default."""

    def make(url: str, *, budget: Budget | None = None, key: str | None = None, **options: Any) -> OpenAICompatible:
        limits = Limits(**{"max_in_flight": 16, "call_timeout_s": 60.0, "patience_s": 60.0} | options.pop("limits", {}))
        endpoint = Endpoint(f"{url}#m", url, "m", key, "RAGASSAY_API_KEY", **options.pop("endpoint", {}))
        return OpenAICompatible(endpoint, options.pop("log", log), budget or Budget(), limits=limits, **options)

    return make


@pytest.fixture
def scripts() -> type:
    """``completion`` and ``error`` for scripts."""

    class Made:
        completion = staticmethod(completion)
        error = staticmethod(error)
        key = KEY

    return Made
