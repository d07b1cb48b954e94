"""RAG services of somebody else, for tests: one that is troubled, and one made with FastAPI.

POST /ask with {"question": ...}. What befalls a request depends on the question, the seed and how often it was asked.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aiohttp import web

OUTCOMES = ("failing", "malformed", "hanging", "answerless")


@dataclasses.dataclass
class Troubles:
    """Shares of the requests, in [0, 1]; each meets one of them at most.

    failing: 500. malformed: JSON that ends in the middle. hanging: no reply, ever. answerless: JSON without an answer.
    slow_ms: until a reply. first_tries_only: the second request with a question is answered. silent_after: once so many
    questions were answered, no other is; 0: all. key: what the header X-Key has to hold, if not empty.
    """

    failing: float = 0.0
    malformed: float = 0.0
    hanging: float = 0.0
    answerless: float = 0.0
    slow_ms: float = 0.0
    first_tries_only: bool = False
    silent_after: int = 0
    key: str = ""
    seed: int = 0


@dataclasses.dataclass
class Stats:
    """outcomes: of requests. answered: question to how often it was answered. most_at_once: requests in flight."""

    outcomes: Counter[str] = dataclasses.field(default_factory=Counter)
    answered: Counter[str] = dataclasses.field(default_factory=Counter)
    seen: Counter[str] = dataclasses.field(default_factory=Counter)
    in_flight: int = 0
    most_at_once: int = 0


class TroubledRag:
    """Answers with the question itself, and with two chunks."""

    def __init__(self, troubles: Troubles) -> None:
        self.troubles = troubles
        self.stats = Stats()

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """POST with JSON, or GET with a query."""
        self.stats.in_flight += 1
        self.stats.most_at_once = max(self.stats.most_at_once, self.stats.in_flight)
        try:
            reply = web.Response() if request.method == "HEAD" else await self._reply(request)
            return reply
        finally:
            self.stats.in_flight -= 1

    async def _reply(self, request: web.Request) -> web.StreamResponse:
        key = self.troubles.key
        if key and request.headers.get("X-Key") != key:
            return web.json_response({"error": f"wrong key {request.headers.get('X-Key')}"}, status=401)
        question = request.query["q"] if request.method == "GET" else (await request.json())["question"]
        await asyncio.sleep(self.troubles.slow_ms / 1000)
        if 0 < self.troubles.silent_after <= self.stats.answered.total():
            await asyncio.sleep(3600)
        outcome = self._drawn(question)
        self.stats.outcomes[outcome] += 1
        if outcome == "failing":
            return web.Response(status=500, text="out of luck")
        if outcome == "malformed":
            return web.Response(text='{"answer": "It is', content_type="application/json")
        if outcome == "hanging":
            await asyncio.sleep(3600)
        if outcome == "answerless":
            return web.json_response({"status": "thinking"})
        self.stats.answered[question] += 1
        chunks = [{"text": f"{question} {place}", "id": f"c{place}", "score": 1 / place} for place in (1, 2)]
        usage = {"prompt_tokens": len(question), "completion_tokens": 3}
        return web.json_response({"answer": f"It is {question}", "chunks": chunks, "usage": usage})

    def _drawn(self, question: str) -> str:
        self.stats.seen[question] += 1
        if self.troubles.first_tries_only and self.stats.seen[question] > 1:
            return "answered"
        draw = random.Random(f"{self.troubles.seed}:{question}:{self.stats.seen[question]}").random()
        for name in OUTCOMES:
            draw -= getattr(self.troubles, name)
            if draw < 0:
                return name
        return "answered"


class RunningRag:
    """A troubled service that runs in a thread of this process."""

    def __init__(self, rag: TroubledRag, url: str) -> None:
        self.url = url
        self.troubles, self.stats = rag.troubles, rag.stats


@contextmanager
def troubled(troubles: Troubles | None = None) -> Iterator[RunningRag]:
    """A troubled service on a free port of this machine."""
    rag = TroubledRag(troubles or Troubles())
    loop = asyncio.new_event_loop()
    started = threading.Event()
    port = 0

    async def serve() -> web.AppRunner:
        nonlocal port
        runner = web.AppRunner(_application(rag), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        return runner

    def work() -> None:
        runner = loop.run_until_complete(serve())
        started.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.run_until_complete(_end(asyncio.all_tasks(loop)))
        loop.close()

    thread = threading.Thread(target=work, name="troubled RAG", daemon=True)
    thread.start()
    started.wait()
    try:
        yield RunningRag(rag, f"http://127.0.0.1:{port}/ask")
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    """Ends requests that hang."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _application(rag: TroubledRag) -> web.Application:
    application = web.Application()
    application.router.add_post("/ask", rag.ask)
    application.router.add_get("/ask", rag.ask)
    return application


def toy_rag(documents: Sequence[tuple[str, str]]) -> Any:
    """A FastAPI application that searches by common words. documents: (file name, text).

    POST /ask answers in the manner of a home-made service, POST /chain/invoke in that of LangServe.
    """
    from fastapi import FastAPI
    from pydantic import BaseModel

    application = FastAPI()

    class Ask(BaseModel):
        question: str
        top_k: int = 2

    class Invoke(BaseModel):
        input: dict[str, str]

    def found(question: str, top_k: int) -> list[tuple[float, str, str]]:
        asked = set(question.lower().rstrip("?").split())
        scored = [(len(asked & set(text.lower().replace(".", " ").split())), name, text) for name, text in documents]
        return sorted(scored, reverse=True)[:top_k]

    def ask(body: Ask) -> dict[str, Any]:
        hits = found(body.question, body.top_k)
        contexts = [{"text": text, "source": f"/srv/kb/{name}", "score": score} for score, name, text in hits]
        return {"data": {"answer": hits[0][2], "contexts": contexts}}

    def invoke(body: Invoke) -> dict[str, Any]:
        hits = found(body.input["input"], 2)
        context = [{"page_content": text, "metadata": {"source": name}} for _, name, text in hits]
        return {"output": {**body.input, "context": context, "answer": hits[0][2]}}

    # Annotations that are texts are not looked up inside of functions.
    ask.__annotations__["body"], invoke.__annotations__["body"] = Ask, Invoke
    application.post("/ask")(ask)
    application.post("/chain/invoke")(invoke)
    return application


@contextmanager
def serving(application: Any) -> Iterator[str]:
    """The address of an ASGI application that uvicorn serves on a free port of this machine."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(application, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, name="toy RAG", daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
