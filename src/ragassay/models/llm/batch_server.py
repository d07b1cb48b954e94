"""OpenAI's batch interface: a file of requests goes up, a batch is made of it, a file of replies comes down.

Source: the reference of ``/files`` and ``/batches`` in OpenAI's API, which vLLM gateways and others imitate.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from typing import Any, Literal, NamedTuple

from ragassay.errors import ModelError
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.masking import one_line
from ragassay.models.llm.retries import backoff_s, retry_after_s
from ragassay.models.llm.server_replies import parsed
from ragassay.models.llm.transport import NotReceived, Received, Transport

ENDPOINT = "/v1/chat/completions"
"""What a batch names, whatever the base URL is."""
METADATA = "ragassay"
PAGES, PAGE = 20, 100
"""Of the server's list of batches: so many are looked through for one whose id was never read."""
MAX_FILE_BYTES = 512 * 1024 * 1024
UPLOAD_TIMEOUT_S = 600.0
_ID = re.compile(r"[\w.:-]{1,200}")
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_MAX_SHOWN = 300


class BatchState(NamedTuple):
    """status: the server's word. output, errors: ids of files, empty where there are none. done: calls so far."""

    status: str
    output: str = ""
    errors: str = ""
    done: int = 0
    said: str = ""


class UncertainError(Exception):
    """Whether a batch was made is not known: no reply came."""


class BatchServer:
    """The batch interface of one endpoint. Raises ModelError where it cannot be used."""

    def __init__(self, endpoint: Endpoint, limits: Limits) -> None:
        self._name = endpoint.name
        self._limits = limits
        self._transport = Transport(endpoint, limits.connect_timeout_s)

    async def upload(self, name: str, lines: bytes) -> str:
        """The id of a new file. One that was sent twice costs nothing."""
        boundary = secrets.token_hex(16)
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.jsonl"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        )
        body = head.encode() + lines + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return self._id(await self._json("POST", "/files", body, kind), "the file")

    async def create(self, name: str, file_id: str) -> str:
        """The id of a new batch, sent once. Raises UncertainError where no reply came: then ``find`` it."""
        asked = {
            "input_file_id": file_id,
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {METADATA: name},
        }
        try:
            data = await self._json("POST", "/batches", json.dumps(asked).encode(), once=True)
        except NotReceived as trouble:
            raise UncertainError(str(trouble)) from None
        return self._id(data, "the batch")

    async def find(self, name: str, file_id: str) -> str | None:
        """The id of the batch that was made of a file, or None: there is none."""
        after = ""
        for _ in range(PAGES):
            data = await self._json("GET", f"/batches?limit={PAGE}{after}")
            listed = data.get("data")
            if not isinstance(listed, list):
                break
            for each in listed:
                if not isinstance(each, dict):
                    continue
                metadata = each.get("metadata")
                named = metadata.get(METADATA) if isinstance(metadata, dict) else None
                if named == name or each.get("input_file_id") == file_id:
                    return self._id(each, "the batch")
            last = listed[-1].get("id") if listed and isinstance(listed[-1], dict) else None
            if not data.get("has_more") or not isinstance(last, str) or not _ID.fullmatch(last):
                return None
            after = f"&after={last}"
        raise ModelError(f"{self._name}: its list of batches cannot be read")

    async def state(self, batch_id: str) -> BatchState:
        """How far a batch is."""
        data = await self._json("GET", f"/batches/{batch_id}")
        counts = data.get("request_counts")
        counts = counts if isinstance(counts, dict) else {}
        done = sum(n for name in ("completed", "failed") if type(n := counts.get(name)) is int)
        status = data.get("status")
        return BatchState(
            status if isinstance(status, str) else "",
            self._file(data.get("output_file_id")),
            self._file(data.get("error_file_id")),
            done,
            _first_error(data.get("errors")),
        )

    async def content(self, file_id: str) -> Received:
        """A file of replies."""
        return await self._sent("GET", f"/files/{file_id}/content")

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def _json(
        self, method: Literal["GET", "POST"], path: str, body: bytes = b"", kind: str = "", *, once: bool = False
    ) -> dict[str, Any]:
        data = parsed((await self._sent(method, path, body, kind, once=once)).body)
        if not isinstance(data, dict):
            raise ModelError(f"{self._name}: {path.partition('?')[0]} returned no JSON object; leave out --batch")
        return data

    async def _sent(
        self, method: Literal["GET", "POST"], path: str, body: bytes = b"", kind: str = "", *, once: bool = False
    ) -> Received:
        """A reply of status 200. once: NotReceived is raised where the server may have had the request."""
        failures = 0
        while True:
            wait_s = None
            try:
                received = await self._transport.request(
                    method,
                    path,
                    body,
                    timeout_s=max(UPLOAD_TIMEOUT_S, self._limits.call_timeout_s),
                    content_type=kind,
                    max_bytes=MAX_FILE_BYTES,
                )
            except NotReceived as trouble:
                if once and trouble.sent:
                    raise
                reason = str(trouble)
            else:
                if received.status in {200, 201}:
                    return received
                reason = f"HTTP {received.status}: {_said(received)}"
                if once and received.status >= 500:
                    raise NotReceived("cut", reason)
                if received.status not in _AGAIN:
                    raise ModelError(self._refused(path, received.status, reason))
                wait_s = retry_after_s(received.headers)
            failures += 1
            if failures >= self._limits.max_tries:
                raise ModelError(
                    f"{self._name}: {reason}, {failures} tries; run the same command again: batches under way go on"
                )
            await asyncio.sleep(min(self._limits.patience_s, wait_s or backoff_s(failures, f"{path}:{failures}")))

    def _refused(self, path: str, status: int, reason: str) -> str:
        if status in {404, 405, 501} and path in {"/files", "/batches"}:
            return f"--batch: {self._name} has no batch interface ({reason}); leave out --batch"
        what = "check the key" if status in {401, 403} else "mend that"
        return f"{self._name}: {path.partition('?')[0]} was refused ({reason}); {what}, then run the same command again"

    def _id(self, data: dict[str, Any], what: str) -> str:
        given = data.get("id")
        if not isinstance(given, str) or not _ID.fullmatch(given):
            raise ModelError(f"{self._name}: the server gave {what} no usable id; leave out --batch")
        return given

    def _file(self, given: object) -> str:
        return given if isinstance(given, str) and _ID.fullmatch(given) else ""


def _said(received: Received) -> str:
    data = parsed(received.body)
    error = data.get("error", data) if isinstance(data, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    text = message if isinstance(message, str) else received.body[:1000].decode("utf-8", "replace")
    return one_line(text)[:_MAX_SHOWN]


def _first_error(errors: object) -> str:
    listed = errors.get("data") if isinstance(errors, dict) else None
    first = listed[0] if isinstance(listed, list) and listed else None
    message = first.get("message") if isinstance(first, dict) else None
    return one_line(message)[:_MAX_SHOWN] if isinstance(message, str) else ""
