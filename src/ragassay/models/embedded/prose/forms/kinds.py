"""What kind of thing a noun is, as far as a parse tells: person, time, place, amount; and the question word for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.wording import is_joined

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PEOPLE = frozenset(
    "person people man woman child parent user employee employer manager supervisor staff team colleague"
    " member owner author editor writer developer maintainer contributor reviewer administrator admin customer"
    " client tenant landlord buyer seller supplier patient doctor nurse physician teacher student professor"
    " director president minister mayor officer judge lawyer court committee board council chair chairman"
    " chairperson secretary treasurer applicant candidate participant volunteer visitor guest resident citizen"
    " artist singer actor actress musician composer architect engineer designer scientist researcher player"
    " coach founder leader head driver worker contractor agent speaker host organiser organizer operator"
    " caretaker guardian spouse wife husband son daughter brother sister father mother king queen emperor"
    " bishop politician superuser anyone everyone someone nobody others".split()
)
"""English nouns for people in their roles, and for bodies that act like them; names are told by the entity tagger."""
TIME_WORDS = frozenset(
    "second minute hour day week month quarter year decade century morning evening night weekend".split()
)
TIMES = frozenset({"DATE", "TIME"})
PLACES = frozenset({"GPE", "LOC", "FAC"})
AMOUNTS = frozenset({"MONEY", "PERCENT", "QUANTITY"})


DEVICES = frozenset(
    "manager agent driver host operator head speaker player leader editor reader writer author candidate".split()
)
"""Of these, those that are things in a compound: "package manager", "device driver"."""


def people(doc: Doc) -> frozenset[str]:
    """The last names, and single names, of people in the passage that the sentence comes from."""
    found: frozenset[str] = doc.user_data.get("people", frozenset())
    return found


def is_person(noun: Token) -> bool:
    if noun.ent_type_ == "PERSON":
        return noun.pos_ == "PROPN" and noun.text in people(noun.doc)
    if noun.pos_ == "PROPN" and noun.dep_ in ("nsubj", "nsubjpass") and noun.text in people(noun.doc):
        return True
    lemma = noun.lemma_.lower()
    if noun.pos_ == "PROPN" or lemma not in PEOPLE:
        return False
    return lemma not in DEVICES or not any(child.dep_ == "compound" for child in noun.children)


def role_word(noun: Token) -> bool:
    """Whether what bears this name can act: a person or an organisation."""
    return is_person(noun) or noun.ent_type_ == "ORG"


def is_time(noun: Token) -> bool:
    return noun.ent_type_ in TIMES or noun.lemma_.lower() in TIME_WORDS


def is_place(noun: Token) -> bool:
    return noun.ent_type_ in PLACES


def is_amount(noun: Token) -> bool:
    """Whether a number of some unit stands there: "€ 50", "20 MB", "three days"."""
    return noun.ent_type_ in AMOUNTS or noun.pos_ in ("NUM", "SYM") or any(c.dep_ == "nummod" for c in noun.children)


def kind_asked(head: Token, phrase: Sequence[Token], *, subject: bool) -> list[Token | str]:
    """The words that ask for a noun phrase: who; which risks; what kind of fee; what."""
    if is_person(head):
        return ["who"]
    before = [token for token in phrase if token.i < head.i]
    marked = sum(token.dep_ in ("amod", "compound") and token.head == head for token in before) > 1
    named = any(token.pos_ == "PROPN" and token.dep_ == "compound" and token.head == head for token in before)
    determiner = next((token.lower_ for token in before if token.dep_ in ("det", "poss") and token.head == head), "")
    if head.pos_ != "NOUN" or is_joined(head) or head.lemma_.lower() in VAGUE or not head.text.isalpha():
        return ["what"]
    if named and determiner in ("", "the"):
        return ["which", head.lower_]
    if head.tag_ == "NNS" and marked and determiner == "":
        return ["which", head.lower_]
    return ["what"]


VAGUE = frozenset("thing way lot number kind type sort use part amount something anything example case".split())
"""English nouns that ask for nothing: "which things"."""
