"""Questions for a part of the clause: its subject, its object, what a preposition leads to, what something is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import (
    is_amount,
    is_person,
    is_place,
    is_time,
    kind_asked,
    people,
    role_word,
)
from ragassay.models.embedded.prose.inversion import inverted, straight, stranded
from ragassay.models.embedded.prose.wording import is_joined
from ragassay.models.embedded.reading.grammar import third_person

LONGEST_PREDICATE = 16
"""Words after a question for the subject. Longer ones are riddles."""
BE_LIKE = frozenset({"be", "become", "remain"})
NO_OBJECTS = frozenset({"take", "make", "do", "get", "let", "keep", "see", "give", "experience", "undergo"})
"""English verbs that say little without their object: "take place", "make a move"."""


POINTERS = frozenset({"see", "note", "read", "remember", "refer", "check", "visit"})
"""English verbs whose imperatives point somewhere else."""


@form("subject", asks="who does it", example="Who helps the implementers of a new version?")
def subject(clause: Clause) -> Iterator[Asked | None]:
    head = clause.head
    if (
        head is None
        or head.pos_ not in ("NOUN", "PROPN")
        or len(clause.subject) > 12
        or (is_joined(head) and len(clause.subject) > 9)
    ):
        return
    if head.pos_ == "PROPN" and not is_person(head) and head.ent_type_ in ("", "PERSON") and head.text.istitle():
        return
    if clause.subject[0].lower_ in ("no", "another", "neither"):
        return
    if len(clause.members) > LONGEST_PREDICATE or len(clause.members) < 4 or is_time(head) or is_amount(head):
        return
    if clause.verb.lemma_ in BE_LIKE and not clause.passive and not is_person(head):
        return
    lead = kind_asked(head, clause.subject, subject=True)
    if lead != ["who"]:
        return  # "What lowers the price?" is a riddle more often than a question
    asked = straight(clause, list(lead))
    if head.tag_ in ("NNS", "NNPS"):
        first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
        singular = {"are": "is", "were": "was", "have": "has", "do": "does"}.get(first.lower_)
        if singular:
            asked.forms[first.i] = singular
        elif first is clause.verb and first.tag_ in ("VBP", "VB"):
            asked.forms[first.i] = third_person(first.lemma_.lower())
    yield Asked(asked.pieces, list(clause.subject), head, asked.forms)


@form("object", asks="what is acted on", example="What should I back up before the upgrade?")
def direct_object(clause: Clause) -> Iterator[Asked | None]:
    for head in clause.complements():
        if head.dep_ != "dobj" or is_amount(head) or is_time(head) or head.pos_ not in ("NOUN", "PROPN"):
            continue
        phrase = clause.phrase(head)
        governor = head.head
        if phrase and (phrase[0].lower_ in ("no", "another", "each") or phrase[0].tag_ == "VBG"):
            continue
        if clause.imperative and not _has_aim(clause):
            continue
        if clause.imperative and governor.lemma_ in POINTERS:
            continue
        alternative = any(child.dep_ == "cc" and child.lower_ == "or" for child in clause.verb.children)
        if governor.lemma_ in NO_OBJECTS or alternative:
            continue
        if any(token.dep_ == "advcl" for token in phrase) or len(phrase) > 22:
            continue
        lead = kind_asked(head, phrase, subject=False)
        question = inverted(clause, " ".join(str(word) for word in lead), phrase)
        if question:
            yield Asked(question.pieces, list(phrase), head, question.forms)


def _has_aim(clause: Clause) -> bool:
    """Whether an instruction says what for, or in what case."""
    if len(clause.chain) > 1:
        return True
    return any(child.dep_ == "advcl" for link in clause.chain for child in link.children) or any(
        token.dep_ == "advcl" for phrase in clause.fronted for token in phrase
    )


_DOES = re.compile(r"(?:er|or|ist|ian|ess|man|woman)$")
"""Endings of English nouns for people by what they do; said only of what the entity tagger calls a person."""


@form("what_is", asks="what something is", example="What is a release candidate?")
def what_is(clause: Clause) -> Iterator[Asked | None]:
    head = clause.head
    if (
        head is None
        or clause.verb.lemma_ != "be"
        or clause.auxiliaries
        or head.pos_ not in ("NOUN", "PROPN")
        or clause.fronted
    ):
        return
    noun = next((c for c in clause.complements() if c.dep_ == "attr" and c.pos_ in ("NOUN", "PROPN")), None)
    if noun is None or len(clause.subject) > 9:
        return
    phrase = [token for token in clause.members if token.i > clause.verb.i]
    if len(phrase) < 3 or phrase[0].dep_ == "neg" or is_amount(noun) or any(t.lower_ == "also" for t in clause.doc):
        return
    last = max([phrase[-1].i, *clause.examples])
    whole = [token for token in clause.doc if phrase[0].i <= token.i <= last]
    named = any(token.text in people(token.doc) for token in clause.subject)
    acts = is_person(noun) or bool(_DOES.search(noun.lemma_)) or clause.doc.user_data.get("human", False)
    lead = "who" if (named and acts) or (is_person(noun) and (is_person(head) or head.pos_ == "PROPN")) else "what"
    verb = clause.verb.lower_ if clause.verb.lower_ in ("is", "are", "was", "were") else "is"
    yield Asked([lead, verb, *clause.subject], list(whole), noun)


@form("meaning", asks="what a term means or stands for", example="What does GiST stand for?")
def meaning(clause: Clause) -> Iterator[Asked | None]:
    if clause.verb.lemma_ not in (
        "mean",
        "denote",
        "signify",
        "refer",
        "stand",
        "involve",
        "consist",
        "comprise",
        "include",
        "contain",
    ):
        return
    if clause.head is None or clause.head.pos_ not in ("NOUN", "PROPN", "VERB") or len(clause.subject) > 10:
        return
    verb = clause.verb
    rest = [token for token in clause.members if token.i > verb.i]
    prepositions = [c for c in verb.children if c.dep_ == "prep" and c.lower_ in ("to", "for", "of")]
    if verb.lemma_ in ("refer", "stand", "consist"):
        if not prepositions:
            return
        gap = [token for token in rest if token.i > prepositions[0].i]
    else:
        gap = rest
    if len(gap) < 2:
        return
    question = inverted(clause, "what", gap)
    if question:
        yield Asked(question.pieces, list(gap), gap[0], question.forms)


@form("whom", asks="to, with, from or by whom", example="Who do I report an accident to?")
def whom(clause: Clause) -> Iterator[Asked | None]:
    for head in clause.complements():
        if head.dep_ not in ("prep", "agent", "dative") or head.lower_ not in ("to", "with", "from", "by", "for"):
            continue
        noun = next((c for c in head.children if c.dep_ == "pobj"), None)
        if noun is None or noun.pos_ not in ("NOUN", "PROPN"):
            continue
        agent = head.dep_ == "agent" or (head.lower_ == "by" and clause.passive)
        if not (is_person(noun) or (agent and role_word(noun))) or is_time(noun) or is_place(noun):
            continue
        phrase = clause.phrase(head)
        members = [token for token in phrase if token.i > head.i]
        if len(members) > 12:
            continue
        question = inverted(clause, "who", members)
        if question:
            yield Asked(stranded(question.pieces, head), list(members), noun, question.forms)
