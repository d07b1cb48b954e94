"""Answer relevance for Chinese: is the answer about what was asked, and does it commit itself?

relevance = on topic x content x commitment, as for English, but on topic is told by words: the share of the question's
pairs of characters that the answer takes up, or a bare answer of the kind that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.parsed_question import pairs, read_question
from ragassay.models.embedded.chinese.reading import fits
from ragassay.models.embedded.judging.refusals import SAYS_MISSING, evasion
from ragassay.models.embedded.model import Handler
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

# The gate is half open where a fifth of the question's pairs are taken up.
GATE_MIDDLE, GATE_WIDTH = 0.2, 0.06
BARE_CHARS, BARE_GATE = 20, 0.85
# New pairs at which specificity reaches 63 %.
SPECIFIC_PAIRS, SPECIFIC_PAIRS_OF_A_FACT = 12.0, 1.5
NEW_SHARE, KIND_SHARE = 0.7, 0.3
EVASION_COST = 0.8
_FACTS = frozenset(("date", "amount", "person", "place"))


def _relevances(_: Encoder, inputs: Sequence[AnswerToQuestion]) -> list[Reply[Relevance]]:
    return [Reply(_relevance(each.question, each.answer)) for each in inputs]


def _relevance(question: str, answer: str) -> Relevance:
    said = set(pairs(answer))
    if not said and not answer.strip():
        return Relevance(relevance=0.0, committal=False, reason="the answer is empty")
    asked = read_question(question)
    wanted = set(asked.wanted) | asked.about
    taken = len(wanted & said) / len(wanted) if wanted else 0.0
    right_kind = fits(answer, asked)
    gate = 1.0 / (1.0 + math.exp(-(taken - GATE_MIDDLE) / GATE_WIDTH))
    is_fact = asked.kind in _FACTS and asked.parts == 1
    if len(answer) <= BARE_CHARS and right_kind and is_fact:
        gate = max(gate, BARE_GATE)
    new = len(said - wanted)
    specific = 1.0 - math.exp(-new / (SPECIFIC_PAIRS_OF_A_FACT if is_fact and right_kind else SPECIFIC_PAIRS))
    evading = evasion(answer)
    commitment = 1.0 - EVASION_COST * evading
    relevance = min(1.0, gate * (NEW_SHARE * specific + KIND_SHARE * right_kind) * commitment)
    committal = evading < SAYS_MISSING
    reason = f"takes up {taken:.0%} of the question, specific {specific:.2f}"
    return Relevance(
        relevance=relevance,
        committal=committal,
        reason=reason if committal else f"{reason}; it opens by declining to answer",
    )


HANDLERS: dict[str, Handler] = {"answer_relevance": _relevances}
