"""Questions for the way and the reason: how, why, what for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import is_person, is_time, role_word
from ragassay.models.embedded.prose.inversion import action, inverted
from ragassay.models.embedded.reading.parser import is_word

if TYPE_CHECKING:
    from spacy.tokens import Token


@form("how", asks="by what means", example="How can I reset my password?")
def how(clause: Clause) -> Iterator[Asked | None]:
    for head in clause.adverbials():
        phrase = clause.phrase(head)
        if len(phrase) < 2 or len(phrase) > 24:
            continue
        if head.dep_ == "advcl":
            if head.lower_ != "using" or phrase[0] != head:
                continue
        elif head.dep_ in ("prep", "agent"):
            noun = next((c for c in head.children if c.dep_ in ("pobj", "pcomp")), None)
            if noun is None or is_time(noun) or is_person(noun):
                continue
            verbal = noun.dep_ == "pcomp" or noun.tag_ == "VBG"
            if not (
                (head.lower_ in ("by", "through") and verbal)
                or (head.lower_ in ("via", "through") and not role_word(noun))
            ):
                continue
            if head.lower_ == "by" and clause.passive and not verbal:
                continue
        else:
            continue
        question = inverted(clause, "how", phrase)
        if question:
            yield Asked(question.pieces, list(phrase), head, question.forms)


def _purpose(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    """Clauses of purpose: "(in order) to …"."""
    for head in clause.adverbials():
        if (
            head.dep_ == "advcl"
            and head.tag_ == "VB"
            and is_word(head.lemma_.lower(), "verb")
            and any(c.lower_ == "to" and c.dep_ == "aux" for c in head.children)
        ):
            phrase = clause.phrase(head)
            if phrase and phrase[0].lower_ in ("to", "in"):
                yield head, phrase


@form("why", asks="the reason or the purpose", example="Why should the key be rotated?")
def why(clause: Clause) -> Iterator[Asked | None]:
    for head in clause.adverbials():
        if head.dep_ != "advcl":
            continue
        phrase = clause.phrase(head)
        mark = phrase[0].lower_ if phrase else ""
        reason = mark == "because" or (
            mark in ("since", "as") and head.tag_ in ("VBZ", "VBP", "MD") and mark == "since"
        )
        aim = mark == "so" and len(phrase) > 3 and phrase[1].lower_ == "that"
        if (reason or aim) and not clause.imperative:
            question = inverted(clause, "why", phrase)
            if question:
                yield Asked(question.pieces, list(phrase), head, question.forms)
        elif aim or reason:
            yield Asked(["why should I", *action(clause, phrase)], list(phrase), head)
    for head, phrase in _purpose(clause):
        if head.i < clause.verb.i or len(phrase) < 4:
            continue
        if clause.imperative:
            yield Asked(["why should I", *action(clause, phrase)], list(phrase), head)
            continue
        if any(token.lower_ in ("first", "last", "only", "ever") for token in clause.members if token.i < head.i):
            continue
        if clause.verb.lemma_ in ("need", "have", "want", "use", "be", "become", *_TO_TAKERS) or clause.modal in (
            "can",
            "may",
            "could",
            "might",
        ):
            continue
        question = inverted(clause, "why", phrase)
        if question:
            yield Asked(question.pieces, list(phrase), head, question.forms)
    for head in clause.complements():
        if head.dep_ == "prep" and head.text.lower() in ("because", "due"):
            phrase = clause.phrase(head)
            question = inverted(clause, "why", phrase) if len(phrase) > 2 else None
            if question:
                yield Asked(question.pieces, list(phrase), head, question.forms)


_TO_TAKERS = frozenset("go range come continue try attempt seem tend begin start stop identify wait".split())
"""English verbs after which "to" hardly ever says what for."""


@form("how_to", asks="what to do for an end", example="How do I renew my pass?")
def how_to(clause: Clause) -> Iterator[Asked | None]:
    if not clause.second_person:
        return
    permits = (
        clause.imperative
        or clause.modal in ("can", "must", "should", "need to", "have to", "could", "may")
        or (clause.verb.lemma_ == "use")
    )
    if not permits:
        return
    for head, phrase in _purpose(clause):
        if len(phrase) < 3 or any(c.dep_ == "neg" for c in head.children) or clause.negated:
            continue
        doing = [token for token in phrase if token.i >= head.i]
        done = action(clause, phrase)
        if len(done) < 3:
            continue
        lead = (
            "how can I"
            if clause.modal in ("can", "could", "may") or clause.verb.lemma_ == "use"
            else "what do I need to do to"
        )
        if clause.imperative:
            lead = "how do I"
        yield Asked([lead, *doing], done, head, {head.i: head.lemma_.lower()})


@form("use", asks="what something is for", example="What is the staging server used for?")
def use(clause: Clause) -> Iterator[Asked | None]:
    if clause.verb.lemma_ != "use" or clause.head is None:
        return
    for head, phrase in _purpose_of_use(clause):
        if clause.passive:
            question = inverted(clause, "what", phrase)
            if question:
                yield Asked([*question.pieces, "for"], list(phrase), head, question.forms)
        else:
            used = next((c for c in clause.verb.children if c.dep_ == "dobj"), None)
            if used is not None and clause.second_person and len(clause.phrase(used)) < 9:
                yield Asked(["what can I use", *clause.phrase(used), "for"], list(phrase), head)


def _purpose_of_use(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    yield from _purpose(clause)
    for child in clause.verb.children:
        if child.dep_ == "xcomp" and child.tag_ == "VB" and any(c.lower_ == "to" for c in child.children):
            phrase = clause.phrase(child)
            if phrase and phrase[0].lower_ == "to":
                yield child, phrase
