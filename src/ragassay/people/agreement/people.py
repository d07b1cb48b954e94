"""How far people agree with each other on one task, and whether a model is as good a rater as one of them.

Leave one out: each against the majority of the other people.
Source: Know Your RAG (COLING 2025), agreement with human labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.people.agreement.correlation import guarded, spearman
from ragassay.people.agreement.measure import (
    Drawn,
    Measure,
    MeasureEstimate,
    defined,
    undefined,
    with_interval,
    with_intervals,
)
from ragassay.people.agreement.raters import (
    Judgements,
    Scale,
    alpha_of_table,
    fleiss_kappa,
    ordered_values,
    table_of,
)

_ALONE = "no item was judged by two people"
_NO_MAJORITY = "on no item do the other people have a majority"
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
                **{name: getattr(row, name) for name in ("person", "model", "relative_drop")},
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
        person = _fleiss_with_majority(side.own[items], side.theirs[items])
        model = (
            undefined(_NO_MODEL) if side.model is None else _fleiss_with_majority(side.model[items], side.theirs[items])
        )
        found.append(_Triple(person, model, _drop(person, model)))
    yield from found
    used = np.logical_or.reduce([side.counts for side in sides])
    yield _means(found, int(used[drawn].sum()))


def _means(rows: Sequence[_Triple], n: int) -> _Triple:
    both = [row for row in rows if row.person.value is not None and row.model.value is not None]
    person = _mean_of([row.person for row in both or rows], n)
    if both:
        model = _mean_of([row.model for row in both], n)
    else:
        model = undefined(_NO_MODEL if all(row.model.reason == _NO_MODEL for row in rows) else _NO_BOTH, n)
    return _Triple(person, model, _drop(person, model))


def _fleiss_with_majority(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> Measure:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The noise ceiling: how well one person does against the others, on average; no judge can be told to do better.

    accuracy, kappa: of a person against the majority of the others. rank_correlation: Spearman's, of a person with the
    mean of the others; None where values are no numbers. n: items that any of them rests on.
    """

    accuracy: MeasureEstimate
    kappa: MeasureEstimate
    rank_correlation: MeasureEstimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongPeople:
    """n_shared: items that two people or more judged; the measures are of those."""

    raters: tuple[str, ...]
    n_items: int
    n_judgements: int
    n_shared: int
    fleiss: MeasureEstimate
    alpha: MeasureEstimate
    ceiling: Ceiling


def among_people(judgements: Judgements, scale: Scale, *, seed: int = 0) -> AmongPeople:
    """All measures; each None where it is undefined. Intervals are bootstrapped over items.

    Raises ValueError for a value that is not on the scale.
    """
    units = [list(values.values()) for values in judgements.of.values() if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, scale.level, scale.values)
    table, total = table_of(units, values), len(judgements.of)

    def of(drawn: Drawn) -> tuple[Measure, Measure]:
        return fleiss_kappa(table[drawn]), alpha_of_table(table[drawn], values, scale.level)

    fleiss, alpha = with_intervals(len(units), of, seed=seed, total=total)
    return AmongPeople(
        raters=judgements.raters,
        n_items=total,
        n_judgements=judgements.n,
        n_shared=len(units),
        fleiss=fleiss,
        alpha=alpha,
        ceiling=Ceiling(
            accuracy=_accuracy(judgements, seed),
            kappa=leave_one_out(judgements, seed=seed).means.person,
            rank_correlation=_rank_correlation(judgements, seed) if scale.is_numeric else None,
        ),
    )


def _accuracy(judgements: Judgements, seed: int) -> MeasureEstimate:
    sides = sides_of(judgements)
    counted = np.logical_or.reduce([side.counts for side in sides])

    def accuracy(drawn: Drawn) -> Measure:
        placed = [(side, side.among(drawn)) for side in sides]
        shares = [float((side.own[items] == side.theirs[items]).mean()) for side, items in placed if len(items)]
        if not shares:
            return undefined(_NO_MAJORITY if len(sides) > 1 else _ALONE)
        return defined(fmean(shares), int(counted[drawn].sum()))

    return with_interval(len(judgements.of), accuracy, seed=seed)


def _rank_correlation(judgements: Judgements, seed: int) -> MeasureEstimate:
    """Of each person with the mean of the others; NaN where there is none of either."""
    columns = []
    for rater in judgements.raters:
        own, others = judgements.by(rater), judgements.of_others(rater)
        theirs = {item: fmean(map(float, said)) for item, said in others.items() if said}
        pairs = [(float(own[item]), theirs[item]) if item in theirs else (np.nan, np.nan) for item in judgements.of]
        columns.append(np.array(pairs).T)

    def rank_correlation(drawn: Drawn) -> Measure:
        there = [~np.isnan(own[drawn]) for own, _ in columns]
        found = [
            spearman(own[drawn][known], theirs[drawn][known])
            for (own, theirs), known in zip(columns, there, strict=True)
        ]
        return _mean_of(found, int(np.logical_or.reduce(there).sum()))

    found = with_interval(len(judgements.of), rank_correlation, seed=seed)
    shown = [each[~np.isnan(each)] for column in columns for each in column]
    return guarded(found, [each for each in shown if len(each) > 1], found.n)


def _mean_of(measures: Sequence[Measure], n: int) -> Measure:
    values = [each.value for each in measures if each.value is not None]
    if values:
        return defined(fmean(values), n)
    return undefined(next((each.reason for each in measures if each.reason), _ALONE), n)
