"""Answers that only repeat a text, word for word."""

from __future__ import annotations

import re

from ragassay.models.embedded.reading.units import sentences
from ragassay.text import CJK, count_words

FEWEST_COPIED = 4
"""Words of a sentence from which on it is no chance that a text has them in this order."""
_CJK_SIGN = re.compile(f"[{CJK}]")


def stands_in(answer: str, context: str) -> bool:
    """Whether each sentence of an answer is a stretch of the context, of several words: nothing is left to judge."""
    told = [" ".join(each.lower().split()).rstrip(".;。；") for each in sentences(answer)]
    text = " ".join(context.lower().split())
    return bool(told) and all(_length(each) >= FEWEST_COPIED and each in text for each in told)


def _length(sentence: str) -> int:
    """Words; in Chinese, which has no spaces between them, signs."""
    return count_words(sentence) if _CJK_SIGN.search(sentence) else len(sentence.split())
