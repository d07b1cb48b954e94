"""What a Chinese pair must hold before it is tried: the gates that need nothing but the draft."""

from __future__ import annotations

import re

from ragassay.models.embedded.chinese.clauses import HAN, POINTING, balanced
from ragassay.models.embedded.structure.drafts import Draft

MIN_CHARS, MAX_CHARS = 7, 64
"""Length of a question in characters: a Chinese word has about two, a question four to thirty words."""
_LONGEST_ANSWER = 600
_BROKEN = re.compile(r"[\n\ufffd\u200b]|[，、；：]？|。？|(?<!怎样)的？$|的的|是是|，，|《》|（）|\*\*|__|##|第？")
_EMPTY = re.compile(
    r"(?:无|没有|未|不详|未知|暂无|不明|无特殊|正常|良好|是|否|有|略|见下|待定|同上|[-—–/xX＊*.…\s]+|未见(?:明显)?异常|未查|无法测量|未测|未检|无异常|无特殊|五官无特殊|详见.*|见.*|N/?A"
    r"|某.*|XX.*|××.*)[。.]?"
)
_TELLS_WHAT_IT_COMPARES = frozenset({"larger", "larger_in_row", "two_keys"})
"""Patterns whose answer repeats the question and adds a choice or an amount."""
_SCAFFOLD = re.compile(
    r"什么|多少|哪[一些里个位年项种]?|何[时地处人]|谁|几|是|的|在|于|为|了|和|与|及|有|分别|请|概述|列出|[，。？、：“”《》（）\s]"
)


def fault_of(draft: Draft, theme: str) -> str | None:
    """Why a draft is not fit to be an example, or None. theme: what the question must name, empty if nothing."""
    question, answer = draft.question, draft.answer.strip()
    if not MIN_CHARS <= len(question) <= MAX_CHARS:
        return "length of the question"
    if not question.endswith("？") or _BROKEN.search(question) or not balanced(question) or not balanced(answer):
        return "broken text"
    if theme not in question:
        return "theme not in the question"
    if not answer or len(answer) > _LONGEST_ANSWER or _EMPTY.fullmatch(answer):
        return "no answer worth asking for"
    if POINTING.search(question.replace(theme, "")):
        return "the question points outside itself"
    if draft.pattern not in _TELLS_WHAT_IT_COMPARES and _leaks(question, answer):
        return "answer leaks into the question"
    return None


def is_empty_value(value: str) -> bool:
    """Whether a value says that there is none: ``无``, ``不详``, ``未见异常``."""
    return _EMPTY.fullmatch(value.strip()) is not None


def _leaks(question: str, answer: str) -> bool:
    """Whether the question says most of the answer: the answer itself, or two thirds of its pairs of characters."""
    bare = _SCAFFOLD.sub("", answer)
    if not bare:
        return True
    if bare in _SCAFFOLD.sub("", question):
        return True
    pairs = [answer[place : place + 2] for place in range(len(answer) - 1) if re.match(f"[{HAN}]{{2}}", answer[place:])]
    return len(pairs) > 1 and sum(pair in question for pair in pairs) * 3 > 2 * len(pairs)
