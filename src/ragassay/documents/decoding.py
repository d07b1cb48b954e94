"""Bytes of text files to text: by their mark, as UTF-8, as they declare, or by a guess. A note says which."""

from __future__ import annotations

import codecs
import re
import unicodedata
from string import ascii_letters
from typing import NamedTuple

from ragassay.documents.parsed import UnreadableError, clean_characters

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
_UNUSED = ("Cc", "Cn", "Co", "Cs")
"""Categories of characters that no text has many of."""
_MOST_UNUSED = 0.02
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+) | <\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)
    | -\*-[^\n]{0,60}?coding[:=]\s*([\w.-]+)""",
    re.IGNORECASE | re.VERBOSE,
)
_DECLARED_WITHIN = 2_048
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
"""What is written under a name by more than the name says, as browsers read it (encoding.spec.whatwg.org)."""
_NEVER_GUESSED = ("utf-8", "utf-8-sig", "utf-7", "iso8859-1", "iso8859-15")
_FEW_SIGNS = 12
_NEARLY = 0.9
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859-2")
"""A pound sign and a dash fit nearly every encoding. Where they are all, four ASCII letters or more to each, the choice
is among these first, and what fits cp1252 nearly as well as another is Windows text of the West."""
_TYPOGRAPHIC = "£€–—‘’“”•…°±½¼¾§©®™×·«»²³\xa0".encode("cp1252")
"""Where nothing else stands beside ASCII, as in a list of prices, letters of other scripts would stand alone."""


class Decoded(NamedTuple):
    """note: how the bytes were read, a sentence for the user; empty for UTF-8 without damage."""

    text: str
    note: str


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of a file, cleaned, as ``decode_bytes`` reads it. Raises UnreadableError where it is empty."""
    if not data.strip():
        raise UnreadableError("it is empty")
    text, note = decode_bytes(data, encoding)
    if not text.strip():
        raise UnreadableError("it holds nothing but white space")
    return Decoded(clean_characters(text), note)


def decode_bytes(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of bytes, one U+FFFD for each damaged stretch. Raises UnreadableError where they are binary.

    encoding: the user's, for what has no mark and is not UTF-8; else what the text declares, else a guess.
    """
    for mark, marked in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _said(_read(data[len(mark) :], marked), "by its mark")
    utf_8 = _read(data, "utf-8")
    if encoding is not None and (data.isascii() or not utf_8.fits):
        own = _read(data, encoding)
        if own.text == utf_8.text and not utf_8.damaged:
            return _said(utf_8, "")
        if not own.fits:
            raise UnreadableError(f"it is not in {encoding}; give --encoding another value, or leave it out")
        return _said(own, "as --encoding says")
    if b"\x00" in data:
        return _said(_read_utf_16(data), "a guess")
    sample = data[:_SAMPLE_BYTES]
    if len(sample) - len(sample.translate(None, _CONTROLS)) > _MOST_CONTROLS * len(sample):
        raise UnreadableError("it is a binary file, not text")
    if b"\x1b$" not in data and utf_8.fits:
        return _said(utf_8, "")
    declared = _declared(data)
    if declared is not None and (read := _read(data, declared)).fits:
        return _said(read, "as it declares")
    return _said(_read(data, _guess(data)), "a guess; --encoding takes another")


class _Read(NamedTuple):
    """damaged: how often U+FFFD stands for bytes that mean nothing. signs: other characters that are not ASCII."""

    text: str
    encoding: str
    damaged: int
    signs: int

    @property
    def fits(self) -> bool:
        """Return whether most of what is not ASCII could be read."""
        return self.damaged <= self.signs


def _read(data: bytes, encoding: str) -> _Read:
    try:
        text, damaged = data.decode(encoding), 0
    except UnicodeError:
        text = data.decode(encoding, "replace")
        damaged = text.count("\ufffd") - (data.count(b"\xef\xbf\xbd") if encoding == "utf-8" else 0)
    if text.isascii():
        return _Read(text, encoding, damaged, 0)
    return _Read(text, encoding, damaged, sum(sign > "\x7f" for sign in text) - damaged)


def _said(read: _Read, why: str) -> Decoded:
    parts = [] if read.encoding == "utf-8" else [f"Not in UTF-8: read as {read.encoding}, {why}."]
    if read.damaged:
        what = "1 stretch" if read.damaged == 1 else f"{read.damaged:,} stretches"
        parts.append(f"Damaged: {what} of bytes that are not {read.encoding} became U+FFFD.")
    return Decoded(read.text, " ".join(parts))


def _read_utf_16(data: bytes) -> _Read:
    """UTF-16 or UTF-32 without a mark. The right byte order gives fewest unused characters, of fewest blocks."""
    read = [_read(data, encoding) for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")]
    best = min(read, key=lambda each: (_unused(each), len({ord(sign) >> 8 for sign in each.text[:_SAMPLE_BYTES]})))
    if _unused(best) > _MOST_UNUSED:
        raise UnreadableError("it is a binary file, not text")
    return best


def _unused(read: _Read) -> float:
    sample = read.text[:_SAMPLE_BYTES]
    unused = sum(unicodedata.category(sign) in _UNUSED and sign not in "\t\n\r\f" for sign in sample)
    return (unused + sample.count("\ufffd")) / max(len(sample), 1)


def is_known(encoding: str) -> bool:
    """Return whether bytes can be read as text in it."""
    try:
        b"a".decode(encoding, "replace")
    except (LookupError, ValueError):  # the second: a NUL in the name, "undefined"
        return False
    return True


def _declared(data: bytes) -> str | None:
    """Return the encoding that the beginning of a text names, if it is known and ASCII is a part of it."""
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    if match is None:
        return None
    try:
        name = codecs.lookup(match[match.lastindex or 0].decode("ascii")).name
        is_for_text = b"\\x41 a".decode(name) == "\\x41 a"  # LookupError for base64 and such
    except (LookupError, UnicodeError, ValueError):
        return None
    return _SUPERSETS.get(name, name) if is_for_text else None


def _guess(data: bytes) -> str:
    from chardet import EncodingEra, detect, detect_all

    sample = data[:_SAMPLE_BYTES]
    era = EncodingEra.ALL & ~EncodingEra.MAINFRAME
    signs = len(data) - len(data.translate(None, bytes(range(128, 256))))
    letters = len(data) - len(data.translate(None, ascii_letters.encode()))
    if 0 < signs < letters and data.translate(None, _TYPOGRAPHIC).isascii():
        return "cp1252"
    if 0 < signs < _FEW_SIGNS and 4 * signs < letters:
        fits = detect_all(sample, True, encoding_era=era, include_encodings=_LATIN, compat_names=False)
        windows = next((each["confidence"] for each in fits if each["encoding"] == "cp1252"), 0.0)
        if windows > _NEARLY * fits[0]["confidence"]:
            return "cp1252"
    found = detect(sample, encoding_era=era, exclude_encodings=_NEVER_GUESSED, compat_names=False)["encoding"]
    return found or "cp1252"
