"""How far a context supports a statement: shared terms, shared meaning, and the same numbers and names.

Words do most of it, sentence vectors the rest (docs/decisions/embedded-judge.md has the figures).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import pairwise
from typing import NamedTuple

from ragassay.models.base import Encoder, encoded
from ragassay.models.embedded.reading.terms import (
    bigrams,
    names,
    question_terms,
    terms_of_tokens,
    tokens,
    total_weight,
    weight,
)
from ragassay.models.embedded.reading.units import Unit, units

# Shares of the lexical part (feasibility study).
WINDOW_SHARE, ANYWHERE_SHARE, BIGRAM_SHARE = 0.5, 0.3, 0.2
LEXICAL_SHARE = 0.7
# Cosines of unrelated sentences reach 0.3, those of paraphrases begin near 0.8.
COSINE_FLOOR, COSINE_SPAN = 0.3, 0.5
NUMBER_PENALTY, NAME_PENALTY = 0.5, 0.4
# Of a number or name: found anywhere, and found in the window of the evidence.
ANYWHERE_WEIGHT, IN_WINDOW_WEIGHT = 0.7, 0.3


class Support(NamedTuple):
    """score: in [0, 1]. evidence: the sentence that says it best, verbatim; empty where none shares a word.

    known: share of the statement's weight that stands in the context or in the question. near: the sentences that come
    about as close as the evidence, evidence first.
    """

    score: float
    evidence: str
    known: float = 0.0
    near: tuple[str, ...] = ()


class Claim(NamedTuple):
    """Statements made in answer to a question, and the context that should hold them."""

    question: str
    statements: Sequence[str]
    context: str


class _Match(NamedTuple):
    """Lexical support of one statement. factor: what numbers and names leave. nearest, promising: places."""

    lexical: float
    factor: float
    known: float
    nearest: tuple[int, ...]
    promising: tuple[int, ...] = ()


class ContextIndex:
    """A context, read once for many statements: which term stands in which sentence."""

    __slots__ = ("postings", "sentence_terms", "units")

    def __init__(self, text: str) -> None:
        self.units: list[Unit] = units(text)
        self.sentence_terms: list[list[str]] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        postings = self.postings
        for place, unit in enumerate(self.units):
            found = terms_of_tokens(tokens(unit.text))
            self.sentence_terms.append(found)
            for term in set(found):
                postings[term].append(place)

    def holds_pair(self, first: str, second: str) -> bool:
        """Whether a sentence has the two terms side by side, in this order."""
        places, others = self.postings.get(first, ()), self.postings.get(second, ())
        return any((first, second) in pairwise(self.sentence_terms[place]) for place in places if place in others)

    def window_weights(self, wanted: set[str]) -> list[float]:
        """(n_sentences) The weight of the wanted terms in each sentence and the one after it."""
        gains = [0.0] * len(self.units)
        for term in sorted(wanted):  # floats are added in the same order in every process
            gain = weight(term)
            last = -1
            for place in self.postings.get(term, ()):
                if place - 1 > last or last < 0 < place:
                    gains[place - 1] += gain
                gains[place] += gain
                last = place
        return gains


NOTHING: frozenset[str] = frozenset()


def match_statement(
    statement: str, index: ContextIndex, asked: frozenset[str], carried: frozenset[str] = NOTHING
) -> _Match:
    """The lexical part. asked: terms of the question, which a statement may repeat without any support.

    carried: all of them, where the question stands in front of an answer of a few words: no context has to hold them.
    """
    said = terms_of_tokens(tokens(statement))
    if not index.units or not said:
        return _Match(0.0, 1.0, 0.0, ())
    every = set(said)
    asked |= carried
    novel = every - asked or every
    total = total_weight(novel)
    gains = index.window_weights(novel)
    best = max(gains)
    anywhere = total_weight(term for term in novel if term in index.postings)
    pairs = [pair for pair in bigrams(said) if not carried.issuperset(pair)]
    pair_share = sum(index.holds_pair(*pair) for pair in pairs) / len(pairs) if pairs else anywhere / total
    lexical = WINDOW_SHARE * best / total + ANYWHERE_SHARE * anywhere / total + BIGRAM_SHARE * pair_share
    start = gains.index(best)
    window = {term for found in index.sentence_terms[start : start + 2] for term in found}
    factor = _penalty(NUMBER_PENALTY, {term for term in novel if term[0].isdigit()}, index, window)
    factor *= _penalty(NAME_PENALTY, names(statement) & novel, index, window)
    told = every - carried or every
    known = total_weight(term for term in told if term in index.postings or term in asked) / total_weight(told)
    nearest, promising = _nearest_sentences(index, every, novel)
    return _Match(min(1.0, lexical), factor, known, nearest, promising)


def _penalty(strength: float, wanted: set[str], index: ContextIndex, window: set[str]) -> float:
    if not wanted:
        return 1.0
    anywhere = sum(term in index.postings for term in wanted) / len(wanted)
    near = len(wanted & window) / len(wanted)
    return 1.0 - strength * (1.0 - (ANYWHERE_WEIGHT * anywhere + IN_WINDOW_WEIGHT * near))


# A sentence with this share of the best one's gain may be the one that is meant.
NEAR_SHARE = 0.8
# What a term that the question has is worth when sentences are compared: it breaks ties.
QUESTION_TERM_SHARE = 0.3


def _nearest_sentences(
    index: ContextIndex, every: set[str], novel: set[str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The sentences that share most with the statement, best first; digits count little, they are to be compared."""
    gains: dict[int, float] = defaultdict(float)
    for term in sorted(every):
        places = index.postings.get(term)
        if places is None:
            continue
        share = DIGIT_SHARE if term[0].isdigit() else 1.0
        gain = share * weight(term) * (1.0 if term in novel else QUESTION_TERM_SHARE)
        for place in places:
            gains[place] += gain
    if not gains:
        return (), ()
    best = nsmallest(MOST_PROMISING, ((-gain, place) for place, gain in gains.items()))
    near = tuple(place for gain, place in best[:MOST_NEAR] if gain <= NEAR_SHARE * best[0][0])
    return near, tuple(place for _, place in best)


