"""Whether a text says something else than a statement: another number or date, a negation, another name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ragassay.models.embedded.reading.lexicon import NEGATIONS
from ragassay.models.embedded.reading.quantities import Quantity, agreement, comparable, quantities, same_value
from ragassay.models.embedded.reading.terms import names, question_terms, term_of, terms, tokens, total_weight

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

    passages: the sentences of the context that come nearest to the statement, best first. One that agrees is enough.
    question: what it gives, an answer need not repeat.
    """
    stated = _without(quantities(statement), quantities(question))
    found = _amount_clash(stated, statement, passages, context)
    return found or _negation_clash(statement, passages) or _name_clash(statement, context, question)


@lru_cache(maxsize=256)
def _quantities(text: str) -> tuple[Quantity, ...]:
    return tuple(quantities(text))


@lru_cache(maxsize=64)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


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
"""Values of a text that are shown beside the one that it does not give."""


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
    known = names(statement)
    if not known:
        return None
    held = _terms(context) | set(question_terms(question))
    for run in _NAME_RUN.findall(statement):
        named = {term for term in terms(run) if not term[0].isdigit()} & known
        missing = named - held
        if missing and total_weight(missing) > _MISSING_NAMES * total_weight(named):
            return Clash("name", f"the text does not name {run.strip()}")
    return None


_NAME_RUN = re.compile(r"(?:[A-Z][\w'’&.-]*\s?)+")
