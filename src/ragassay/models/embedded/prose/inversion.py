"""Statements turned into questions: the auxiliary before the subject, or "do" and the verb's lemma."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.wording import CLITICS, SHORTENED, is_joined, subtree, without
from ragassay.models.embedded.reading.parser import is_word

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

SHORT_CONDITION = 9
"""Words. A condition up to this length stands well at the end of a question; a longer one goes before it."""


class Inverted(NamedTuple):
    pieces: Pieces
    forms: dict[int, str]


def inverted(clause: Clause, lead: str, gap: Collection[Token] = (), *, denied: bool = False) -> Inverted | None:
    """The clause as a question that begins with the words of ``lead``; the words of ``gap`` are left out.

    denied: to ask whether what is said not to be so is so; of "must not" is asked with "may".
    None where the verb has no form that a question can be made of (a stray participle).
    """
    auxiliary, used, forms = _auxiliary(clause)
    hedge = _hedge(clause)
    if hedge:
        auxiliary, used = "should", [*used, *hedge]
    if not auxiliary:
        return None
    subject: Pieces = list(clause.subject) if clause.head is not None else ["I"]
    if denied and auxiliary == "must":
        auxiliary = "may"
    dropped = {*gap, *used}
    body: Pieces = [token for token in without(clause.members, dropped) if not denied or token.dep_ != "neg"]
    before, after = fronted_parts(clause, gap)
    pieces: Pieces = [*before, ",", lead] if before else [lead]
    own = {token.i for token in clause.members}
    shared = [spelt_out(word) for word in clause.auxiliaries[1:] if word.i not in own]
    pieces += [auxiliary, *subject, *shared, *body]
    return Inverted([*pieces, *after], forms)


def _hedge(clause: Clause) -> list[Token]:
    """The words of "may want to", which asks for no more than "should"."""
    verb = clause.verb
    if not clause.second_person or verb.lemma_ != "want" or not clause.auxiliaries or len(clause.chain) < 2:
        return []
    return [verb, *(child for child in clause.chain[1].children if child.lower_ == "to" and child.dep_ == "aux")]


def straight(clause: Clause, lead: Pieces) -> Inverted:
    """The clause with ``lead`` in the place of its subject: a question for the subject."""
    before, after = fronted_parts(clause, ())
    pieces: Pieces = [*before, ",", *lead] if before else [*lead]
    own = {token.i for token in clause.members}
    shared = [auxiliary for auxiliary in clause.auxiliaries if auxiliary.i not in own]
    return Inverted([*pieces, *shared, *clause.members, *after], {})


def fronted_parts(clause: Clause, gap: Collection[Token]) -> tuple[Pieces, Pieces]:
    """The phrases before the subject: those that stay in front of the question, and those that go to its end."""
    taken = {token.i for token in gap}
    before: Pieces = []
    after: Pieces = []
    for phrase in clause.fronted:
        if any(token.i in taken for token in phrase):
            continue
        finite = any(token.dep_ == "advcl" for token in phrase[0].doc[phrase[0].i : phrase[-1].i + 1])
        if finite and (len(phrase) > SHORT_CONDITION or len(clause.members) > 12):
            before += [*([","] if before else []), *phrase]
        else:
            after += phrase
    return before, after


def _auxiliary(clause: Clause) -> tuple[str, list[Token], dict[int, str]]:
    """The word before the subject, the words of the clause that it uses up, and changed forms of others."""
    verb, head = clause.verb, clause.head
    if head is None:
        return "should", [], {}
    me = head.lower_ == "you" and not is_joined(head)
    if clause.auxiliaries:
        first = clause.auxiliaries[0]
        return _agreed(spelt_out(first), me), [first], {}
    if verb.lemma_ == "be":
        if verb.tag_ not in ("VBZ", "VBP", "VBD"):
            return "", [], {}
        return _agreed(spelt_out(verb), me), [verb], {}
    if verb.tag_ == "VBD" and not (me and verb.lower_ == verb.lemma_):
        auxiliary = "did"
    elif verb.tag_ in ("VBZ", "VBP", "VB", "VBD"):
        auxiliary = "does" if verb.tag_ != "VBP" and _is_singular(clause) else "do"
    else:
        return "", [], {}
    bare = [link for link in clause.chain if link == verb or link.dep_ == "conj"]
    return auxiliary, [], {link.i: lemma(link) for link in bare}


def lemma(verb: Token) -> str:
    """The verb's lemma; of a past tense that the lemmatiser does not know, by its spelling: "rebranded", "rebrand"."""
    found = verb.lemma_.lower()
    text = verb.lower_
    if verb.tag_ == "VBD" and text.endswith("ed") and found == text[:-1] and not is_word(found, "verb"):
        if is_word(text[:-2], "verb", "noun", "adj"):
            return text[:-2]
        doubtful = re.search(r"(?:[aeiou][bcdfgkmpt]|[vszcgu]|[^aeiou][ltr])ed$", text)
        return text[:-1] if doubtful else text[:-2]
    return found


def _is_singular(clause: Clause) -> bool:
    head = clause.head
    if head is None or head.lower_ in ("you", "we", "i", "they") or is_joined(head):
        return False
    if head.tag_ in ("NNS", "NNPS"):
        return clause.verb.tag_ == "VBZ"
    return True if clause.verb.tag_ == "VBZ" else head.tag_ in ("NN", "NNP", "PRP", "VBG")


def spelt_out(auxiliary: Token) -> str:
    """'ll: will. ca (of can't): can. 's: is or has."""
    lower = auxiliary.lower_
    if lower in ("'s", "’s"):
        return "has" if auxiliary.head.tag_ == "VBN" and auxiliary.dep_ == "aux" else "is"
    if lower in ("'d", "’d"):
        return "had" if auxiliary.head.tag_ == "VBN" else "would"
    return CLITICS.get(lower) or SHORTENED.get(lower) or lower


def _agreed(auxiliary: str, me: bool) -> str:
    return {"are": "am", "were": "was"}.get(auxiliary, auxiliary) if me else auxiliary


def _clings(piece: Token | str, verb: Token) -> bool:
    """Whether a word is a particle or a one-word object of the verb: "sent off", "gave it"."""
    if isinstance(piece, str) or piece.head != verb or len(subtree(piece)) > 1:
        return False
    return piece.dep_ in ("prt", "dobj", "attr", "acomp")


def stranded(pieces: Pieces, preposition: Token) -> Pieces:
    """With the preposition that lost its noun right after its verb: "launched by in 2001"."""
    governor = preposition.head
    if governor not in pieces or preposition not in pieces:
        return pieces
    rest = [piece for piece in pieces if isinstance(piece, str) or piece.i != preposition.i]
    at = rest.index(governor) + 1
    while at < len(rest) and _clings(rest[at], governor):
        at += 1
    return [*rest[:at], preposition, *rest[at:]]


def action(clause: Clause, gap: Sequence[Token] = ()) -> Pieces:
    """What is to be done, as an answer: the verb that counts and what follows it, after "do not" where forbidden."""
    start = clause.chain[0]
    if clause.modal.endswith(" to") or (start.lemma_ in ("want", "like", "wish") and len(clause.chain) > 1):
        start = clause.chain[1]
    words = [token for token in without(clause.members, gap) if token.i >= start.i]
    lead = [
        token for token in without(clause.members, gap) if token.i < start.i and token.dep_ == "advmod" and token.i > 0
    ]
    lead = [token for token in lead if token.head.i in {link.i for link in clause.chain}]
    denied = any(child.dep_ == "neg" for child in start.children) and clause.head is not None
    return [*(["do not"] if denied else []), *lead, *words]
