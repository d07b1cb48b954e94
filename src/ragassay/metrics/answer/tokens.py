"""Tokens that answers are compared by: ours, SQuAD's and ROUGE's."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, normalize

from ragassay.text import CJK

KEPT_TEXTS = 4
"""Texts whose tokens are remembered: several metrics look at the same two."""
_SQUAD_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_SQUAD_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CJK_SIGN = re.compile(f"[{CJK}]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LETTER = r"[^\W\d_]"
# Inside a word a mark is left out: "don't", "U.S.".
_INSIDE = re.compile(rf"(?<={_LETTER})['\u2019\u02bc](?={_LETTER})|(?<=\b{_LETTER})\.(?={_LETTER}\b)")
_ONE_SIGN = ((re.compile("<="), "\u2264"), (re.compile(">="), "\u2265"), (re.compile(r"(?<=\w)#"), "\u266f"))
# A sign stands before a number, and behind nothing: "-5 °C", but "5-7". A digit behind a letter is the word's: "B12".
_NUMBER = re.compile(
    r"(?:(?<![\w.,)\]])([-+\u2212\u2013])([$\u20ac\u00a3\u00a5]?))?"
    r"(?<!\w)((?<!\d,)\d{1,3}(?:,\d{3})++(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+)*|\.\d+)"
)


class _Signs(dict[int, str]):
    """Each character to itself, to a token of its own, or to a gap."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        kind = category(sign)
        if kind == "Cf" or 0xFE00 <= code <= 0xFE0F:  # soft hyphens, joiners, variants of the sign before
            self[code] = ""
        elif sign in "%\u2030" or (kind[0] == "S" and kind != "Sk" and sign not in "|~\u2212") or _CJK_SIGN.match(sign):
            self[code] = f" {sign} "
        else:
            self[code] = " " if kind[0] in "PSZC" else sign  # a minus that is no sign is a dash
        return self[code]


_SIGNS = _Signs()


@lru_cache(maxsize=KEPT_TEXTS)
def answer_tokens(text: str) -> tuple[str, ...]:
    """Words, numbers and signs: what answers are compared by where no published rule is meant.

    Case, punctuation, an article before a word and how Unicode writes a character (NFC, full width) do not count. A
    number is its value: "12.0" is "12" and "1,000" is "1000", "3.5" is not "35", "-5" not "5"; three digits behind a
    point may be thousands and stay. Signs that say something are tokens: "✓", "%", "<=" ("≤"). CJK characters are a
    token each. A text of punctuation alone is compared as it is.
    """
    text = _INSIDE.sub("", normalize("NFC", normalize("NFC", text).translate(_FULL_WIDTH).casefold()))
    for written, sign in _ONE_SIGN:
        text = written.sub(sign, text)
    tokens: list[str] = []
    end = 0
    for number in _NUMBER.finditer(text):
        tokens += text[end : number.start()].translate(_SIGNS).split()
        tokens += [*filter(None, [number[2]]), _value(number[1] or "", number[3])]
        end = number.end()
    tokens += text[end:].translate(_SIGNS).split()
    kept = tuple(
        token
        for token, behind in zip(tokens, (*tokens[1:], ""), strict=False)
        if token not in ("a", "an", "the") or not behind[:1].isalnum()
    )
    return kept or tuple(text.split())


def _value(sign: str, digits: str) -> str:
    digits = digits.replace(",", "")
    if digits.count(".") == 1:
        whole, fraction = digits.split(".")
        fraction = fraction if len(fraction) == 3 else fraction.rstrip("0")
        digits = f"{whole or '0'}.{fraction}".rstrip(".")
    return digits if sign in "+" else f"-{digits}"


@lru_cache(maxsize=KEPT_TEXTS)
def squad_tokens(text: str) -> tuple[str, ...]:
    """The normalisation of SQuAD's evaluation script, to the letter: lower case, no ASCII punctuation, no a, an, the.

    Punctuation leaves no space ("non-profit" is one token, "3.5" is "35", "-5" is "5"); other quotes and dashes stay.
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1 and its evaluation script.
    """
    return tuple(_SQUAD_ARTICLE.sub(" ", text.lower().translate(_SQUAD_PUNCTUATION)).split())


@lru_cache(maxsize=KEPT_TEXTS)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Runs of letters and digits in lower case, CJK characters one by one; without stemming and stop words.

    On ASCII text the tokens of the package rouge_score without its stemmer: "-5" is "5".
    """
    return tuple(token for token in normalize("NFC", text.lower()).translate(_SIGNS).split() if token[0].isalnum())


def stand_in(wanted: Sequence[str], tokens: Sequence[str]) -> bool:
    """Return whether the wanted tokens stand side by side, in their order, among the others; none stand everywhere.

    Tokens hold no space, so that a search for the text between spaces, which is linear, finds them.
    """
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(tokens)} "
