"""Claims that exchange who does what to whom: "Ben pays Anna" where the text has "Anna pays Ben"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.reading.parser import parse
from ragassay.models.embedded.reading.terms import term_of, terms
from ragassay.models.embedded.reading.units import sentences

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_TITLES = frozenset(map(term_of, ("Mr", "Ms", "Mrs", "Miss", "Dr", "Sir", "Lady", "King", "Queen")))
_RELATIVE = frozenset(("who", "which", "that"))
_SUBJECT, _IN_NAME = ("nsubj", "nsubjpass"), ("compound", "flat")


class _Action(NamedTuple):
    """A verb with the terms of who does it, and of all others that take part."""

    verb: str
    agent: frozenset[str]
    others: frozenset[str]


def exchanged(claims: Sequence[tuple[str, str]]) -> list[str]:
    """Of each claim and its text the verb whose participants changed places; "" where none did."""
    near = [
        [said for said in sentences(text) if len(set(terms(said)) & set(terms(claim))) >= 2] for claim, text in claims
    ]
    docs = parse([*(claim for claim, _ in claims), *(said for several in near for said in several)])
    of_claims = [list(_actions(next(docs))) for _ in claims]
    of_texts = [[action for _ in several for action in _actions(next(docs))] for several in near]
    return [
        next((one.verb for one in stated if _is_exchanged(one, given, set(terms(text)))), "")
        for (_, text), stated, given in zip(claims, of_claims, of_texts, strict=True)
    ]


def _is_exchanged(stated: _Action, given: Sequence[_Action], named: set[str]) -> bool:
    """Whether an action of the text has these participants in other places, and none has them as here."""
    found = False
    for one in (action for action in given if action.verb == stated.verb):
        same_agent, same_others = bool(stated.agent & one.agent), bool(stated.others & one.others)
        crossed = (stated.agent & one.others and not same_agent) or (stated.others & one.agent and not same_others)
        # An agent that the text does not name may be another word for its own.
        rival = stated.agent and one.agent and not same_agent and same_others and stated.agent <= named
        if crossed or rival:
            found = True
        elif same_agent or same_others:
            return False
    return found


def _actions(doc: Doc) -> Iterator[_Action]:
    for verb in doc:
        if verb.pos_ != "VERB":
            continue
        is_participle = verb.dep_ == "acl" and verb.tag_ == "VBN"
        passive = is_participle or any(child.dep_ in ("nsubjpass", "auxpass") for child in verb.children)
        subject = _terms_of(_subjects(verb))
        agents = _terms_of([word for child in verb.children if child.dep_ == "agent" for word in child.children])
        others, name = _terms_of(list(_others(verb))), term_of(verb.lemma_) or verb.lemma_
        yield _Action(name, agents, others | subject) if passive else _Action(name, agents | subject, others)


def _subjects(verb: Token) -> list[Token]:
    """The subject of a verb: its own, that of the verb it is joined to, or the noun that its clause belongs to."""
    own = [child for child in verb.children if child.dep_ in _SUBJECT]
    head = verb
    while not own and head.dep_ in ("conj", "xcomp"):
        head = head.head
        own = [child for child in head.children if child.dep_ in _SUBJECT]
    of_noun = verb.dep_ == "relcl" or (verb.dep_ == "acl" and verb.tag_ != "VB")
    return [verb.head] if of_noun and (not own or own[0].lower_ in _RELATIVE) else own


def _others(verb: Token) -> Iterator[Token]:
    """Objects; of what stands in front of the verb none, since the parse takes a subject for a part of it."""
    for child in verb.children:
        if child.dep_ == "dobj" or (child.dep_ == "dative" and child.pos_ != "ADP"):
            yield child
        elif child.dep_ in ("prep", "dative") and child.i > verb.i:
            yield from (word for word in child.children if word.dep_ == "pobj")


def _terms_of(heads: Sequence[Token]) -> frozenset[str]:
    """The terms of nouns, of what is joined to them, and of names in front."""
    nouns = [noun for head in heads for noun in (head, *head.conjuncts) if noun.pos_ in ("NOUN", "PROPN", "NUM")]
    names = [word for noun in nouns for word in noun.children if word.dep_ in _IN_NAME and word.pos_ == "PROPN"]
    words = [*nouns, *names]
    return frozenset(term_of(word.text) for word in words) - _TITLES - {""}
