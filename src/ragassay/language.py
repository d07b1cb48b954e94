"""Which language a text is in."""

from __future__ import annotations

import re

_SAMPLE_CHARS = 1_000
_SECOND_SAMPLE_CHARS = 20_000
"""Looked at where the first sample is no plain English: py3langid takes longer to load than many pages to read."""
_FEWEST_LETTERS = 40
"""Below this py3langid guesses wildly."""
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_ENGLISH = re.compile(r"\b(?:the|of|and|to|is|are|that|for|with|this|by|was|were|be|it|from|which|not)\b")
_MOST_ENGLISH = re.compile(r"\b(?:the|of|and)\b")
_OTHERS = re.compile(
    r"\b(?:und|der|die|das|ist|nicht|mit|von|zu|le|la|les|des|est|et|un|une|dans|pour|que|el|los|las|una|del|por|para)\b"
)
"""German, French and Spanish: a page half of which is quotations, commands or not yet translated is theirs."""
_LATIN_WORD = re.compile(r"\b[a-z]+\b")
_ENGLISH_SHARE, _MOST_ENGLISH_SHARE = 0.06, 0.015
"""Of such words in English full of names; other languages have some of them, but hardly the three commonest."""
_LETTER = re.compile(r"[^\W\d_]")


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code, or "und" where the text is too short to tell.

    By script for Chinese, Japanese and Korean; by its commonest words for English; else by py3langid.
    """
    half, middle = _SAMPLE_CHARS // 2, len(text) // 2  # a document's start is often all names
    sample = text if len(text) <= _SAMPLE_CHARS else text[:half] + "\n" + text[middle : middle + half]
    letters = len(_LETTER.findall(sample))
    if _by_script(sample) and (found := _by_script(text)):  # an English page may quote a Chinese one
        return found
    if letters < _FEWEST_LETTERS:
        return "und"
    start = text[:_SECOND_SAMPLE_CHARS]
    lower = start.lower()
    is_other = len(_OTHERS.findall(start)) > len(_ENGLISH.findall(lower))  # "Los Angeles" is English
    if not is_other and (_is_english(sample.lower()) or _is_english(lower)):
        return "en"
    from py3langid import rank  # imported late: it loads its model

    return next((str(code) for code, _ in rank(sample) if len(code) == 2 and not (is_other and code == "en")), "und")


def _by_script(text: str) -> str:
    """Chinese, Japanese or Korean where three letters of ten are theirs; "und" for a single sign, "" otherwise."""
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    signs = han + kana + hangul
    if not signs or signs < _SHARE_OF_SCRIPT * len(_LETTER.findall(text)):
        return ""
    if signs < _FEWEST_SIGNS:
        return "und"
    if hangul > han + kana:
        return "ko"
    return "ja" if kana >= _SHARE_OF_KANA * (han + kana) else "zh"


_SHARE_OF_SCRIPT, _SHARE_OF_KANA = 0.3, 0.1
_FEWEST_SIGNS = 2


def _is_english(lower: str) -> bool:
    words = max(len(_LATIN_WORD.findall(lower)), 10)
    common = len(_ENGLISH.findall(lower))
    return common >= _ENGLISH_SHARE * words and len(_MOST_ENGLISH.findall(lower)) >= _MOST_ENGLISH_SHARE * words
