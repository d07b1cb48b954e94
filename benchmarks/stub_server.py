"""A stand-in for a server of language models: OpenAI's protocol, made-up replies, troubles at will.

    python benchmarks/stub_server.py --port 8100 --latency-ms 200 --busy 0.2

POST /v1/chat/completions, POST /v1/embeddings, GET /stats; its options are the fields of ``Settings``.

A reply holds what the schema of the request asks for; without a schema, what the list of fields in the system message
asks for. Texts are taken from the user message, numbers refer to its numbered lines, so that replies fit the input. A
reply depends on nothing but the messages, a trouble on the messages, the seed and how often the same came before.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import hashlib
import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from aiohttp import web
from stub_replies import Chat, embedding, made_up, schema_of, spoiled

FORMATS = ("json_schema", "json_object_schema", "json_object", "text")


@dataclasses.dataclass
class Settings:
    """Troubles are shares of all requests that meet them, in [0, 1]; a request meets one of them at most.

    busy: 429, with retry_after as its header unless that is empty. broken: 500, 502 or 503. malformed: a reply that is
    no valid JSON, or not what was asked for. hung: no reply, ever. cut: the connection ends before the reply. refused:
    the model declines. first_tries_only: only the first request with the same messages meets trouble. formats: those
    of ``response_format`` that are accepted. obeys_formats: without it, replies are JSON between words.
    unknown_fields: refused with 400. key: what the Authorization header has to hold. model: the only one there is, if
    not empty. dimensions: of embeddings. base64: whether embeddings come in that form when asked for. silent_from: the
    request of this number and all after it get no reply, ever; 0: none.
    """

    latency_ms: float = 0.0
    busy: float = 0.0
    retry_after: str = "0.2"
    broken: float = 0.0
    malformed: float = 0.0
    hung: float = 0.0
    cut: float = 0.0
    refused: float = 0.0
    first_tries_only: bool = False
    formats: tuple[str, ...] = FORMATS
    obeys_formats: bool = True
    unknown_fields: tuple[str, ...] = ()
    key: str = ""
    model: str = ""
    dimensions: int = 64
    base64: bool = True
    silent_from: int = 0
    seed: int = 0


TROUBLES = ("busy", "broken", "malformed", "hung", "cut", "refused")


@dataclasses.dataclass
class Stats:
    """requests: all that came, by what became of them in ``outcomes``. answered: messages to how often they were."""

    requests: int = 0
    embedded_texts: int = 0
    outcomes: Counter[str] = dataclasses.field(default_factory=Counter)
    seen: Counter[str] = dataclasses.field(default_factory=Counter)
    answered: Counter[str] = dataclasses.field(default_factory=Counter)

    def summary(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "embedded_texts": self.embedded_texts,
            "outcomes": dict(self.outcomes),
            "distinct": len(self.answered),
            "answered_again": sum(n - 1 for n in self.answered.values()),
        }


class Stub:
    """The server's state and handlers. requests: the bodies of the last requests, as they came."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stats = Stats()
        self.bodies: list[dict[str, Any]] = []
        self.keeps_bodies = False

    def application(self) -> web.Application:
        application = web.Application(client_max_size=1 << 26)
        application.add_routes(
            [
                web.post("/v1/chat/completions", self.chat),
                web.post("/v1/embeddings", self.embeddings),
                web.get("/stats", self.get_stats),
            ]
        )
        return application

    async def chat(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        messages = json.dumps(body.get("messages"), sort_keys=True)
        digest = hashlib.blake2b(messages.encode(), digest_size=8).hexdigest()
        self._count(body)
        refusal = self.refusal(request, body) or self._refused_chat(body)
        if refusal is not None:
            return refusal
        trouble = self.trouble(digest)
        response = await self._in_trouble(request, trouble)
        if response is not None:
            return response
        self.stats.outcomes[trouble or "answered"] += 1
        self.stats.answered[digest] += 1
        return _json_response(self.completion(body, messages, digest, trouble))

    async def embeddings(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self._count(body)
        refusal = self.refusal(request, body)
        if refusal is None and any(not text for text in texts):
            refusal = _error(400, "input must not be empty")
        if refusal is not None:
            return refusal
        response = await self._in_trouble(request, self.trouble(hashlib.blake2b(raw).hexdigest()))
        if response is not None:
            return response
        self.stats.outcomes["answered"] += 1
        self.stats.embedded_texts += len(texts)
        for text in texts:
            self.stats.answered[text] += 1
        size = body.get("dimensions") or self.settings.dimensions
        as_base64 = self.settings.base64 and body.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": place, "embedding": embedding(text, size, as_base64)}
            for place, text in enumerate(texts)
        ]
        data.reverse()  # the index decides, not the order
        usage = {"prompt_tokens": sum(map(len, texts)) // 4, "total_tokens": sum(map(len, texts)) // 4}
        return _json_response({"object": "list", "data": data, "model": body.get("model"), "usage": usage})

    async def get_stats(self, _: web.Request) -> web.Response:
        return _json_response(self.stats.summary())

    def _count(self, body: dict[str, Any]) -> None:
        self.stats.requests += 1
        if self.keeps_bodies:
            self.bodies.append(body)

    def refusal(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        """What is wrong with the key, the model or a field."""
        key = self.settings.key
        given = request.headers.get("Authorization", "")
        if key and given != f"Bearer {key}":
            self.stats.outcomes["no access"] += 1
            # some servers repeat what they were given
            return _error(401, f"Incorrect API key provided: {given.removeprefix('Bearer ')}", "invalid_api_key")
        if self.settings.model and body.get("model") != self.settings.model:
            self.stats.outcomes["no model"] += 1
            return _error(404, f"The model `{body.get('model')}` does not exist", "model_not_found")
        for name in self.settings.unknown_fields:
            if name in body:
                self.stats.outcomes["unknown field"] += 1
                return _error(400, f"Unsupported parameter: '{name}' is not supported with this model.", param=name)
        return None

    def _refused_chat(self, body: dict[str, Any]) -> web.Response | None:
        """What is wrong with the format."""
        given = body.get("response_format") or {"type": "text"}
        wanted = f"{given['type']}{'_schema' if 'schema' in given else ''}"
        if wanted not in self.settings.formats:
            self.stats.outcomes["unknown format"] += 1
            return _error(400, f"Invalid parameter: 'response_format' of type '{wanted}' is not supported.")
        return None

    def trouble(self, digest: str) -> str:
        """The trouble that a request meets, or nothing."""
        before = self.stats.seen[digest]
        self.stats.seen[digest] += 1
        if before and self.settings.first_tries_only:
            return ""
        drawn = random.Random(f"{self.settings.seed}:{digest}:{before}").random()
        for name in TROUBLES:
            drawn -= getattr(self.settings, name)
            if drawn < 0:
                return name
        return ""

    async def _in_trouble(self, request: web.Request, trouble: str) -> web.StreamResponse | None:
        """The answer to a request that gets none of its own; waits as long as a model would take."""
        number = self.stats.requests
        if trouble in {"busy", "broken", "hung", "cut"}:
            self.stats.outcomes[trouble] += 1
        if trouble == "busy":
            headers = {"Retry-After": self.settings.retry_after} if self.settings.retry_after else {}
            return _error(429, "Rate limit reached for requests", "rate_limit_exceeded", headers=headers)
        if trouble == "hung" or 0 < self.settings.silent_from <= number:
            await asyncio.sleep(3600)
        if self.settings.latency_ms:
            await asyncio.sleep(self.settings.latency_ms / 1000)
        if trouble == "broken":
            return _error((500, 502, 503)[self.stats.requests % 3], "The server had an error")
        if trouble == "cut":
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        return None

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        """What a good reply holds."""
        return made_up(schema_of(body), Chat(body["messages"], chance))

    def completion(self, body: dict[str, Any], messages: str, digest: str, trouble: str) -> dict[str, Any]:
        chance = random.Random(digest)
        value = self.value(body, chance)
        obeyed = self.settings.obeys_formats and (body.get("response_format") or {}).get("type", "text") != "text"
        bare = json.dumps(value, ensure_ascii=False)
        content: str | None = bare
        if not obeyed and chance.random() < 0.5:
            content = f"Here is what you asked for:\n\n```json\n{bare}\n```\n"
        finish_reason, refusal = "stop", None
        if trouble == "malformed":
            content, finish_reason = spoiled(bare, chance)
        elif trouble == "refused":
            content, refusal = None, "I'm sorry, but I can't help with that."
        completion: dict[str, Any] = {
            "id": f"chatcmpl-{digest}",
            "object": "chat.completion",
            "model": body.get("model"),
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content, "refusal": refusal},
                    "finish_reason": finish_reason,
                }
            ],
        }
        prompt_tokens, completion_tokens = len(messages) // 4, len(content or "") // 4
        completion["usage"] = {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        }
        return completion


