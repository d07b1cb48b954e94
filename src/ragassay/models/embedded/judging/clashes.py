"""Whether a text says something else than a statement: another number or date, a negation, another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ragassay.models.embedded.reading.quantities import (
    CURRENCIES,
    MEASURES,
    Quantity,
    agreement,
    comparable,
    quantities,
    same_value,
)
from ragassay.models.embedded.reading.terms import (
    NEGATIONS,
    names,
    question_terms,
    term_of,
    terms,
    tokens,
    total_weight,
)

_PERIODS = "second|minute|hour|night|day|week|month|quarter|year"
_UNIT = "|".join(name for name, (dimension, _) in MEASURES.items() if dimension == "time" and len(name) > 2)
_COUNT = r"an?|one|\d+|[a-z]+(?:-[a-z]+)?"
_FORM = re.compile(
    rf"""\b(?:
    (?P<whole1>{_COUNT})\s+(?P<unit1>{_UNIT})\s+and\s+a\s+half
    | (?P<whole2>{_COUNT})\s+and\s+a\s+half\s+(?P<unit2>{_UNIT})
    | half\s+an?\s+(?P<half>{_UNIT})
    | (?:(?<=for\ )|(?<=in\ )|(?<=of\ )|(?<=within\ )|(?<=after\ )|(?<=takes\ )|(?<=lasts\ ))an?\s+(?P<one>{_UNIT})
    | (?:per|an?|each|every)\s+(?P<period>{_PERIODS})
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Amounts without a number, or with more than one word for it."""


class _Amount(NamedTuple):
    """key: the same for all wordings of one amount."""

    start: int
    end: int
    key: tuple[str, str, float]


def reworded(claim: str, text: str) -> str:
    """The claim with those amounts that the text gives, too, in the text's words."""
    given = {amount.key: text[amount.start : amount.end] for amount in reversed(_amounts(text))}
    for amount in reversed(_amounts(claim)):
        said = claim[amount.start : amount.end]
        if amount.key in given and said not in text:
            claim = claim[: amount.start] + given[amount.key] + claim[amount.end :]
    return claim


@lru_cache(maxsize=256)
def _amounts(text: str) -> tuple[_Amount, ...]:
    """The amounts of a text in their order; dates are none."""
    forms = list(_in_words(text))
    taken = [range(form.start, form.end) for form in forms]
    numbers = (_Amount(each.start, _end(each, text), _key(each)) for each in quantities(text) if each.kind in _COMPARED)
    return tuple(sorted((*forms, *(each for each in numbers if not any(each.start in span for span in taken)))))


_COMPARED = ("percent", "money", "number")
_LAST_WORD = re.compile(r"\s*[^\W\d_]+$")


def _end(quantity: Quantity, text: str) -> int:
    """Where an amount ends, without a word behind it that is no unit of it: "14 pounds", but "£14" of "£14 an"."""
    last = _LAST_WORD.search(text, quantity.start, quantity.end)
    if last is None:
        return quantity.end
    word = last.group().strip().lower()
    is_unit = word in CURRENCIES or word.startswith("percent") or word == "cent"
    return quantity.end if is_unit or (quantity.kind == "number" and term_of(word)) else last.start()


def _in_words(text: str) -> Iterator[_Amount]:
    for match in _FORM.finditer(text):
        if period := match["period"]:
            yield _Amount(match.start(), match.end(), ("per", "", float(_PERIODS.find(period.lower()))))
        for each in quantities(_number(match))[:1]:
            yield _Amount(match.start(), match.end(), _key(each))


def _key(quantity: Quantity) -> tuple[str, str, float]:
    dimension, value = quantity.measure or (quantity.unit, quantity.value)
    return (quantity.kind, dimension, value)


def _number(match: re.Match[str]) -> str:
    """A duration as a number with its unit; empty where the words hold no number."""
    if match["half"] or match["one"]:
        return f"0.5 {match['half']}" if match["half"] else f"1 {match['one']}"
    word = match["whole1"] or match["whole2"] or ""
    found = quantities(word)
    whole = 1.0 if word.lower() in ("a", "an", "one") else found[0].value if found else 0.0
    return f"{whole + 0.5:g} {match['unit1'] or match['unit2']}" if whole else ""


ClashKind = Literal["number", "date", "negation", "name"]

# Terms after a negation that it may belong to: "did not fully complete".
_NEGATED_TERMS = 2
# Share of a name's weight that may be missing before it is another name.
_MISSING_NAMES = 0.5


class Clash(NamedTuple):
    """reason: what the statement says and the text does not, or the other way round."""

    kind: ClashKind
    reason: str


def clash(statement: str, passages: Sequence[str], context: str, question: str = "") -> Clash | None:
    """How a context disagrees with a statement; None where it does not.

    passages: the sentences that come nearest to it, best first, of which one that agrees is enough. question: what it
    gives, an answer need not repeat.
    """
    stated = _without(quantities(statement), quantities(question))
    found = _amount_clash(stated, statement, passages, context)
    return found or _negation_clash(statement, passages) or _name_clash(statement, context, question)


_quantities = lru_cache(maxsize=256)(quantities)
_terms = lru_cache(maxsize=64)(terms)


def _without(stated: Sequence[Quantity], known: Sequence[Quantity]) -> list[Quantity]:
    return [one for one in stated if not any(one.kind == other.kind and same_value(one, other) for other in known)]


def _amount_clash(stated: Sequence[Quantity], statement: str, passages: Sequence[str], context: str) -> Clash | None:
    if not stated or not passages:
        return None
    compared = [agreement(stated, _quantities(passage)) for passage in passages]
    if any(not one.clashing and not one.missing for one in compared):
        return None
    if all(one.clashing for one in compared):
        return _disagrees(compared[0].clashing[0], statement, passages[0])
    # No sentence near it gives the value; it may stand in another one, which then speaks of the same thing.
    anywhere = agreement(stated, _quantities(context))
    return _disagrees(anywhere.clashing[0], statement, context) if anywhere.clashing else None


_MOST_RIVALS = 3


def _disagrees(quantity: Quantity, statement: str, text: str) -> Clash:
    kind: ClashKind = "date" if quantity.kind in ("year", "month", "day") else "number"
    rivals = [_as_written(other, text) for other in _quantities(text) if comparable(quantity, other)]
    unique = list(dict.fromkeys(rivals))
    shown = " or ".join(f'"{rival}"' for rival in unique[:_MOST_RIVALS])
    if len(unique) > _MOST_RIVALS:
        shown += " or others"
    return Clash(kind, f'the text gives {shown}, and not "{_as_written(quantity, statement)}"')


def _as_written(quantity: Quantity, text: str) -> str:
    return " ".join(text[quantity.start : quantity.end].split())


def _negation_clash(statement: str, passages: Sequence[str]) -> Clash | None:
    if not passages:
        return None
    denied, said = _polarity(statement)
    verdicts = []
    for passage in passages:
        text_denied, text_said = _polarity(passage)
        if denied and not (denied & text_denied):
            verdicts.append("the statement")
        elif (text_denied & said) - denied - text_said:
            verdicts.append("the text")
        else:
            return None
    return Clash("negation", f"only {verdicts[0]} is negated")


def _polarity(text: str) -> tuple[set[str], set[str]]:
    """Terms right after a negation, and the other terms. "not only" and "no later than" deny nothing."""
    denied: set[str] = set()
    said: set[str] = set()
    open_for = 0
    words = tokens(text)
    for place, word in enumerate(words):
        lowered = word.lower()
        if lowered in NEGATIONS or lowered.endswith(("n't", "n’t")):
            following = words[place + 1].lower() if place + 1 < len(words) else ""
            open_for = 0 if following in _EMPTY_AFTER_NOT else _NEGATED_TERMS
            continue
        term = term_of(word)
        if not term:
            continue
        (denied if open_for else said).add(term)
        open_for = max(0, open_for - 1)
    return denied, said


_EMPTY_AFTER_NOT = frozenset(
    ("only", "just", "merely", "simply", "later", "less", "more", "fewer", "longer", "doubt", "least")
)


def _name_clash(statement: str, context: str, question: str) -> Clash | None:
    plain = statement
    other = {each.start for each in _without(_quantities(statement), _quantities(context))}
    for each in _quantities(statement):  # "März" and "Prozent" are no names where the text gives the same, year and all
        if (each.kind != "number" or each.measure) and each.start not in other:
            plain = plain[: each.start] + "·" * (each.end - each.start) + plain[each.end :]
    known = names(plain)
    if not known:
        return None
    held = {*_terms(context), *question_terms(question)}
    for run in _NAME_RUN.findall(statement):
        named = {term for term in terms(run) if not term[0].isdigit()} & known
        missing = named - held
        if missing and total_weight(missing) > _MISSING_NAMES * total_weight(named):
            return Clash("name", f"the text does not name {run.strip()}")
    return None


_NAME_RUN = re.compile(r"(?:[A-Z][\w'’&.-]*\s?)+")
