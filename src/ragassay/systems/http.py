"""Ask a system behind a URL: one request for each question, tried again where that may help, cut off where it hangs."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from ragassay.datasets.replies.places import UnreadableAnswerError
from ragassay.datasets.replies.reading import read_answer
from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import Endpoint, parse_headers
from ragassay.models.llm.masking import Mask, keys_in_url, mask_of, one_line, secrets_of
from ragassay.models.llm.pace import Vigil, backoff_s, retry_after_s
from ragassay.models.llm.server_replies import is_throttled
from ragassay.models.llm.transport import NotReceived, Received, Transport
from ragassay.records import Prediction
from ragassay.systems.base import (
    QUESTION,
    Question,
    Take,
    UnusableSystemError,
    failed,
    filled,
    filled_default,
    holds_turns,
    parse_template,
)
from ragassay.systems.options import HttpOptions

HEADERS_VARIABLE = "RAGASSAY_SYSTEM_HEADERS"
"""A JSON object of headers, keys among them, that the system gets with every request."""
DEFAULT_REQUEST = {"question": QUESTION}
MOST_AT_ONCE = 8
CONNECT_TIMEOUT_S = 10.0
LONGEST_WAIT_S = 30.0
"""A server that asks for a longer wait is not waited for."""
LONGEST_SILENCE_S = 600.0
"""A server that has answered nothing for so long ends the work, whatever it says in the meantime."""
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_HINTS = {
    400: "the request is not as the service wants it; say how with request",
    401: "the key is missing or wrong",
    403: "the key is missing or wrong",
    404: "the path is wrong",
    405: "the method is not taken there",
    407: "the proxy wants a key",
    410: "the path is wrong",
    415: "the request is not as the service wants it; say how with request",
    422: "the request is not as the service wants it; say how with request",
}
"""Seldom is a question the cause of these: the address, the method, the key or the form of the request is wrong."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_UNPRINTABLE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]")
_IN_PATHS = "/?[]@!$&'()*+,;=:%~{}"
"""Signs of a path and its query that stay as the user wrote them."""
_SHOWN = 200


