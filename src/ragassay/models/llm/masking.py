"""Secrets in what comes back from servers: some repeat the key, as it is, escaped, in base64 or in hexadecimals."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping

MASKED = b"[key]"
"""Stands where a server repeats the key, as some do in errors."""

SHORTEST_SECRET = 8
"""Shorter keys are words such as "ollama", which local servers take; to mask them would spoil replies."""

SECRET_NAME = re.compile(r"(?i)key|token|auth|secret|password|cookie")

_SCHEMES = {"basic", "bearer", "digest", "token", "key", "apikey"}
_REFUSED = {401, 403}


class Mask:
    """Takes secrets out of replies, each of their words too: "Bearer sk-1" comes back as "sk-1"."""

    def __init__(self, secrets: Iterable[str]) -> None:
        given = list(secrets)
        words = {each for value in given for each in (value.strip(), *value.split(), *re.split(r'[\s;,="]+', value))}
        words -= {each for each in words if each.lower() in _SCHEMES} | {""}
        # The longest first: a part that is masked would hide the whole from its pattern.
        ordered = sorted(words, key=lambda word: (-len(word), word))
        long = [word for word in ordered if len(word) >= SHORTEST_SECRET]
        self._long = [form for word in long for form in (_pattern(word), *_in_base64(word), _in_hexadecimal(word))]
        self._short = [_whole(_pattern(word)) for word in ordered if len(word) < SHORTEST_SECRET]

    def masked(self, body: bytes, status: int) -> bytes:
        """A reply's body without the secrets. Short ones go where a key was refused: the reply is about the key."""
        for pattern in (*self._long, *(self._short if status in _REFUSED else ())):
            body = pattern.sub(MASKED, body)
        return body


def secret_headers(headers: Mapping[str, str]) -> list[str]:
    """The values of headers that are keys by another name."""
    return [value for name, value in headers.items() if SECRET_NAME.search(name)]


def _pattern(secret: str) -> re.Pattern[bytes]:
    return re.compile(b"".join(map(_sign, secret)))


def _whole(pattern: re.Pattern[bytes]) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![A-Za-z0-9])" + pattern.pattern + rb"(?![A-Za-z0-9])")


def _in_base64(secret: str) -> list[re.Pattern[bytes]]:
    """The secret within something longer that was encoded: where it begins in a group of three bytes is unknown.

    Of each of the three forms that is what depends on nothing but the secret: all of it but a few bits at its ends.
    """
    content = secret.encode("utf-8", "surrogatepass")
    forms = []
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + content).decode()
        whole = encoded[-(-8 * before // 6) : 8 * (before + len(content)) // 6]
        # the alphabet of URLs has "-" and "_" in place of "+" and "/"
        signs = (rf"(?:{_sign(s).decode()}|{'-' if s == '+' else '_'})" if s in "+/" else s for s in whole)
        forms.append(re.compile("".join(signs).encode()))
    return forms


def _in_hexadecimal(secret: str) -> re.Pattern[bytes]:
    return re.compile(secret.encode("utf-8", "surrogatepass").hex().encode(), re.IGNORECASE)


def _sign(sign: str) -> bytes:
    r"""A pattern of one character; others than letters and digits may be escaped, "/" as "\/", "\u002F" or "%2F".

    A JSON text within another has its backslashes doubled.
    """
    encoded = sign.encode("utf-8", "surrogatepass")
    plain = re.escape(encoded)
    if sign.isascii() and sign.isalnum():
        return plain
    in_url = b"".join(b"%%%02x" % byte for byte in encoded)
    return rb"(?:\\*" + plain + rb"|\\+u(?i:%04x)|(?i:%s))" % (ord(sign), in_url)
