"""Secrets in what others say, as they are or escaped: ``one_line`` for messages, a ``Mask`` for replies and answers."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ragassay.records import Prediction
from ragassay.tasks.prompts import readable

MASKED = "[key]"
_MASKED = MASKED.encode()

SHORTEST_SECRET = 8
"""Shorter keys are words such as "ollama", which local servers take; to mask them would spoil replies."""

HEADERS_VARIABLES = ("RAGASSAY_HEADERS", "RAGASSAY_SYSTEM_HEADERS")

_SECRET_NAME = re.compile(r"(?i)key|token|auth|secret|password|cookie")
_SECRET_VARIABLE = re.compile(
    r"(?i).*(?:api|access)_?key.*|(?:.*_)?(?:key|token|secret|pass|pgpassword|password|passwd)(?:_?\d+)?"
)
_PUBLIC_HEADER = re.compile(r"(?i)accept.*|content.*|user-agent|origin|referer|.*version|.*-beta")
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]*")
"""A value such as "retrieval" is no secret unless its header is called one: to mask it would spoil replies."""
_PASSWORD_IN_URL = re.compile(r"://[^/@\s:]*:([^/@\s]+)@")
_KEY_IN_TEXT = re.compile(
    r"(?i)((?:^|[?&\s\"'-])[\w-]*(?:key|token|secret|password|passwd|signature|sig|cookie|authorization)"
    r"(?:=|\s+|:\s*(?:(?:bearer|basic|token)\s+)?))((?![{$-])[^\s&#\"']+)"
)
_WRITTEN = ("url", "command")
_SCHEMES = {"basic", "bearer", "digest", "token", "key", "apikey"}
_REFUSED = {401, 403}
_STEERING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Signs that turn the direction of what follows, or that no reader sees."""


class Mask:
    """Takes secrets out of what others say, each of their words too: "Bearer sk-1" comes back as "sk-1"."""

    def __init__(self, secrets: Iterable[str], whole: Iterable[str] = ()) -> None:
        """whole: secrets whose words are none."""
        given = list(secrets)
        words = {each for value in given for each in (value.strip(), *value.split(), *re.split(r'[\s;,="]+', value))}
        words -= {each for each in words if each.lower() in _SCHEMES}
        words = (words | set(whole)) - {""}
        # The longest first: a part that is masked would hide the whole from its pattern.
        ordered = sorted(words, key=lambda word: (-len(word), word))
        long = [word for word in ordered if len(word) >= SHORTEST_SECRET]
        self._long = [re.compile(_pattern(word)) for word in long]
        short = [word for word in ordered if len(word) < SHORTEST_SECRET]
        self._short = [re.compile(rb"(?<![A-Za-z0-9])%s(?![A-Za-z0-9])" % _pattern(word)) for word in short]

    def masked(self, body: bytes, status: int) -> bytes:
        """Return a body without the secrets, in UTF-8. Short ones go where a key was refused: it is about the key."""
        if b"\0" in body and not (encoding := json.detect_encoding(body)).startswith("utf-8"):
            body = body.decode(encoding, "replace").encode("utf-8", "replace")
        return self._without(body, is_refusal=status in _REFUSED)

    def text(self, text: str) -> str:
        """Return a text without the secrets, the text itself where there are none."""
        body = text.encode("utf-8", "surrogatepass")
        left = self._without(body)
        return text if left is body else left.decode("utf-8", "surrogatepass")

    def prediction(self, said: Prediction) -> Prediction:
        """Return what a system said without the secrets."""
        if not self._long:
            return said
        chunks = tuple(
            chunk if chunk.text is None else replace(chunk, text=self.text(chunk.text)) for chunk in said.chunks
        )
        texts: dict[str, Any] = {name: getattr(said, name) for name in ("answer", "error", "standalone_question")}
        masked: dict[str, Any] = {name: self.text(text) for name, text in texts.items() if text is not None}
        return replace(said, chunks=chunks, **masked)

    def _without(self, body: bytes, *, is_refusal: bool = False) -> bytes:
        for pattern in (*self._long, *(self._short if is_refusal else ())):
            body = pattern.sub(_MASKED, body)
        return body


