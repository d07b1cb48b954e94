"""BLEU of one answer, as sacreBLEU defines it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from unicodedata import normalize

from ragassay.metrics.answer.declared import compared, of_texts
from ragassay.metrics.answer.overlap import shared_count
from ragassay.text import CJK

MAX_ORDER = 4
LONGEST_WORD, KEPT_WORDS = 60, 20_000
"""Words with signs, such as those before a comma, come again and again: how they are cut is remembered."""

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_HAS_CJK = re.compile(rf"[{CJK}]")
# What sacreBLEU's zh sets apart: CJK signs and their punctuation, wide forms, and all from U+2001 to U+2A6D, dashes and
# typographic quotes among them. Kana besides, for which sacreBLEU wants a dictionary.
_APART = re.compile(rf"([{CJK}\u2001-\u2a6d\u2e80-\u303f\u3100-\u312f\u31a0-\u33ff\ufe10-\ufe4f\uff00-\uffef])")
# The rules of mteval-v13a.pl, in its order: signs apart; stops and commas apart unless between digits; a dash behind a
# digit apart.
_RULES = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def bleu(answer: str, reference: str) -> float:
    """Brevity penalty times the geometric mean of the precisions of 1 to 4 successive tokens, in [0, 1].

    Sentence BLEU with effective order (orders longer than the answer are left out) and smoothing "exp": where no
    sequence of an order matches, its count is 1/2, 1/4, ... for the first, second, ... such order. 0 where not one
    token is shared. Case counts. Tokens are those of sacreBLEU's ``13a``, or of its ``zh`` where answer or reference
    have a Chinese sign, of texts in Unicode's NFC. A mean over questions is not the BLEU of a corpus.
    Source: Papineni et al. 2002; Post 2018 (sacreBLEU); smoothing: Chen and Cherry 2014, method 3.
    """
    tokens = _chinese_tokens if _HAS_CJK.search(answer) or _HAS_CJK.search(reference) else _tokens
    said, wanted = (tokens(normalize("NFC", text.rstrip())) for text in (answer, reference))
    matches = [_matches(said, wanted, order) for order in range(1, MAX_ORDER + 1)]
    if not any(matches) or not wanted:
        return 0.0
    penalty = 1.0 if len(said) >= len(wanted) else exp(1 - len(wanted) / len(said))
    return penalty * exp(sum(map(log, _precisions(matches, len(said)))) / min(MAX_ORDER, len(said)))


def _tokens(text: str) -> list[str]:
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in _ENTITIES:
            text = text.replace(entity, sign)
    tokens: list[str] = []
    for word in text.split():
        if word.isalnum():  # what no rule touches; the rules look at neighbours only, hence word by word
            tokens.append(word)
        else:
            tokens += _split_word(word) if len(word) <= LONGEST_WORD else _split(f" {word} ")
    return tokens


@lru_cache(maxsize=KEPT_WORDS)
def _split_word(word: str) -> tuple[str, ...]:
    return tuple(_split(f" {word} "))


def _chinese_tokens(text: str) -> list[str]:
    return _split(_APART.sub(r" \1 ", text.strip()))


def _split(text: str) -> list[str]:
    for rule, parts in _RULES:
        text = rule.sub(parts, text)
    return text.split()


def _matches(said: Sequence[str], wanted: Sequence[str], order: int) -> int:
    """Sequences of ``order`` tokens in both, each as often as it stands in both."""
    runs = [zip(*(tokens[shift:] for shift in range(order)), strict=False) for tokens in (said, wanted)]
    return shared_count(*runs)


def _precisions(matches: Sequence[int], tokens: int) -> list[float]:
    precisions, smoothing = [], 1.0
    for order, matched in enumerate(matches[:tokens], start=1):
        if not matched:
            smoothing *= 2
        precisions.append((matched or 1 / smoothing) / (tokens - order + 1))
    return precisions


METRICS = (compared("bleu", bleu, "Papineni et al. 2002; sacreBLEU (Post 2018), smoothing exp", of_texts(bleu)),)
