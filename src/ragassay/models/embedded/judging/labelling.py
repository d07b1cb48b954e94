"""The labeller: how a context answers a question, seen from context, question and answer.

In this order: the verifier finds no answer -> unanswerable; a computation whose result is not written there ->
reasoning. Then two heads on the verifier's states decide (``benchmarks/fit_label.py``). Where the verifier is off,
words do.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.judgements import (
    ANSWERED_WINDOWS,
    OPEN_WINDOWS,
    Answered,
    QuestionOnText,
    answered,
)
from ragassay.models.embedded.judging.places import answers, rank_places, read_question, read_text
from ragassay.models.embedded.judging.questions import asks_itself, unframed
from ragassay.models.embedded.judging.relevance import question_parts
from ragassay.models.embedded.judging.verdicts import statements_to_read
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.terms import NUMBER_WORDS
from ragassay.models.small.verifier import LABELLING, Way, probability
from ragassay.tasks.critique import LabelVerdict, Pair
from ragassay.text import sentence_spans

# So many items beyond two make a list several things; chosen on the sources that calibrate the verifier's heads.
LONG_LIST = 2

_COMPARATIVE = (
    r"(?:more|less|fewer|later|bigger|"
    r"(?:long|larg|high|low|great|short|tall|old|young|small|earli|cheap|heavi|fast|slow|new)er)"
)
_SUPERLATIVE = r"(?:first|last|most|least|(?:earli|lat|larg|long|small|high|low|great|old|young)est)"
_COMPUTES = re.compile(
    rf"""
    \bhow\s+(?:many|much|long)\b.*\b(?:{_COMPARATIVE}|between|apart|after|before|pass(?:ed)?|elapsed)\b
    | \bhow\s+old\b | \bat\s+what\s+age\b | \bby\s+how\s+(?:much|many)\b | \bcompare\b | \b(?:same|identical)\b.*\?
    | \bhow\s+many\b.*\b(?:list|listed|named|mentioned|described|given|set\s+out)\b
    | \bfor\s+how\s+many\s+(?:years|months|days)\b | \bthe\s+(?:difference|ratio|sum|combined|joint)\b
    | ^\W*(?:which|who)\b.*\b(?:{_COMPARATIVE}\b\s*(?:[,:?]|in\b)|{_SUPERLATIVE}\b.*\bor\b)
    | ^\W*(?:which\s+of\s+[^?]+\sand\s|of\s+the\s[^?]+\bwhich\b[^?]*\b{_SUPERLATIVE}\b)
    | \b(?:with|has)\s+the\s+(?:highest|lowest)\b | \bwhich\b.*\b(?:comes|came|happened)\s+{_SUPERLATIVE}\b
    | ^\W*(?:is|are|was|were|did|do|does|had|has)\b.*\b(?:before|after|{_COMPARATIVE}\s+than|at\s+least|as\s+\w+\s+as)\b
    | 还是先 | 相隔 | 相差 | 间隔多 | 隔了多 | 多少周岁 | 比.{{1,30}}?(?:多|少|高|低|大|小|长|短|早|晚)(?:多少|几|多久)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"""
    \b(?:steps|stages|phases|procedure|instructions|list|summari[sz]e|outline|describe)\b
    | ^\W*how\s+(?:do|can|should)\s+(?:i|you|we|staff|users?|customers?)\b | \bname\s+(?:all|the\s+\w+s)\b
    | ^\W*(?:what|who)\s+(?:are|were)\s+the\b | ^\W*which\s+(?:\w+\s+){0,2}\w{2,}[^s\W]s\s+(?:are|were)\b
    | \bwhat\s+(?:\w+\s+)?(?:kinds|types|ways|options|reasons|factors|events|changes|measures|effects|causes|values)\b
    | \bwhat\s+(?:is\s+known|happened)\b | \b(?:when|where|who|what)\s+and\s+(?:when|where|by\s+whom|how|what|why)\b
    | 哪些|分别|步骤|列出|总结|概述
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUMMARISES = re.compile(r"\b(?:summari[sz]e|outline|describe|what\s+is\s+known|overview)\b|总结|概述", re.IGNORECASE)


def _labels(encoder: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    pairs = [pair.model_copy(update={"question": unframed(pair.question)}) for pair in inputs]
    asked = [
        QuestionOnText(
            pair.question,
            pair.context,
            statements_to_read(pair.question, pair.answer, pair.context),
            ANSWERED_WINDOWS if pair.answer else OPEN_WINDOWS,
        )
        for pair in pairs
    ]
    return [Reply(_label(pair, found)) for pair, found in zip(pairs, answered(encoder, asked), strict=True)]


def _label(pair: Pair, found: Answered | None) -> LabelVerdict:
    if absent := _why_unanswered(pair, found):
        return LabelVerdict(label="unanswerable", reason=absent)
    if follows := why_it_follows(pair):
        return LabelVerdict(label="reasoning", reason=follows)
    if _SUMMARISES.search(pair.question):
        return LabelVerdict(label="summary", reason="a summary is asked for")
    return _by_way(found.way, pair.answer) if found and found.way else one_or_several(pair)


def _why_unanswered(pair: Pair, found: Answered | None) -> str:
    """Why the context does not answer; "" where it does, as where it asks the question itself and answers it."""
    asked = read_question(pair.question)
    if not asked.terms:
        return "the question asks for nothing that could be looked up"
    if asks_itself(pair.context, pair.question, pair.answer):
        return ""
    if found is not None:
        return "" if found.is_answered else f"the context hardly answers it, probability {found.likely:.2f}"
    index = read_text(pair.context)
    wide = _SUMMARISES.search(pair.question) is not None or asks_for_computation(pair.question)
    return "" if answers(asked, rank_places(asked, index), wide=wide) else "the context does not say this of it"


def _by_way(way: Way, answer: str) -> LabelVerdict:
    if way.inferred >= 0:
        reason = f"the answer follows, probability {probability(way.inferred):.2f}"
        return LabelVerdict(label="reasoning", reason=reason)
    extent = zip(_weights(), extent_of(answer), strict=True)
    odds = way.several + sum(weight * value for weight, value in extent)
    likely = f"probability {probability(abs(odds)):.2f}"
    if odds >= 0:
        return LabelVerdict(label="summary", reason=f"several things are asked for, {likely}")
    return LabelVerdict(label="fact_single", reason=f"one thing is asked for, {likely}")


def why_it_follows(pair: Pair) -> str:
    """Why a pair whose context answers it needs an inference, where that is sure; "" where it is not."""
    if asks_for_computation(pair.question) and not _is_written(pair.answer, pair.context):
        return "it asks to compare, count or reckon, and the answer is not written there"
    asked, told = _numbers(pair.question), _numbers(pair.answer)
    if _YES_NO.match(pair.answer) and asked and told and not asked & told:
        return "it asks whether one number holds where another is stated"
    return ""


def _is_written(answer: str, text: str) -> bool:
    """Whether an answer stands in a text; a bare number may by chance, and one that shows its parts was reckoned."""
    words = _WORD.findall(answer.lower())
    may_be = len(words) > 1 and not _SHOWS_PARTS.search(answer)
    return may_be and f" {' '.join(words)} " in f" {' '.join(_WORD.findall(text.lower()))} "


def _numbers(text: str) -> set[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return {str(NUMBER_WORDS.get(word, word)) for word in words if word[0].isdigit() or word in NUMBER_WORDS} - {"1"}


_WORD = re.compile(r"\w+")
_SHOWS_PARTS = re.compile(r"\([^()]*\)\W*$")
_YES_NO = re.compile(r"\W*(?:yes|no)(?:[,;:.]|\W*$)", re.IGNORECASE)


def one_or_several(pair: Pair) -> LabelVerdict:
    """By what the answer says, or where there is none by what the question asks for."""
    extent = extent_of(pair.answer)
    if extent.parts or extent.items >= LONG_LIST:
        return LabelVerdict(label="summary", reason="the answer says several things")
    if not extent.given and asks_for_several(pair.question):
        return LabelVerdict(label="summary", reason="the question asks for several things")
    return LabelVerdict(label="fact_single", reason="one thing is asked, which the context says")


def asks_for_computation(question: str) -> bool:
    """Whether a question asks to compare, count or reckon rather than to read."""
    return _COMPUTES.search(question) is not None


def asks_for_several(question: str) -> bool:
    """Whether a question asks for several things: parts, a list, a procedure, a summary."""
    return len(question_parts(question)) > 1 or bool(_SEVERAL.search(question)) or asks_for_computation(question)


MOST_PARTS, MOST_ITEMS = 5, 4
"""More of them say no more."""


class Extent(NamedTuple):
    """given: 1 for an answer. parts: sentences and clauses beyond one. items: of the longest list beyond two.

    words: the logarithm of their number. All 0 where there is no answer.
    """

    given: float = 0.0
    parts: float = 0.0
    items: float = 0.0
    words: float = 0.0


def extent_of(answer: str) -> Extent:
    """Of an answer, counted."""
    if not answer.split():
        return Extent()
    clauses = [
        part for start, end in sentence_spans(answer) for part in _CLAUSE.split(answer[start:end]) if part.strip()
    ] or [answer]
    items = max(sum(1 for item in _LISTED.split(clause) if item.strip()) for clause in clauses)
    parts = float(min(len(clauses) - 1, MOST_PARTS))
    return Extent(1.0, parts, float(min(max(0, items - 2), MOST_ITEMS)), math.log(len(answer.split())))


_CLAUSE = re.compile(r"[;\n]+")
_LISTED = re.compile(r",|\band\b|\bor\b")


@lru_cache(1)
def _weights() -> tuple[float, ...]:
    return tuple(json.loads(LABELLING.read_text(encoding="utf-8"))["several"]["answer"])


HANDLERS: dict[str, Handler] = {"label": _labels}
