"""From which number of a judge's on would people keep an item?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import MeasureEstimate, defined
from ragassay.agreement.resampling import bounded, bounds, resampled
from ragassay.agreement.scales import KEPT_FROM
from ragassay.agreement.tables import Judgements

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """kept: share of the items that the judge keeps. agreement: Cohen's kappa of what it and what people would keep.

    wrongly_kept, wrongly_dropped: items on which the two differ.
    """

    value: float
    kept: float
    agreement: MeasureEstimate
    wrongly_kept: int
    wrongly_dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to set a threshold to.

    thresholds: all that make a difference, in their order. less_is_better: of the judge's numbers; it then keeps what
    is at or below a threshold. best: the one that agrees best with people, of several the one that keeps most; None
    where none agrees better than chance, ``reason`` then says why. people_keep: share of the items that people would
    keep. The interval of the best does not know that it was picked as the best: it flatters.
    """

    n: int
    people_keep: float | None
    thresholds: tuple[Threshold, ...]
    best: Threshold | None
    reason: str | None = None
    less_is_better: bool = False


def advise(
    people: Judgements,
    judge: Mapping[str, str],
    *,
    kept_from: float = KEPT_FROM,
    less_is_better: bool = False,
    seed: int = 0,
) -> Advice:
    """Return the threshold on a judge's number that keeps what people would keep.

    people: numbers; most of them have to be at least ``kept_from`` for an item to be kept, and with as many below it is
    not. judge: item to number. A judge keeps what is at or above its threshold; where less is better, at or below it.
    Intervals are bootstrapped over items.
    """
    sign = -1 if less_is_better else 1
    items = [item for item in people.of if item in judge]
    wanted = np.array([_most_keep(list(people.of[item].values()), kept_from) for item in items], dtype=np.bool_)
    values, place = np.unique([sign * float(judge[item]) for item in items], return_inverse=True)
    kept, both = _from_each_value(place, wanted, len(values))
    n_wanted = int(wanted.sum())
    thresholds = tuple(
        Threshold(
            value=sign * float(value),
            kept=n_kept / len(items),
            agreement=agreement,
            wrongly_kept=n_kept - n_both,
            wrongly_dropped=n_wanted - n_both,
        )
        for value, n_kept, n_both, agreement in zip(
            values[1:], kept.tolist(), both.tolist(), _agreements(place, wanted, len(values), seed), strict=True
        )
    )
    usable = [each for each in thresholds if each.agreement.value is not None and each.agreement.value > 0]
    best = max(usable, key=lambda each: (each.agreement.value or 0.0, each.kept), default=None)
    return Advice(
        n=len(items),
        people_keep=float(wanted.mean()) if items else None,
        thresholds=thresholds[::sign],
        best=best,
        reason=_why_none(len(items), n_wanted, len(values)) if best is None else None,
        less_is_better=less_is_better,
    )


def _most_keep(values: Sequence[str], kept_from: float) -> bool:
    return 2 * sum(float(value) >= kept_from for value in values) > len(values)


def _from_each_value(
    place: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_], n_values: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of each of the judge's values but the lowest: how many items it and those above it keep, and people keep too.

    place: (n_items,) the number of the judge's value of an item. wanted: (n_items,) whether people would keep it.
    """
    kept = np.bincount(place, minlength=n_values)
    both = np.bincount(place[wanted], minlength=n_values)
    return kept[::-1].cumsum()[::-1][1:], both[::-1].cumsum()[::-1][1:]


def _agreements(
    place: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_], n_values: int, seed: int
) -> list[MeasureEstimate]:
    """Cohen's kappa at each threshold with its interval, all from the same resamples: one pass for all of them."""
    n = len(place)
    if n_values < 2:
        return []

    def kappas(place: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_]) -> Floats:
        return _kappas(*_from_each_value(place, wanted, n_values), int(wanted.sum()), n)

    found = bounds(np.array([kappas(place[drawn], wanted[drawn]) for drawn in resampled(n, seed)]))
    return [bounded(defined(value, n), limits, n) for value, limits in zip(kappas(place, wanted), found, strict=True)]


def _kappas(kept: npt.NDArray[np.int64], both: npt.NDArray[np.int64], wanted: int, n: int) -> Floats:
    """Cohen's kappa of two who keep or drop n items, from how many each and both of them keep; NaN where it is 0 / 0.

    kept, both: (n_thresholds,) of the judge, and of it and people; as ``cohen_kappa`` of the same choices.
    """
    same = (n - kept - wanted + 2 * both) / n
    by_chance = (kept * wanted + (n - kept) * (n - wanted)) / n**2
    with np.errstate(invalid="ignore"):
        return np.asarray((same - by_chance) / (1 - by_chance), dtype=np.float64)


def _why_none(n: int, wanted: int, n_values: int) -> str:
    if not n:
        return "the judge rated none of the items that people rated"
    if n_values < 2:
        return f"the judge gave all {n} items the same number, so no threshold tells them apart"
    if wanted in (0, n):
        return f"people would {'keep' if wanted else 'drop'} all {n} items: nothing to distinguish"
    return "no threshold agrees better than chance with what people would keep"
