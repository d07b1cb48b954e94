"""Answer relevance: is the answer about what was asked, and does it commit itself? Right or wrong does not matter here."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.question_types import type_share
from ragassay.models.embedded.terms import names, question_terms, terms, total_weight
from ragassay.models.embedded.units import sentences
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

# Feasibility study: the gate is half open at a cosine of 0.35 between question and nearest answer sentence.
GATE_MIDDLE, GATE_WIDTH = 0.35, 0.08
SPECIFICITY_SHARE, DENSITY_SHARE, TYPE_SHARE = 0.45, 0.25, 0.30
# Weight of new terms at which specificity reaches 63 %.
SPECIFIC_WEIGHT = 6.0
REFUSAL_FACTOR = 0.5

_REFUSAL = re.compile(
    r"""
    \b(?:sorry|apologi[sz]e|unfortunately|regrettably)\b
    | \bas\s+(?:an?\s+)?(?:\w+\s+){0,3}(?:ai|artificial\s+intelligence|language\s+model)\b
    | \b(?:i|we)\s+(?:do\s+not|don['’]t|did\s+not|didn['’]t|cannot|can['’]t|could\s+not|couldn['’]t|am\s+(?:not\s+able|unable)|was\s+(?:not\s+able|unable)|am\s+not\s+(?:sure|aware|certain))\b
    | \b(?:there|it)\s+(?:is|are|was|were|isn['’]t|does\s+not\s+appear|doesn['’]t\s+appear|seems?|appears?)\s+(?:to\s+be\s+)?(?:not?|currently\s+no|insufficient|impossible|unclear|unknown)?\s*
      (?:(?:\w+\s+){0,3}(?:information|details?|data|mention|record|evidence|indication|possible\s+to|specified|mentioned|stated|known|clear))\b.{0,60}?
      (?:not|no\b|unavailable|that|about|regarding|on|in|of|to|for|$)
    | \bno\s+(?:\w+\s+){0,3}(?:information|details?|data|records?|mention|answer)\b
    | \b(?:not|n['’]t)\s+(?:\w+\s+){0,3}(?:mentioned|specified|provided|stated|available|given|disclosed|contain|include|mention|specify|provide|state|found|find|answer|determine[d]?|enough\s+information|sufficient\s+information|possible\s+to)\b
    | \b(?:unable|impossible)\s+to\b
    | \b(?:cannot|can['’]t)\s+be\s+(?:answered|determined|found|inferred)\b
    | \b(?:is|are|remains?)\s+(?:un(?:known|clear|specified|available))\b
    | \binsufficient\s+(?:information|data|context|evidence)\b
    | \b(?:information|context|question|document|passage|text)s?\b[^.]{0,50}\b(?:lacks?|missing|unanswerable)\b
    | (?:没有|未|无法|不能|不)(?:相关|提及|提到|找到|提供|包含|回答|确定|知道|清楚|足够)|抱歉|对不起|信息不足|无相关
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
# "It is not mentioned that X, but Y" commits to Y: past this many terms of the first sentence, a phrase is part of an answer.
_OPENING_WORDS = 25


def is_refusal(answer: str) -> bool:
    """Whether the answer opens by declining. A refusal phrase further on is mostly part of a good answer, so it does not count."""
    opening = next(iter(sentences(answer)), "")
    return _REFUSAL.search(" ".join(opening.split()[:_OPENING_WORDS])) is not None


class _Read(NamedTuple):
    """An answer, read against its question. gate_rows: which vectors are compared; see ``_gates``."""

    statements: list[str]
    parts: list[str]
    specificity: float
    density: float
    types: float
    refusal: bool


_SECOND_QUESTION = re.compile(r",?\s+and\s+(?=(?:what|who|whom|whose|when|where|which|why|how)\b)", re.IGNORECASE)


def question_parts(question: str) -> list[str]:
    """The questions that a question is made of: "Who wrote it, and when was it printed?" has two."""
    return [part.strip() for part in _SECOND_QUESTION.split(question) if part.strip()] or [question]


def _read(question: str, answer: str) -> _Read:
    asked = frozenset(question_terms(question))
    said = terms(answer)
    new = set(said) - asked
    told = total_weight(new) + 0.5 * len(names(answer) - asked)
    parts = question_parts(question)
    return _Read(
        statements=sentences(answer),
        parts=parts,
        specificity=1.0 - math.exp(-told / SPECIFIC_WEIGHT),
        density=min(1.0, total_weight(new) / max(1.0, total_weight(said))),
        types=sum(type_share(answer, part, asked) for part in parts) / len(parts),
        refusal=is_refusal(answer),
    )


def _gates(encoder: Encoder, reads: Sequence[_Read]) -> list[float]:
    """How far each answer is on topic, in [0, 1]: the nearest answer sentence to each part of the question, averaged."""
    rows: dict[str, int] = {}
    for read in reads:
        for text in (*read.parts, *read.statements):
            rows.setdefault(text, len(rows))
    vectors: npt.NDArray[np.float32] = encoder.encode(list(rows)) if rows else np.zeros((0, 1), np.float32)
    gates = []
    for read in reads:
        if not read.statements:
            gates.append(0.0)
            continue
        cosines = vectors[[rows[part] for part in read.parts]] @ vectors[[rows[text] for text in read.statements]].T
        nearest = cosines.max(axis=1)
        gates.append(float(np.mean([_sigmoid((float(value) - GATE_MIDDLE) / GATE_WIDTH) for value in nearest])))
    return gates


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(60.0, max(-60.0, value))))


def _relevances(encoder: Encoder, inputs: Sequence[AnswerToQuestion]) -> list[Reply[Relevance]]:
    reads = [_read(item.question, item.answer) for item in inputs]
    return [_reply(read, gate) for read, gate in zip(reads, _gates(encoder, reads), strict=True)]


def _reply(read: _Read, gate: float) -> Reply[Relevance]:
    if not read.statements:
        return Reply(Relevance(relevance=0.0, committal=False, reason="the answer is empty"))
    content = SPECIFICITY_SHARE * read.specificity + DENSITY_SHARE * read.density + TYPE_SHARE * read.types
    relevance = gate * content * (REFUSAL_FACTOR if read.refusal else 1.0)
    reason = f"on topic {gate:.2f}, specific {read.specificity:.2f}, of the kind asked for {read.types:.2f}"
    if read.refusal:
        reason += "; it opens by declining to answer"
    return Reply(Relevance(relevance=min(1.0, max(0.0, relevance)), committal=not read.refusal, reason=reason))


HANDLERS = {"answer_relevance": _relevances}
