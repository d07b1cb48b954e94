"""A limit applied to a number: "Can I upload 14 files?" from "You can upload up to 10 files."."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.inversion import Inverted, inverted
from ragassay.models.embedded.prose.reasoning.bounds import Bound, beyond, bounds
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause, stated
from ragassay.models.embedded.prose.reasoning.requirements import on_duty
from ragassay.models.embedded.prose.reasoning.rules import conditions, denied, present
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

TIMES = frozenset("second minute hour day week month year".split())
LONGEST = 24
HOLDING = frozenset(
    "have hold last take contain support accept allow include get receive cost carry cover store".split()
)
"""English verbs of which a most is a limit, not a report."""


def bounded(reading: Reading) -> Iterator[tuple[Told, Clause, Bound]]:
    """Every main clause with a bound on a number, where both can be used."""
    for told, clause in reading.main():
        if len(clause.members) > LONGEST or len(clause.subject) > 10 or not present(clause) or denied(clause):
            continue
        if clause.head is not None and clause.head.lower_ in ("there", "i", "this", "that"):
            continue
        inside = {token.i for token in (*clause.members, *clause.subject)} | {t.i for p in clause.fronted for t in p}
        found = list(bounds(told.doc))
        for bound in found if len(found) == 1 else ():
            if all(token.i in inside for token in bound.tokens):
                yield told, clause, bound


def with_number(pieces: Pieces, bound: Bound, value: float, forms: dict[int, str]) -> tuple[Pieces, dict[int, str]]:
    """The pieces with another number for the bound; the unit agrees with it."""
    gone = {token.i for token in bound.tokens}
    new: Pieces = []
    put = False
    for piece in pieces:
        if not isinstance(piece, str) and piece.i in gone:
            if not put:
                new.append(bound.written(value))
                put = True
            continue
        new.append(piece)
    if bound.unit is not None and value == 1:
        forms = {**forms, bound.unit.i: bound.unit.lemma_}
    elif bound.unit is not None and bound.value == 1 and bound.unit.tag_ == "NN":
        forms = {**forms, bound.unit.i: plural(bound.unit.lower_)}
    return new, forms


def plural(noun: str) -> str:
    """day: days. entry: entries. box: boxes."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@source(
    "ceiling",
    infers="whether a number is allowed, from the most that is",
    example="Can I upload 14 files? No; you can upload up to 10 files.",
    accepted=0.30,
)
def ceiling(reading: Reading) -> Iterator[Inferred]:
    for told, clause, bound in bounded(reading):
        if bound.side not in ("at_most", "below") or _inside_condition(clause, bound) or clause.imperative:
            continue
        if not clause.modal and (clause.passive or clause.verb.lemma_ not in HOLDING):
            continue
        if bound.side == "below" and not (on_duty(clause) or clause.modal == "should"):
            continue
        key = choice(told.doc.text, 4)
        value = beyond(bound.value, up=key > 0, key=key % 2)
        if value is None or (bound.percent and value > 100):
            value = beyond(bound.value, up=False, key=0)
        if value is None:
            continue
        own = of_clause(clause)
        words, forms = own.form("base")
        fronted: Pieces = [token for each in clause.fronted for token in each]
        pieces, forms = with_number(["can", *own.subject_pieces(), *words, *fronted], bound, value, forms)
        if any(isinstance(piece, str) and piece == bound.written(value) for piece in pieces):
            yield Inferred(told, pieces, "Yes" if bound.allows(value) else "No", stated(clause), forms=forms)


@source(
    "floor",
    infers="whether a number is enough, from the least that is needed",
    example="Is it enough if I give 2 weeks' notice? No; you must give at least 4 weeks' notice.",
    accepted=0.55,
)
def floor(reading: Reading) -> Iterator[Inferred]:
    for told, clause, bound in bounded(reading):
        if bound.side not in ("at_least", "above") or _inside_condition(clause, bound) or bound.value <= 1:
            continue
        needs = (
            clause.verb.lemma_ in ("require", "need")
            and not clause.passive
            and not clause.modal
            and not clause.imperative
        )
        if not (on_duty(clause) or clause.modal == "should" or clause.imperative or needs):
            continue
        key = choice(told.doc.text, 4)
        value = beyond(bound.value, up=key == 0, key=key % 2)
        if value is None:
            value = beyond(bound.value, up=True, key=0)
        if value is None or (bound.percent and value > 100):
            continue
        own = of_clause(clause)
        if any(token.i in {b.i for b in bound.tokens} for token in own.subject):
            continue
        words, forms = own.form("finite")
        fronted: Pieces = [token for each in clause.fronted for token in each]
        verdict = "Yes" if bound.allows(value) else "No"
        rest: Pieces
        if needs and own.me:
            rest = [word for word in words if word not in own.carriers]
            pieces, forms = with_number(["is it enough if I have", *rest, *fronted], bound, value, {})
        elif needs:
            rest = [word for word in words if word not in own.carriers]
            be = "is" if value == 1 or bound.sign or bound.percent else "are"
            pieces, forms = with_number([be, *rest, "enough for", *own.subject_pieces(), *fronted], bound, value, {})
        else:
            pieces, forms = with_number(
                ["is it enough if", *own.subject_pieces(), *words, *fronted], bound, value, forms
            )
        if any(isinstance(piece, str) and piece == bound.written(value) for piece in pieces):
            yield Inferred(told, pieces, verdict, stated(clause), forms=forms)


