"""Judgements of a whole answer: correctness by a reference, truthfulness and relevance by the knowledge block."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.clashes import clash, reworded
from ragassay.models.embedded.judging.refusals import (
    DECLINES,
    SAYS_MISSING,
    content_sentences,
    evasion,
    is_refusal,
    only_refuses,
    speaks_of_a_text,
    spoken,
)
from ragassay.models.embedded.judging.relevance import relevances
from ragassay.models.embedded.judging.support import Claim, ContextIndex, Support, support
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.terms import names, question_terms, terms, tokens, total_weight
from ragassay.models.embedded.reading.units import sentences
from ragassay.tasks.ratings import AnswerAndReference, AnswerOnBlock, BlockRatings, Correctness
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

# Sentences that the question points at, each with the one after it.
POINTED_AT = 3
# Runs of so many words are seldom the same by chance, stop words included.
COPIED_WORDS = 4
UNKNOWN = 0.5


class AnswerFeatures(NamedTuple):
    """One answer beside its context; shares are of its own.

    weakest: support of its least supported sentence. near: share of new terms that stand where the context speaks of
    the question. names: of new names that the context has. copied: of runs of four words. clashing: of sentences that
    give another number, date or name, or deny what it says. length: log(1 + words). says_missing: 1 if it opens so.
    beside_refusal: log(1 + words) of what stands beside an opening refusal.
    """

    weakest: float
    near: float
    names: float
    copied: float
    clashing: float
    length: float
    says_missing: float
    beside_refusal: float


class Seen(NamedTuple):
    """least_supported: the sentence that ``features.weakest`` is of. clashes: how sentences disagree with the text."""

    features: AnswerFeatures
    least_supported: str
    clashes: tuple[str, ...]


def seen_answers(encoder: Encoder | None, items: Sequence[AnswerOnBlock]) -> list[Seen | None]:
    """What is seen of each answer, with sentence vectors if any; None where the answer or the context is empty."""
    claims = [Claim(item.question, spoken(item.answer), item.block) for item in items]
    indexes: dict[str, ContextIndex] = {}
    judged = support(encoder, claims, indexes)
    runs: dict[str, set[tuple[str, ...]]] = {}
    found = []
    for item, claim, held in zip(items, claims, judged, strict=True):
        if item.block not in runs:
            runs[item.block] = _runs(item.block)
        found.append(_seen(item, claim.statements, held, indexes[item.block], runs[item.block]))
    return found


def _seen(
    item: AnswerOnBlock,
    said: Sequence[str],
    held: Sequence[Support],
    index: ContextIndex,
    context_runs: set[tuple[str, ...]],
) -> Seen | None:
    if not held or not index.units:
        return None
    asked = set(question_terms(item.question))
    new = set(terms(item.answer)) - asked
    new_names = names(item.answer) - asked
    own_runs = _runs(item.answer) - _runs(item.question)
    found = (clash(sentence, one.near, item.block, item.question) for sentence, one in zip(said, held, strict=True))
    clashes = tuple(each.reason for each in found if each is not None)
    weakest, least_supported = min(zip((one.score for one in held), said, strict=True), key=lambda each: each[0])
    opening = evasion(item.answer)
    refuses = opening >= SAYS_MISSING
    features = AnswerFeatures(
        weakest=weakest,
        near=total_weight(new & _pointed_at(index, asked)) / total_weight(new) if new else UNKNOWN,
        names=sum(name in index.postings for name in new_names) / len(new_names) if new_names else UNKNOWN,
        copied=len(own_runs & context_runs) / len(own_runs) if own_runs else 0.0,
        clashing=len(clashes) / len(said),
        length=_length(item.answer),
        says_missing=float(refuses and opening < DECLINES and speaks_of_a_text(said[0])),
        beside_refusal=_length(" ".join(content_sentences(said))) if refuses else 0.0,
    )
    return Seen(features, least_supported, clashes)


def _pointed_at(index: ContextIndex, asked: set[str]) -> set[str]:
    """Terms of the sentences that share most with the question, and of those after them."""
    gains = index.window_weights(asked)
    places = sorted(range(len(gains)), key=lambda place: (-gains[place], place))[:POINTED_AT]
    return {term for place in places for found in index.sentence_terms[place : place + 2] for term in found}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens(text.lower())
    return set(zip(*(words[first:] for first in range(COPIED_WORDS)), strict=False))


def _length(text: str) -> float:
    return math.log1p(len(tokens(text)))


class _Weights(NamedTuple):
    """Of a logistic regression: log odds = constant + sum of weight x feature + by_question x answer relevance."""

    constant: float
    features: AnswerFeatures
    by_question: float = 0.0


# Fitted on answers of four runs that GPT-4 rated by the article (RAGVAL: one half of the articles), 4 and 5 against 1
# and 2, and rounded. Between two halves of these articles the weights agree; docs/decisions/embedded-judge.md has what
# a fit on one half does on the other.
_TRUTH = _Weights(
    -5.0, AnswerFeatures(2.6, 2.5, 0.9, copied=2.5, clashing=-1.5, length=1.15, says_missing=1.3, beside_refusal=-0.3)
)
_RELEVANCE = _Weights(
    -4.4,
    AnswerFeatures(3.0, 1.9, 0.7, copied=2.0, clashing=-1.2, length=0.8, says_missing=1.2, beside_refusal=-0.2),
    by_question=2.5,
)
LEAST_RELEVANCE = 0.12
"""Of an answer that commits itself. A refusal has 0, a rating of 1, as RAGVAL has it."""


class OnBlock(NamedTuple):
    """Both in [0, 1], likelihoods of a good rating. seen: what they rest on; None where there was nothing."""

    truthfulness: float
    relevance: float
    seen: Seen | None


def on_block(encoder: Encoder | None, items: Sequence[AnswerOnBlock], by_question: Sequence[float]) -> list[OnBlock]:
    """Truthfulness and relevance of each answer by a text that holds the truth.

    by_question: how far each is about what was asked, in [0, 1]; all that relevance is without a text.
    """
    return [
        OnBlock(0.0, 0.0 if item.block.strip() else on_topic, None)
        if seen is None
        else OnBlock(_likelihood(_TRUTH, seen.features), _relevance(item.answer, seen.features, on_topic), seen)
        for item, seen, on_topic in zip(items, seen_answers(encoder, items), by_question, strict=True)
    ]


def _relevance(answer: str, found: AnswerFeatures, on_topic: float) -> float:
    likely = _likelihood(_RELEVANCE, found, on_topic)
    return 0.0 if is_refusal(answer) else LEAST_RELEVANCE + (1.0 - LEAST_RELEVANCE) * likely


def _likelihood(weights: _Weights, found: AnswerFeatures, on_topic: float = 0.0) -> float:
    terms = (weight * value for weight, value in zip(weights.features, found, strict=True))
    return 1.0 / (1.0 + math.exp(-(weights.constant + math.fsum(terms) + weights.by_question * on_topic)))


LEAST, MOST = 1.0, 5.0
EVASION_COST = 0.5


def _correctness(encoder: Encoder | None, inputs: Sequence[AnswerAndReference]) -> list[Reply[Correctness]]:
    """Compare each answer with its reference; None does without an encoder.

    precision = mean of (support of the answer by the reference, F1 of new terms), times 1 - 0.5 x evasion. recall =
    mean of (support of the reference by the answer, recall of new terms, terms known with the question), likewise.
    correctness = mean of the two. Where the reference says that there is no answer, an answer that refuses is right,
    every other wrong.
    """
    if any(item.others for item in inputs):
        return [_nearest(encoder, item) for item in inputs]
    items = [item.model_copy(update={"answer": reworded(item.answer, item.reference)}) for item in inputs]
    forth = support(encoder, [Claim(item.question, spoken(item.answer), item.reference) for item in items])
    back = support(encoder, [Claim(item.question, sentences(item.reference), item.answer) for item in items])
    return [Reply(_compared(item, said, wanted)) for item, said, wanted in zip(items, forth, back, strict=True)]


def _nearest(encoder: Encoder | None, item: AnswerAndReference) -> Reply[Correctness]:
    """The comparison with the right answer that is nearest."""
    each = [item.model_copy(update={"reference": one, "others": ()}) for one in (item.reference, *item.others)]
    return max(_correctness(encoder, each), key=lambda reply: (reply.value and reply.value.correctness) or 0.0)


_YES_OR_NO = re.compile(r"\s*(?:(?P<yes>yes|ja|oui|sí)|no|nein|non)\b\s*(?:[,.;:!–—]\s*|\s-\s+|\Z)", re.IGNORECASE)


def _compared(item: AnswerAndReference, said: Sequence[Support], wanted: Sequence[Support]) -> Correctness:
    if only_refuses(item.reference):
        right = float(is_refusal(item.answer))
        return _as_correctness(right, right)
    if item.answer.split() == item.reference.split():
        return _as_correctness(1.0, 1.0)
    evades = evasion(item.answer) > 0
    if not evades and (said_so := _YES_OR_NO.match(item.answer)) and (so := _YES_OR_NO.match(item.reference)):
        agree = (said_so["yes"] is None) == (so["yes"] is None)
        if not agree or so.end() == len(item.reference):  # "No." asks for no more than that
            return _as_correctness(float(agree), float(agree))
    asked = set(question_terms(item.question))
    new_said, new_wanted = set(terms(item.answer)) - asked, set(terms(item.reference)) - asked
    shared = total_weight(new_said & new_wanted)
    recall = shared / total_weight(new_wanted) if new_wanted else 1.0
    precision = shared / total_weight(new_said) if new_said else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    committed = 1.0 - EVASION_COST * evasion(item.answer)
    held = _mean([one.score for one in wanted]) + _mean([one.known for one in wanted])
    return _as_correctness(committed * (_mean([one.score for one in said]) + f1) / 2, committed * (held + recall) / 3)


def _as_correctness(right: float, complete: float) -> Correctness:
    return Correctness(
        correctness=min(1.0, max(0.0, (right + complete) / 2)),
        precision=min(1.0, max(0.0, right)),
        recall=min(1.0, max(0.0, complete)),
        reason=f"agrees with the right answer {right:.2f}, has all of it {complete:.2f}",
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _block_ratings(encoder: Encoder | None, inputs: Sequence[AnswerOnBlock]) -> list[Reply[BlockRatings]]:
    """Likelihoods in [0, 1] stretched to the scale of 1 to 5, not rounded; the relevance of a refusal is 1."""
    asked = [AnswerToQuestion(question=each.question, answer=each.answer) for each in inputs]
    judged: list[Reply[Relevance]] = relevances(encoder, asked)
    by_question = [0.0 if each.value is None else each.value.relevance or 0.0 for each in judged]
    return [
        Reply(
            BlockRatings(
                truthfulness=_stretched(found.truthfulness), relevance=_stretched(found.relevance), reason=_why(found)
            )
        )
        for found in on_block(encoder, inputs, by_question)
    ]


CLASHES_SHOWN = 3
SENTENCE_CHARS = 160


def _why(found: OnBlock) -> str:
    if found.seen is None:
        return f"no knowledge to compare with; by the question alone: {found.relevance:.2f}"
    seen = found.seen.features
    least = " ".join(found.seen.least_supported.split())
    shown = least if len(least) <= SENTENCE_CHARS else f"{least[:SENTENCE_CHARS]}…"
    reasons = [
        f"likely right by the knowledge: {found.truthfulness:.2f}",
        f"new terms where the knowledge speaks of it {seen.near:.2f}, names found {seen.names:.2f}, "
        f"words as in the knowledge {seen.copied:.2f}",
        f'least supported, {seen.weakest:.2f}: "{shown}"',
        *dict.fromkeys(found.seen.clashes[:CLASHES_SHOWN]),
    ]
    return "; ".join(reasons)


def _stretched(share: float) -> float:
    return round(LEAST + (MOST - LEAST) * min(1.0, max(0.0, share)), 6)


HANDLERS: dict[str, Handler] = {"correctness": _correctness, "block_ratings": _block_ratings}
