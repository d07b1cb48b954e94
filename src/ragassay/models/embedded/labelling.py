"""The labeller: how a context answers a question, seen from the context and the question alone.

It knows nothing of the label that was asked for, so a table of requested against given labels measures something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.reading import Asked, Place, missing_terms, rank_places, read_question
from ragassay.models.embedded.relevance import question_parts
from ragassay.models.embedded.support import ContextIndex
from ragassay.tasks.labelling import LabelVerdict, Pair

# Share of what is asked for that the best sentence must have or inherit.
ANSWERED_SHARE = 0.5

_COMPUTES = re.compile(
    r"""
    \bhow\s+(?:many\s+(?:\w+\s+){0,2}?|much\s+time|long)\b.*\b(?:between|passed|elapsed|apart|after|before|separate[ds]?)\b
    | \bhow\s+old\b | \bat\s+what\s+age\b
    | \bhow\s+(?:much|many)\s+(?:\w+\s+){0,4}?(?:more|less|fewer|longer|larger|higher|lower|greater|bigger|shorter|taller|older|younger)\b
    | \bwhat\s+(?:is|was)\s+the\s+(?:difference|ratio|sum|total\s+of)\b
    | \bby\s+how\s+(?:much|many)\b
    | \b(?:which|who|what)\b.*\b(?:first|earlier|later|earliest|latest|larger|largest|longer|longest|smaller|smallest|greater|higher|lower|more|fewer|less|older|younger|bigger|cheaper|shorter|taller)\b.*(?:\bor\b|:|\bof\s+the\s+(?:two|three)\b)
    | \bhow\s+many\s+(?:\w+\s+){1,5}(?:are|is|were|does|do)\s+(?:\w+\s+){0,4}(?:list|listed|named|mentioned|described|given|have|include|offer)
    | \b(?:the\s+same|identical|different|in\s+common)\b
    | ^\W*(?:is|are|was|were|did|do|does|had|has)\b.*\b(?:before|after|more\s+than|less\s+than|fewer\s+than|earlier\s+than|later\s+than|larger\s+than|longer\s+than|older\s+than|at\s+least)\b
    | \bcompare\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"""
    \b(?:steps|stages|phases|procedure|instructions)\b | \bhow\s+(?:do|can|should|does|to)\b
    | \b(?:list|summari[sz]e|outline|describe|name\s+(?:all|the\s+(?:two|three|four|five)))\b
    | \bwhat\s+(?:are|were)\b | \bwhich\s+(?:\w+\s+){0,2}\w+[^s\W]s\s+(?:are|were|do|does|did|can|have|has)\b
    | \bwhat\s+(?:\w+\s+)?(?:kinds|types|ways|options|reasons|factors|events|changes|measures|effects|causes|parameters|values)\b
    | \bboth\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TWO_ATTRIBUTES = re.compile(
    r"\b(?:what|which|when|where|who)\b[^,?]*?\b(?:and|as well as)\b(?:\s+(?:the|its|his|her|their))?\s+\w+",
    re.IGNORECASE,
)


class _Decision(NamedTuple):
    label: str
    reason: str


def _labels(_: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    indexes: dict[str, ContextIndex] = {}
    found = []
    for pair in inputs:
        if pair.context not in indexes:
            indexes[pair.context] = ContextIndex(pair.context)
        found.append(Reply(_label(pair, indexes[pair.context])))
    return found


def _label(pair: Pair, index: ContextIndex) -> LabelVerdict:
    asked = read_question(pair.question)
    if not asked.terms:
        return LabelVerdict(label="unanswerable", reason="the question asks for nothing that could be looked up")
    places = rank_places(asked, index)
    absent = _why_unanswered(asked, index, places)
    if absent:
        return LabelVerdict(label="unanswerable", reason=absent)
    if _COMPUTES.search(pair.question):
        return LabelVerdict(
            label="reasoning", reason="the question asks for a comparison or computation over what is stated"
        )
    several = _why_several(pair, asked, index, places)
    if several:
        return LabelVerdict(label="summary", reason=several)
    return LabelVerdict(label="fact_single", reason=f"stated in: {index.units[places[0].unit].text[:80]}")


def _why_unanswered(asked: Asked, index: ContextIndex, places: Sequence[Place]) -> str:
    missing = missing_terms(asked, index)
    if not places:
        return "the context shares no word with the question"
    best = max(place.wanted_share for place in places[:3])
    if best < ANSWERED_SHARE:
        return f"the context does not say this of it; missing: {', '.join(missing[:3]) or 'a sentence that says it'}"
    if not any(place.fits_type for place in places[:3]) and asked.types[0] in ("date", "amount"):
        return f"no {asked.types[0]} stands where the context speaks of it"
    return ""


def _why_several(pair: Pair, asked: Asked, index: ContextIndex, places: Sequence[Place]) -> str:
    if len(question_parts(pair.question)) > 1:
        return "the question has several parts"
    if _SEVERAL.search(pair.question):
        return "the question asks for several things"
    return ""


HANDLERS = {"label": _labels}