@source(
    "deadline",
    infers="whether something is in time, from the time that is allowed",
    example="Is it in time if I claim 45 days after the purchase? No; you must claim within 30 days of the purchase.",
    accepted=0.64,
)
def deadline(reading: Reading) -> Iterator[Inferred]:
    for told, clause, bound in bounded(reading):
        if (
            bound.side != "within"
            or bound.unit is None
            or bound.unit.lemma_ not in TIMES
            or _inside_condition(clause, bound)
        ):
            continue
        if not (on_duty(clause) or clause.modal in ("should", "will", "can", "may") or clause.imperative):
            continue
        key = choice(told.doc.text, 4)
        value = beyond(bound.value, up=key > 0, key=key % 2) or beyond(bound.value, up=True, key=0)
        if value is None:
            continue
        own = of_clause(clause)
        words, forms = own.form("finite")
        after = next(
            (c for c in bound.unit.children if c.dep_ == "prep" and c.lower_ in ("of", "after", "from", "following")),
            None,
        )
        if (
            after is None
            and bound.unit.i + 1 < len(told.doc)
            and told.doc[bound.unit.i + 1].lower_ in ("of", "after", "from")
        ):
            after = told.doc[bound.unit.i + 1]
        start = next((token.lower_ for token in bound.tokens if token.lower_ in ("last", "past", "next")), "")
        if start:
            continue
        if after is not None and after.lower_ != "after":
            forms = {**forms, after.i: "after"}
        fronted: Pieces = [token for each in clause.fronted for token in each]
        event = _event_after(clause)
        if event and bound.unit != next((w for w in reversed(words) if not isinstance(w, str)), None):
            continue
        pieces, forms = with_number([*own.subject_pieces(), *words, *fronted], bound, value, forms)
        number = bound.written(value)
        if number not in pieces:
            continue
        if after is None and not event:
            at = pieces.index(number)
            pieces = [*pieces[:at], "after", *pieces[at:]]
        lead = ("is it in time if", "is it soon enough if")[choice(told.doc.text, 2)]
        pieces = [lead, *pieces]
        yield Inferred(told, pieces, "Yes" if bound.allows(value) else "No", stated(clause), forms=forms)


def _event_after(clause: Clause) -> bool:
    """Whether the time counts from an event that stands before the clause: "After you move, …"."""
    return any(phrase[0].lower_ in ("after", "once", "when") for phrase in clause.fronted)


@source(
    "threshold",
    infers="whether a rule holds for a number, from the number from which it does",
    example="Do I need a receipt for expenses of €60? Yes; you need a receipt for expenses over €50.",
    accepted=0.40,
)
def threshold(reading: Reading) -> Iterator[Inferred]:
    for told, clause, bound in bounded(reading):
        if not _inside_condition(clause, bound) or bound.side == "within":
            continue
        up = bound.side in ("above", "at_least")
        value = beyond(bound.value, up=up, key=choice(told.doc.text, 2))
        if value is None or (bound.percent and value > 100):
            continue
        turned = _with_condition_first(clause)
        if turned is None:
            continue
        pieces, forms = with_number(list(turned.pieces), bound, value, turned.forms)
        if bound.written(value) in pieces:
            pieces = _counted(pieces, bound, bound.written(value))
            yield Inferred(told, pieces, "Yes", stated(clause), forms=forms)


def _with_condition_first(clause: Clause) -> Inverted | None:
    """The clause as a question, a condition before it, and "do I have to" for "must I"."""
    condition = next((phrase for _, phrase in conditions(clause)), [])
    fronted = [token for phrase in clause.fronted if phrase != condition for token in phrase]
    lead: Pieces = [*condition, ","] if condition else []
    if on_duty(clause):
        own = of_clause(clause)
        words, forms = own.form("base", condition)
        do = "do" if own.me or own.plural else "does"
        return Inverted([*lead, do, *own.subject_pieces(), "have to", *words, *fronted], forms)
    turned = inverted(clause, "", condition)
    return Inverted([*lead, *turned.pieces], turned.forms) if turned else None


def _counted(pieces: Pieces, bound: Bound, number: str) -> Pieces:
    """With "of" where an amount of money describes a noun: "expenses of €60"."""
    first = bound.tokens[0]
    at = pieces.index(number)
    before = pieces[at - 1] if at else ""
    if (
        first.lower_ in ("over", "above", "under", "below", "exceeding")
        and not isinstance(before, str)
        and before.pos_ == "NOUN"
    ):
        return [*pieces[:at], "of" if bound.sign or bound.percent or bound.unit is not None else "aged", *pieces[at:]]
    return pieces


def _inside_condition(clause: Clause, bound: Bound) -> bool:
    """Whether the bound stands in a condition ("if it costs more than €50") or narrows a noun ("orders over €50")."""
    for head in clause.adverbials():
        phrase = clause.phrase(head)
        if (
            head.dep_ == "advcl"
            and phrase
            and bound.tokens[-1] in phrase
            and phrase[0].lower_ in ("if", "when", "once", "unless")
        ):
            return True
    first = bound.tokens[0]
    return (
        first.lower_ in ("over", "above", "under", "below", "exceeding")
        and first.dep_ in ("prep", "acl")
        and first.head.pos_ == "NOUN"
    )
