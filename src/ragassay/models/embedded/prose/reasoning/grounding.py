"""Whether a question stands by itself: names something that can be looked for, and no pronoun without its noun."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.reasoning.told import Told

if TYPE_CHECKING:
    from spacy.tokens import Token

_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
_SINGULAR = frozenset({"it", "its", "itself"})
_NAMES = frozenset({"PERSON", "ORG", "FAC", "WORK_OF_ART", "EVENT", "LAW", "PRODUCT"})


def anchored(told: Told, asked: Sequence[Token], named: Collection[str]) -> bool:
    """Whether the question names something by a name or a technical word, of which there is one in the world."""
    return bool(named) or any(
        any(name in token.text and len(value) > 5 for name, value in told.wording.literals.items())
        or (token.pos_ == "PROPN" and token.ent_type_ in _NAMES and token.i > 0)
        or (len(token.text) > 5 and re.search(r"\w[A-Z_]|\w\d|[A-Z]{3}", token.text) is not None)
        for token in asked
    )


def unfounded(told: Told, asked: Sequence[Token]) -> bool:
    """Whether a pronoun of the question has no noun before it in the question that it can stand for."""
    for at, token in enumerate(asked):
        lower = token.lower_
        if lower not in _PLURAL | _SINGULAR or token.i in told.wording.references:
            continue
        if lower == "it" and token.dep_ in ("nsubj", "nsubjpass", "expl") and _fills(token):
            continue
        before = [
            other
            for other in asked[:at]
            if other.pos_ in ("NOUN", "PROPN", "PRON") and other.lower_ not in ("you", "it", "we")
        ]
        if not any(_agrees(other, lower in _PLURAL) for other in before):
            return True
    return False


def _agrees(noun: Token, plural: bool) -> bool:
    many = noun.tag_ in ("NNS", "NNPS") or bool(noun.conjuncts)
    if not plural:
        return not many
    return many or noun.ent_type_ == "PERSON" or noun.lower_ in _GROUPS


_GROUPS = frozenset(
    "team person user someone anyone everyone nobody member contributor company staff colleague".split()
)


def _fills(token: Token) -> bool:
    """Whether "it" only fills the place of a subject: "it is safe to …"."""
    return any(
        child.dep_ in ("ccomp", "xcomp", "csubj", "advcl") and child.i > token.head.i
        for carrier in (token.head, *token.head.children)
        for child in carrier.children
    )
