"""What comes right before or after a step, in a numbered list of things to do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.inversion import action
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


def _ordered(reading: Reading) -> Iterator[tuple[Told, Told]]:
    """Each two steps in a row: the first sentences of neighbouring items of one numbered list."""
    opening = [told for told in reading.told if told.step and told.sentence.place == 0]
    for first, second in pairwise(opening):
        if (
            second.sentence.paragraph == first.sentence.paragraph + 1
            and first.sentence.heading == second.sentence.heading
        ):
            yield first, second


@source(
    "step_order",
    infers="which step comes next or comes first, from the order of a numbered list",
    example="What do I have to do right before I upload the file? Sign the form.",
    accepted=0.80,
)
def step_order(reading: Reading) -> Iterator[Inferred]:
    for first, second in _ordered(reading):
        if (
            not first.clauses
            or not second.clauses
            or not first.clauses[0].imperative
            or not second.clauses[0].imperative
        ):
            continue
        if any(len(told.clauses[0].members) > 16 or told.clauses[0].negated for told in (first, second)):
            continue
        if choice(first.doc.text, 2):
            words, forms = of_clause(first.clauses[0]).form("gerund")
            yield Inferred(
                first,
                ["what is the next step after", *words],
                "",
                action(second.clauses[0]),
                forms=forms,
                because=second,
            )
        else:
            words, forms = of_clause(second.clauses[0]).form("base")
            question: Pieces = ["what do I have to do right before I", *words]
            yield Inferred(second, question, "", action(first.clauses[0]), forms=forms, because=first)
