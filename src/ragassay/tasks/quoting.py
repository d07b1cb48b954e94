"""Quotes of a language model, found again in the text that they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

_ALIKE = {
    **dict.fromkeys("'‘’‚‛`´", "['‘’‚‛`´]"),
    **dict.fromkeys('"“”„«»', '["“”„«»]'),
    **dict.fromkeys("-‐‑‒–—−", "[-‐‑‒–—−]"),
    "\ufffd": ".",
}
"""Signs that models exchange while they copy, and the sign that took the place of an unreadable one."""
_MARKS = "\"'“”‘’„«»`"
_GAP = re.compile(r"\s*\[?(?:…|\.\.\.)\]?\s*")
NO_QUOTE = "no quote stands in the passage; copy each quote from it character by character"


class Quotes(NamedTuple):
    """items: as the text has them, those that do not stand there as they were given. any_found: whether one does."""

    items: tuple[str, ...]
    any_found: bool


def located_quotes(quotes: Iterable[str], text: str) -> Quotes:
    """Put quotes as the text has them; one that it lacks stays as it is, for whoever locates it to find it lacking."""
    stretches = [(quote, verbatim(quote, text)) for quote in quotes]
    items = dict.fromkeys(stretch for quote, found in stretches for stretch in found or (quote,))
    return Quotes(tuple(items), any(found for _, found in stretches))


def verbatim(quote: str, text: str) -> tuple[str, ...]:
    """The stretches of ``text`` that a quote copies, in its order; empty where it copies none.

    White space, case, kinds of quotation marks and of dashes may differ. A quote with dots for what it leaves out gives
    one stretch for each part.
    """
    quote = quote.strip()
    for candidate in dict.fromkeys((quote, quote.strip(_MARKS).strip(), quote.strip(_MARKS + " .…"))):
        found = _find(candidate, text)
        if found:
            return (found,)
    parts = [_find(part.strip(_MARKS), text) for part in _GAP.split(quote) if part.strip(_MARKS)]
    return tuple(parts) if len(parts) > 1 and all(parts) else ()


def _find(quote: str, text: str) -> str:
    if not quote.strip():
        return ""
    if quote in text:
        return quote
    words = quote.split()
    pattern = _pattern(words[0])
    for before, word in pairwise(words):
        # A space after these may have been put there by ``prompts.shown``.
        pattern += (r"\s*" if before[-1] in "<[" else r"\s+") + _pattern(word)
    match = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE)
    return match.group() if match else ""


def _pattern(word: str) -> str:
    return "".join(_ALIKE.get(sign) or re.escape(sign) for sign in word)
