"""From which number of a judge's on would people keep an item?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import MeasureEstimate, with_interval
from ragassay.agreement.raters import cohen_kappa
from ragassay.agreement.tables import KEPT_FROM, Judgements

Flags = npt.NDArray[np.bool_]


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

    best: the threshold that agrees best with people, of several the one that keeps most; None where none agrees better
    than chance, ``reason`` then says why. Its interval does not know that it was picked as the best: it flatters.
    less_is_better: of the judge's numbers; it then keeps what is at or below a threshold. people_keep: share of the
    items that people would keep.
    """

    n: int
    people_keep: float | None
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
    The interval is bootstrapped over items.
    """
    sign = -1 if less_is_better else 1
    items = [item for item in people.of if item in judge]
    wanted = np.array([_most_keep(list(people.of[item].values()), kept_from) for item in items], dtype=np.bool_)
    goodness = np.array([sign * float(judge[item]) for item in items], dtype=np.float64)
    values = np.unique(goodness).tolist()
    kappas = [(cohen_kappa(goodness >= value, wanted, 2).value or 0.0, -value) for value in values[1:]]
    kappa, negative = max(kappas, default=(0.0, 0.0))
    best = _threshold(-sign * negative, goodness >= -negative, wanted, seed) if kappa > 0 else None
    return Advice(
        n=len(items),
        people_keep=float(wanted.mean()) if items else None,
        best=best,
        reason=_why_none(len(items), int(wanted.sum()), len(values)) if best is None else None,
        less_is_better=less_is_better,
    )


def _most_keep(values: Sequence[str], kept_from: float) -> bool:
    return 2 * sum(float(value) >= kept_from for value in values) > len(values)


def _threshold(value: float, kept: Flags, wanted: Flags, seed: int) -> Threshold:
    return Threshold(
        value=value,
        kept=float(kept.mean()),
        agreement=with_interval(len(kept), lambda drawn: cohen_kappa(kept[drawn], wanted[drawn], 2), seed=seed),
        wrongly_kept=int((kept & ~wanted).sum()),
        wrongly_dropped=int((wanted & ~kept).sum()),
    )


def _why_none(n: int, wanted: int, n_values: int) -> str:
    if not n:
        return "the judge rated none of the items that people rated"
    if n_values < 2:
        return f"the judge gave all {n} items the same number, so no threshold tells them apart"
    if wanted in (0, n):
        return f"people would {'keep' if wanted else 'drop'} all {n} items: nothing to distinguish"
    return "no threshold agrees better than chance with what people would keep"
