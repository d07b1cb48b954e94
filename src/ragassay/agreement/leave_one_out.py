"""Is the model as good a rater as one of the people? Each against the majority of the other people.

Source: Know Your RAG (COLING 2025), section 5.2 (agreement of human and automatic labels).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.kappa import fleiss_kappa_of_table
from ragassay.agreement.measure import Measure, Measured, defined, undefined
from ragassay.agreement.resampling import Drawn, with_intervals
from ragassay.agreement.tables import Judgements

_NO_MODEL = "no judge is set against these people"
_NO_ITEM = "there is no item that this side judged and on which the other people have a majority"
_ONE_VALUE = "this side and the majority gave every item the same one value: kappa is 0 / 0"
_NO_BOTH = "for no person are both kappas defined"
_NO_DROP = "the person's kappa is not above 0: there is nothing to fall from"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One rater set against the others.

    person, model: Fleiss' kappa of this rater, and of the model, with the majority of all other people, on the same
    items. relative_drop: by which share the model's lies below the person's; negative where the model agrees better;
    None where either is undefined or the person's is not above 0.
    without_majority: items that this rater judged on which the others have no majority.
    """

    rater: str
    person: Measured
    model: Measured
    relative_drop: Measured
    without_majority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Over all people: kappa of a person, and of the model, with the majority of the others; the relative drop.

    Over the people for whom both are defined, of people alone where there is no model; the drop is that of the two
    means. n: items that any of the rows rests on.
    """

    person: Measured
    model: Measured
    relative_drop: Measured


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
    of them with the same resamples, so that those of means and drops know that rows share items.
    """
    rows = [_row(people, rater, model) for rater in people.raters]
    n = len(people.of)
    found = with_intervals(n, lambda drawn: [each for triple in _triples(rows, drawn) for each in triple], seed=seed)
    of_rows, (person, kappa, drop) = found[:-3], found[-3:]
    return LeaveOneOut(
        rows=tuple(
            LeftOut(
                rater=row.rater,
                person=of_rows[3 * place],
                model=of_rows[3 * place + 1],
                relative_drop=of_rows[3 * place + 2],
                without_majority=row.without_majority,
            )
            for place, row in enumerate(rows)
        ),
        means=Means(person=person, model=kappa, relative_drop=drop),
    )


class _Row(NamedTuple):
    """One person's side of the scheme. n_values: of values that any side gave.

    usable: (n_items,) whether the item counts. person, model: (n_items,) cell of the table of a side's values by those
    of the majority, row by row, that the item falls into; model is None without one.
    """

    rater: str
    n_values: int
    usable: npt.NDArray[np.bool_]
    person: npt.NDArray[np.int64]
    model: npt.NDArray[np.int64] | None
    without_majority: int


class _Triple(NamedTuple):
    person: Measure
    model: Measure
    relative_drop: Measure


def _row(people: Judgements, rater: str, model: Mapping[str, str] | None) -> _Row:
    own, theirs = people.by(rater), people.without(rater).majorities()
    items = list(people.of)
    usable = np.array([each in own and each in theirs and (model is None or each in model) for each in items], np.bool_)
    counted = [each for each, counts in zip(items, usable, strict=True) if counts]
    sides = [own, theirs] if model is None else [own, theirs, model]
    places = {value: place for place, value in enumerate(sorted({side[each] for side in sides for each in counted}))}

    def cells(side: Mapping[str, str]) -> npt.NDArray[np.int64]:
        found = np.zeros(len(items), dtype=np.int64)
        found[usable] = [places[side[each]] * len(places) + places[theirs[each]] for each in counted]
        return found

    return _Row(
        rater=rater,
        n_values=len(places),
        usable=usable,
        person=cells(own),
        model=None if model is None else cells(model),
        without_majority=sum(item not in theirs for item in own),
    )


def _triples(rows: Sequence[_Row], drawn: Drawn) -> Iterator[_Triple]:
    """Of each row and, at the end, their means, of the items drawn."""
    found, used = [], np.zeros(len(drawn), dtype=np.bool_)
    for row in rows:
        counted = row.usable[drawn]
        used |= counted
        places = drawn[counted]
        person = _kappa(row.person[places], row.n_values)
        model = undefined(_NO_MODEL) if row.model is None else _kappa(row.model[places], row.n_values)
        found.append(_Triple(person, model, _drop(person, model)))
    yield from found
    yield _means(found, int(used.sum()))


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


def _kappa(cells: npt.NDArray[np.int64], n_values: int) -> Measure:
    if not len(cells):
        return undefined(_NO_ITEM)
    found = fleiss_kappa_of_table(np.bincount(cells, minlength=n_values**2).reshape(n_values, n_values))
    return undefined(_ONE_VALUE, len(cells)) if found.value is None else found


def _drop(person: Measure, model: Measure) -> Measure:
    if person.value is None or model.value is None:
        return undefined(person.reason or model.reason or _NO_BOTH, person.n)
    if person.value <= 0:
        return undefined(_NO_DROP, person.n)
    return defined(1 - model.value / person.value, person.n)
