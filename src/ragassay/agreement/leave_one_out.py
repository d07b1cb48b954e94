"""Is the model as good a rater as one of the people? Each against the majority of the other people.

Source: Know Your RAG (COLING 2025), agreement with human labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Drawn, Measure, MeasureEstimate, defined, undefined, with_intervals
from ragassay.agreement.raters import fleiss_kappa
from ragassay.agreement.tables import Judgements

_NO_MODEL = "no judge to compare with these people"
_NO_ITEM = "no items judged by this side on which the other people have a majority"
_ONE_VALUE = "this side and the majority gave every item the same one value: kappa is 0 / 0"
_NO_BOTH = "both kappas are defined for no person"
_NO_PART = "no interval: one of the two kappas has none ({})"
_NO_DROP = "the person's kappa is not above 0, so the judge's share of it is undefined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Over all people: kappa of a person, and of the model, with the majority of the others; the relative drop.

    Over the people for whom both are defined, of people alone where there is no model; the drop is that of the two
    means. n: items that any of the rows rests on.
    """

    person: MeasureEstimate
    model: MeasureEstimate
    relative_drop: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Means):
    """One rater set against the others.

    person, model: Fleiss' kappa of this rater, and of the model, with the majority of all other people, on the same
    items. relative_drop: by which share the model's lies below the person's; negative where the model agrees better;
    None where either is undefined or the person's is not above 0.
    without_majority: items that this rater judged on which the others have no majority.
    """

    rater: str
    without_majority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """rows: one for each person, in alphabetical order."""

    rows: tuple[LeftOut, ...]
    means: Means


class Side(NamedTuple):
    """One person beside the majority of the others, and the model beside both.

    own, theirs, model: (n_items,) numbers of values, -1 where there is none; counts: (n_items,) whether all are there.
    """

    rater: str
    own: npt.NDArray[np.int64]
    theirs: npt.NDArray[np.int64]
    model: npt.NDArray[np.int64] | None
    counts: npt.NDArray[np.bool_]

    def among(self, drawn: Drawn) -> Drawn:
        """Return those of the items drawn that count."""
        return drawn[self.counts[drawn]]


def sides_of(people: Judgements, model: Mapping[str, str] | None = None) -> list[Side]:
    """Return everybody's side."""
    values = sorted({value for said in people.of.values() for value in said.values()} | {*(model or {}).values()})
    number = {value: place for place, value in enumerate(values)}

    def column(of: Mapping[str, str]) -> npt.NDArray[np.int64]:
        return np.array([number[of[item]] if item in of else -1 for item in people.of], dtype=np.int64)

    found, its = [], None if model is None else column(model)
    for rater in people.raters:
        own, theirs = column(people.by(rater)), column(people.majorities_of_others(rater))
        counts = (own >= 0) & (theirs >= 0) & (True if its is None else its >= 0)
        found.append(Side(rater, own, theirs, its, counts))
    return found


def leave_one_out(people: Judgements, model: Mapping[str, str] | None = None, *, seed: int = 0) -> LeaveOneOut:
    """Every person, and the model beside, against the majority of the other people.

    model: item to value; None for people alone. Items that the person or the model did not judge are left out, and
    those on which the others have no unique majority. Fleiss' kappa of two "raters", this one and the majority, is the
    paper's choice; unlike Cohen's it takes both to use the categories alike. Intervals are bootstrapped over items, all
    of them with the same resamples, so that those of means and drops know that rows share items. A drop has none where
    either of its kappas has none: it would be the interval of the other one alone.
    """
    sides = sides_of(people, model)
    found = with_intervals(
        len(people.of), lambda drawn: [each for triple in _triples(sides, drawn) for each in triple], seed=seed
    )
    *rows, means = (_checked(*found[begin : begin + 3]) for begin in range(0, len(found), 3))
    return LeaveOneOut(
        rows=tuple(
            LeftOut(
                rater=side.rater,
                without_majority=int(((side.own >= 0) & (side.theirs < 0)).sum()),
                person=row.person,
                model=row.model,
                relative_drop=row.relative_drop,
            )
            for side, row in zip(sides, rows, strict=True)
        ),
        means=means,
    )


def _checked(person: MeasureEstimate, model: MeasureEstimate, drop: MeasureEstimate) -> Means:
    """With the interval of the drop only where both kappas have one."""
    bare = next((each for each in (person, model) if each.low is None), None)
    if bare is not None and drop.low is not None:
        drop = replace(drop, low=None, high=None, reason=_NO_PART.format(bare.reason))
    return Means(person=person, model=model, relative_drop=drop)


class _Triple(NamedTuple):
    person: Measure
    model: Measure
    relative_drop: Measure


def _triples(sides: Sequence[Side], drawn: Drawn) -> Iterator[_Triple]:
    found = []
    for side in sides:
        items = side.among(drawn)
        person = _kappa(side.own[items], side.theirs[items])
        model = undefined(_NO_MODEL) if side.model is None else _kappa(side.model[items], side.theirs[items])
        found.append(_Triple(person, model, _drop(person, model)))
    yield from found
    used = np.logical_or.reduce([side.counts for side in sides])
    yield _means(found, int(used[drawn].sum()))


def _means(rows: Sequence[_Triple], n: int) -> _Triple:
    persons = [row.person.value for row in rows if row.person.value is not None]
    both = [
        (row.person.value, row.model.value)
        for row in rows
        if row.person.value is not None and row.model.value is not None
    ]
    if both:
        person = defined(mean(each for each, _ in both), n)
        model = defined(mean(each for _, each in both), n)
        return _Triple(person, model, _drop(person, model))
    why = next((row.person.reason for row in rows if row.person.reason), None) or "there is nobody"
    person = defined(mean(persons), n) if persons else undefined(why, n)
    model = undefined(_NO_MODEL if all(row.model.reason == _NO_MODEL for row in rows) else _NO_BOTH, n)
    return _Triple(person, model, _drop(person, model))


def _kappa(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> Measure:
    n = len(one)
    if not n:
        return undefined(_NO_ITEM)
    each_value = np.eye(max(int(one.max()), int(other.max())) + 1)
    found = fleiss_kappa(each_value[one] + each_value[other])
    return undefined(_ONE_VALUE, n) if found.value is None else found


def _drop(person: Measure, model: Measure) -> Measure:
    if person.value is None or model.value is None:
        return undefined(person.reason or model.reason or _NO_BOTH, person.n)
    if person.value <= 0:
        return undefined(_NO_DROP, person.n)
    return defined(1 - model.value / person.value, person.n)
