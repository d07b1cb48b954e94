"""Questions for conditions and for what follows from them: when, what should I do if."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.inversion import action

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

CONDITIONS = frozenset("if when whenever once unless before after until while".split())
WHETHER = frozenset("check see ask know decide verify determine consider confirm wonder tell test say sure".split())
"""English words after which "if" means "whether"."""
_HAS_SUBJECT = SUBJECTS | {"expl"}
DUTIES = frozenset({"must", "should", "shall", "need to", "have to", "ought"})
PERMISSIONS = frozenset({"can", "may", "could", "might"})


def _conditions(clause: Clause) -> Iterator[tuple[Token, list[Token], str]]:
    """Head, words and first word of each clause of condition or time, and of "when" with a participle."""
    for head in clause.adverbials():
        phrase = clause.phrase(head) if head.dep_ in ("advcl", "prep") else []
        if len(phrase) < 3 or len(phrase) > 26 or not _says_something(phrase):
            continue
        mark = phrase[0].lower_
        if mark == "while" and head.tag_ != "VBG":
            continue
        if mark in ("if", "unless", "once") and not any(
            child.dep_ in SUBJECTS or child.dep_ == "expl" for child in head.children
        ):
            continue
        if mark == "if" and _is_whether(clause, phrase[0]):
            continue
        if mark == "even" and phrase[1].lower_ == "if":
            continue
        if mark in CONDITIONS and (
            head.dep_ == "advcl" or (mark in ("before", "after") and any(c.dep_ == "pcomp" for c in head.children))
        ):
            yield head, phrase, mark
        elif head.dep_ == "advcl" and mark == "as" and phrase[1].lower_ in ("soon", "long"):
            yield head, phrase, "as"


def _is_whether(clause: Clause, mark: Token) -> bool:
    """'Ask your manager if they agree', but not 'Ask for help if you are stuck'."""
    if mark.i and mark.nbor(-1).lemma_.lower() in WHETHER:
        return True
    return mark.i > clause.verb.i and any(
        link.lemma_.lower() in WHETHER and not any(child.dep_ == "prep" for child in link.children)
        for link in clause.chain
    )


def _says_something(phrase: list[Token]) -> bool:
    """Whether a condition names anything: not "if you are done"."""
    nouns = [token.lemma_.lower() for token in phrase if token.pos_ in ("NOUN", "PROPN")]
    return (len(phrase) > 4 or bool(nouns)) and not (nouns and _SAYS_NOTHING.issuperset(nouns))


_SAYS_NOTHING = frozenset("question doubt problem issue query concern need time case feedback".split())
"""Nouns of cases that are anybody's: 'if you have questions'."""


@form("what_do", asks="what to do in a case", example="What should I do if I lose my badge?")
def what_do(clause: Clause) -> Iterator[Asked | None]:
    if not clause.second_person:
        return
    for head, phrase, mark in _conditions(clause):
        if mark in ("while", "as", "until"):
            continue
        if clause.imperative or clause.modal in DUTIES:
            lead = {"must": "what must I do", "need to": "what do I need to do", "have to": "what do I have to do"}.get(
                clause.modal, "what should I do"
            )
        elif clause.modal in PERMISSIONS:
            lead = "what can I do"
        else:
            continue
        done = action(clause, phrase)
        if len(done) < 2:
            continue
        yield Asked([lead, *phrase], done, head, whole=True)


@form("what_if", asks="what follows in a case", example="What happens if nobody objects?")
def what_if(clause: Clause) -> Iterator[Asked | None]:
    if clause.second_person or clause.head is None or clause.head.lower_ in ("we", "i", "there", "it"):
        return
    for head, phrase, mark in _conditions(clause):
        if mark not in ("if", "when", "once", "after") or not any(c.dep_ in _HAS_SUBJECT for c in head.children):
            continue
        rest = [token for token in clause.members if token not in phrase]
        answer: Pieces = [*clause.subject, *_shared(clause), *rest]
        others = [token for words in clause.fronted if head not in words for token in words]
        if is_person(clause.head) and clause.modal in DUTIES and len(clause.subject) <= 6:
            auxiliary = {"need to": "need to", "have to": "have to"}.get(clause.modal)
            if auxiliary:
                does = "does" if clause.head.tag_ == "NN" else "do"
                yield Asked(
                    [f"what {does}", *clause.subject, auxiliary, "do", *phrase],
                    action(clause, phrase),
                    head,
                    whole=True,
                )
            else:
                yield Asked(
                    [f"what {clause.modal}", *clause.subject, "do", *phrase], action(clause, phrase), head, whole=True
                )
        elif clause.verb.lemma_ != "be" or clause.passive:
            past = clause.verb.tag_ == "VBD" or (clause.auxiliaries and clause.auxiliaries[0].tag_ == "VBD")
            yield Asked(["what happened" if past else "what happens", *others, *phrase], answer, head, whole=True)


def _shared(clause: Clause) -> list[Token]:
    own = {token.i for token in clause.members}
    return [auxiliary for auxiliary in clause.auxiliaries if auxiliary.i not in own]


@form("when_to", asks="when to do something", example="When should I renew my pass?")
def when_to(clause: Clause) -> Iterator[Asked | None]:
    if not clause.imperative or clause.negated or clause.verb.lemma_ == "be":
        return
    for head, phrase, mark in _conditions(clause):
        if mark in ("while", "until", "unless"):
            continue
        yield Asked(["when should I", *action(clause, phrase)], list(phrase), head)
