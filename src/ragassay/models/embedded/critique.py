"""The eight critiques, each a documented formula from 1 to 5 with a short reason (Know Your RAG, section 4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.reading import rank_places, read_question
from ragassay.models.embedded.support import Claim, support
from ragassay.models.embedded.terms import covered_share, names, question_terms, terms, total_weight, weight
from ragassay.models.embedded.units import sentences, units
from ragassay.tasks.critique import CRITIQUES, CritiquedPair, Rating

Rate = Callable[[Encoder, Sequence[CritiquedPair]], list[Reply[Rating]]]


def _rating(share: float, reason: str) -> Reply[Rating]:
    """share: in [0, 1], mapped to 1..5."""
    return Reply(Rating(rating=1 + round(4 * min(1.0, max(0.0, share))), reason=reason))


def _each(rate: Callable[[CritiquedPair], Reply[Rating]]) -> Rate:
    def rate_all(_: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
        return [rate(pair) for pair in inputs]

    return rate_all


def _question_groundedness(pair: CritiquedPair) -> Reply[Rating]:
    if not _is_question(pair.question):
        return _rating(0.0, "it is no question")
    asked = read_question(pair.question)
    index = Text(pair.context)
    places = rank_places(asked, index)
    if not places:
        return _rating(0.0, "the context shares no word with the question")
    share = places[0].wanted * (1.0 if any(place.fits_type for place in places[:3]) else 0.5)
    return _rating((share - 0.2) / 0.7, f"the best sentence has {places[0].wanted:.0%} of what is asked for")


_QUESTION = re.compile(
    r"\?|？|^\W*(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|name|list|explain|describe|tell|summari[sz]e|compare|outline)\b|什么|谁|何|哪|几|多少|如何|是否|吗",
    re.IGNORECASE,
)


def _is_question(text: str) -> bool:
    return _QUESTION.search(text) is not None and bool(question_terms(text))


def _answer_groundedness(encoder: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
    claims = [Claim(pair.question, sentences(pair.answer), pair.context) for pair in inputs]
    found = []
    for pair, held in zip(inputs, support(encoder, claims), strict=True):
        if not held:
            found.append(_rating(0.0, "there is no answer"))
            continue
        mean = sum(one.score for one in held) / len(held)
        found.append(_rating((mean - 0.2) / 0.6, f"mean support of its sentences by the context {mean:.2f}"))
    return found


def _feasibility(pair: CritiquedPair) -> Reply[Rating]:
    asked = read_question(pair.question)
    held = set(terms(pair.context))
    specific = sum(weight(term) ** 2 for term in asked.terms if term in held) + 0.5 * len(asked.about & held)
    return _rating(
        specific / 4.0, f"{len(asked.about & held)} names and {len(set(asked.terms) & held)} terms lead to the context"
    )


_POINTS_AT_SOURCE = re.compile(
    r"\b(?:the|this|that|these|given|provided|above|following|according\s+to\s+the)\s+(?:\w+\s+)?(?:text|passage|context|document|article|paragraph|excerpt|section|author|statement|table|page|chapter)s?\b|\b(?:above|below|aforementioned|mentioned)\b|(?:本文|文中|上文|上述|该文|文章)",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"\b(?:he|she|they|him|them|his|hers|their|its|it|this|that|these|those|here|there)\b", re.IGNORECASE
)


def _stand_alone(pair: CritiquedPair) -> Reply[Rating]:
    if _POINTS_AT_SOURCE.search(pair.question):
        return _rating(0.0, "it points at the text")
    asked = read_question(pair.question)
    deictic = _DEICTIC.search(pair.question)
    if deictic and not asked.about:
        return _rating(0.25, f"{deictic.group().lower()!r} has nothing to refer to")
    if not asked.about and total_weight(asked.terms) < 2.0:
        return _rating(0.5, "it names nothing in particular")
    return _rating(1.0, "it makes sense alone")


def _question_usefulness(pair: CritiquedPair) -> Reply[Rating]:
    asked = read_question(pair.question)
    held = set(terms(pair.context))
    words = len(pair.question.split())
    share = (
        covered_share(asked.terms, held)
        * min(1.0, total_weight(asked.terms) / 2.5)
        * (1.0 if 4 <= words <= 26 else 0.6)
    )
    return _rating(share if _is_question(pair.question) else 0.0, f"{len(asked.terms)} terms in {words} words")


def _context_usefulness(pair: CritiquedPair) -> Reply[Rating]:
    telling = [unit for unit in units(pair.context) if unit.kind != "heading" and len(set(terms(unit.text))) >= 4]
    return _rating(len(telling) / 6.0, f"{len(telling)} units that state something")


def _context_clarity(pair: CritiquedPair) -> Reply[Rating]:
    text = pair.context
    if not text.strip():
        return _rating(0.0, "it is empty")
    letters = sum(character.isalpha() or character.isspace() for character in text) / len(text)
    whole = [unit for unit in units(text) if unit.text.rstrip()[-1:] in '.!?。！？:："”)']
    share = 0.5 * min(1.0, max(0.0, (letters - 0.6) / 0.3)) + 0.5 * len(whole) / max(1, len(units(text)))
    return _rating(share, f"{letters:.0%} letters, {len(whole)} whole sentences")


def _tautology(pair: CritiquedPair) -> Reply[Rating]:
    said = set(terms(pair.answer))
    if not said:
        return _rating(0.0, "there is no answer")
    new = 1.0 - covered_share(said, question_terms(pair.question))
    new_names = len(names(pair.answer) - set(question_terms(pair.question)))
    return _rating(max(new, min(1.0, new_names / 3)), f"{new:.0%} of the answer is new")


_RATES: dict[str, Rate] = {
    "question_groundedness": _each(_question_groundedness),
    "answer_groundedness": _answer_groundedness,
    "feasibility": _each(_feasibility),
    "stand_alone": _each(_stand_alone),
    "question_usefulness": _each(_question_usefulness),
    "context_usefulness": _each(_context_usefulness),
    "context_clarity": _each(_context_clarity),
    "tautology": _each(_tautology),
}

HANDLERS = {CRITIQUES[name].name: rate for name, rate in _RATES.items()}
