"""The best setting of a label, what the questions say of the others beside it, and which they do not tell from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from ragassay.evaluation.aggregate import SHARE, holm
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.paired import Differences
from ragassay.rag.setting import Setting, preference
from ragassay.sweep.values import Values

MIX = ("fusion", "text_weight", "encoder", "vectors", "hyde")
"""Parts of the first ranking's mix, and those that BM25 alone has no use for."""
LEVEL = 0.05
"""p-value, adjusted over all others (Holm), from which two settings are not told apart."""
SEEN = 0.05
"""Difference, as a share of the range of the metric, that ``needed`` questions would show and ``cheapest`` may have."""
_POWER = NormalDist().inv_cdf(0.8)
"""A difference is seen in four of five cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """tied: settings that the questions do not tell from the best. others: how many there are. questions: looked at.

    cheapest: what is recommended: of all whose mean is within ``SEEN`` of the best one's the one with the fewest tokens
    a question, then with the best mean, so that no other beats it in both. needed: about how many questions would show
    a difference of ``SEEN``; None where all tied ones give the same values, or without a range.
    """

    tied: int
    others: int
    cheapest: Setting
    questions: int
    needed: int | None


def ties_of(
    best: Setting,
    values: Mapping[Setting, Values],
    tokens: Mapping[Setting, float | None],
    clusters: Clusters | None = None,
    bounds: tuple[float, float] | None = SHARE,
) -> Ties:
    """values: of each setting on the same questions, the best one among them. clusters: of these. bounds: of values.

    tokens: of a question, with each setting; None where they are not known.
    """
    others = [each for each in values if each != best]
    apart = [(values[each] - values[best])[:, None] for each in others]
    differences = Differences(np.hstack([np.zeros((len(values[best]), 0)), *apart]), [bounds] * len(others), clusters)
    tied = [place for place, p_value in enumerate(holm(differences.p_values())) if p_value >= LEVEL]
    # of one question: where those of a document hang together, more of them are needed
    spreads = np.sqrt(differences.spread.variance * differences.spread.n)[tied]
    spread = float(np.median(spreads[spreads > 0])) if (spreads > 0).any() else 0.0
    seen = SEEN * (bounds[1] - bounds[0]) if bounds else 0.0
    level = NormalDist().inv_cdf(1 - LEVEL / (2 * max(1, len(others))))  # of the hardest of so many tests (Bonferroni)
    means = {each: float(np.nanmean(of)) for each, of in values.items()}
    behind = {each: round(abs(mean - means[best]), 12) for each, mean in means.items()}

    def cost(setting: Setting) -> tuple[Any, ...]:
        spent = tokens[setting]
        return math.inf if spent is None else spent, behind[setting], preference(setting)

    return Ties(
        tied=len(tied),
        others=len(others),
        cheapest=min((each for each in values if behind[each] <= seen + 1e-9), key=cost),
        questions=int((~np.isnan(values[best])).sum()),
        needed=math.ceil(((level + _POWER) * spread / seen) ** 2) if spread > 0 and seen else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BestSetting:
    """The best setting for a label, and every other that has enough values tested against it on the same questions.

    dense, lexical: the two ends with all else as in the best; None where not tried, or with few values. comparisons:
    other minus best, p-values adjusted (Holm), the best first. neighbours: the next text weights and chunk sizes, a
    family of their own. A winner's own value is optimistic, because it was picked for it: the tests say how much that
    may matter.
    """

    label: str
    setting: Setting
    estimate: Estimate
    dense: Estimate | None
    lexical: Estimate | None
    comparisons: tuple[Comparison, ...]
    neighbours: tuple[Comparison, ...]
    ties: Ties

    @property
    def not_worse(self) -> tuple[Comparison, ...]:
        """The others that the test does not tell from the best."""
        return tuple(each for each in self.comparisons if each.p_of_family >= LEVEL)


def neighbours_of(setting: Setting, tried: Iterable[Setting]) -> list[Setting]:
    """The next text weights with all else equal, then the next chunk sizes; at its ends, all fusions are one."""
    # all but text weight and size is equal, where it makes a difference
    same_fusion = [each for each in tried if each.fusion == setting.fusion or each.text_weight in (0, 1)]
    alike = [each for each in same_fusion if is_alike_but_mix(each, setting)]
    same_cut = [each for each in alike if each.chunking == setting.chunking]
    same_weight = [each for each in alike if each.text_weight == setting.text_weight]
    return [
        *_next_to(setting, same_cut, lambda each: each.text_weight),
        *_next_to(setting, same_weight, lambda each: each.chunk_size),
    ]


def _next_to(setting: Setting, others: Sequence[Setting], size: Callable[[Setting], float]) -> Iterator[Setting]:
    if lower := [each for each in others if size(each) < size(setting)]:
        yield max(lower, key=size)
    if higher := [each for each in others if size(each) > size(setting)]:
        yield min(higher, key=size)


def is_alike_but_mix(other: Setting, setting: Setting) -> bool:
    """Whether all but fusion, text weight and chunk size is equal, where it makes a difference."""
    by_words = 1 in (setting.text_weight, other.text_weight)
    vectors = by_words or (other.encoder, other.vectors, other.hyde) == (setting.encoder, setting.vectors, setting.hyde)
    cut = "chunk_size", "overlap"
    return vectors and other.parts_but(*MIX, *cut) == setting.parts_but(*MIX, *cut)
