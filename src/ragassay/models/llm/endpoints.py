"""Names of models on servers: which server, which model there, and the key from the environment.

A name is ``openai:MODEL``, ``ollama:MODEL`` or ``BASE_URL#MODEL``. Keys, and headers, which may be keys too, come from
the environment alone and stand in no message, report or file.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self
from urllib.parse import urlsplit

from ragassay.errors import UsageError

OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://localhost:11434"
OWN_URL = "own://"
"""In place of a base URL: a function or object of the user's answers."""

KEY_VARIABLE = "RAGASSAY_API_KEY"
OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"
KEY_VARIABLES = (OPENAI_KEY_VARIABLE, KEY_VARIABLE)
HEADERS_VARIABLE = "RAGASSAY_HEADERS"

KNOWN_NAMES = "openai:MODEL, ollama:MODEL, http://HOST:PORT/v1#MODEL"

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_UNPRINTABLE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]")
"""White space, control characters and halves of surrogate pairs: in no name and no address."""

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A token of RFC 9110, section 5.6.2."""

_HEADER_VALUE = re.compile("[\t\x20-\x7e]*")
_VERSION = re.compile(r"\?api-version=[\w.-]+\Z")
_OUR_HEADERS = frozenset({"content-type", "content-length", "transfer-encoding", "host", "connection"})
_OUR_FIELDS = frozenset({"model", "messages", "n", "stream", "response_format", "input"})

_PRIVATE_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server. name: says where the calls really go and holds no secret.

    base_url: what ``/chat/completions`` is appended to; no query, no credentials, no slash at its end. query: what
    follows, Azure's ``?api-version=...``, or empty. key_variable: the environment variable where the key comes from, or
    would. extra_body: fields that every request gets. own: the function or object of the user's in the place of a
    server.
    """

    name: str
    base_url: str
    model: str
    key: str | None = field(default=None, repr=False)
    key_variable: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING, repr=False)
    extra_body: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    own: Any = field(default=None, repr=False, compare=False)
    query: str = ""

    @property
    def is_azure(self) -> bool:
        """Whether the key goes into the header ``api-key``, unless it is a token of Entra."""
        return bool(self.query) or (urlsplit(self.base_url).hostname or "").endswith(".azure.com")


class OwnModelName(str):
    """The name of a model that is at hand, which it carries. target: a function or an object of the user's."""

    __slots__ = ("target",)
    target: Any

    def __new__(cls, name: str, target: Any) -> Self:
        made = super().__new__(cls, name)
        made.target = target
        return made


def endpoint_of(
    name: str,
    environ: Mapping[str, str] | None = None,
    *,
    extra_body: Mapping[str, Any] = _NOTHING,
    option: str = "--model",
) -> Endpoint:
    """Return the endpoint that a name stands for. environ: the process's own if None. option: where the name was given.

    Raises UsageError, one sentence without secrets, for anything that cannot be meant.
    """
    if isinstance(name, OwnModelName):
        return Endpoint(str(name), OWN_URL, str(name), extra_body=extra_body, own=name.target)
    environ = os.environ if environ is None else environ
    name = name.strip()
    if "://" in name:
        endpoint = _by_url(name, environ, option)
    else:
        scheme, _, model = name.partition(":")
        maker = _MAKERS.get(scheme)
        if maker is None:
            said = f"unknown kind of model {excerpted(scheme)!r}" if name else "no model named"
            raise UsageError(f"{option}: {said}; choose embedded or one of {KNOWN_NAMES}")
        _check_model(model, option, f"{scheme}: names no model; append its name, as in {_EXAMPLES[scheme]}")
        endpoint = maker(model, environ, option)
    return replace(endpoint, headers=parse_headers(environ.get(HEADERS_VARIABLE, "")), extra_body=extra_body)


def is_local(url: str) -> bool:
    """Return whether a URL leads to this machine or into a private network, as far as its text tells."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_PRIVATE_ENDINGS))
    return address.is_loopback or address.is_private or address.is_link_local


def public_address(url: str) -> str:
    """Return a URL as it may be shown and stored: without user name, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def parse_headers(text: str, source: str = HEADERS_VARIABLE) -> Mapping[str, str]:
    """Return headers from a JSON object of texts; none from an empty text. Raises UsageError, which shows no value."""
    if not text.strip():
        return _NOTHING
    headers = _json_object(text, source, '{"X-Team": "search"}')
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or name.lower() in _OUR_HEADERS:
            raise UsageError(f"{source}: header {excerpted(name)!r} cannot be set; remove it")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise UsageError(f"{source}: the value of {name} must be printable ASCII text")
    return MappingProxyType(headers)


_SECRET = re.compile(r"(?i)api.?key|token$|secret|password|authorization|credential")


