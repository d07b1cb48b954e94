"""The labeller: how a context answers a question, seen from context, question and answer.

It knows nothing of the label that was asked for, so a table of requested against given labels measures something. The
decisions, in their order: the verifier finds no answer -> unanswerable; the question wants a computation whose result
is not written there, or is one of those that experts asked for an inference -> reasoning; one of those that they asked
for several things -> summary; otherwise fact_single. The last two are read off the verifier's states
(``benchmarks/fit_label.py``), the latter also off the answer, where there is one: how many things it says. Where the
verifier is off, words decide. Entries of technical names are looked up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.extent import extent_of, odds_of
from ragassay.models.embedded.judging.judgements import (
    ANSWERED_WINDOWS,
    OPEN_WINDOWS,
    Answered,
    QuestionOnText,
    answered,
)
from ragassay.models.embedded.judging.places import (
    ParsedQuestion,
    Place,
    Text,
    attributes_asked,
    missing_terms,
    parts_share,
    rank_places,
    read_question,
    read_text,
)
from ragassay.models.embedded.judging.relevance import question_parts
from ragassay.models.embedded.judging.verdicts import statements_to_read
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.framing import asks_itself, unframed
from ragassay.models.embedded.reading.lexicon import NUMBER_WORDS
from ragassay.models.embedded.reading.named_entries import NamedQuestion, named_question, unanswered
from ragassay.models.small.verifier import Way, probability
from ragassay.records import Label
from ragassay.tasks.labelling import LabelVerdict, Pair

# Share of what is asked for that a unit must have or inherit, and of whom; chosen after looking
# (docs/decisions/embedded-judge.md).
WANTED_ABOVE = 0.45
SCORE_ABOVE = 0.62
# Share of a computation's parts that the context must have, wherever they stand.
PARTS_ABOVE = 0.6
# Places that may hold the date or amount asked for, beside the best one.
NEAR_BEST = 5
NEAR_SCORE = 0.15
# A request to summarise names its subject more loosely than a question does.
WIDE_ABOVE = 0.25
# So many items beyond two make a list several things; chosen on the sources that calibrate the verifier's heads.
LONG_LIST = 2

_COMPARATIVE = (
    r"(?:more|less|fewer|longer|larger|higher|lower|greater|bigger|shorter|taller|older|younger|smaller|earlier|later|cheaper"
    r"|heavier|faster|slower|newer)"
)
_SUPERLATIVE = (
    r"(?:first|last|earliest|latest|largest|longest|smallest|highest|lowest|greatest|oldest|youngest|most|least)"
)
_COMPUTES = re.compile(
    rf"""
    \bhow\s+(?:many|much)\s+(?:\w+\s+){{0,2}}(?:lie|lies|lay|passed|pass|elapsed|apart|separated?|is\s+it
        |was\s+it|between)\b
    | \bhow\s+(?:many|much)\s+(?:whole\s+)?(?:days|weeks|months|years|hours|minutes|time)\b.*
        \b(?:between|after|before|from\b.+\bto)\b
    | \bhow\s+old\b | \bat\s+what\s+age\b | \bhow\s+long\s+after\b
    | \bhow\s+(?:much|many)\s+(?:\w+\s+){{0,4}}?{_COMPARATIVE}\b
    | \bwhat\s+(?:is|was)\s+the\s+(?:difference|ratio|sum)\b | \bby\s+how\s+(?:much|many)\b
    | \bwhich\b.*\b(?:{_COMPARATIVE}|{_SUPERLATIVE})\b.*\bor\b
    | \bwhich\s+(?:happened|came|comes|was)\s+{_SUPERLATIVE}\b
    | ^\W*(?:which|who)\b.*\b{_COMPARATIVE}\b\s*(?:[,:?]|in\b)
    | \bhow\s+many\b.*\b(?:are|is|were|does|do)\s+(?:\w+\s+){{0,4}}
        (?:list|listed|named|mentioned|described|given|set\s+out)\b
    | \b(?:the\s+same|identical)\b.*\?
    | ^\W*(?:is|are|was|were|did|do|does|had|has)\b.*\b(?:before|after|{_COMPARATIVE}\s+than|at\s+least|as\s+\w+\s+as)\b
    | ^\W*which\s+of\s+[^?]+\sand\s
    | ^\W*of\s+the\s[^?]+\bwhich\b[^?]*\b{_SUPERLATIVE}\b
    | \bthe\s+(?:combined|joint)\s+[^?]+\s(?:of|for)\s[^?]+\sand\s
    | ^\W*which\s+(?:\w+\s+){{1,2}}has\s+the\s+(?:highest|lowest)\b
    | \bof\s+the\s+(?:\w+\s+){{1,2}}with\s+the\s+(?:highest|lowest)\b
    | \bwhich\s+step\s+comes\s+first\b
    | \bcompare\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TERM_OF_OFFICE = re.compile(
    r"\bfor\s+how\s+many\s+(?:years|months|days)\b|\bhow\s+(?:long|many\s+years)\b.*\b(?:serve|hold|remain|reign|run|work)\w*\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"""
    \b(?:steps|stages|phases|procedure|instructions)\b
    | ^\W*how\s+(?:do|can|should)\s+(?:i|you|we|staff|users?|customers?)\b
    | \b(?:list|summari[sz]e|outline|describe)\b | \bname\s+(?:all|the\s+(?:two|three|four|five|\w+s))\b
    | ^\W*(?:what|who)\s+(?:are|were)\s+the\b | ^\W*which\s+(?:\w+\s+){0,2}\w{2,}[^s\W]s\s+(?:are|were)\b
    | \bwhat\s+(?:\w+\s+)?(?:kinds|types|ways|options|reasons|factors|events|changes|measures|effects|causes|parameters
        |values)\b
    | \bwhat\s+is\s+known\s+(?:about|of)\b | \bwhat\s+happened\s+(?:in|during|at)\b
    | \bwhat\s+(?:was|is|were)\s+the\s+circumstances\b
    | 哪些|步骤|列出|总结|概述
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUMMARISES = re.compile(r"\b(?:summari[sz]e|outline|describe|what\s+is\s+known|overview)\b|总结|概述", re.IGNORECASE)
_WHEN_AND_WHERE = re.compile(
    r"\b(?:when|where|who|what)\s+and\s+(?:when|where|by\s+whom|how|what|why)\b", re.IGNORECASE
)


def _labels(encoder: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    pairs = [pair.model_copy(update={"question": unframed(pair.question)}) for pair in inputs]
    named = [None if asks_for_computation(pair.question) else named_question(pair.question) for pair in pairs]
    told = [asks_itself(pair.context, pair.question, pair.answer) for pair in pairs]
    open_ones = [
        QuestionOnText(
            pair.question,
            pair.context,
            statements_to_read(pair.question, pair.answer, pair.context),
            ANSWERED_WINDOWS if pair.answer else OPEN_WINDOWS,
        )
        for pair, own in zip(pairs, named, strict=True)
        if own is None
    ]
    read = iter(answered(encoder, open_ones))
    return [
        Reply(_of_named(own, pair) if own is not None else _label(pair, next(read), is_told=is_told))
        for pair, own, is_told in zip(pairs, named, told, strict=True)
    ]


def _label(pair: Pair, found: Answered | None, *, is_told: bool) -> LabelVerdict:
    """is_told: whether the context asks the question itself and answers it, so that nothing has to be found."""
    asked = read_question(pair.question)
    if not asked.terms:
        return LabelVerdict(label="unanswerable", reason="the question asks for nothing that could be looked up")
    index = read_text(pair.context)
    places = rank_places(asked, index)
    if is_told:
        absent = ""
    elif found:
        absent = _hardly(found)
    else:
        absent = _why_unanswered(asked, index, places, computing=asks_for_computation(pair.question))
    if absent:
        return LabelVerdict(label="unanswerable", reason=absent)
    if follows := why_it_follows(pair):
        return LabelVerdict(label="reasoning", reason=follows)
    if _SUMMARISES.search(pair.question):
        return LabelVerdict(label="summary", reason="a summary is asked for")
    if found and found.way:
        return _by_way(found.way, pair.answer)
    return _one_or_several(pair)


def _by_way(way: Way, answer: str) -> LabelVerdict:
    if way.inferred >= 0:
        return LabelVerdict(
            label="reasoning", reason=f"the answer follows, probability {probability(way.inferred):.2f}"
        )
    odds = way.several + odds_of(answer)
    label: Label = "summary" if odds >= 0 else "fact_single"
    likely = f"probability {probability(abs(odds)):.2f}"
    return LabelVerdict(
        label=label, reason=f"{'several things are' if odds >= 0 else 'one thing is'} asked for, {likely}"
    )


def _hardly(found: Answered) -> str:
    return "" if found.is_answered else f"the context hardly answers it, probability {found.likely:.2f}"


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
    """The numbers of a text, from two on: "one" is mostly none."""
    words = (word.lower() for word in _WORD.findall(text))
    return {str(NUMBER_WORDS.get(word, word)) for word in words if word[0].isdigit() or word in NUMBER_WORDS} - {"1"}


_WORD = re.compile(r"\w+")
_SHOWS_PARTS = re.compile(r"\([^()]*\)\W*$")
_YES_NO = re.compile(r"\W*(?:yes|no)(?:[,;:.]|\W*$)", re.IGNORECASE)


def _of_named(named: NamedQuestion, pair: Pair) -> LabelVerdict:
    """The label of a question about technical names, which stands or falls with their entries."""
    reason = unanswered(named, pair.context)
    if reason:
        return LabelVerdict(label="unanswerable", reason=reason)
    if named.parts > 1:
        return LabelVerdict(label="summary", reason=f"{named.parts} things are asked of {', '.join(named.names)}")
    if named.wants_values:
        return LabelVerdict(label="summary", reason=f"the values of {named.names[0]} are several")
    return LabelVerdict(label="fact_single", reason=f"one thing, stated in the entry of {named.names[0]}")


def _why_unanswered(asked: ParsedQuestion, index: Text, places: Sequence[Place], *, computing: bool) -> str:
    if not places:
        return "the context shares no word with the question"
    missing = ", ".join(missing_terms(asked, index)[:3]) or "a sentence that says it"
    if computing:
        share = parts_share(asked, index)
        return "" if share >= PARTS_ABOVE else f"the context lacks what is to be compared or computed: {missing}"
    attributes = attributes_asked(asked.text)
    if attributes:
        held = [any(part <= set(index.sentence_terms[place.unit]) for place in places) for part in attributes]
        return "" if sum(held) * 2 > len(held) else f"the context does not give these of it; missing: {missing}"
    wide = _SUMMARISES.search(asked.text) is not None
    above = (WIDE_ABOVE, WIDE_ABOVE) if wide else (WANTED_ABOVE, SCORE_ABOVE)
    saying = [place for place in places if place.wanted >= above[0] and place.score >= above[1]]
    saying = [place for place in saying[:NEAR_BEST] if place.score >= saying[0].score - NEAR_SCORE]
    if not saying:
        return f"the context does not say this of it; missing: {missing}"
    if asked.types[0] in ("date", "amount") and not any(place.fits_type for place in saying):
        return f"no {asked.types[0]} stands where the context speaks of it"
    return ""


def _one_or_several(pair: Pair) -> LabelVerdict:
    """By what the answer says, or where there is none by what the question asks for."""
    extent = extent_of(pair.answer)
    if extent.parts or extent.items >= LONG_LIST or (not extent.given and asks_for_several(pair.question)):
        return LabelVerdict(
            label="summary", reason=f"the {'answer says' if extent.given else 'question asks for'} several things"
        )
    return LabelVerdict(label="fact_single", reason="one thing is asked, which the context says")


def label_by_words(pair: Pair) -> Label:
    """The label of a pair whose context answers the question, without the verifier."""
    pair = pair.model_copy(update={"question": unframed(pair.question)})
    return "reasoning" if why_it_follows(pair) else _one_or_several(pair).label


def asks_for_computation(question: str) -> bool:
    """Whether a question asks to compare, count or reckon rather than to read."""
    return _COMPUTES.search(question) is not None or _TERM_OF_OFFICE.search(question) is not None


def asks_for_several(question: str) -> bool:
    """Whether a question asks for several things: parts, attributes, a list, a procedure, a summary."""
    return (
        len(question_parts(question)) > 1
        or bool(attributes_asked(question))
        or _WHEN_AND_WHERE.search(question) is not None
        or _SEVERAL.search(question) is not None
        or asks_for_computation(question)
    )


HANDLERS: dict[str, Handler] = {"label": _labels}
