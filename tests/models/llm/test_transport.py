"""Connections: proxies of the environment, and what never leaves or comes back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.models.llm.endpoints import Endpoint, endpoint_of
from ragassay.models.llm.transport import NotReceived, Received, Transport


def posted(transport: Transport, *, timeout_s: float = 60.0) -> Received:
    async def post() -> Received:
        try:
            return await transport.post("/chat/completions", b'{"messages": []}', timeout_s=timeout_s)
        finally:
            await transport.close()

    return asyncio.run(post())


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://api.example/v1", "http://proxy.example:3128"),
        ("https://inside.example/v1", None),
        ("http://api.example/v1", None),
        ("http://127.0.0.1:8000/v1", None),
        ("http://localhost:8000/v1", None),
        ("http://[::1]:8000/v1", None),
    ],
)
def test_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch, url: str, proxy: str | None) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert Transport(Endpoint("e", url, "m"), 60.0)._proxy == proxy


def test_a_reply_that_never_ends_is_cut_off(servers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragassay.models.llm.transport.MAX_REPLY_BYTES", 1000)
    server = servers.scripted((200, "x" * 2000, {}))
    with pytest.raises(NotReceived, match="sent a reply of more than") as raised:
        posted(Transport(Endpoint("e", server.url, "m"), 60.0))
    assert raised.value.kind == "too long"


@pytest.mark.parametrize(("settings", "trouble"), [({"hung": 1.0}, "time-out"), ({"cut": 1.0}, "cut")])
def test_what_became_of_a_request_is_told_apart(servers: Any, settings: dict[str, float], trouble: str) -> None:
    server = servers.stub(**settings)
    with pytest.raises(NotReceived) as raised:
        posted(Transport(Endpoint("e", server.url, "m"), 60.0), timeout_s=1.0)
    assert (raised.value.kind, raised.value.billed) == (trouble, True)
    with pytest.raises(NotReceived) as raised:
        posted(Transport(Endpoint("e", "http://127.0.0.1:9/v1", "m"), 60.0))
    assert (raised.value.kind, raised.value.billed) == ("not connected", False)


@pytest.mark.parametrize(("key", "header"), [("0123456789abcdef", "api-key"), ("eyJ0eXAi.e30.x", "Authorization")])
def test_azure_gets_its_version_and_its_header(servers: Any, key: str, header: str) -> None:
    server = servers.scripted("{}")
    url = f"{server.url}?api-version=2024-10-21"
    endpoint = endpoint_of(f"{url}#gpt", {"RAGASSAY_API_KEY": key})
    assert (endpoint.name, endpoint.base_url) == (f"{url}#gpt", server.url)
    assert posted(Transport(endpoint, 60.0)).status == 200
    ((path, headers),) = server.stub.seen
    assert path == "/v1/chat/completions?api-version=2024-10-21"
    assert {name: headers.get(name, "").removeprefix("Bearer ") for name in ("api-key", "Authorization")} == {
        "api-key": "",
        "Authorization": "",
        header: key,
    }