def parse_extra_body(text: str, option: str = "--extra-body") -> Mapping[str, Any]:
    """Return fields of a JSON object, or no text, for every request; they stand in the call log. Raises UsageError."""
    if not text.strip():
        return _NOTHING
    fields = _json_object(text, option, '{"top_p": 0.9}')
    ours = sorted(_OUR_FIELDS & fields.keys())
    if ours:
        raise UsageError(f"{option}: {ours[0]!r} is set by Ragassay; leave it out")
    secret = next((name for name in fields if _SECRET.search(name)), None)
    if secret is not None:
        raise UsageError(
            f"{option}: {secret!r} looks like a key, and would stand in files; set RAGASSAY_HEADERS instead"
        )
    return MappingProxyType(fields)


def excerpted(text: str) -> str:
    """Return at most 60 characters of what a user typed, for a message."""
    return text if len(text) <= 60 else text[:59] + "…"


def _by_url(name: str, environ: Mapping[str, str], option: str) -> Endpoint:
    url, _, model = name.partition("#")
    plain, query = _VERSION.sub("", url), "".join(_VERSION.findall(url))
    base_url = _base_url(plain, option)
    address = base_url + query
    _check_model(model, option, f"{address} names no model; append it with #, as in {address}#llama3.1")
    return Endpoint(f"{address}#{model}", base_url, model, _key(environ, KEY_VARIABLE), KEY_VARIABLE, query=query)


def _openai(model: str, environ: Mapping[str, str], option: str) -> Endpoint:
    variable = OPENAI_KEY_VARIABLE
    base_url = _base_url(environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL, "OPENAI_BASE_URL")
    key = _key(environ, variable)
    if key is None and not is_local(base_url):
        raise UsageError(f"{option}: openai:{excerpted(model)} needs a key; set the environment variable {variable}")
    name = f"openai:{model}" if base_url == OPENAI_URL else f"{base_url}#{model}"
    return Endpoint(name, base_url, model, key, variable)


def _ollama(model: str, environ: Mapping[str, str], option: str) -> Endpoint:
    """Needs no key. OLLAMA_HOST is as the ollama command has it: a URL, or host and port, either of which may lack."""
    host = environ.get("OLLAMA_HOST", "").strip() or OLLAMA_URL
    parts = urlsplit(_base_url(host if "://" in host else f"http://{host}", "OLLAMA_HOST"))
    port = parts.port or (443 if parts.scheme == "https" else 11434)
    hostname = parts.hostname or ""
    if hostname in {"0.0.0.0", "::"}:  # what a server listens on, not what a client can call
        hostname = "localhost"
    elif ":" in hostname:
        hostname = f"[{hostname}]"
    authority = hostname if (parts.scheme, port) == ("https", 443) else f"{hostname}:{port}"
    base_url = f"{parts.scheme}://{authority}{parts.path.removesuffix('/v1')}/v1"
    name = f"ollama:{model}" if base_url == f"{OLLAMA_URL}/v1" else f"{base_url}#{model}"
    return Endpoint(name, base_url, model)


_MAKERS = {"openai": _openai, "ollama": _ollama}
_EXAMPLES = {"openai": "openai:gpt-4o-mini", "ollama": "ollama:llama3.1"}


def _base_url(url: str, source: str) -> str:
    """Return the URL without slashes at its end. Raises UsageError, which shows no part that may be secret."""
    if _UNPRINTABLE.search(url):
        raise UsageError(f"{source}: the URL contains white space or control characters; remove them")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UsageError(f"{source}: invalid URL; write it as http://HOST:PORT/v1") from None
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise UsageError(f"{source}: the URL contains credentials; put the key into the environment instead")
    if parts.scheme.lower() not in {"http", "https"}:
        raise UsageError(f"{source}: {excerpted(parts.scheme)}:// is not supported; use http or https")
    if not host or port == 0:
        raise UsageError(f"{source}: the URL has no host; write it as http://HOST:PORT/v1")
    if parts.query or "?" in url:
        raise UsageError(
            f"{source}: the URL contains a query other than ?api-version=...; put a key into {KEY_VARIABLE}, a header "
            f"into {HEADERS_VARIABLE}"
        )
    path = parts.path.rstrip("/")
    if path.endswith(("/chat/completions", "/embeddings")):
        raise UsageError(f"{source}: the URL must end before the name of the service, as in .../v1")
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{path}"


def _check_model(model: str, option: str, without: str) -> None:
    if not model:
        raise UsageError(f"{option}: {without}")
    if _UNPRINTABLE.search(model):
        raise UsageError(f"{option}: the model name contains white space or control characters; remove them")


def _key(environ: Mapping[str, str], variable: str) -> str | None:
    """Return the key as it may stand in a header: a line break at its end is left over from a file."""
    key = environ.get(variable, "").strip()
    if not _HEADER_VALUE.fullmatch(key):
        raise UsageError(f"{variable}: the key contains invalid characters; check how it was set")
    return key or None


def _json_object(text: str, source: str, example: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UsageError(f"{source}: must be a JSON object such as {example}")
    return value
