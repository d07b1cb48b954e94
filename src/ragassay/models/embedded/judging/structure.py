"""Claims held against the structure of a text: the rows of its tables, and who does what to whom in its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from ragassay.models.embedded.reading.parser import parse
from ragassay.models.embedded.reading.quantities import Quantity, quantities, same_value
from ragassay.models.embedded.reading.terms import NEGATIONS, term_of, terms, tokens
from ragassay.models.embedded.reading.units import sentences, units

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


InTable = Literal["row", "other", ""]
"""A claim is what one row says; it takes a cell of another row or column; or there is no telling."""

_NAMED = 0.5  # share of a header's words from which on a claim speaks of its column


class _Table(NamedTuple):
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def in_table(claim: str, question: str, text: str) -> InTable:
    """How a claim, made in answer to a question, stands in the first table of a text that has two of its cells."""
    said = claim if claim.startswith(question.rstrip(" ?")) else f"{question} {claim}"
    if ("|" not in text and "\t" not in text) or any(word.lower() in NEGATIONS for word in tokens(said)):
        return ""
    asked = claim.removeprefix(question.rstrip(" ?")) if question else claim
    return next(
        (found for table in _tables(text) if (found := _in_table(table, said, asked, set(terms(question))))), ""
    )


def _tables(text: str) -> Iterator[_Table]:
    for kind, group in groupby(units(text), key=lambda unit: unit.kind):
        texts = [unit.text.strip().strip("|") for unit in group] if kind == "row" else []
        lines = [tuple(map(str.strip, text.split("|" if "|" in text else "\t"))) for text in texts]
        rows = [row for row in lines[1:] if len(row) == len(lines[0])]
        if len(rows) > 1:
            yield _Table(lines[0], rows)


def _in_table(table: _Table, said: str, answer: str, asked: set[str]) -> InTable:
    words, given = set(terms(said)), set(terms(answer))
    named = [
        {row[place] for row in table.rows if _names(row[place], table.header[place], said, words)}
        for place in range(len(table.header))
    ]
    found = [place for place, cells in enumerate(named) if cells]
    if len(found) < 2 or any(len(named[place]) > 1 for place in found):
        return ""
    if not any(all(row[place] in named[place] for place in found) for row in table.rows):
        return "other"
    column = max(found, key=lambda place: (_share(next(iter(named[place])), given - asked), place))
    shares = [_share(head, words) for head in table.header]
    best = max(range(len(shares)), key=lambda place: shares[place])
    if best not in found and shares[best] >= _NAMED and shares[column] < shares[best]:
        return "other"
    held = {term for text in (*table.header, *(cell for cells in named for cell in cells)) for term in terms(text)}
    return "row" if given <= held | asked else ""


def _names(cell: str, head: str, said: str, words: set[str]) -> bool:
    """Whether a text has a cell: a name in its words, an amount by its value, a bare number with the column's head."""
    amounts = quantities(cell)
    if not amounts:
        plain = set(terms(cell))
        return bool(plain) and plain <= words
    if not all(one.unit or one.measure or one.kind != "number" for one in amounts):
        if any(sign.isalpha() or sign in ":.,-" for sign in cell):
            return f" {' '.join(tokens(cell))} ".lower() in f" {' '.join(tokens(said))} ".lower()
        if words.isdisjoint(terms(head)):
            return False
    stated = quantities(said)
    return all(any(_is_of_kind(one, other) and same_value(one, other) for other in stated) for one in amounts)


def _is_of_kind(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and (one.unit == other.unit or not one.unit or bool(one.measure and other.measure))


def _share(text: str, words: set[str]) -> float:
    wanted = set(terms(text))
    return len(wanted & words) / len(wanted) if wanted else 0.0


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
