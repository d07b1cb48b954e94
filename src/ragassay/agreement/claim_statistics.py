"""How often a judge is right about claims, by type and by source, and whether its score means what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.agreement.claim_judging import ClaimJudgement, has_scores
from ragassay.agreement.correlation import Flags, auroc, with_clear_classes
from ragassay.agreement.measure import (
    Drawn,
    Measure,
    MeasureEstimate,
    defined,
    groups_of,
    mean_with_interval,
    too_few_groups,
    undefined,
    wider,
    with_intervals,
    without_interval,
)
from ragassay.evaluation.aggregate import SHARE, estimate
from ragassay.evaluation.statistics import is_varied

NO_SCORES = "the judge says supported or not, without a score between"
NOT_JUDGED = "the judge gave no verdict"
ONE_CLASS = "supported claims are missing, or those that are not supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFigures:
    """accuracy: share of verdicts that are right. balanced_accuracy: mean of that share over the two classes.

    auroc: of the score, supported claims against the others. Intervals are over passages; n is claims with a verdict,
    total all claims. supported: claims that people say are supported.
    """

    passages: int
    supported: int
    accuracy: MeasureEstimate
    balanced_accuracy: MeasureEstimate
    auroc: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFigures:
    """Claims of one type, and of one class where a type has both. type: empty for claims without one."""

    type: str
    supported: bool
    accuracy: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """A judge on claims.

    commonest: accuracy of always saying what most claims are, which takes no judge. by_type: supported types first,
    each in the order of the file. by_source: empty where all claims are of one source. reasons: why claims have no
    verdict, counted.
    """

    figures: ClaimFigures
    commonest: float
    by_type: tuple[TypeFigures, ...]
    by_source: Mapping[str, ClaimFigures]
    reasons: Mapping[str, int]


def checked_claims(judgements: Sequence[ClaimJudgement], *, seed: int = 0) -> ClaimCheck:
    """All figures of at least one judgement."""
    scored = has_scores(judgements)
    supported = sum(each.claim.supported for each in judgements)
    return ClaimCheck(
        figures=_figures(judgements, scored, seed),
        commonest=max(supported, len(judgements) - supported) / len(judgements),
        by_type=tuple(_by_type(judgements)),
        by_source=_by_source(judgements, scored, seed),
        reasons=Counter(each.reason for each in judgements if each.verdict is None),
    )


def _by_type(judgements: Sequence[ClaimJudgement]) -> list[TypeFigures]:
    groups: dict[tuple[bool, str], list[ClaimJudgement]] = {}
    for each in judgements:
        groups.setdefault((each.claim.supported, each.claim.type), []).append(each)
    ordered = sorted(groups.items(), key=lambda item: not item[0][0])
    return [
        TypeFigures(type=type_, supported=supported, accuracy=_accuracy(of_type))
        for (supported, type_), of_type in ordered
    ]


def _by_source(judgements: Sequence[ClaimJudgement], scored: bool, seed: int) -> dict[str, ClaimFigures]:
    groups: dict[str, list[ClaimJudgement]] = {}
    for each in judgements:
        groups.setdefault(each.source, []).append(each)
    if len(groups) < 2:
        return {}
    return {source: _figures(of_source, scored, seed) for source, of_source in groups.items()}


def _accuracy(judgements: Sequence[ClaimJudgement]) -> MeasureEstimate:
    judged = [each for each in judgements if each.is_right is not None]
    return mean_with_interval(
        [float(each.is_right is True) for each in judged],
        bounds=SHARE,
        total=len(judgements),
        reason=NOT_JUDGED,
        keys=[each.passage for each in judged],
    )


def _figures(judgements: Sequence[ClaimJudgement], scored: bool, seed: int) -> ClaimFigures:
    judged = [each for each in judgements if each.verdict is not None]
    balanced, area = _resampled(judged, seed, len(judgements))
    return ClaimFigures(
        passages=len({each.passage for each in judgements}),
        supported=sum(each.claim.supported for each in judgements),
        accuracy=_accuracy(judgements),
        balanced_accuracy=balanced,
        auroc=area if scored or not judged else without_interval(undefined(NO_SCORES, len(judged)), len(judgements)),
    )


def _resampled(judged: Sequence[ClaimJudgement], seed: int, total: int) -> tuple[MeasureEstimate, MeasureEstimate]:
    """Balanced accuracy and AUROC with intervals over passages, from the same resamples.

    Each is at least as wide as the interval of means where hardly a claim differs from the rest.
    """
    n = len(judged)
    if not n:
        nothing = without_interval(undefined(NOT_JUDGED), total)
        return nothing, nothing
    right = np.array([each.is_right is True for each in judged], dtype=np.bool_)
    supported = np.array([each.claim.supported for each in judged], dtype=np.bool_)
    scores = np.array([each.score for each in judged], dtype=np.float64)

    def measures(drawn: Drawn) -> tuple[Measure, Measure]:
        classes = supported[drawn]
        if classes.all() or not classes.any():
            return undefined(ONE_CLASS, len(drawn)), undefined(ONE_CLASS, len(drawn))
        hits = right[drawn]
        balanced = (hits[classes].mean() + hits[~classes].mean()) / 2
        return defined(balanced, len(drawn)), auroc(scores[drawn], classes)

    groups = groups_of([each.passage for each in judged])
    if why := too_few_groups(n, len(groups)):
        balanced, area = (without_interval(each, total, why) for each in measures(np.arange(n)))
        return balanced, area
    balanced, area = with_intervals(n, measures, seed=seed, total=total, groups=groups)
    if balanced.value is None:
        return balanced, area
    if not is_varied(right.astype(np.float64)):
        balanced = _over_classes(balanced, right, supported)
    return balanced, with_clear_classes(area, scores, supported)


def _over_classes(balanced: MeasureEstimate, right: Flags, supported: Flags) -> MeasureEstimate:
    """Widen to the mean of the intervals of both classes."""
    one, other = (estimate(right[supported == side].astype(np.float64).tolist()) for side in (True, False))
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return balanced
    return wider(balanced, (one.low + other.low) / 2, (one.high + other.high) / 2)
