"""Two amounts of one kind that parallel clauses give: which is more, and by how much."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.reasoning.bounds import NUMBER_WORDS
from ragassay.models.embedded.prose.reasoning.phrasing import of_clause
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

_TIMES = frozenset("second minute hour day week month year".split())
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")


class Amount(NamedTuple):
    """What a clause says of its subject with a number. unit: the lemma, or the sign of a currency."""

    told: Told
    clause: Clause
    value: float
    unit: str
    noun: Token
    number: Token


def _amounts(reading: Reading) -> Iterator[Amount]:
    for told, clause in reading.main():
        found = [amount for noun in clause.complements() for amount in _of(told, clause, noun)]
        if len(found) == 1 and clause.head is not None and clause.head.pos_ in ("NOUN", "PROPN") and not clause.negated:
            yield found[0]


def _of(told: Told, clause: Clause, noun: Token) -> Iterator[Amount]:
    if noun.head != clause.verb or noun.dep_ not in ("dobj", "attr", "npadvmod"):
        return
    number = noun if noun.like_num else next((c for c in noun.children if c.dep_ == "nummod"), None)
    if number is None or any(c.dep_ in ("advmod", "quantmod") for c in number.children):
        return
    text = number.text
    value = NUMBER_WORDS.get(text.lower()) or (float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None)
    if value is None or (1000 < value < 2100 and "," not in text and noun is number):
        return
    sign = next((c.text for c in number.children if c.text in "€$£"), "")
    unit = sign or (noun.lemma_.lower() if noun is not number else "")
    if unit:
        yield Amount(told, clause, float(value), unit, noun, number)


@source(
    "difference",
    infers="by how much two amounts differ, from two clauses that give them",
    example="How much more does a suite cost than a room? €40 more (€120 and €80).",
    accepted=0.55,
)
def difference(reading: Reading) -> Iterator[Inferred]:
    for one, other in combinations(list(_amounts(reading)), 2):
        if one.unit != other.unit or one.clause.verb.lemma_ != other.clause.verb.lemma_ or one.value == other.value:
            continue
        if abs(one.told.sentence.paragraph - other.told.sentence.paragraph) > 1:
            continue
        first, second = (one, other) if one.value > other.value else (other, one)
        if first.told.write(first.clause.subject, asker=False) == second.told.write(second.clause.subject, asker=False):
            continue
        more = "longer" if first.unit in _TIMES and first.clause.verb.lemma_ in ("take", "last") else "more"
        own = of_clause(first.clause)
        do = "do" if own.plural else "does"
        if first.clause.verb.tag_ == "VBD":
            do = "did"
        words, forms = own.form("base")
        gone = {*(t.i for t in first.noun.subtree)}
        rest = [w for w in words if isinstance(w, str) or w.i not in gone]
        gap = first.value - second.value
        amount = f"{first.unit}{gap:g}" if first.unit in "€$£" else f"{gap:g} {first.noun.text}"
        than = second.told.write(second.clause.subject, asker=False)
        if first.clause.verb.lemma_ == "be" or len(rest) > 6:
            continue
        money = first.unit in "€$£"
        lead: Pieces = [f"how much {more}"] if money or more == "longer" else ["how many more", first.noun]
        yield Inferred(
            first.told,
            [*lead, do, *own.subject_pieces(), *rest, "than", than],
            f"{amount} {more} ({first.value:g} and {second.value:g})",
            [],
            forms=forms,
            others=(second.told,),
            asker=False,
        )
