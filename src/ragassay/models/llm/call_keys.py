"""The key of a call: of all that decides about its answer, and of nothing else.

Part of the key: where the model is served, its name, the parameters as they were asked for, the messages, the schema of
the reply, which of several answers it is, and how often the model was told that its reply cannot be used. Not part of
it: the API key, headers, limits, and what a server made us leave out. The address belongs to it because a name such as
llama3.1 does not say which weights, at which precision, a server means by it; a log never gives the reply of one server
for the reply of another.
"""

from __future__ import annotations

from hashlib import blake2b
from urllib.parse import urlsplit

KEY_FORMAT = "1"
"""Raised when keys change their meaning, so that no old reply is found under a new key."""

KEY_BYTES = 16


def call_key(*, address: str, model: str, parameters: str, schema: str, messages: str, sample: int, turn: int) -> bytes:
    """16 bytes. address: the base URL as ``public_address`` gives it. parameters, schema, messages: JSON."""
    digest = blake2b(digest_size=KEY_BYTES)
    for part in (KEY_FORMAT, address, model, parameters, schema, messages, str(sample), str(turn)):
        data = part.encode("utf-8")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def public_address(url: str) -> str:
    """A URL as it may be shown and stored: without user name, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"
