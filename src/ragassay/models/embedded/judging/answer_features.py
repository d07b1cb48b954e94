"""What can be seen of a whole answer beside a text that should hold it: few features, each with a meaning of its own.

They are combined to a likelihood in ``truthfulness.py``. Each is in [0, 1] unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.judging.clashes import clash
from ragassay.models.embedded.judging.refusals import (
    DECLINES,
    SAYS_MISSING,
    content_sentences,
    evasion,
    speaks_of_a_text,
    spoken,
)
from ragassay.models.embedded.judging.support import Claim, ContextIndex, Support, support
from ragassay.models.embedded.reading.terms import names, question_terms, terms, tokens, total_weight

# Sentences that the question points at, each with the one after it.
POINTED_AT = 3
# Runs of so many words are seldom the same by chance, stop words included.
COPIED_WORDS = 4
UNKNOWN = 0.5
"""Where there is nothing to take a share of."""


class AnswerOnContext(NamedTuple):
    question: str
    answer: str
    context: str


class AnswerFeatures(NamedTuple):
    """One answer beside its context.

    weakest: support of its least supported sentence. near: share of its new terms' weight that stands where the context
    speaks of the question. names: share of its new names that the context has, a half where it has none. copied: share
    of its runs of four words, those of the question aside, that stand in the context. clashing: share of its sentences
    that give another number, date or name than the context, or deny what it says. length: log(1 + words), 0 or more.
    says_missing: 1 if it opens with the statement that a text lacks the information. beside_refusal: log(1 + words) of
    what an answer that opens with a refusal says besides, 0 where it does not.
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
    """An answer beside its context. features: what is reckoned with.

    least_supported: the sentence that ``features.weakest`` is of. clashes: how sentences disagree with the context.
    """

    features: AnswerFeatures
    least_supported: str
    clashes: tuple[str, ...]


def seen_answers(encoder: Encoder | None, items: Sequence[AnswerOnContext]) -> list[Seen | None]:
    """What is seen of each answer; None where the answer or the context is empty.

    The encoder is called once for all; None does without sentence vectors.
    """
    claims = [Claim(item.question, spoken(item.answer), item.context) for item in items]
    indexes: dict[str, ContextIndex] = {}
    judged = support(encoder, claims, indexes)
    runs: dict[str, set[tuple[str, ...]]] = {}
    found = []
    for item, claim, held in zip(items, claims, judged, strict=True):
        if item.context not in runs:
            runs[item.context] = _runs(item.context)
        found.append(_seen(item, claim.statements, held, indexes[item.context], runs[item.context]))
    return found


def _seen(
    item: AnswerOnContext,
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
    found = (clash(sentence, one.near, item.context, item.question) for sentence, one in zip(said, held, strict=True))
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
    """All runs of four words."""
    words = tokens(text.lower())
    return set(zip(*(words[first:] for first in range(COPIED_WORDS)), strict=False))


def _length(text: str) -> float:
    return math.log1p(len(tokens(text)))
