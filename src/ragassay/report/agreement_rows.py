"""What is known of agreement as rows of names and measures: the terminal and the page lay out the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.calibration import Threshold
from ragassay.agreement.confusion import Confusion
from ragassay.agreement.measure import MeasureEstimate
from ragassay.report.wording import count, estimate_words, share


class Row(NamedTuple):
    """measures: in the order of the columns. counts: further columns, as text."""

    name: str
    measures: tuple[MeasureEstimate, ...]
    counts: tuple[str, ...] = ()


LEFT_OUT_COLUMNS = ("left out", "this person", "the judge", "drop", "items", "tied")
PAIR_COLUMNS = ("two people", "the same", "Cohen's kappa", "items")
SHARE_COLUMNS = ("metric", "by people", "by the judge", "difference", "its size", "answers")
SHARE_TITLE = "RAGEval's check: metrics by people's verdicts on keypoints, and by the judge's"
THRESHOLD_COLUMNS = ("threshold", "kappa", "keeps", "too many", "too few")


def counted(each: TaskAgreement) -> str:
    """How much was judged: ``24 judgements of 8 items by 3 people, 8 of them by two or more``."""
    people = each.people
    shared = f"{count(people.n_shared)} of them by two or more"
    judged = f"{count(people.n_judgements, 'judgement')} of {count(people.n_items, 'item')}"
    return f"{judged} by {count(len(people.raters), 'person', 'people')}, {shared}"


def measure_rows(each: TaskAgreement) -> Iterator[Row]:
    """Of people among themselves, of one person, and of the judge."""
    people, judge = each.people, each.judge
    yield Row("people: Fleiss' kappa", (people.fleiss,))
    yield Row("people: Krippendorff's alpha", (people.alpha,))
    yield Row("one person, share as the majority of the others", (people.ceiling.accuracy,))
    yield Row("one person, kappa with that majority", (people.ceiling.kappa,))
    if people.ceiling.rank_correlation is not None:
        yield Row("one person, Spearman's rho with the mean of the others", (people.ceiling.rank_correlation,))
    for name, measured in each.preferred.items():
        yield Row(f"people prefer {name}, of its comparisons", (measured,))
    for name, place in each.places.items():
        yield Row(f"place of {name} among {len(place.shares)}, mean", (place.mean,))
        for number, measured in enumerate(place.shares, 1):
            yield Row(f"place of {name}: share of place {number}", (measured,))
    for name, rated in each.ratings.items():
        yield Row(f"ratings of {name}: mean, 0 to 5", (rated.mean,))
        yield Row(f"ratings of {name}: share of 4 and 5", (rated.good,))
    if judge is None:
        return
    yield Row("judge: share as the majority of people", (judge.accuracy,))
    if judge.pairwise is not None:
        yield Row("judge: prefers what people prefer", (judge.pairwise,))
    if judge.numeric is not None:
        less = f" (less {each.metric} is better: below 0 agrees)" if each.less_is_better else ""
        yield Row(f"judge: Pearson's r{less}", (judge.numeric.pearson,))
        yield Row(f"judge: Spearman's rho{less}", (judge.numeric.spearman,))
        yield Row(f"judge: Kendall's tau-b{less}", (judge.numeric.kendall,))
        if judge.numeric.difference is not None:
            yield Row("judge: its mean less that of people", (judge.numeric.difference,))


def pair_rows(each: TaskAgreement) -> list[Row]:
    """Two people at a time; none where there is only one pair, which says what Fleiss' kappa says."""
    pairs = each.people.pairs
    if len(pairs) < 2:
        return []
    return [Row(f"{pair.first} and {pair.second}", (pair.same, pair.kappa), (count(pair.n),)) for pair in pairs]


def left_out_rows(each: TaskAgreement) -> list[Row]:
    """The scheme of Know Your RAG, one row a person and their mean; none without a judge on people's scale."""
    if each.judge is None or each.judge.means is None:
        return []
    rows = [
        Row(
            row.rater,
            (row.person, row.model, row.relative_drop),
            (count(row.person.n), count(row.without_majority)),
        )
        for row in each.judge.left_out
    ]
    means = each.judge.means
    return [*rows, Row("mean", (means.person, means.model, means.relative_drop), (count(means.person.n), ""))]


def share_rows(each: TaskAgreement) -> list[Row]:
    """Metrics of verdicts on keypoints, by people and by the judge; none for other tasks."""
    return [
        Row(
            check.metric,
            (check.people, check.judge, check.difference, check.absolute_difference),
            (f"{count(check.difference.n)} of {count(check.difference.total)}",),
        )
        for check in (each.judge.keypoint_shares if each.judge else ())
    ]


def confusion_of(each: TaskAgreement) -> Confusion | None:
    """None where there is nothing to confuse: no item with a majority and a value of the judge's, or one value only."""
    matrix = each.judge.confusion if each.judge else None
    return matrix if matrix and sum(map(sum, matrix.counts)) and len(matrix.values) > 1 else None


def threshold_row(at: Threshold, *, less_is_better: bool, name: str = "") -> Row:
    """name: of what it is a threshold on, where thresholds on several ratings stand in one table."""
    kept = f"{_bound(less_is_better)} {at.value:g}"
    return Row(
        f"{name} of {kept}" if name else kept,
        (at.agreement,),
        (share(round(1000 * at.kept), 1000), count(at.wrongly_kept), count(at.wrongly_dropped)),
    )


def _bound(less_is_better: bool) -> str:
    return "at most" if less_is_better else "at least"


def task_name(task: str) -> str:
    """What was judged, in words: ``stand alone`` of ``critique:stand_alone``."""
    return (task.partition(":")[2] or task).replace("_", " ")


def advice_words(each: TaskAgreement) -> str:
    """Which threshold to take; empty where there is no advice to give."""
    advice = each.advice
    if advice is None:
        return ""
    best = advice.best
    if best is None:
        return f"Threshold: none can be advised; {advice.reason}."
    kept = share(round(1000 * (advice.people_keep or 0)), 1000)
    kept_by = f"{_judged(each)} of {_bound(advice.less_is_better)} {best.value:g}"
    return (
        f"Threshold: {kept_by} agrees best with what people would keep "
        f"({kept} of {count(advice.n, 'item')}): kappa {estimate_words(best.agreement)}, "
        f"{count(best.wrongly_kept)} wrongly kept, {count(best.wrongly_dropped)} wrongly dropped. "
        "It was picked on these same items, so expect a little less on others."
    )


def best_thresholds(found: Mapping[str, TaskAgreement]) -> list[Row]:
    """The best threshold on each rating, the one that agrees best with people first; none of a single rating."""
    best = [(each, each.advice.best) for each in found.values() if each.advice and each.advice.best]
    best.sort(key=lambda each: -(each[1].agreement.value or 0.0))
    rows = [threshold_row(at, less_is_better=each.less_is_better, name=_judged(each)) for each, at in best]
    return rows if len(rows) > 1 else []


def _judged(each: TaskAgreement) -> str:
    """What the judge's numbers are of."""
    return each.metric or task_name(each.task)


def reasons(columns: Iterable[str], rows: Iterable[Row]) -> list[str]:
    """Why measures have no value or no interval: one line for each reason, with what it holds of.

    columns: names of the measures, empty for a single one.
    """
    names = list(columns)
    holds: dict[str, list[str]] = {}
    for row in rows:
        for name, measured in zip(names, row.measures, strict=True):
            if measured.reason:
                holds.setdefault(measured.reason, []).append(f"{row.name}, {name}" if name else row.name)
    return [f"{'; '.join(of)}: {reason}" for reason, of in holds.items()]
