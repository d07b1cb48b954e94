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

from ragassay.agreement.measure import Measure, MeasureEstimate, defined, undefined
from ragassay.agreement.raters import Table, fleiss_kappa_of, table_of
from ragassay.agreement.resampling import Drawn, with_intervals
from ragassay.agreement.tables import Judgements

_NO_MODEL = "no judge to compare with these people"
_NO_ITEM = "no items judged by this side on which the other people have a majority"
_ONE_VALUE = "this side and the majority gave every item the same one value: kappa is 0 / 0"
_NO_BOTH = "both kappas are defined for no person"
_NO_PART = "no interval: one of the two kappas has none ({})"
_NO_DROP = "the person's kappa is not above 0, so the judge's share of it is undefined"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One rater set against the others.

    person, model: Fleiss' kappa of this rater, and of the model, with the majority of all other people, on the same
    items. relative_drop: by which share the model's lies below the person's; negative where the model agrees better;
    None where either is undefined or the person's is not above 0.
    without_majority: items that this rater judged on which the others have no majority.
    """

    rater: str
    person: MeasureEstimate
    model: MeasureEstimate
    relative_drop: MeasureEstimate
    without_majority: int


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
class LeaveOneOut:
    """rows: one for each person, in alphabetical order."""

    rows: tuple[LeftOut, ...]
    means: Means


def leave_one_out(people: Judgements, model: Mapping[str, str] | None = None, *, seed: int = 0) -> LeaveOneOut:
    """Every person, and the model beside, against the majority of the other people.

    model: item to value; None for people alone. Items that the person or the model did not judge are left out, and
    those on which the others have no unique majority. Fleiss' kappa of two "raters", this one and the majority, is the
    paper's choice; unlike Cohen's it takes both to use the categories alike. Intervals are bootstrapped over items, all
    of them with the same resamples, so that those of means and drops know that rows share items. A drop has none where
    either of its kappas has none: it would be the interval of the other one alone.
    """
    rows = [_row(people, rater, model) for rater in people.raters]
    n = len(people.of)
    found = with_intervals(n, lambda drawn: [each for triple in _triples(rows, drawn, n) for each in triple], seed=seed)
    *of_rows, means = (_checked(*found[begin : begin + 3]) for begin in range(0, len(found), 3))
    return LeaveOneOut(
        rows=tuple(
            LeftOut(
                rater=row.rater,
                person=measured.person,
                model=measured.model,
                relative_drop=measured.relative_drop,
                without_majority=row.without_majority,
            )
            for row, measured in zip(rows, of_rows, strict=True)
        ),
        means=means,
    )


def _checked(person: MeasureEstimate, model: MeasureEstimate, drop: MeasureEstimate) -> Means:
    """With the interval of the drop only where both kappas have one."""
    bare = next((each for each in (person, model) if each.low is None), None)
    if bare is not None and drop.low is not None:
        drop = replace(drop, low=None, high=None, reason=_NO_PART.format(bare.reason))
    return Means(person=person, model=model, relative_drop=drop)


class _Row(NamedTuple):
    """One person's side of the scheme.

    items: (n_usable,) places of the items that count. person, model: each beside the majority of the other people.
    """

    rater: str
    items: npt.NDArray[np.int64]
    person: Table
    model: Table | None
    without_majority: int


class _Triple(NamedTuple):
    person: Measure
    model: Measure
    relative_drop: Measure


def _row(people: Judgements, rater: str, model: Mapping[str, str] | None) -> _Row:
    own, theirs = people.by(rater), people.majorities_of_others(rater)
    place_of = {item: place for place, item in enumerate(people.of)}
    usable = [item for item in theirs if model is None or item in model]

    def beside(side: Mapping[str, str]) -> Table:
        units = [(side[item], theirs[item]) for item in usable]
        return table_of(units, sorted({value for unit in units for value in unit}))

    return _Row(
        rater=rater,
        items=np.array([place_of[item] for item in usable], dtype=np.int64),
        person=beside(own),
        model=None if model is None else beside(model),
        without_majority=len(own) - len(theirs),
    )


def _triples(rows: Sequence[_Row], drawn: Drawn, n_items: int) -> Iterator[_Triple]:
    found, used = [], np.zeros(n_items, dtype=np.bool_)
    times = np.bincount(drawn, minlength=n_items)
    for row in rows:
        used[row.items] = True
        person = _kappa(row.person, times[row.items])
        model = undefined(_NO_MODEL) if row.model is None else _kappa(row.model, times[row.items])
        found.append(_Triple(person, model, _drop(person, model)))
    yield from found
    yield _means(found, int(times[used].sum()))


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


def _kappa(table: Table, times: npt.NDArray[np.int64]) -> Measure:
    """times: (n_usable,) how often each item was drawn."""
    n = int(times.sum())
    if not n:
        return undefined(_NO_ITEM)
    counts = np.bincount(table.kind, weights=times, minlength=len(table.kinds)).astype(np.int64)
    found = fleiss_kappa_of(table, counts)
    return undefined(_ONE_VALUE, n) if found.value is None else found


def _drop(person: Measure, model: Measure) -> Measure:
    if person.value is None or model.value is None:
        return undefined(person.reason or model.reason or _NO_BOTH, person.n)
    if person.value <= 0:
        return undefined(_NO_DROP, person.n)
    return defined(1 - model.value / person.value, person.n)
