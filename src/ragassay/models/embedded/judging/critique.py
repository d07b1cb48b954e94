"""The eight critiques, each by a formula that its function states, from 1 to 5 with a short reason.

Source: Know Your RAG (COLING 2025), critiques. Groundedness is the verifier's; the other formulas are rules
of thumb that were tested on the order of good and bad pairs, not fitted to anybody's ratings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.judgements import (
    ANSWERED_WINDOWS,
    Answered,
    QuestionOnText,
    answered,
    verifier_for,
)
from ragassay.models.embedded.judging.labelling import asks_for_computation
from ragassay.models.embedded.judging.places import (
    ParsedQuestion,
    Place,
    Text,
    attributes_asked,
    parts_share,
    rank_places,
    read_question,
    read_text,
)
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import statements_to_read
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.framing import asks_itself
from ragassay.models.embedded.reading.named_entries import technical_names
from ragassay.models.embedded.reading.quantities import dates, quantities
from ragassay.models.embedded.reading.terms import (
    covered_share,
    has_cjk,
    names,
    question_terms,
    terms,
    total_weight,
    weight,
)
from ragassay.models.embedded.reading.units import Unit, sentences, units
from ragassay.models.embedded.reading.verbatim import stands_in
from ragassay.models.small.verifier import Check
from ragassay.tasks.critique import CRITIQUES, CritiquedPair, Rating

Rate = Callable[[Encoder, Sequence[CritiquedPair]], list[Reply[Rating]]]


def _rating(share: float, reason: str) -> Reply[Rating]:
    """share: in [0, 1], mapped to 1..5 in equal steps."""
    return Reply(Rating(rating=1 + round(4 * min(1.0, max(0.0, share))), reason=reason))


def _step(value: float, steps: Sequence[float], reason: str) -> Reply[Rating]:
    """1, and one more for each of the four steps that value reaches."""
    return Reply(Rating(rating=1 + sum(value >= step for step in steps), reason=reason))


def _each(rate: Callable[[CritiquedPair], Reply[Rating]]) -> Rate:
    def rate_all(_: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
        return [rate(pair) for pair in inputs]

    return rate_all


_QUESTION = re.compile(
    r"""[?？] | ^\W*(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should
    |name|list    |explain|describe|tell|summari[sz]e|compare|outline)\b | 什么|谁|何|哪|几|多少|如何|是否|吗""",
    re.VERBOSE | re.IGNORECASE,
)


def _is_question(text: str) -> bool:
    return _QUESTION.search(text) is not None and bool(question_terms(text))


# What the best unit must have of the question for 2, 3, 4 and 5.
_GROUNDED_STEPS = (0.4, 0.55, 0.68, 0.85)
# Holding no date or amount where one is asked for costs this share.
_WRONG_KIND = 0.6


def _around(least: float) -> tuple[float, ...]:
    """Probabilities for 2, 3, 4 and 5: 3 from the verifier's threshold on, 2 from half of it."""
    return least / 2, least, least + (1 - least) / 3, least + 2 * (1 - least) / 3