DIGIT_SHARE = 0.2
MOST_NEAR = 3
# Of a long context only the sentences that share most with a statement are embedded; of a short one all.
MOST_PROMISING = 5
SHORT_CONTEXT = 12


def opening_of(question: str) -> str:
    """What stands in front of an answer of a few words, so that it says something; empty without a question."""
    return f"{question.rstrip(' ?')}: " if question else ""


def support(
    encoder: Encoder | None, claims: Sequence[Claim], indexes: dict[str, ContextIndex] | None = None
) -> list[list[Support]]:
    """Support of each statement by its context; the encoder is called once. indexes: contexts read already, by text."""
    indexes = {} if indexes is None else indexes
    matches: list[list[_Match]] = []
    for claim in claims:
        if claim.context not in indexes:
            indexes[claim.context] = ContextIndex(claim.context)
        index, asked = indexes[claim.context], frozenset(question_terms(claim.question))
        opening = opening_of(claim.question)
        of_opening = frozenset(terms_of_tokens(tokens(opening)))
        carried = (of_opening if opening and each.startswith(opening) else NOTHING for each in claim.statements)
        pairs = zip(claim.statements, carried, strict=True)
        matches.append([match_statement(said, index, asked, terms) for said, terms in pairs])
    of_claims = [indexes[claim.context] for claim in claims]
    cosines: list[list[_Cosine | None]] = [[None] * len(some) for some in matches]
    if encoder is not None:
        cosines = list(_best_cosines(encoder, claims, of_claims, matches))
    return [
        [_combine(match, index, cosine) for match, cosine in zip(some, near, strict=True)]
        for index, some, near in zip(of_claims, matches, cosines, strict=True)
    ]


class _Cosine(NamedTuple):
    value: float
    sentence: int


def _combine(match: _Match, index: ContextIndex, cosine: _Cosine | None) -> Support:
    score, nearest = match.lexical, match.nearest
    if cosine is not None and index.units:
        meaning = min(1.0, max(0.0, (cosine.value - COSINE_FLOOR) / COSINE_SPAN))
        score = LEXICAL_SHARE * match.lexical + (1.0 - LEXICAL_SHARE) * meaning
        nearest = nearest or ((cosine.sentence,) if cosine.sentence >= 0 else ())
    score = min(1.0, max(0.0, score * match.factor))
    near = tuple(index.units[place].text for place in nearest) if score > 0 else ()
    return Support(score, near[0] if near else "", match.known, near)


def _best_cosines(
    encoder: Encoder, claims: Sequence[Claim], indexes: Sequence[ContextIndex], matches: Sequence[Sequence[_Match]]
) -> Iterator[list[_Cosine | None]]:
    """The nearest sentence to each statement. One call of the encoder, every text once."""
    places = [
        sorted({place for match in found for place in match.promising})
        if len(index.units) > SHORT_CONTEXT
        else list(range(len(index.units)))
        for index, found in zip(indexes, matches, strict=True)
    ]
    texts = [[index.units[place].text for place in chosen] for index, chosen in zip(indexes, places, strict=True)]
    both = zip(claims, texts, strict=True)
    vectors = encoded(encoder, (text for claim, said in both for text in (*claim.statements, *said)))
    for claim, said, chosen in zip(claims, texts, places, strict=True):
        if not chosen or not claim.statements:
            yield [_Cosine(0.0, -1) for _ in claim.statements]
            continue
        cosines = vectors(claim.statements) @ vectors(said).T
        nearest = cosines.argmax(axis=1)
        yield [_Cosine(float(row[best]), chosen[int(best)]) for row, best in zip(cosines, nearest, strict=True)]
