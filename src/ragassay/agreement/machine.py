"""How far a judge agrees with people on one task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from ragassay.agreement.correlation import Correlations, Floats, correlations
from ragassay.agreement.keypoint_shares import ShareCheck, keypoint_shares
from ragassay.agreement.leave_one_out import LeftOut, Means, leave_one_out
from ragassay.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.agreement.tables import VERDICTS, Judgements, Scale
from ragassay.evaluation.aggregate import SHARE

_NO_MAJORITY = "on no item that the judge judged do most people say the same"
_OTHER_SCALE = "the judge's numbers are of another scale than people's"
_NO_PREFERENCE = "no items with both a preference of people and a verdict of the judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """counts[row][column]: items to which the majority of people gave the row's value and the judge the column's."""

    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric:
    """A judge's numbers and the means of people's, over items that both judged.

    difference: mean of the judge less mean of people, in the units of the scale. None where the judge's numbers are of
    another scale than people's.
    """

    pearson: MeasureEstimate
    spearman: MeasureEstimate
    kendall: MeasureEstimate
    difference: MeasureEstimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPeople:
    """n: items that the judge and people both judged. accuracy: share of those with a majority where it says the same.

    left_out: the paper's leave-one-out scheme, one row a person; means over them; neither where the judge's numbers are
    of another scale. numeric: where values are numbers.
    pairwise: where people prefer one of two, the share of items on which the judge prefers the same; its ties count
    half, items that people leave tied do not count.
    keypoint_shares: of verdicts on keypoints, RAGEval's check of the metrics that count them.
    """

    n: int
    accuracy: MeasureEstimate
    confusion: Confusion
    left_out: tuple[LeftOut, ...]
    means: Means | None
    numeric: Numeric | None = None
    pairwise: MeasureEstimate | None = None
    keypoint_shares: tuple[ShareCheck, ...] = ()


def against_people(
    people: Judgements, judge: Mapping[str, str], scale: Scale, *, same_scale: bool = True, seed: int = 0
) -> AgainstPeople:
    """All measures of a judge. judge: item to value; a number as text where people gave numbers.

    same_scale: whether the judge's values are those that people chose from; where they are other numbers, only
    correlations are worked out. Intervals are bootstrapped over items.
    """
    both = [item for item in people.of if item in judge]
    majorities = people.majorities()
    settled = [item for item in both if item in majorities] if same_scale else []
    hits = [float(judge[item] == majorities[item]) for item in settled]
    scheme = leave_one_out(people, judge, seed=seed) if same_scale else None
    why = _NO_MAJORITY if same_scale else _OTHER_SCALE
    return AgainstPeople(
        n=len(both),
        accuracy=mean_with_interval(hits, bounds=SHARE, total=len(people.of), reason=why),
        confusion=confusion({item: majorities[item] for item in settled}, judge, scale.values),
        left_out=scheme.rows if scheme else (),
        means=scheme.means if scheme else None,
        numeric=_numeric(people, judge, both, scale, same_scale=same_scale, seed=seed) if scale.is_numeric else None,
        pairwise=_pairwise(judge, majorities, seed) if scale.values[:2] == ("first", "second") else None,
        keypoint_shares=keypoint_shares(people, judge, seed=seed) if scale.values == VERDICTS else (),
    )


def _numeric(
    people: Judgements, judge: Mapping[str, str], items: Sequence[str], scale: Scale, *, same_scale: bool, seed: int
) -> Numeric:
    theirs = np.array([fmean(map(float, people.of[item].values())) for item in items])
    its = np.array([float(judge[item]) for item in items])
    differences = (its - theirs).tolist()
    total, reach = len(people.of), float(scale.values[-1]) - float(scale.values[0])

    found = correlations(its, theirs, seed=seed, total=total)
    if found.pearson.value is None:
        why = _why_none(its, theirs)
        found = Correlations(*(replace(each, reason=why) for each in found))
    return Numeric(
        pearson=found.pearson,
        spearman=found.spearman,
        kendall=found.kendall,
        difference=mean_with_interval(differences, bounds=(-reach, reach), total=total) if same_scale else None,
    )


def _why_none(its: Floats, theirs: Floats) -> str:
    if len(its) < 2:
        return f"a correlation needs two items, and judge and people have {len(its)} in common"
    if len(np.unique(its)) == 1:
        return f"the judge gave all {len(its)} items the same number: correlation is 0 / 0"
    return f"the means of people are the same for all {len(its)} items: correlation is 0 / 0"


def _pairwise(judge: Mapping[str, str], majorities: Mapping[str, str], seed: int) -> MeasureEstimate:
    decided = [item for item, value in majorities.items() if value != "tie"]
    wins = [
        0.5 if judge[item] == "tie" else float(judge[item] == majorities[item]) for item in decided if item in judge
    ]
    return mean_with_interval(wins, bounds=SHARE, total=len(decided), reason=_NO_PREFERENCE)


def confusion(majorities: Mapping[str, str], judge: Mapping[str, str], values: Sequence[str] = ()) -> Confusion:
    """The matrix over the items that have both; values in the order given, others after them in alphabetical order."""
    items = [item for item in majorities if item in judge]
    found = {majorities[item] for item in items} | {judge[item] for item in items}
    order = (*values, *sorted(found - set(values)))
    counts = Counter((majorities[item], judge[item]) for item in items)
    return Confusion(values=order, counts=tuple(tuple(counts[row, column] for column in order) for row in order))
