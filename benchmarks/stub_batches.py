"""The batch interface of the stub server: files, batches, and what becomes of their lines."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiohttp import web

if TYPE_CHECKING:
    from stub_server import Stub


class Batches:
    """Handlers. A batch is worked off when it is made; how often it is looked at decides when that shows."""

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, dict[str, Any]] = {}
        self._looks: dict[str, int] = {}

    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/v1/files", self.upload),
            web.get("/v1/files/{id}/content", self.content),
            web.post("/v1/batches", self.create),
            web.get("/v1/batches", self.list),
            web.get("/v1/batches/{id}", self.get),
        ]

    async def upload(self, request: web.Request) -> web.StreamResponse:
        if self._stub.settings.no_batches:
            raise web.HTTPNotFound(text="no such path")
        form = await request.post()
        assert form["purpose"] == "batch"
        given = form["file"]
        assert isinstance(given, web.FileField)
        return await self._replied("files", {"id": self._file(given.file.read()), "object": "file"})

    async def create(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        lines = [json.loads(line) for line in self._files[asked["input_file_id"]].splitlines()]
        assert len({line["custom_id"] for line in lines}) == len(lines)
        replies = [self._reply(request, line) for line in lines]
        kept = [reply for reply in replies if reply]
        good = [reply for reply in kept if reply["response"]["status_code"] == 200]
        bad = [reply for reply in kept if reply["response"]["status_code"] != 200]
        good.reverse()  # no order is promised
        if self._stub.settings.batch_twice:
            good += [json.loads(json.dumps(reply).replace("content", "contents")) for reply in good]
        name = f"batch_{len(self._batches) + 1}"
        self._batches[name] = {
            "id": name,
            "object": "batch",
            "input_file_id": asked["input_file_id"],
            "metadata": asked.get("metadata"),
            "status": self._stub.settings.batch_end,
            "request_counts": {"total": len(lines), "completed": len(good), "failed": len(bad)},
            "output_file_id": self._file(_lines(good)) if good else None,
            "error_file_id": self._file(_lines(bad)) if bad else None,
        }
        self._stub.stats.batches += 1
        self._stub.stats.batched += len(lines)
        return await self._replied("batches", self._shown(name))

    async def list(self, request: web.Request) -> web.StreamResponse:
        names = list(reversed(self._batches))
        after = request.query.get("after")
        names = names[names.index(after) + 1 :] if after else names
        data = [self._shown(name) for name in names[:1]]  # pages of one
        return web.json_response({"object": "list", "data": data, "has_more": len(names) > 1})

    async def get(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["id"]
        self._looks[name] = self._looks.get(name, 0) + 1
        return await self._replied("status", self._shown(name))

    async def content(self, request: web.Request) -> web.StreamResponse:
        if self._stub.settings.stalls_at == "content":
            await self._replied("content", {})
        return web.Response(body=self._files[request.match_info["id"]])

    async def _replied(self, place: str, value: Any) -> web.StreamResponse:
        if self._stub.settings.stalls_at == place:
            self._stub.stats.outcomes["stalled"] += 1
            await asyncio.sleep(3600)
        return web.json_response(value)

    def _shown(self, name: str) -> dict[str, Any]:
        if self._looks.get(name, 0) > self._stub.settings.batch_looks:
            return self._batches[name]
        return self._batches[name] | {"status": "in_progress", "output_file_id": None, "error_file_id": None}

    def _file(self, content: bytes) -> str:
        name = f"file-{len(self._files) + 1}"
        self._files[name] = content
        return name

    def _reply(self, request: web.Request, line: dict[str, Any]) -> dict[str, Any] | None:
        """None for one that comes to nothing."""
        body, stub = line["body"], self._stub
        messages = json.dumps(body.get("messages"), sort_keys=True)
        digest = hashlib.blake2b(messages.encode(), digest_size=8).hexdigest()
        if stub.keeps_bodies:
            stub.bodies.append(body)
        if random.Random(f"missing:{digest}").random() < stub.settings.batch_missing:
            return None
        refusal = stub.refusal(request, body)
        if refusal is not None:
            assert isinstance(refusal.body, bytes)
            return _answered(line, refusal.status, json.loads(refusal.body))
        trouble = stub.trouble(digest)
        stub.stats.outcomes[trouble or "answered"] += 1
        if trouble in {"busy", "broken", "hung", "cut"}:
            return _answered(line, 500, {"error": {"message": "The server had an error"}})
        stub.stats.answered[digest] += 1
        return _answered(line, 200, stub.completion(body, messages, digest, trouble))


def _answered(line: dict[str, Any], status: int, body: Any) -> dict[str, Any]:
    return {"custom_id": line["custom_id"], "response": {"status_code": status, "body": body}, "error": None}


def _lines(replies: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(reply).encode() + b"\n" for reply in replies)