def _json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    body = json.dumps(value, ensure_ascii=False).encode()
    return web.Response(body=body, status=status, content_type="application/json", headers=headers)


def _error(
    status: int,
    message: str,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> web.Response:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return _json_response({"error": error}, status, headers)


class RunningStub:
    """A stub in a thread of this process. url: its base URL."""

    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._runner: web.AppRunner | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._ready.wait()

    @property
    def stats(self) -> Stats:
        return self.stub.stats

    @property
    def settings(self) -> Settings:
        return self.stub.settings

    def drain(self) -> None:
        """Waits until nobody is connected: by then all that a killed process had sent has been counted."""
        connection = http.client.HTTPConnection(self.url.split("/")[2])
        connection.request("GET", "/stats")
        connection.getresponse()  # those who connected before have been let in
        connection.close()
        for _ in range(6000):
            server = self._runner and self._runner.server
            if server is None or not server.connections:
                return
            time.sleep(0.01)
        raise TimeoutError("a client has been connected for a minute")

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = web.AppRunner(self.stub.application(), access_log=None, shutdown_timeout=0, handler_cancellation=True)
        self._runner = runner
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        self._loop.run_until_complete(site.start())
        port = runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()


@contextmanager
def running(**settings: Any) -> Iterator[RunningStub]:
    """A stub that runs while the block does."""
    server = RunningStub(Stub(Settings(**settings)))
    try:
        yield server
    finally:
        server.stop()


def main(kind: type[Stub] = Stub) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8100, help="0 takes a free one; the first line printed says which")
    for field in dataclasses.fields(Settings):
        option = f"--{field.name.replace('_', '-')}"
        if isinstance(field.default, bool):
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=field.default)
        elif isinstance(field.default, tuple):
            parser.add_argument(option, nargs="*", default=field.default)
        else:
            parser.add_argument(option, type=type(field.default), default=field.default)
    arguments = vars(parser.parse_args())
    port = arguments.pop("port")
    stub = kind(Settings(**arguments))

    async def serve() -> None:
        runner = web.AppRunner(stub.application(), access_log=None, shutdown_timeout=0, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port, backlog=2048)
        await site.start()
        print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
        await asyncio.Event().wait()

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