def _question_groundedness(encoder: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
    """By the verifier's probability that the context answers it; by words where the verifier is off.

    A question that the context asks and answers itself is 5, unread.
    """
    told = [asks_itself(pair.context, pair.question, pair.answer) for pair in inputs]
    read = iter(
        answered(
            encoder,
            [
                QuestionOnText(
                    pair.question,
                    pair.context,
                    statements_to_read(pair.question, pair.answer, pair.context),
                    ANSWERED_WINDOWS,
                )
                for pair, is_told in zip(inputs, told, strict=True)
                if not is_told
            ],
        )
    )
    return [
        _rating(1.0, "the context asks it, and answers it right there")
        if is_told
        else _grounded_question(pair, next(read))
        for pair, is_told in zip(inputs, told, strict=True)
    ]


def _grounded_question(pair: CritiquedPair, found: Answered | None) -> Reply[Rating]:
    """Without the verifier: by the share of what is asked, and of whom, in the unit of the context that has most.

    Of all parts for a computation.
    """
    if not _is_question(pair.question):
        return _rating(0.0, "not a question")
    if found is not None:
        return _step(found.likely, _around(found.least), f"the context answers it, probability {found.likely:.2f}")
    text = read_text(pair.context)
    asked = read_question(pair.question)
    places = rank_places(asked, text)
    if not places:
        return _rating(0.0, "the context shares no word with the question")
    if asks_for_computation(pair.question):
        share = parts_share(asked, text)
        return _step(share, _GROUNDED_STEPS, f"the context has {share:.0%} of what is to be compared or computed")
    attributes = attributes_asked(pair.question)
    if attributes:
        n_found = sum(any(part <= set(text.sentence_terms[place.unit]) for place in places) for part in attributes)
        return _step(
            n_found / len(attributes), _GROUNDED_STEPS, f"{n_found} of {len(attributes)} things asked for are there"
        )
    share = _best_share(asked, places)
    return _step(share, _GROUNDED_STEPS, f"the best sentence has {share:.0%} of what is asked for")


def _best_share(asked: ParsedQuestion, places: Sequence[Place]) -> float:
    strict = asked.types[0] in ("date", "amount")
    return max(place.score * (1.0 if place.fits_type or not strict else _WRONG_KIND) for place in places[:5])


# Mean support of the answer's sentences for 2, 3, 4 and 5.
_SUPPORT_STEPS: Sequence[float] = (0.25, 0.4, 0.55, 0.7)


def _answer_groundedness(encoder: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
    """By the mean probability that the context supports the answer's statements; by shared words without a verifier.

    An answer whose sentences all stand in the context word for word is 5, unread. A computed one is recomputed, 5 if
    that succeeds and 3 if it cannot.
    """
    verifier = verifier_for(encoder)
    if verifier is None:
        claims = [Claim(pair.question, sentences(pair.answer), pair.context) for pair in inputs]
        shares = [[0.5 * one.score + 0.5 * one.known for one in held] for held in support(encoder, claims)]
        steps: Sequence[float] = _SUPPORT_STEPS
    else:
        checks = [
            Check(
                pair.context,
                statements_to_read(pair.question, pair.answer, pair.context),
                windows=ANSWERED_WINDOWS,
            )
            for pair in inputs
        ]
        shares = [
            [one.supported for one in held] or [1.0] * stands_in(pair.answer, pair.context)
            for pair, held in zip(inputs, verifier.judge(checks), strict=True)
        ]
        steps = _around(verifier.threshold())
    return [
        _grounded_answer(pair, sum(held) / len(held), steps) if held else _rating(0.0, "no answer")
        for pair, held in zip(inputs, shares, strict=True)
    ]


def _grounded_answer(pair: CritiquedPair, mean: float, steps: Sequence[float]) -> Reply[Rating]:
    if asks_for_computation(pair.question) and mean < steps[-1]:
        text = read_text(pair.context)
        asked = read_question(pair.question)
        if parts_share(asked, text) >= _GROUNDED_STEPS[1]:
            shown = _recomputed(pair.answer, asked, text)
            return Reply(Rating(rating=5, reason=shown)) if shown else Reply(Rating(rating=3, reason=_NOT_RECOMPUTED))
    return _step(mean, steps, f"mean support of its statements by the context {mean:.2f}")


_NOT_RECOMPUTED = "its parts are stated, the result could not be recomputed"
# Units whose numbers may enter a computation; more would make a match by chance likely.
_MOST_PARTS = 8


def _recomputed(answer: str, asked: ParsedQuestion, text: Text) -> str:
    """How a number of the answer follows from two dates, two numbers or the length of a list.

    Empty where it does not.
    """
    wanted = {quantity.value for quantity in quantities(answer) if quantity.kind not in ("month", "day")}
    wanted |= {1.0} if re.search(r"\bone\b", answer, re.IGNORECASE) else set()
    if re.match(r"\W*(?:yes|no)\b", answer, re.IGNORECASE):
        return "yes or no follows from what is stated"
    places = [text.units[place.unit] for place in rank_places(asked, text)[:_MOST_PARTS]]
    for value, how in _computed(places, text):
        if value in wanted:
            return how
    return ""


def _computed(places: Sequence[Unit], text: Text) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    known = [date for unit in places for date in (one.as_date() for one in dates(unit.text)) if date is not None]
    for first, second in combinations(sorted(set(known)), 2):
        days = (second - first).days
        months = (second.year - first.year) * 12 + second.month - first.month - (second.day < first.day)
        how = f"from {first} to {second}"
        found += [
            (float(days), how),
            (float(months), how),
            (float(months // 12), how),
            (float(second.year - first.year), how),
        ]
    values = [one for unit in places for one in quantities(unit.text) if one.kind in ("number", "money", "percent")]
    for one, other in combinations(values, 2):
        if one.kind == other.kind:
            found.append((round(abs(one.value - other.value), 6), f"difference of {one.value:g} and {other.value:g}"))
    run = 0
    for unit in [*text.units, Unit("sentence", "", 0, 0)]:
        if unit.kind == "item":
            run += 1
        elif run:
            found.append((float(run), f"a list of {run}"))
            run = 0
    return found


# Sum of squared weights of the terms that lead to the context, for 2, 3, 4 and 5; a name counts half as much again.
_FEASIBLE_STEPS = (0.6, 1.2, 1.8, 2.8)


def _feasibility(pair: CritiquedPair) -> Reply[Rating]:
    """By the rarity of the question's terms that the context has.

    Sum of squared weights, names counted with half as much again.
    """
    asked = read_question(pair.question)
    held = set(terms(pair.context))
    shared = [term for term in asked.terms if term in held]
    named = names("x " + pair.question.partition(" ")[2]) & held
    specific = sum(weight(term) ** 2 * (1.5 if term in named else 1.0) for term in shared)
    return _step(
        specific, _FEASIBLE_STEPS, f"{len(shared)} of its terms are in the context, {len(named)} of them names"
    )


_POINTS_AT_SOURCE = re.compile(
    r"""\b(?:the|this|that|these|given|provided|following)\s+(?:\w+\s+)?
        (?:text|passage|context|documents?|article|paragraphs?|excerpt|snippet|author|statements?|page|chapter
            |extract)\b(?!\s+of\b)
    | (?:\b(?:according\s+to|based\s+on|in)\s+|根据|在|^)[“"《]
      (?:[\w\ -]+\.(?:jsonl?|csv|md|rst|txt|html?|pdf|docx?)(?:\#\d+)?|(?-i:[a-z][\w.-]*(?:\ [a-z][\w.-]*)*)\ \d+)[”"》]
    | \b(?:above|below|aforementioned|mentioned|as\s+described|as\s+stated)\b
    | (?:本文|文中|上文|上述|该文|文章|本段)""",
    re.VERBOSE | re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:he|she|they|him|them|his|hers|her|their|its|it|this|these|those|here)\b(?!\s+(?:take|possible|true))",
    re.IGNORECASE,
)
_THE_THING = re.compile(
    r"""\bthe\s+(?:same\s+)?(?:company|organi[sz]ation|policy|report|patient|city|school|team|film|book|product|system|court|hospital
        |process|project|agreement|program(?:me)?|study|game|event|incident|person|man|woman|writer|speaker|board|department)\b
    | (?:该|这个|那个|此)(?:公司|政策|患者|医院|法院|项目)""",
    re.VERBOSE | re.IGNORECASE,
)


def _stand_alone(pair: CritiquedPair) -> Reply[Rating]:
    """1 if it points at the text, be it by a file's name and a row, 2 if a pronoun or "the company" has no name.

    3 if its words are common, 4 where a pronoun comes before the only name, 5 otherwise.
    """
    pointing = _POINTS_AT_SOURCE.search(pair.question)
    if pointing:
        return _rating(0.0, f"it points at the text: {pointing.group().lower()!r}")
    first, _, rest = pair.question.partition(" ")
    named = names("x " + rest) | set(technical_names(pair.question))
    pronoun = _PRONOUN.search(pair.question)
    if pronoun and not named:
        return _rating(0.25, f"{pronoun.group().lower()!r} has nothing to refer to")
    if not named and not has_cjk(pair.question) and (thing := _THE_THING.search(pair.question)):
        return _rating(0.25, f"{thing.group().lower()!r} could be any")
    if not named and total_weight(set(terms(first + " " + rest))) < _SPECIFIC_WITHOUT_NAME:
        return _rating(0.5, "it names nothing in particular")
    if pronoun and named and not names("x " + rest[: max(0, pronoun.start() - len(first))]):
        return _rating(0.75, f"{pronoun.group().lower()!r} comes before the name that it stands for")
    return _rating(1.0, "it makes sense alone")


_SPECIFIC_WITHOUT_NAME = 1.6

_METADATA = re.compile(
    r"\b(?:number|reference|last\s+(?:updated|reviewed)|next\s+review|effective\s+from|version|page|telephone|extension|category)\b",
    re.I,
)
_TRIVIAL = re.compile(r"\bhow\s+many\b.*\b(?:listed|mentioned|named|given)\b|\bsteps\s+are\b", re.IGNORECASE)


def _question_usefulness(pair: CritiquedPair) -> Reply[Rating]:
    """5, less one or two for each thing that makes a question idle to somebody who searches."""
    if not _is_question(pair.question):
        return _rating(0.0, "not a question")
    words = len(pair.question.split())
    asked = read_question(pair.question)
    faults = []
    if total_weight(asked.terms) < _SPECIFIC_WITHOUT_NAME:
        faults += ["too general", ""]
    if _POINTS_AT_SOURCE.search(pair.question):
        faults += ["about the text, not its subject", ""]
    if words > 26 or (words < 4 and not has_cjk(pair.question)):
        faults.append(f"{words} words long")
    if asked.types[0] == "choice" and not asks_for_computation(pair.question):
        faults.append("answered by yes or no")
    if _TRIVIAL.search(pair.question):
        faults += ["counts entries", ""]
    if _METADATA.search(pair.question):
        faults.append("asks for a label of the document")
    if asked.terms and covered_share(asked.terms, terms(pair.context)) < 0.5:
        faults.append("strange to this collection")
    reason = "; ".join(filter(None, faults)) or "specific, and asks for something a reader may need"
    return Reply(Rating(rating=max(1, 5 - len(faults)), reason=reason))


# Statements for 2, 3, 4 and 5; a key, a row or an item is half a statement.
_USEFUL_STEPS = (1.5, 3.0, 5.0, 8.0)
_LEAST_TERMS = 4


def _context_usefulness(pair: CritiquedPair) -> Reply[Rating]:
    """By the number of sentences with at least four different terms, and half that of keys, rows and items."""
    found = units(pair.context)
    told = [unit for unit in found if unit.kind == "sentence" and _tells(unit)]
    structured = [unit for unit in found if unit.kind in ("pair", "row", "item") and len(set(terms(unit.text))) >= 2]
    value = len(told) + 0.5 * len(structured)
    return _step(
        value, _USEFUL_STEPS, f"{len(told)} sentences that state something, {len(structured)} structured entries"
    )


def _tells(unit: Unit) -> bool:
    return not unit.text.rstrip().endswith(("?", "？")) and len(set(terms(unit.text))) >= _LEAST_TERMS


class _Fault(NamedTuple):
    points: int
    reason: str


_NOISE = re.compile(r"[{}<>\\^~`|=]|[_*#]{2,}|&\w+;|https?://")
_BROKEN = re.compile("\ufffd|[A-Za-z]-\n[a-z]|[\u00c2\u00c3][\u0080-\u00bf]")


def _context_clarity(pair: CritiquedPair) -> Reply[Rating]:
    """5, less a point or two for each fault of form.

    Noise, broken characters, cut sentences, scraps, hardly any sentence.
    """
    text = pair.context.strip()
    if not text:
        return _rating(0.0, "it is empty")
    faults = [fault for fault in _clarity_faults(text) if fault is not None]
    return Reply(
        Rating(
            rating=max(1, 5 - sum(fault.points for fault in faults)),
            reason="; ".join(fault.reason for fault in faults) or "whole sentences, clean text",
        )
    )


def _clarity_faults(text: str) -> list[_Fault | None]:
    found = units(text)
    letters = sum(character.isalpha() or character.isspace() for character in text) / len(text)
    noise = len(_NOISE.findall(text.replace(" | ", " "))) / (len(text) / 100)
    prose = [unit for unit in found if unit.kind == "sentence"]
    cut = [unit for unit in prose if unit.text.rstrip("\"'”’)] ")[-1:] not in (*".!?。！？:：;…",)]
    words = len(text.split()) if not has_cjk(text) else len(text) // 2
    return [
        _Fault(1, "starts in the middle of a sentence") if text[0].islower() or text[0] in ",;)" else None,
        _Fault(1, "ends in the middle of a sentence")
        if found and found[-1].kind == "sentence" and found[-1] in cut
        else None,
        _Fault(2 if noise > 3 else 1, f"{noise:.1f} signs of code or markup in 100 characters")
        if noise > 0.8
        else None,
        _Fault(1, "broken characters or words") if _BROKEN.search(text) else None,
        _Fault(2 if letters < 0.6 else 1, f"only {letters:.0%} letters") if letters < 0.75 else None,
        _Fault(1, f"{len(cut)} of {len(prose)} sentences have no end") if len(cut) > 0.4 * len(prose) + 1 else None,
        _Fault(2, f"a scrap of {words} words") if words < 12 else None,
        _Fault(1, "hardly a sentence among its lines") if len(found) >= 5 and not any(map(_tells, prose)) else None,
    ]


# Share of the answer that is new, for 2, 3, 4 and 5.
_NEW_STEPS = (0.15, 0.3, 0.45, 0.6)


def _tautology(pair: CritiquedPair) -> Reply[Rating]:
    """By the share of the answer's weight that the question has not; a number or name among it is worth one more."""
    asked = set(terms(pair.question))
    said = set(terms(pair.answer))
    if not said:
        return _rating(0.0, "no answer")
    new = said - asked
    share = total_weight(new) / total_weight(said)
    told = any(term[0].isdigit() for term in new) or bool(names("x " + pair.answer) & new)
    return _step(share + 0.15 * told, _NEW_STEPS, f"{share:.0%} of the answer is new")


_RATES: dict[str, Rate] = {
    "question_groundedness": _question_groundedness,
    "answer_groundedness": _answer_groundedness,
    "feasibility": _each(_feasibility),
    "stand_alone": _each(_stand_alone),
    "question_usefulness": _each(_question_usefulness),
    "context_usefulness": _each(_context_usefulness),
    "context_clarity": _each(_context_clarity),
    "tautology": _each(_tautology),
}

HANDLERS: dict[str, Handler] = {CRITIQUES[name].name: rate for name, rate in _RATES.items()}