NO_MASK = Mask(())


def mask_of(key: str | None, headers: Mapping[str, str], more: Iterable[str] = ()) -> Mask:
    """Return the mask of what a server is sent. more: of the environment."""
    named = [value for name, value in headers.items() if _SECRET_NAME.search(name)]
    whole = [value.strip() for name, value in headers.items() if not _is_public(name, value)]
    return Mask([key or "", *named, *more], whole)


def secrets_of(environ: Mapping[str, str]) -> list[str]:
    """Return the values of an environment that are keys by their names, passwords in addresses, or headers."""
    found: list[str] = []
    for name, value in environ.items():
        if name in HEADERS_VARIABLES:
            found += _values_of(value)
        elif _SECRET_VARIABLE.fullmatch(name) and not (value.isdigit() or (value[:1] == "/" and os.path.exists(value))):
            found.append(value)
        else:
            found += _PASSWORD_IN_URL.findall(value)
    return found


def keys_in_url(url: str) -> list[str]:
    """Return the values of a query that are keys by their names."""
    return [value for name, value in parse_qsl(urlsplit(url).query) if _KEY_IN_TEXT.match(f"?{name}=x")]


def kept(name: str, value: Any) -> Any:
    """Return an option of a system as it may be kept: keys as a few digits of a hash, another setting with another."""
    if isinstance(value, str):
        return _KEY_IN_TEXT.sub(lambda match: match[1] + _digits(match[2]), value) if name in _WRITTEN else value
    if isinstance(value, Mapping):
        return {key: _digits(each) if _is_key(key, each) else kept(key, each) for key, each in value.items()}
    return value


def environment_mask() -> Mask:
    """Return the mask of the process's environment as it is now: programs and functions see all of it."""
    return _kept_mask(tuple(secrets_of(os.environ)))


def one_line(text: str) -> str:
    """Return a text of others on one line, as it may stand in a message: it steers no terminal and repeats no key."""
    return " ".join(unsteered(environment_mask().text(text)).split())


def unsteered(text: str) -> str:
    """Return a text in which nothing steers a terminal."""
    return _STEERING.sub("\ufffd", readable(text))


_kept_mask = lru_cache(maxsize=8)(Mask)


def _is_public(name: str, value: str) -> bool:
    is_plain = _PUBLIC_HEADER.fullmatch(name) or _PLAIN_WORD.fullmatch(value.strip())
    return is_plain is not None and _SECRET_NAME.search(name) is None


def _is_key(name: str, value: object) -> bool:
    return isinstance(value, str) and "{" not in value and _KEY_IN_TEXT.fullmatch(f"?{name}=x") is not None


def _digits(key: str) -> str:
    return f"[key {hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}]"


def _values_of(headers: str) -> Iterator[str]:
    try:
        named = json.loads(headers)
    except (ValueError, RecursionError):
        return
    if isinstance(named, dict):
        texts = {name: value for name, value in named.items() if isinstance(value, str)}
        yield from (value for name, value in texts.items() if not _is_public(name, value))


def _pattern(secret: str) -> bytes:
    return b"".join(map(_sign, secret))


def _sign(sign: str) -> bytes:
    r"""Return a pattern of one character; those that are no letter or digit may be escaped, "/" as "\/" or "%2F".

    A JSON text within another has its backslashes doubled.
    """
    encoded = sign.encode("utf-8", "surrogatepass")
    plain = re.escape(encoded)
    if sign.isascii() and sign.isalnum():
        return plain
    in_url = b"".join(b"%%%02x" % byte for byte in encoded)
    units = sign.encode("utf-16-be", "surrogatepass")
    in_json = b"".join(rb"\\+u%s" % units[at : at + 2].hex().encode() for at in range(0, len(units), 2))
    in_page = re.escape(html.escape(sign)).encode()
    return rb"(?:\\*" + plain + rb"|(?i:%s)|(?i:%s)|%s)" % (in_json, in_url, in_page)
