"""Relevance of answers and contexts to a question.

Answers: about what was asked, and committed? Right or wrong does not matter here.

relevance = on topic x focus x content x commitment, where
on topic: sigmoid((cosine - 0.35) / 0.08) of each part of the question with the nearest sentence of the answer,
averaged;
focus: root of the mean cosine of all its sentences with the question, over 0.6, at most 1;
content: 0.6 specificity + 0.2 density + 0.2 kind of thing asked for;
commitment: 1 - 0.8 x evasiveness, less a little for vague words.
The plain cosine of question and answer is no use: answers that only repeat the question have the highest.

Contexts: which chunks were of use for an answer, and which sentences are near a question in words and in meaning, good
for comparing contexts of one question and no more (docs/decisions/metrics.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply, encoded
from ragassay.models.embedded.judging.judgements import Answered, QuestionOnText, answered
from ragassay.models.embedded.judging.refusals import evasiveness, is_refusal, spoken
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import SUPPORTED_ABOVE, says_no_sentence, statements_of
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.question_types import expected_types, type_share
from ragassay.models.embedded.reading.terms import names, question_terms, terms, total_weight
from ragassay.tasks.contexts import AnswerFromChunks, ChunkUse, ChunkUses, HelpfulSentences, QuestionOnContext
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance
from ragassay.text import sentences

# Feasibility study: the gate is half open at a cosine of 0.35.
GATE_MIDDLE, GATE_WIDTH = 0.35, 0.08
# Chosen after looking, on runs scored by GPT-4 and on preference pairs: more specificity and less type than in the
# study.
SPECIFICITY_SHARE, DENSITY_SHARE, TYPE_SHARE = 0.6, 0.2, 0.2
EVASION_COST = 0.8
VAGUENESS_COST = 0.3
# Weight of new terms at which specificity reaches 63 %: an explanation needs more of them than a date.
SPECIFIC_WEIGHT, SPECIFIC_WEIGHT_OF_A_FACT = 6.0, 0.6
# A bare "1998" or "the line manager" is near no question: it says something only behind its own.
BARE_ANSWER_WORDS = 8
BARE_ANSWER_GATE = 0.85
# Mean cosine of an answer's sentences with the question at which it keeps to the point; least that is reckoned with.
FOCUSED, LEAST_COSINE = 0.6, 0.05

_FACT_TYPES = frozenset(("date", "place", "person", "amount", "choice"))
_VAGUE = re.compile(
    r"\b(?:could|might|may|possibl\w+|likely|typically|generally|usually|often|probably|various|several)\b",
    re.IGNORECASE,
)
_SECOND_QUESTION = re.compile(r",?\s+and\s+(?=(?:what|who|whom|whose|when|where|which|why|how)\b)", re.IGNORECASE)


class _Nearness(NamedTuple):
    """topic, focus: factors in [0, 1], see above."""

    topic: float
    focus: float


class _Read(NamedTuple):
    """An answer, read against its question. parts: the questions in the question; vagueness: vague words in ten."""

    question: str
    statements: list[str]
    parts: list[str]
    specificity: float
    density: float
    types: float
    evasion: float
    refuses: bool
    vagueness: float
    bare: bool


def question_parts(question: str) -> list[str]:
    """The questions that a question is made of: "Who wrote it, and when was it printed?" has two."""
    return [part.strip() for part in _SECOND_QUESTION.split(question) if part.strip()] or [question]


def _read(question: str, answer: str) -> _Read:
    asked = frozenset(question_terms(question))
    said = set(terms(answer))
    new = said - asked
    parts = question_parts(question)
    words = len(answer.split())
    types = sum(type_share(answer, part, asked) for part in parts) / len(parts)
    fact = len(parts) == 1 and types > 0 and expected_types(question)[0] in _FACT_TYPES
    mismatch = types == 0 and expected_types(question)[0] in ("date", "amount")
    bare = words <= BARE_ANSWER_WORDS and bool(new) and not mismatch and "?" not in answer and says_no_sentence(answer)
    enough = SPECIFIC_WEIGHT_OF_A_FACT if fact or bare else SPECIFIC_WEIGHT
    told = total_weight(new) + 0.5 * len(names(answer) - asked)
    return _Read(
        question=question,
        statements=spoken(answer),
        parts=parts,
        specificity=1.0 - math.exp(-told / enough),
        density=total_weight(new) / total_weight(said) if said else 0.0,
        types=types,
        evasion=evasiveness(answer),
        refuses=is_refusal(answer),
        vagueness=10.0 * len(_VAGUE.findall(answer)) / max(5, words),
        bare=bare or (words <= BARE_ANSWER_WORDS and bool(new) and fact),
    )


def _nearness(encoder: Encoder | None, reads: Sequence[_Read]) -> list[_Nearness]:
    """How far each answer is on topic, and keeps to it; taken for granted without an encoder."""
    if encoder is None:
        return [_Nearness(float(bool(read.statements)), 1.0) for read in reads]
    vectors = encoded(encoder, (text for read in reads for text in (read.question, *read.parts, *read.statements)))
    found = []
    for read in reads:
        if not read.statements:
            found.append(_Nearness(0.0, 0.0))
            continue
        said = vectors(read.statements)
        nearest = float((vectors(read.parts) @ said.T).max(axis=1).mean())
        topic = 1.0 / (1.0 + math.exp(-(nearest - GATE_MIDDLE) / GATE_WIDTH))
        mean = max(LEAST_COSINE, float((said @ vectors([read.question])[0]).mean()))
        focus = min(1.0, math.sqrt(mean / FOCUSED))
        found.append(_Nearness(max(topic, BARE_ANSWER_GATE), 1.0) if read.bare else _Nearness(topic, focus))
    return found


def relevances(encoder: Encoder | None, inputs: Sequence[AnswerToQuestion]) -> list[Reply[Relevance]]:
    """Relevance of each answer; without an encoder all are taken to be on topic."""
    reads = [_read(item.question, item.answer) for item in inputs]
    return [_reply(read, near) for read, near in zip(reads, _nearness(encoder, reads), strict=True)]


def _reply(read: _Read, near: _Nearness) -> Reply[Relevance]:
    if not read.statements:
        return Reply(Relevance(relevance=0.0, committal=False, reason="the answer is empty"))
    content = SPECIFICITY_SHARE * read.specificity + DENSITY_SHARE * read.density + TYPE_SHARE * read.types
    commitment = (1.0 - EVASION_COST * read.evasion) / (1.0 + VAGUENESS_COST * read.vagueness)
    reason = (
        f"on topic {near.topic:.2f}, to the point {near.focus:.2f}, specific {read.specificity:.2f}, "
        f"of the kind asked for {read.types:.2f}"
    )
    if read.refuses:
        reason += "; it opens by declining to answer"
    relevance = min(1.0, max(0.0, near.topic * near.focus * content * commitment))
    return Reply(Relevance(relevance=relevance, committal=not read.refuses, reason=reason))


# Half the question's terms, by weight, and half the cosine. The middle of a range in which pairs of contexts are told
# apart about equally well.
TERMS_SHARE = 0.5
NEAR_ABOVE = 0.45


def _usefulness(encoder: Encoder, inputs: Sequence[AnswerFromChunks]) -> list[Reply[ChunkUses]]:
    """Useful is a chunk with the words of a statement that, by the verifier if it is on, answers the question."""
    told = [statements_of(item.question, item.answer) for item in inputs]
    claims = [
        Claim(item.question, said, chunk) for item, said in zip(inputs, told, strict=True) for chunk in item.chunks
    ]
    held = [max((one.score for one in found), default=0.0) for found in support(None, claims)]
    close = [
        QuestionOnText(claim.question, claim.context)
        for claim, words in zip(claims, held, strict=True)
        if words > SUPPORTED_ABOVE
    ]
    read = iter(answered(encoder, close))
    uses = iter([_use(words, next(read) if words > SUPPORTED_ABOVE else None) for words in held])
    return [Reply(ChunkUses(items=tuple(next(uses) for _ in item.chunks))) for item in inputs]


def _use(held: float, found: Answered | None) -> ChunkUse:
    reason = f"support of what the answer says by its words {held:.2f}"
    if found is not None:
        reason += f", probability that it answers the question {found.likely:.2f}"
    useful = held > SUPPORTED_ABOVE and (found is None or found.is_answered)
    return ChunkUse(useful=useful, reason=reason)


def _helpful(encoder: Encoder, inputs: Sequence[QuestionOnContext]) -> list[Reply[HelpfulSentences]]:
    split = [sentences(each.context) for each in inputs]
    both = zip(inputs, split, strict=True)
    vectors = encoded(encoder, (text for each, found in both for text in (each.question, *found)))
    replies = []
    for each, found in zip(inputs, split, strict=True):
        asked = set(question_terms(each.question))
        total = total_weight(asked) or 1.0
        cosines = vectors(found) @ vectors([each.question])[0]
        near = tuple(
            text
            for text, cosine in zip(found, cosines.tolist(), strict=True)
            if TERMS_SHARE * total_weight(asked & set(terms(text))) / total + (1 - TERMS_SHARE) * cosine > NEAR_ABOVE
        )
        reason = f"{len(near)} of {len(found)} sentences are near the question in words and meaning"
        replies.append(Reply(HelpfulSentences(items=near, reason=reason)))
    return replies


HANDLERS: dict[str, Handler] = {
    "answer_relevance": relevances,
    "context_usefulness": _usefulness,
    "helpful_sentences": _helpful,
}
