"""Bytes of text files to text: UTF-8 if possible, else by byte order mark or a guess that is told."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from ragassay.corpus.parsed import UnreadableError, clean_characters

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 64_000
_MOST_CONTROLS = 0.05
"""Share of control characters among the first characters above which a file is binary."""
_CONTROLS = bytes(sorted(set(range(32)) - set(b"\t\n\r\f\x0b\x1b")))


class Decoded(NamedTuple):
    """encoding: empty for UTF-8, else what the bytes were taken for."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """The text of a file, cleaned. Raises UnreadableError when it is empty, binary or in an unknown encoding."""
    if not data.strip():
        raise UnreadableError("it is empty")
    text, encoding = _decode(data)
    if not text.strip():
        raise UnreadableError("it holds nothing but white space")
    return Decoded(clean_characters(text), encoding)


def _decode(data: bytes) -> Decoded:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return Decoded(data[len(mark) :].decode(encoding), "" if encoding == "utf-8" else encoding)
            except UnicodeDecodeError:
                break
    if _is_binary(data):
        raise UnreadableError("it is a binary file, not text")
    try:
        return Decoded(data.decode("utf-8"), "")
    except UnicodeDecodeError:
        return _guess(data)


def _is_binary(data: bytes) -> bool:
    sample = data[:_SAMPLE_BYTES]
    return b"\x00" in data or len(sample) - len(sample.translate(None, _CONTROLS)) > _MOST_CONTROLS * len(sample)


def _guess(data: bytes) -> Decoded:
    from charset_normalizer import from_bytes

    sample = data[:_SAMPLE_BYTES]
    best = from_bytes(sample).best()
    candidates = [best.encoding] if best else []
    for encoding in (*candidates, "cp1252", "latin-1"):
        try:
            return Decoded(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableError("unknown encoding; save it as UTF-8")
