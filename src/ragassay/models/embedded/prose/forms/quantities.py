"""Questions for numbers: how many, how much, what share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import TIME_WORDS
from ragassay.models.embedded.prose.inversion import inverted, straight
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


@form("how_many", asks="the number of things", example="How many days of holiday do I get?")
def how_many(clause: Clause) -> Iterator[Asked | None]:
    for noun in clause.complements():
        number = next((c for c in noun.children if c.dep_ == "nummod"), None)
        if (
            number is None
            or noun.tag_ != "NNS"
            or number.i > noun.i
            or noun.dep_ not in ("dobj", "attr", "oprd")
            or noun.ent_type_ == "MONEY"  # nobody asks how many dollars
        ):
            continue
        if number.lower_ in ("one", "1") or (number.is_digit and len(number.text) == 4):
            continue
        phrase = clause.phrase(noun)
        if (
            clause.verb.lemma_ == "be"
            and clause.head is not None
            and clause.head.lower_ != "there"
            and noun.lemma_ not in TIME_WORDS
        ):
            continue
        counted = [token for token in phrase if token.i >= noun.i and token.i <= _end_of_kind(noun)]
        question = inverted(clause, "how many", phrase)
        if question is None:
            continue
        at = next(at for at, piece in enumerate(question.pieces) if piece == "how many")
        pieces: Pieces = [*question.pieces[: at + 1], *_described(number, noun), *counted, *question.pieces[at + 1 :]]
        yield Asked(pieces, list(phrase), number, question.forms)


def _described(number: Token, noun: Token) -> list[Token]:
    """What stands between the number and the noun: "three free days"."""
    described = [c for c in noun.children if c.dep_ in ("amod", "compound", "poss") and c.i > number.i]
    return [word for token in described for word in subtree(token)]


def _end_of_kind(noun: Token) -> int:
    """Where "days of holiday" ends: the noun and a phrase with "of"."""
    phrases = [subtree(c) for c in noun.children if c.dep_ == "prep" and c.lower_ == "of"]
    return max([noun.i, *(phrase[-1].i for phrase in phrases)])


@form("how_many_subject", asks="the number of those that do it", example="How many of the members must agree?")
def how_many_subject(clause: Clause) -> Iterator[Asked | None]:
    head = clause.head
    if head is None or len(clause.members) > 16 or len(clause.members) < 3:
        return
    if head.pos_ == "NUM" and head.lower_ != "one" and clause.subject and clause.subject[-1].i > head.i:
        rest = [token for token in clause.subject if token.i > head.i]
        asked = straight(clause, ["how many", *rest])
        count = [token for token in clause.subject if token.i <= head.i]
        yield Asked(asked.pieces, [*count], head)
        return
    number = next((c for c in head.children if c.dep_ == "nummod"), None)
    if (
        number is None
        or head.tag_ != "NNS"
        or number.lower_ in ("one", "1")
        or clause.subject[0].lower_ in ("the", "these")
    ):
        return
    rest = [token for token in clause.subject if token.i > number.i]
    asked = straight(clause, ["how many", *rest])
    yield Asked(asked.pieces, list(clause.subject), number)


@form("how_much", asks="the price or amount", example="How much does the first hour cost?")
def how_much(clause: Clause) -> Iterator[Asked | None]:
    for noun in clause.complements():
        if noun.dep_ not in ("dobj", "attr", "npadvmod", "dative", "oprd") or noun.ent_type_ not in (
            "MONEY",
            "PERCENT",
        ):
            continue
        phrase = clause.phrase(noun)
        lead = "how much" if noun.ent_type_ == "MONEY" else "what percentage"
        question = inverted(clause, lead, phrase)
        if question is None:
            continue
        of = next((c for c in noun.children if c.dep_ == "prep" and c.lower_ == "of"), None)
        whole = [word for word in phrase if of is not None and word.i > of.i] if clause.verb.lemma_ != "be" else []
        if noun.ent_type_ == "PERCENT" and not whole and clause.verb.lemma_ != "be":
            continue
        if whole:
            at = question.pieces.index(lead) + 1
            link = "in" if noun.ent_type_ == "MONEY" else "of"
            question = question._replace(pieces=[*question.pieces[:at], link, *whole, *question.pieces[at:]])
        yield Asked(question.pieces, list(phrase), noun, question.forms)