class HttpSystem:
    """Asks a server; see ``HttpOptions``."""

    batch = 1
    most_at_once = MOST_AT_ONCE

    def __init__(self, options: HttpOptions, environ: Mapping[str, str] | None = None) -> None:
        """environ: the process's own if None. Raises UsageError for a URL, template or header that cannot be meant."""
        environ = os.environ if environ is None else environ
        base, self._path, shown = _address(options.url, options.method)
        self.name = options.name or shown
        self._options = options
        self._places = options.places
        self._is_default = options.request is None
        self._request = None
        if not self._is_default or QUESTION not in self._path:
            self._request = parse_template(DEFAULT_REQUEST if self._is_default else options.request, "request")
        self.takes_history = self._request is not None and (self._is_default or holds_turns(self._request))
        if options.method == "GET" and self._request is not None and not isinstance(self._request, Mapping):
            raise UsageError("request: must be an object of query names and values for GET")
        headers, filled_in = _headers(options.headers, environ)
        secrets = [*filled_in, *keys_in_url(options.url)]
        endpoint = Endpoint(self.name, base, model="", headers=headers)
        self._transport = Transport(endpoint, CONNECT_TIMEOUT_S, secrets)
        self.mask: Mask = mask_of(None, headers, (*secrets, *secrets_of(environ)))
        self._vigil = Vigil(self.name, LONGEST_SILENCE_S)

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Send one request for each question, one after the other."""
        for question in questions:
            take(await self._answered(question))

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def _answered(self, question: Question) -> Prediction:
        tries = 1 + self._options.retries
        trouble = _Trouble("no attempt was made")
        for number in range(1, tries + 1):
            begun = time.perf_counter()
            outcome = await self._tried(question)
            took_s = time.perf_counter() - begun
            if isinstance(outcome, Received):
                self._vigil.answered()
                return self._read(outcome, question, round(took_s, 4))
            trouble = outcome
            why = ": ".join(filter(None, (trouble.kind, trouble.detail)))
            self._vigil.failed(why, took_s, trouble.wait_s or 0.0)
            if trouble.is_final or number == tries:
                break
            await asyncio.sleep(backoff_s(number, question.id) if trouble.wait_s is None else trouble.wait_s)
        silent_s = self._vigil.silent_s
        if silent_s > LONGEST_SILENCE_S:
            raise UnusableSystemError(self.name, trouble.kind, f"{trouble.detail}; no answer in {silent_s:.0f} s")
        if trouble.is_hopeless:
            raise UnusableSystemError(self.name, trouble.kind, trouble.detail)
        return failed(self.name, question, trouble.kind, trouble.detail)

    async def _tried(self, question: Question) -> Received | _Trouble:
        path, body = self._path.replace(QUESTION, quote(question.text, safe="")), b""
        if self._request is not None:
            request = filled_default(DEFAULT_REQUEST, question) if self._is_default else filled(self._request, question)
            if self._options.method == "GET":
                values = {name: v if isinstance(v, str) else json.dumps(v) for name, v in request.items()}
                path += ("&" if "?" in path else "?") + urlencode(values)
            else:
                body = json.dumps(request).encode()
        timeout_s = self._options.timeout
        try:
            received = await self._transport.request(self._options.method, path, body, timeout_s=timeout_s)
        except NotReceived as error:
            if error.kind == "time-out":
                return _Trouble("time-out", f"no reply within {timeout_s:g} s")
            if error.kind == "not connected":
                detail = f"{error}; check that the server is up and the URL right"
                return _Trouble("not connected", detail, is_hopeless=True)
            if error.kind == "too long":
                return _Trouble("reply too long", str(error), is_final=True)
            return _Trouble("connection cut", str(error))
        return received if 200 <= received.status < 300 else _refused(received)

    def _read(self, received: Received, question: Question, latency_s: float) -> Prediction:
        try:
            text = received.body.decode("utf-8")
        except UnicodeDecodeError:
            return failed(self.name, question, "unreadable reply", "it is not UTF-8", latency_s)
        content_type = received.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        value: Any = text
        if content_type != "text/plain" or self._places.answer is not None:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                said = one_line(text)[:60]
                return failed(self.name, question, "malformed JSON", f"it begins {said!r}", latency_s)
        try:
            return read_answer(value, self._places, example_id=question.id, system=self.name, latency_s=latency_s)
        except UnreadableAnswerError as error:
            raise UnusableSystemError(self.name, "no answer in the reply", str(error)) from None


class _Trouble(NamedTuple):
    """Why a try gave no reply. is_final: another would not help. is_hopeless: nor would another question."""

    kind: str
    detail: str = ""
    wait_s: float | None = None
    is_final: bool = False
    is_hopeless: bool = False


def _refused(received: Received) -> _Trouble:
    kind = f"HTTP {received.status}"
    said = one_line(received.body[:2000].decode("utf-8", "replace"))[:_SHOWN]
    is_busy = is_throttled(received.status, received)
    if 300 <= received.status < 400:
        detail = "redirects are not followed; give the target URL"
        return _Trouble(kind, detail, is_final=True, is_hopeless=True)
    if received.status in _HINTS and not is_busy:
        detail = f"{_HINTS[received.status]}{f' ({said})' if said else ''}"
        return _Trouble(kind, detail, is_final=True, is_hopeless=True)
    if received.status not in _AGAIN and not is_busy:
        return _Trouble(kind, said, is_final=True)
    wait_s = retry_after_s(received.headers)
    if wait_s is not None and wait_s > LONGEST_WAIT_S:
        return _Trouble(kind, f"the server asks to wait {wait_s:.0f} s", is_final=True)
    return _Trouble(kind, said, wait_s=wait_s)


def _address(url: str, method: str) -> tuple[str, str, str]:
    """Return scheme and host; the rest, with its query; and both without query, to be shown."""
    plain = url.strip().replace(QUESTION, "question")
    if _UNPRINTABLE.search(plain):
        raise UsageError("url: contains white space or control characters; remove them, or write a space as %20")
    try:
        parts = urlsplit(plain)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UsageError("url: invalid; write it as http://HOST:PORT/PATH") from None
    if parts.scheme.lower() not in {"http", "https"} or not host or port == 0:
        raise UsageError(f"url: {plain[:80]!r} has no server; write it as http://HOST:PORT/PATH")
    if "@" in parts.netloc:
        raise UsageError(f"url: contains credentials; put a key into the environment, in {HEADERS_VARIABLE}")
    if QUESTION in url and method != "GET":
        raise UsageError(f"url: {QUESTION} in the URL only applies to method=GET; for POST put it into request")
    base = f"{parts.scheme.lower()}://{parts.netloc}"
    path = url.strip().partition("://")[2].partition("#")[0][len(parts.netloc) :]
    return base, quote(path, safe=_IN_PATHS) or "/", base + parts.path


def _headers(given: Mapping[str, str], environ: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return all headers with the values of the environment put in, and these values."""
    filled_in: list[str] = []

    def value_of(match: re.Match[str]) -> str:
        value = environ.get(match[1])
        if value is None:
            raise UsageError(f"headers: the environment variable {match[1]} is not set")
        filled_in.append(value.strip())
        return filled_in[-1]

    named = {name: _VARIABLE.sub(value_of, value) for name, value in given.items()}
    checked = parse_headers(json.dumps(named), "headers") if named else {}
    return {**parse_headers(environ.get(HEADERS_VARIABLE, ""), HEADERS_VARIABLE), **checked}, filled_in
