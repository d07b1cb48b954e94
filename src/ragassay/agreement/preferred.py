"""Which of several ways or systems people prefer, of comparisons of two."""

from __future__ import annotations

from statistics import fmean

from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.resampling import mean_with_interval
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.aggregate import SHARE


def preferred(judgements: Judgements) -> dict[str, MeasureEstimate]:
    """Name to the share of its comparisons that it wins, ties half, in [0, 1]; the best first.

    Items are ``SUBJECT@FIRST|SECOND``; others have no names and are left out. An item counts once: the mean over those
    who judged it.
    """
    wins: dict[str, list[float]] = {}
    for item, values in judgements.of.items():
        names = item.rpartition("@")[2].split("|")
        if "@" not in item or len(names) != 2:
            continue
        first = fmean({"first": 1.0, "second": 0.0}.get(value, 0.5) for value in values.values())
        for name, share in zip(names, (first, 1 - first), strict=True):
            wins.setdefault(name, []).append(share)
    found = {name: mean_with_interval(shares, bounds=SHARE, total=len(shares)) for name, shares in wins.items()}
    return dict(sorted(found.items(), key=lambda each: (-(each[1].value or 0.0), each[0])))
