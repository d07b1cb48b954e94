"""Which rules answer an input: the English ones, or those that another language has of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ragassay.models.base import Encoder, Reply

if TYPE_CHECKING:
    from ragassay.models.embedded.model import Handler

ENGLISH = frozenset({"en", "und"})
"""Languages that the English rules read; short texts are often undetermined."""
RULE_SETS = {"zh": "chinese"}
"""ISO 639-1 code to the folder of this package whose modules have the names of the English ones."""
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_SPOKEN = ("question", "answer", "statements", "keypoints", "context", "chunks")
"""Fields of an input that show its language, the most telling first."""


def by_language(task_name: str, module_name: str, english: Handler) -> Handler:
    """The handler of a task for inputs of any language: each goes to the rules of its own, else to the English ones."""

    def answer(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
        languages = [language_of(each) for each in inputs]
        own = {code: _own_handler(code, task_name, module_name) for code in set(languages) if code in RULE_SETS}
        if not any(own.values()):
            return english(encoder, inputs)
        replies: list[Reply[Any] | None] = [None] * len(inputs)
        for rules in dict.fromkeys(own.get(code) or english for code in languages):
            places = [place for place, code in enumerate(languages) if (own.get(code) or english) is rules]
            for place, reply in zip(places, rules(encoder, [inputs[place] for place in places]), strict=True):
                replies[place] = reply
        return [reply for reply in replies if reply is not None]

    return answer


def _own_handler(code: str, task_name: str, module_name: str) -> Handler | None:
    """The rules that a language has for a task; None where it shares the English ones."""
    name = f"ragassay.models.embedded.{RULE_SETS[code]}.{module_name.rpartition('.')[2]}"
    if find_spec(name) is None:
        return None
    handlers: dict[str, Handler] = import_module(name).HANDLERS
    return handlers.get(task_name)


def language_of(asked: Any) -> str:
    """The language of an input: its passage's; of inputs without one, Chinese where the question is written in Han.

    Others count as English, whose rules say themselves which languages they leave out.
    """
    passage = getattr(asked, "passage", asked)
    language = getattr(passage, "language", None)
    if isinstance(language, str):
        return language
    for name in _SPOKEN:
        value = getattr(asked, name, "")
        text = value if isinstance(value, str) else " ".join(value)
        if text.strip():
            return "zh" if not text.isascii() and _is_chinese(text) else "en"
    return "en"


def _is_chinese(text: str) -> bool:
    return len(_HAN.findall(text)) >= _FEWEST_HAN and _KANA_OR_HANGUL.search(text) is None


_FEWEST_HAN = 2
