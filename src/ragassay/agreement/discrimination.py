"""Does a score tell good from bad? Share of pairs in the right order, between classes and within pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.agreement.correlation import ranks
from ragassay.agreement.measure import Measure, defined, undefined


def auroc(scores: Sequence[float] | npt.NDArray[np.float64], good: Sequence[bool] | npt.NDArray[np.bool_]) -> Measure:
    """Chance that a good item has a higher score than a bad one, ties counted half, in [0, 1]; a coin has 0.5.

    None where one of the two classes is empty. Raises ValueError where the lengths differ.
    Source: Hanley and McNeil 1982 (Mann-Whitney's U over the number of pairs).
    """
    values, is_good = np.asarray(scores, dtype=np.float64), np.asarray(good, dtype=np.bool_)
    if values.shape != is_good.shape or values.ndim != 1:
        raise ValueError(f"{len(values)} scores and {len(is_good)} classes; give one class for each score")
    n_good = int(is_good.sum())
    n_bad = len(values) - n_good
    if not n_good or not n_bad:
        return undefined(f"all {len(values)} items are {'good' if n_good else 'bad'}", len(values))
    above = float(ranks(values)[is_good].sum()) - n_good * (n_good + 1) / 2
    return defined(above / (n_good * n_bad), len(values))


def placements(
    scores: Sequence[float] | npt.NDArray[np.float64], good: Sequence[bool] | npt.NDArray[np.bool_]
) -> list[float]:
    """For each item of the rarer class, the share of the other class that it stands on the right side of, ties half.

    In [0, 1]; their mean is ``auroc``. Empty where one of the two classes is.
    """
    values, is_good = np.asarray(scores, dtype=np.float64), np.asarray(good, dtype=np.bool_)
    by_good = 2 * int(is_good.sum()) <= len(values)
    rarer, others = values[is_good == by_good], np.sort(values[is_good != by_good])
    if not len(others):
        return []
    below, not_above = (np.searchsorted(others, rarer, side) for side in ("left", "right"))
    shares = (below + not_above) / (2 * len(others))
    return [float(share) for share in (shares if by_good else 1 - shares)]


def pair_wins(better: Sequence[float], worse: Sequence[float]) -> list[float]:
    """For each pair 1 where the better one has the higher score, one half for a tie, else 0.

    Their mean is the accuracy on pairs (RAGAS, WikiEval). Raises ValueError where the lengths differ.
    """
    return [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in zip(better, worse, strict=True)]
