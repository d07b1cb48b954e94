"""Which rules answer an input: the English ones, or those that Chinese has of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply

Handler = Callable[[Encoder, Sequence[Any]], list[Reply[Any]]]
"""Answers one task for many inputs at once, in their order."""
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_FEWEST_HAN = 2
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_SPOKEN = ("question", "answer", "statements", "keypoints", "context", "chunks")
"""Fields of an input that show its language, the most telling first."""


def by_language(english: Handler, chinese: Handler) -> Handler:
    """Return the handler for inputs of any language: each goes to the rules of its own, else to the English ones."""

    def answer(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
        is_chinese = [language_of(asked) == "zh" for asked in inputs]
        replies: list[Reply[Any] | None] = [None] * len(inputs)
        for rules in (chinese, english):
            places = [place for place, here in enumerate(is_chinese) if here is (rules is chinese)]
            found = rules(encoder, [inputs[place] for place in places]) if places else []
            for place, reply in zip(places, found, strict=True):
                replies[place] = reply
        return [reply for reply in replies if reply is not None]

    return answer


def language_of(asked: Any) -> str:
    """Return "zh" for an input that is written in Han, "en" for all others."""
    for name in _SPOKEN:
        value = getattr(asked, name, "")
        text = value if isinstance(value, str) else " ".join(value)
        if text.strip():
            is_chinese = len(_HAN.findall(text)) >= _FEWEST_HAN and _KANA_OR_HANGUL.search(text) is None
            return "zh" if is_chinese else "en"
    return "en"
