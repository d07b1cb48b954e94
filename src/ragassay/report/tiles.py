"""What a page says first: how much there is, how good it is, where it is worst, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Tile
from ragassay.report.wording import NARROW_SPACE, count, coverage, decimal, interval, why_missing

FEW = 5
"""Questions below which a mean is listed, but neither charted nor shown as a figure of its own."""
_NEEDS_INTERVAL = 20
"""Questions below which a headline has the interval of its mean."""


def headline_figure(mean: Estimate) -> str:
    """Write a mean for a headline: that of few questions with its interval."""
    bounds = interval(mean.low, mean.high) if mean.n < _NEEDS_INTERVAL else ""
    return decimal(mean.value or 0.0) + (f" ({bounds}, n\u00a0=\u00a0{mean.n})" if bounds else "")


def score_tile(name: str, mean: Estimate | None, note: str = "") -> Tile:
    """Return a mean with its interval and number of questions; none of too few."""
    if mean is None or mean.value is None:
        return Tile(name, "no value", why_missing(mean))
    number = f"n\u00a0=\u00a0{coverage(mean) or count(mean.n)}"
    if mean.n < FEW or mean.low is None:
        return Tile(name, "too few to tell", f"{decimal(mean.value)}, {number}")
    bounds = f"95{NARROW_SPACE}% interval {interval(mean.low, mean.high)}"
    return Tile(name, decimal(mean.value), ", ".join(filter(None, (bounds, number, note))))


def worst_tile(groups: Mapping[str, Estimate | None], sign: int) -> Iterator[Tile]:
    """Yield the group with the worst mean; none where all have the same. sign: -1 where lower is better, else 1."""
    known = {name: each for name, each in groups.items() if each and each.value is not None and each.n >= FEW}
    if len(known) < 2:
        yield Tile("Worst group", "too few to tell", f"fewer than two groups have {FEW} questions")
    elif len({round(each.value or 0.0, 12) for each in known.values()}) > 1:
        worst = min(known, key=lambda name: sign * (known[name].value or 0.0))
        yield score_tile("Worst group", known[worst])._replace(value=f"{worst} {decimal(known[worst].value or 0.0)}")


def problems_tile(counts: Sequence[tuple[int, str, str]], note: str = "") -> Tile:
    """counts: how many, what one is called, and several; the gravest first. note: where there are no others."""
    found = [count(*each) for each in counts if each[0]]
    return Tile("Failures and warnings", found[0] if found else "none", ", ".join(found[1:]) or note)
