"""Tokens that answers are compared by; Chinese and Japanese signs are a token each."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache

from ragassay.text import CJK

_SIGN = re.compile(rf"([{CJK}])")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation + "。，、；：？！…—·～“”‘’（）《》〈〉【】「」『』〔〕")
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")


KEPT_TEXTS = 4
"""Texts whose tokens are remembered: several metrics look at the same two."""


@lru_cache(maxsize=KEPT_TEXTS)
def squad_tokens(text: str) -> tuple[str, ...]:
    """Tokens in lower case without punctuation and English articles: the normalisation of SQuAD.

    As there, ASCII punctuation goes without leaving a space ("non-profit" is one token). Departing from it, CJK signs
    stand apart and their punctuation and typographic quotes go as well (as CMRC 2018 does for Chinese).
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1 and its evaluation script.
    """
    bare = text.lower().translate(_PUNCTUATION)
    return tuple(_ARTICLE.sub(" ", _SIGN.sub(r" \1 ", bare)).split())


@lru_cache(maxsize=KEPT_TEXTS)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Runs of letters and digits in lower case, CJK signs one by one; without stemming and stop words.

    On ASCII text the tokens of the package rouge_score without its stemmer.
    """
    return tuple(_WORD.findall(text.lower()))


def stand_in(wanted: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the wanted tokens stand side by side, in their order, among the others; none stand everywhere.

    Tokens hold no space, so that a search for the text between spaces, which is linear, finds them.
    """
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(tokens)} "
