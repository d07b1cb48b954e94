"""Which rules answer an input: the English ones, or those that Chinese has of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ragassay.models.base import Encoder, Reply
from ragassay.tasks.languages import language_name

if TYPE_CHECKING:
    from ragassay.models.embedded.model import Handler

CHINESE = frozenset(
    "answer_relevance answer_statements answer_claims keypoints keypoint_verdicts statement_verdicts "
    "statement_inferences".split()
)
"""Tasks that Chinese has rules of its own for, all in ``chinese/verdicts.py``."""
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_FEWEST_HAN = 2
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_SPOKEN = ("question", "answer", "statements", "keypoints", "context", "chunks")
"""Fields of an input that show its language, the most telling first."""


def by_language(task_name: str, english: Handler) -> Handler:
    """The handler of a task for inputs of any language: each goes to the rules of its own, else to the English ones."""
    if task_name not in CHINESE:
        return english

    def answer(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
        own: Handler = import_module(f"{__package__}.chinese.verdicts").HANDLERS[task_name]
        is_chinese = [language_of(each) == "zh" for each in inputs]
        replies: list[Reply[Any] | None] = [None] * len(inputs)
        for rules in (own, english):
            places = [place for place, here in enumerate(is_chinese) if here is (rules is own)]
            found = rules(encoder, [inputs[place] for place in places]) if places else []
            for place, reply in zip(places, found, strict=True):
                replies[place] = reply
        return [reply for reply in replies if reply is not None]

    return answer


def no_questions_in(language: str) -> str:
    """Return why no question is written about a document in another language than English, and what would write some.

    language: its ISO 639-1 code.
    """
    scenario = ", or make documents and questions with `ragassay scenario`" if language == "zh" else ""
    return (
        f"the document is in {language_name(language) or language}; without a language model questions are written in "
        f"English only: name one with --model{scenario}"
    )


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
            is_chinese = len(_HAN.findall(text)) >= _FEWEST_HAN and _KANA_OR_HANGUL.search(text) is None
            return "zh" if is_chinese else "en"
    return "en"
