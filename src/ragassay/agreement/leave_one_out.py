"""Is the model as good a rater as one of the people? Each against the majority of the other people.

Source: Know Your RAG (COLING 2025), section 5.2 (agreement of human and automatic labels).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

from ragassay.agreement.kappa import fleiss_kappa
from ragassay.agreement.measure import Measure, undefined
from ragassay.agreement.tables import Judgements


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One rater set against the others.

    person, model: Fleiss' kappa of this rater, and of the model, with the majority of all other people, on the same
    items. relative_drop: by which share the model's lies below the person's; negative where the model agrees better;
    None where either is undefined or the person's is not above 0.
    without_majority: items that this rater judged on which the others have no majority.
    """

    rater: str
    person: Measure
    model: Measure
    without_majority: int

    @property
    def relative_drop(self) -> float | None:
        if self.person.value is None or self.model.value is None or self.person.value <= 0:
            return None
        return 1 - self.model.value / self.person.value


def leave_one_out(people: Judgements, model: Mapping[str, str] | None = None) -> list[LeftOut]:
    """Every person, and the model beside, against the majority of the other people.

    model: item to value; None for people alone. Items that the person or the model did not judge are left out, and
    those on which the others have no unique majority. Fleiss' kappa of two "raters", this one and the majority, is the
    paper's choice; unlike Cohen's it takes both to use the categories alike.
    """
    return [_left_out(people, rater, model) for rater in people.raters]


class Means(NamedTuple):
    """Over all people: kappa of a person, and of the model, with the majority of the others; the relative drop.

    None where no row has a value; the drop is that of the two means.
    """

    person: float | None
    model: float | None
    relative_drop: float | None


def mean_of(rows: Sequence[LeftOut]) -> Means:
    """Over the rows in which both are defined; of people alone where the model is nowhere."""
    persons = [row.person.value for row in rows if row.person.value is not None]
    usable = [
        (row.person.value, row.model.value)
        for row in rows
        if row.person.value is not None and row.model.value is not None
    ]
    if not usable:
        return Means(mean(persons) if persons else None, None, None)
    person, model = mean(each for each, _ in usable), mean(each for _, each in usable)
    return Means(person, model, 1 - model / person if person > 0 else None)


def _left_out(people: Judgements, rater: str, model: Mapping[str, str] | None) -> LeftOut:
    own = people.by(rater)
    theirs = people.without(rater).majorities()
    items = [item for item in own if item in theirs and (model is None or item in model)]
    majorities = [theirs[item] for item in items]
    return LeftOut(
        rater=rater,
        person=_of_two([own[item] for item in items], majorities),
        model=_of_two([model[item] for item in items], majorities) if model is not None else undefined("no model"),
        without_majority=sum(item not in theirs for item in own),
    )


def _of_two(first: list[str], second: list[str]) -> Measure:
    values = sorted({*first, *second})
    return fleiss_kappa(
        [[(one == value) + (two == value) for value in values] for one, two in zip(first, second, strict=True)]
        or [[0] * max(1, len(values))]
    )
