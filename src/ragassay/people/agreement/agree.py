"""Agreement on every task that people judged: among themselves, and of a judge with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType
from typing import Literal, NamedTuple

from ragassay.errors import InputError
from ragassay.evaluation.aggregate import SHARE
from ragassay.people.agreement.machine import AgainstPeople, JudgeValues, against_people
from ragassay.people.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.people.agreement.people import AmongPeople, among_people
from ragassay.people.agreement.raters import Judgements, Scale, by_task, scale_of
from ragassay.people.annotation.sheets import MEND
from ragassay.records import Annotation

_POINTS = {"first": 1.0, "second": 0.0}
"""Of the first of two; half of what there is where neither is better."""


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
        first = fmean(_POINTS.get(value, 0.5) for value in values.values())
        for name, share in zip(names, (first, 1 - first), strict=True):
            wins.setdefault(name, []).append(share)
    found = {name: mean_with_interval(shares, bounds=SHARE, total=len(shares)) for name, shares in wins.items()}
    return dict(sorted(found.items(), key=lambda each: (-(each[1].value or 0.0), each[0])))


GOOD = 4
"""A rating of 4 or 5 is of something that can be used as it stands."""
_SCALE = (0.0, 5.0)
ALL = "all"


class Rated(NamedTuple):
    """Of the items of one group. mean: in [0, 5]; good: share of ratings of 4 and 5, in [0, 1]."""

    mean: MeasureEstimate
    good: MeasureEstimate


def ratings(judgements: Judgements, groups: Mapping[str, str]) -> dict[str, Rated]:
    """Group to what people gave its items, all of them first. An item counts once, with the mean of its judgements.

    groups: item to its group; items without one are of no group.
    """
    members = {ALL: list(judgements.of)}
    for name in sorted({groups[item] for item in judgements.of if groups.get(item)}):
        members[name] = [item for item in judgements.of if groups.get(item) == name]
    given = {item: [int(value) for value in values.values()] for item, values in judgements.of.items()}
    return {
        name: Rated(
            mean_with_interval([fmean(given[item]) for item in items], bounds=_SCALE, total=len(items)),
            mean_with_interval(
                [fmean(value >= GOOD for value in given[item]) for item in items], bounds=SHARE, total=len(items)
            ),
        )
        for name, items in members.items()
        if name == ALL or len(members) > 2
    }


RATED = frozenset({"quality", "triple"})
"""Tasks with ratings from 0 to 5."""
Who = Literal["people", "person", "judge"]
"""People among themselves, one person against the others, the judge against people."""
NO_GROUPS: Mapping[str, str] = MappingProxyType({})
_NO_JUDGE = "no judge to compare with people; give its output with --against"
_SILENT = "the judge did not judge the items that people judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAgreement:
    """judge: None where none was given, or it said nothing of these items; ``reason`` then says which.

    metric: where the judge's numbers are of another scale than people's, what
    they are of; less_is_better: of these numbers, so that a correlation below 0 is agreement. preferred: of
    comparisons, name to the share that people prefer. ratings: of
    triples and answers, group to what people gave.
    """

    task: str
    people: AmongPeople
    judge: AgainstPeople | None = None
    reason: str | None = None
    metric: str = ""
    less_is_better: bool = False
    preferred: Mapping[str, MeasureEstimate] = field(default_factory=dict)
    ratings: Mapping[str, Rated] = field(default_factory=dict)

    def measures(self) -> Iterator[tuple[Who, str, MeasureEstimate]]:
        """Yield who, the name of the measure, and what it came to: people among themselves first, the judge last."""
        people, judge = self.people, self.judge
        yield "people", "fleiss_kappa", people.fleiss
        yield "people", "krippendorff_alpha", people.alpha
        yield "person", "accuracy", people.ceiling.accuracy
        for name, measured in self.preferred.items():
            yield "people", f"preferred:{name}", measured
        for name, rated in self.ratings.items():
            yield "people", f"mean_rating:{name}", rated.mean
            yield "people", f"share_of_4_and_5:{name}", rated.good
        yield "person", "kappa", people.ceiling.kappa
        if people.ceiling.rank_correlation is not None:
            yield "person", "spearman", people.ceiling.rank_correlation
        if judge is None:
            return
        yield "judge", "accuracy", judge.accuracy
        if judge.means is not None:
            yield "judge", "kappa", judge.means.model
        if judge.pairwise is not None:
            yield "judge", "pairwise_accuracy", judge.pairwise
        if judge.numeric is not None:
            yield "judge", "pearson", judge.numeric.pearson
            yield "judge", "spearman", judge.numeric.spearman
            yield "judge", "kendall", judge.numeric.kendall
            if judge.numeric.difference is not None:
                yield "judge", "mean_difference", judge.numeric.difference
        for check in judge.keypoint_shares:
            yield "people", check.metric, check.people
            yield "judge", check.metric, check.judge
            yield "judge", f"{check.metric}_difference", check.difference
            yield "judge", f"{check.metric}_absolute_difference", check.absolute_difference


def agree(
    annotations: Iterable[Annotation],
    judge: JudgeValues | None = None,
    *,
    seed: int = 0,
    groups: Mapping[str, str] = NO_GROUPS,
) -> dict[str, TaskAgreement]:
    """Task to agreement, in alphabetical order. groups: example to what its ratings are told apart by.

    Raises InputError where there is no annotation, or a value is not on the scale of its task.
    """
    given = list(annotations)
    tasks = by_task([each for each in given if each.task != MEND])
    if given and not tasks:
        raise InputError(
            "these annotations mend examples, so there is no agreement to measure; write the set with: ragassay "
            "annotate --out FOLDER --export-set PATH"
        )
    if not tasks:
        raise InputError("no annotations found; collect some with `ragassay annotate`")
    asked, judge = judge is not None, judge or JudgeValues()
    found = {}
    for task, judgements in tasks.items():
        scale, name = scale_of(task), task.partition(":")[0]
        check_values(task, judgements, scale)
        said = judge.of.get(task, {})
        other_scale = task in judge.other_scale
        less_is_better = other_scale and judge.less_is_better
        against = (
            against_people(judgements, said, scale, same_scale=not other_scale, seed=seed)
            if any(item in said for item in judgements.of)
            else None
        )
        silent = f"{_SILENT}: theirs are like {next(iter(judgements.of))}, its like {next(iter(said), 'none')}"
        found[task] = TaskAgreement(
            task=task,
            people=among_people(judgements, scale, seed=seed),
            judge=against,
            reason=None if against else silent if asked else _NO_JUDGE,
            metric=judge.metric if other_scale else "",
            less_is_better=less_is_better,
            preferred=preferred(judgements) if name == "preference" else {},
            ratings=ratings(judgements, {item: groups.get(item.partition("@")[0], "") for item in judgements.of})
            if name in RATED
            else {},
        )
    return found


def check_values(task: str, judgements: Judgements, scale: Scale) -> None:
    """Raise InputError for a value that is not on the scale."""
    for item, values in judgements.of.items():
        for rater, value in values.items():
            if scale.values and value not in scale.values:
                raise InputError(
                    f"{rater} gave {item} the unknown value {value!r} in {task}; choose one "
                    f"of {', '.join(scale.values)}"
                )
