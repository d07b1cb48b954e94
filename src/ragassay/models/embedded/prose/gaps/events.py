"""What a clause leaves out of an event: who, when, where, why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_amount, is_person
from ragassay.models.embedded.prose.forms.parts import third_person
from ragassay.models.embedded.prose.gaps.kinds import (
    CAUSES,
    DUTY,
    LIKELY,
    MAY,
    NOBODY,
    STATES,
    WHO_DOES,
    Open,
    core,
    gap,
    has_place,
    has_time,
    is_event,
    is_past,
    is_short,
    is_third,
)
from ragassay.models.embedded.prose.gaps.suitability import suitability
from ragassay.models.embedded.prose.gaps.verb_forms import past_of
from ragassay.models.embedded.prose.inversion import inverted, lemma
from ragassay.models.embedded.prose.passages import Line, is_joined

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


@gap("agent")
def agent(clause: Clause, line: Line) -> Iterator[Open]:
    """A passive without "by": who does it?"""
    head = clause.head
    if not clause.passive or head is None or not is_third(clause) or not is_short(clause) or clause.verb.tag_ != "VBN":
        return
    if any(c.dep_ == "agent" or c.lower_ == "by" for c in clause.verb.children) or clause.verb.lemma_ in STATES | {
        "use"
    }:
        return
    if any(c.dep_ in ("xcomp", "ccomp", "oprd") for c in clause.verb.children):
        return
    if any(t.lower_ in NOBODY for t in clause.subject) or any(c.dep_ == "prt" for c in clause.verb.children):
        return
    if is_amount(head) or clause.verb.lemma_ == "bear":
        return
    table = suitability()
    if max(table.lift("who", lemma(clause.verb)), table.companion("who", lemma(clause.verb))) < 1:
        return
    rest = [t for t in clause.members if t.i > clause.verb.i]
    verb = clause.verb
    if clause.modal in DUTY:
        pieces: Pieces = ["who has to", lemma(verb), *clause.subject, *rest]
    elif clause.modal in MAY | {"will"}:
        pieces = ["who", clause.modal, lemma(verb), *clause.subject, *rest]
    elif is_past(clause) and len(clause.auxiliaries) == 1:
        pieces = ["who", past_of(verb.text), *clause.subject, *rest]
    elif (
        len(clause.auxiliaries) == 1
        and clause.auxiliaries[0].lower_ in ("is", "are", "'s")
        and suitability().lift("who", verb.lemma_.lower()) >= WHO_DOES
    ):
        pieces = ["who", third_person(lemma(verb)), *clause.subject, *rest]
    else:
        return
    yield Open(pieces, "who", "agent", [verb, head], "who does it")


@gap("when")
def when(clause: Clause, line: Line) -> Iterator[Open]:
    """Something happened, but not when."""
    if not is_event(clause, line) or has_time(line):
        return
    table, verb = suitability(), lemma(clause.verb)
    if max(table.lift("when", verb), table.companion("when", verb)) < LIKELY:
        return
    question = inverted(clause, "when")
    if question is not None:
        yield Open(question.pieces, "when", "when", core(clause), "the date", forms=question.forms)


@gap("when_will")
def when_will(clause: Clause, line: Line) -> Iterator[Open]:
    """Something is going to happen, but not when."""
    if clause.modal != "will" or has_time(line) or not is_short(clause) or not is_third(clause) or clause.fronted:
        return
    if clause.verb.lemma_ in STATES or any(t.lower_ in ("if", "any", "no") or t.dep_ == "advcl" for t in line.doc):
        return
    question = inverted(clause, "when")
    if question is not None:
        yield Open(question.pieces, "when", "when_will", core(clause), "the date", forms=question.forms)


@gap("where")
def where(clause: Clause, line: Line) -> Iterator[Open]:
    """Something happened, but not where."""
    if (
        not is_event(clause, line)
        or has_place(line)
        or any(c.dep_ == "prep" and c.lower_ in ("in", "at", "on", "to", "from", "near") for c in clause.verb.children)
    ):
        return
    table, verb = suitability(), lemma(clause.verb)
    if max(table.lift("where", verb), table.companion("where", verb)) < LIKELY:
        return
    question = inverted(clause, "where")
    if question is not None:
        yield Open(question.pieces, "where", "where", core(clause), "the place", forms=question.forms)


@gap("why")
def why(clause: Clause, line: Line) -> Iterator[Open]:
    """Something was done, but not for what reason."""
    if (
        not is_event(clause, line)
        or clause.head is None
        or not (
            is_person(clause.head)
            or clause.head.ent_type_ in ("ORG", "PERSON")
            or clause.passive
            or clause.head.i in line.resolved.references
        )
    ):
        return
    if any(t.lower_ in CAUSES for t in line.doc) or any(t.dep_ == "advcl" for t in line.doc):
        return
    if suitability().lift("why", clause.verb.lemma_.lower()) < 0.8:
        return
    question = inverted(clause, "why")
    if question is not None:
        yield Open(question.pieces, "why", "why", core(clause), "the reason", forms=question.forms)


@gap("decides")
def decides(clause: Clause, line: Line) -> Iterator[Open]:
    """A permission without who gives it."""
    head = clause.head
    if any(t.lower_ in NOBODY | {"nobody", "only"} for t in [*clause.subject, *clause.members]):
        return
    if head is None or clause.modal != "may" or not is_third(clause) or not is_short(clause) or not is_person(head):
        return
    pieces: Pieces = ["who decides whether", *clause.subject, *clause.members]
    yield Open(pieces, "who", "decides", core(clause), "who decides")


GROUPS = frozenset("team committee board council jury club society association union choir orchestra crew".split())
"""English nouns for groups with members."""


@gap("members")
def members(clause: Clause, line: Line) -> Iterator[Open]:
    """A group, without its size or its head."""
    head = clause.head
    if head is None or head.lemma_.lower() not in GROUPS or head.tag_ != "NN" or len(clause.subject) > 6:
        return
    if not any(c.lower_ == "the" or c.dep_ == "poss" for c in head.children) or is_joined(head):
        return
    if not any(c.dep_ in ("poss", "compound", "amod") or c.lower_ == "of" for c in head.children):
        return
    if line.dangling(clause.subject) or any(t.lower_ in NOBODY for t in clause.subject):
        return
    yield Open(
        ["how many members does", *clause.subject, "have"], "how_many", "members", [head], "the number", "member"
    )
    yield Open(["who leads", *clause.subject], "who", "leads", [head], "the head")


@gap("person")
def person(clause: Clause, line: Line) -> Iterator[Open]:
    """Somebody with a full name, without birth, age or training."""
    head = clause.head
    if head is None or head.ent_type_ != "PERSON" or not is_past(clause) or head.i in line.resolved.references:
        return
    name = [t for t in clause.subject if t.ent_type_ == "PERSON" and t.pos_ == "PROPN"]
    if len(name) < 2 or len(name) != len(clause.subject):
        return
    for asks, after, kind, words in (
        ("when was", "born", "when", ("bear", "birth")),
        ("where did", "study", "where", ("study", "graduate", "university", "school", "college", "degree")),
        ("how old is", "", "how_long", ("age", "year", "bear", "old")),
    ):
        yield Open([asks, *name, after], kind, f"person_{kind}", [], f"{after or 'age'} of the person", words=words)
