"""What a clause leaves out that is measured or chosen: how long, how often, how many, how much, which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import VAGUE, is_amount, is_person, is_time
from ragassay.models.embedded.prose.gaps.kinds import (
    DUTY,
    LONGEST,
    MAY,
    NOBODY,
    STATES,
    Open,
    core,
    gap,
    has_time,
    is_past,
    is_short,
    is_third,
    is_usual,
)
from ragassay.models.embedded.prose.gaps.suitability import suitability
from ragassay.models.embedded.prose.inversion import action, inverted, straight
from ragassay.models.embedded.prose.passages import Line, is_joined

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


@gap("how_long_takes")
def how_long_takes(clause: Clause, line: Line) -> Iterator[Open]:
    """Something is to be done: how long does it take?"""
    if not clause.second_person or has_time(line) or clause.negated or len(clause.members) > 12:
        return
    if (clause.imperative and line.sentence.in_list) or suitability().lift(
        "how_long", clause.chain[-1].lemma_.lower()
    ) < 1:
        return
    done = action(clause)
    verb = clause.chain[-1] if clause.modal.endswith(" to") else clause.verb
    if verb.lemma_ in STATES or not any(c.dep_ == "dobj" for c in verb.children) or len(done) < 2:
        return
    pieces: Pieces = ["how long does it take to", *done]
    yield Open(
        pieces, "how_long", "how_long_takes", core(clause), "how long it takes", forms={verb.i: verb.lemma_.lower()}
    )


@gap("how_long")
def how_long(clause: Clause, line: Line) -> Iterator[Open]:
    """A state or a permission without its length."""
    if clause.head is None or has_time(line) or not is_short(clause) or clause.verb.lemma_ in ("be", "have"):
        return
    if not is_usual("how_long", clause) or clause.verb.lemma_ == "take" or clause.second_person or clause.modal:
        return
    question = inverted(clause, "how long" if clause.modal not in MAY else "for how long")
    if question is not None and (is_third(clause) or clause.head.lower_ == "you"):
        yield Open(question.pieces, "how_long", "how_long", core(clause), "how long", forms=question.forms)


@gap("how_often")
def how_often(clause: Clause, line: Line) -> Iterator[Open]:
    """Something that is done again and again, but not how often."""
    if has_time(line) or not is_short(clause) or is_past(clause) or clause.verb.lemma_ in STATES:
        return
    if clause.modal in MAY or (clause.head is not None and not is_third(clause) and clause.head.lower_ != "you"):
        return
    if (
        any(is_amount(t) for t in clause.members)
        or not is_usual("how_often", clause)
        or (clause.imperative and line.sentence.in_list)
    ):
        return
    question = inverted(clause, "how often")
    if question is not None:
        yield Open(question.pieces, "how_often", "how_often", core(clause), "how often", forms=question.forms)


@gap("how_soon")
def how_soon(clause: Clause, line: Line) -> Iterator[Open]:
    """What is to be done in a case, without the time for it."""
    case = next((p for p in clause.fronted if p[0].lower_ in ("if", "when", "once", "after") and len(p) < 12), None)
    if case is None or len(clause.members) > LONGEST or clause.negated or clause.verb.lemma_ in STATES:
        return
    if any(
        t.ent_type_ in ("DATE", "TIME") or t.lower_ in ("immediately", "promptly", "soon", "within", "before")
        for t in line.doc
    ):
        return
    if not clause.second_person and not (clause.head is not None and is_person(clause.head)):
        return
    if clause.passive or not (clause.imperative or clause.modal in DUTY | {"will"}):
        return
    question = inverted(clause, "how soon")
    if question is not None:
        yield Open(question.pieces, "how_soon", "how_soon", core(clause), "the time allowed", forms=question.forms)


@gap("how_many")
def how_many(clause: Clause, line: Line) -> Iterator[Open]:
    """Several things without their number."""
    if clause.second_person and clause.modal not in MAY:
        return
    if len(clause.members) > LONGEST + 3 or clause.negated:
        return
    for noun in clause.complements():
        if noun.dep_ != "dobj" or noun.tag_ != "NNS" or not _uncounted(noun) or len(clause.subject) > 8:
            continue
        phrase = clause.phrase(noun)
        if len(phrase) > 8:
            continue
        asks = [t for t in phrase if t.lower_ not in _SOME]
        made = inverted(clause, "ASKED", phrase)
        if made is None or (clause.head is not None and clause.head.lower_ in ("it", "this", "there")):
            continue
        at = made.pieces.index("ASKED")
        pieces = [*made.pieces[:at], "how many", *asks, *made.pieces[at + 1 :]]
        yield Open(pieces, "how_many", "how_many", [noun], "the number", noun.lemma_.lower(), made.forms)


_SOME = frozenset("some several many various multiple numerous other certain few".split())


def _uncounted(noun: Token) -> bool:
    return (
        not is_amount(noun)
        and not is_time(noun)
        and all(
            c.lower_ in _SOME or c.dep_ not in ("det", "poss", "nummod", "predet", "relcl", "conj", "cc", "appos")
            for c in noun.children
        )
        and not is_joined(noun)
    )


@gap("how_much")
def how_much(clause: Clause, line: Line) -> Iterator[Open]:
    """A payment without its amount."""
    if (
        clause.verb.lemma_ not in ("pay", "charge", "cost", "earn", "owe")
        or clause.negated
        or len(clause.members) > LONGEST
    ):
        return
    if any(is_amount(t) for t in line.doc):
        return
    paid = next((c for c in clause.verb.children if c.dep_ == "dobj"), None)
    phrase = clause.phrase(paid) if paid is not None else []
    if clause.passive or (paid is None and clause.verb.lemma_ != "cost"):
        return
    question = inverted(clause, "how much", phrase)
    if question is not None:
        yield Open(question.pieces, "how_much", "how_much", core(clause), "the amount", forms=question.forms)


@gap("how_many_subject")
def how_many_subject(clause: Clause, line: Line) -> Iterator[Open]:
    """Several people or things did something, without their number."""
    head = clause.head
    if (
        head is None
        or head.tag_ != "NNS"
        or not is_short(clause)
        or is_joined(head)
        or is_time(head)
        or is_amount(head)
    ):
        return
    if not is_past(clause) or any(c.dep_ in ("poss", "relcl", "appos", "nummod", "predet") for c in head.children):
        return
    words = [t for t in clause.subject if t.lower_ not in _SOME | {"the"} or t.i > head.i]
    if any(t.lower_ in NOBODY | {"these", "both", "two", "most"} for t in clause.subject):
        return
    pieces = straight(clause, ["how many", *words]).pieces
    yield Open(pieces, "how_many", "how_many_subject", [head], "the number", head.lemma_.lower())


@gap("which")
def which(clause: Clause, line: Line) -> Iterator[Open]:
    """One or some of a kind, without saying which."""
    if (
        len(clause.members) > LONGEST + 3
        or clause.negated
        or clause.head is None
        or (is_past(clause) is False and not clause.modal)
    ):
        return
    for noun in _objects(clause):
        determiner = next(
            (c.lower_ for c in noun.children if c.dep_ in ("det", "amod") and c.lower_ in _INDEFINITE), ""
        )
        if not determiner or noun.pos_ != "NOUN" or is_person(noun) or is_time(noun) or is_joined(noun):
            continue
        if any(c.dep_ in ("relcl", "appos", "acl") for c in noun.children) or is_amount(noun):
            continue
        known = suitability().nouns.get(noun.lemma_.lower(), {}).get("which", 0)
        if determiner in ("a", "an") and (not is_past(clause) or known < 2):
            continue
        if noun.lemma_.lower() in VAGUE:
            continue
        phrase = list(clause.phrase(noun))
        if len(phrase) > 7:
            continue
        made = inverted(clause, "ASKED", phrase)
        if made is None:
            continue
        at = made.pieces.index("ASKED")
        asks = [t for t in phrase if t.lower_ not in _INDEFINITE]
        pieces = [*made.pieces[:at], "which", *asks, *made.pieces[at + 1 :]]
        yield Open(pieces, "which", "which", [noun], f"which {noun.lower_}", noun.lemma_.lower(), made.forms)


_INDEFINITE = frozenset("a an some several certain various other another many numerous".split())


def _objects(clause: Clause) -> Iterator[Token]:
    for child in clause.complements():
        if child.dep_ == "dobj":
            yield child
        elif child.dep_ == "prep" and child.lower_ in ("in", "at", "from", "for", "with", "on", "to", "by"):
            yield from (c for c in child.children if c.dep_ == "pobj")
