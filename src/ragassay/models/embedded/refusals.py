"""Whether an answer declines to answer: outright, or by saying that the information is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.embedded.units import sentences

# A phrase far into the opening sentence is mostly part of an answer.
_OPENING_WORDS = 45

_DECLINES = re.compile(
    r"""
    \b(?:sorry|apologi[sz]e|apologies)\b
    | \bas\s+an?\s+(?:\w+\s+){0,3}(?:ai|artificial\s+intelligence|model|assistant)\b | \bas\s+ai\b
    | \b(?:i|we)\s+(?:do|did|can|could|was|were|am|are|have|has)\s?(?:not|n['’]t)\b | \b(?:i|we)\s+can(?:not|['’]t)\b
    | \bi['’]m\s+(?:not|unable) | \b(?:i\s+am|i\s+was|we\s+are)\s+unable\b
    | \b(?:no|not\s+enough|insufficient)\s+(?:\w+\s+)?(?:information|context|data)\s+to\s+answer\b | \bunanswerable\b
    | \b(?:cannot|can['’]t|could\s+not|unable\s+to|not\s+possible\s+to|impossible\s+to)\s+(?:be\s+)?
      (?:answer|determine|find|provide|infer|tell|say|confirm)
    | ^\W*(?:i\s+)?(?:do\s+not|don['’]t)\s+know\b | ^\W*unknown\W*$
    | 抱歉|对不起|无法(?:回答|确定|提供|得知|判断)|不知道|不能回答|没有足够
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MATTER = (
    r"(?:information|details?|data|records?|documentation|evidence|sources?|accounts?|mentions?|reasons?|indications?)"
)
_GIVEN = (
    r"(?:say|tell|mention|specif(?:y|ie)|provid|state[ds]?\b|give|disclos|contain|includ|document|detail|availab|find|found|identif|clear"
    r"|known|address|discuss|describ|indicat|explain|list|reveal|report)\w*"
)
_NOT = r"(?:not|n['’]t|never)"
_SAYS_IT_IS_MISSING = re.compile(
    rf"""
    \b\w*{_NOT}\s+(?:\w+\s+){{0,4}}{_GIVEN}\b
    | \b(?:no|few|little|limited|scarce|(?:a\s+)?lack\s+of|insufficient)\s+(?:\w+\s+){{0,4}}{_MATTER}\b
    | \b{_MATTER}\b[^.]{{0,120}}\b(?:scarce|limited|lacking|missing|unavailable|unclear)\b
    | \b(?:appears?|seems?)\s+(?:to\s+be\s+)?(?:no\b|that\s+there\s+is\s+no\b
        |a\s+(?:mix-?up|confusion|misunderstanding)\b)
    | \b(?:does|do|did){_NOT}\s+(?:seem|appear)\b | \b(?:does|do|did)\s+not\s+(?:seem|appear)\b
    | \b(?:is|are|remains?)\s+(?:unknown|unclear|unspecified|unavailable)\b
    | \b(?:unfortunately|regrettably)\b
    | 没有(?:相关|提及|提到|找到|提供|包含|说明)|未(?:提及|提到|提供|说明|包含|找到)|信息不足|无相关
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SENDS_AWAY = re.compile(
    r"\bplease\s+(?:\w+\s+){0,2}(?:provide|check|verify|clarify|consult|refer|double|look|note\s+that\s+i)\b",
    re.IGNORECASE,
)

_OF_A_TEXT = re.compile(
    r"""
    \b(?:texts?|information|contexts?|articles?|documents?|passages?|sources?|materials?)\b[^.]{0,40}
      \b(?:does|do|did|is|are)(?:\s+not|n['’]t)\b
    | \bnot\b[^.]{0,60}\bin\s+the\s+(?:provided|given)?\s*(?:text|context|article|information|document)
    | (?:文中|文本|文章|资料|材料)[^。]{0,20}(?:没有|未)
    """,
    re.VERBOSE | re.IGNORECASE,
)

DECLINES, SAYS_MISSING, ANSWERS = 1.0, 0.7, 0.0
OF_A_TEXT = 0.4


def evasion(answer: str) -> float:
    """How far the answer evades, in [0, 1]: 1 if it opens by declining, 0.7 if by saying that information is missing.

    Otherwise half the share of sentences that evade. A refusal phrase further on is mostly part of a good answer
    ("document 2 does not mention ..."), so it counts only as one sentence among the others.
    """
    found = sentences(answer)
    if not found:
        return 1.0
    opening = " ".join(found[0].split()[:_OPENING_WORDS])
    if _DECLINES.search(opening):
        return DECLINES
    if _SAYS_IT_IS_MISSING.search(opening):
        return SAYS_MISSING
    evading = sum(1 for sentence in found[1:] if _evades(sentence))
    return 0.5 * evading / len(found)


def speaks_of_a_text(sentence: str) -> bool:
    """Whether a sentence that says what is missing says so of a text: a statement about it, right or wrong."""
    return _OF_A_TEXT.search(sentence) is not None


def evasiveness(answer: str) -> float:
    """As ``evasion``, for who sees the question and the answer alone: every evading sentence counts in full.

    1 if it opens by declining, 0.7 if by saying that information is missing, 0.4 if it says so of a text, which it may
    have read well; otherwise the share of sentences that evade. Chosen after looking at answers rated by GPT-4.
    """
    found = sentences(answer)
    opening = evasion(answer)
    if not found or opening >= DECLINES:
        return DECLINES
    if opening >= SAYS_MISSING:
        return OF_A_TEXT if speaks_of_a_text(found[0]) else SAYS_MISSING
    return sum(map(_evades, found)) / len(found)


def content_sentences(said: Sequence[str]) -> list[str]:
    """The sentences that do not evade: what an answer says beside declining."""
    return [sentence for sentence in said if not _evades(sentence)]


def _evades(sentence: str) -> bool:
    return any(pattern.search(sentence) for pattern in (_DECLINES, _SAYS_IT_IS_MISSING, _SENDS_AWAY))


def is_refusal(answer: str) -> bool:
    """Whether the answer opens by declining or by saying that the information is missing."""
    return evasion(answer) >= SAYS_MISSING
