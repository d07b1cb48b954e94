"""Agreement for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.calibration import Advice
from ragassay.agreement.confusion import Confusion
from ragassay.agreement.machine import AgainstPeople
from ragassay.agreement.people import AmongPeople
from ragassay.evaluation.estimate import Estimate
from ragassay.report.console import print_line, print_table
from ragassay.report.wording import decimal

NONE = "-"


def print_agreement(found: Mapping[str, TaskAgreement], console: Console) -> None:
    """One table for each thing that is known of a task, and one that sets all its measures side by side."""
    for each in found.values():
        print_line(console, f"{each.task}: {_counted(each.people)}", "bold")
        console.print()
        print_table(console, "Agreement", ["", "value", "95 % interval", "items"], _measures(each))
        if len(each.people.pairs) > 1:
            rows = [
                (f"{pair.first} and {pair.second}", _share(pair.same), _number(pair.kappa.value), str(pair.n))
                for pair in each.people.pairs
            ]
            print_table(console, "Two by two", ["", "the same", "Cohen's kappa", "items"], rows)
        if each.judge is not None:
            _print_judge(each.judge, console)
        if each.advice is not None:
            _print_advice(each.task, each.advice, console)
    _print_thresholds(found, console)


def agreement_object(found: Mapping[str, TaskAgreement]) -> dict[str, Any]:
    """What ``--json`` prints: task to all its measures, those that are undefined as null with their reason."""
    return {
        "tasks": {
            task: {
                "people": asdict(each.people),
                "judge": {**asdict(each.judge), "left_out": [_left_out(row) for row in each.judge.left_out]}
                if each.judge
                else None,
                "advice": asdict(each.advice) if each.advice else None,
            }
            for task, each in found.items()
        }
    }


def _left_out(row: Any) -> dict[str, Any]:
    return {**asdict(row), "relative_drop": row.relative_drop}


def _counted(people: AmongPeople) -> str:
    raters = "1 person" if len(people.raters) == 1 else f"{len(people.raters)} people"
    shared = f"{people.n_shared} of them by two or more"
    return f"{people.n_judgements} judgements of {people.n_items} items by {raters}, {shared}"


def _measures(each: TaskAgreement) -> Iterator[tuple[str, str, str, str]]:
    people = each.people
    yield _row("people: Fleiss' kappa", people.fleiss)
    yield _row("people: Krippendorff's alpha", people.alpha)
    for name, value in (
        ("one person, share as the majority of the others", people.ceiling.accuracy),
        ("one person, kappa with that majority", people.ceiling.kappa),
        ("one person, Spearman's rho with the mean of the others", people.ceiling.rank_correlation),
    ):
        if value is not None:
            yield name, _number(value), NONE, NONE
    judge = each.judge
    if judge is None:
        return
    if judge.accuracy.n:
        yield _row("judge: share as the majority of people", judge.accuracy)
    if judge.pairwise is not None:
        yield _row("judge: prefers what people prefer", judge.pairwise)
    if judge.numeric is not None:
        yield _row("judge: Pearson's r", judge.numeric.pearson)
        yield _row("judge: Spearman's rho", judge.numeric.spearman)
        yield _row("judge: Kendall's tau-b", judge.numeric.kendall)
        if judge.numeric.difference is not None:
            yield _row("judge: its mean less that of people", judge.numeric.difference)


def _print_judge(judge: AgainstPeople, console: Console) -> None:
    rows = [
        (
            row.rater,
            _number(row.person.value),
            _number(row.model.value),
            _share(row.relative_drop),
            str(row.person.n),
            str(row.without_majority),
        )
        for row in judge.left_out
        if row.person.n
    ]
    if rows:
        rows.append(
            ("mean", _number(judge.means.person), _number(judge.means.model), _share(judge.means.relative_drop), "", "")
        )
        columns = ["left out", "this person", "the judge", "drop", "items", "no majority"]
        print_table(console, "Fleiss' kappa with the majority of the other people", columns, rows)
    if sum(map(sum, judge.confusion.counts)) and len(judge.confusion.values) > 1:
        _print_confusion(judge.confusion, console)


def _print_confusion(matrix: Confusion, console: Console) -> None:
    rows = [
        (value, *(NONE if share is None else f"{share:.2f}" for share in shares), str(sum(counts)))
        for value, shares, counts in zip(matrix.values, matrix.shares, matrix.counts, strict=True)
        if sum(counts)
    ]
    columns = ["people \\ judge", *matrix.values, "items"]
    print_table(console, "What the judge says where most people say the same", columns, rows)


def _print_advice(task: str, advice: Advice, console: Console) -> None:
    if advice.best is not None:
        name = task.partition(":")[2] or task
        print_line(
            console,
            f"Threshold: {name} of at least {advice.best.value:g} agrees best with what people would keep "
            f"({_share(advice.people_keep)} of {advice.n} items): kappa {_number(advice.best.agreement.value)}, "
            f"{advice.best.wrongly_kept} wrongly kept, {advice.best.wrongly_dropped} wrongly dropped.",
        )
    else:
        print_line(console, "Threshold: none agrees better than chance with what people would keep.")
    console.print()


def _print_thresholds(found: Mapping[str, TaskAgreement], console: Console) -> None:
    """Which threshold on which rating agrees best with people, where there are several to choose from."""
    best = [(each.task, each.advice.best) for each in found.values() if each.advice and each.advice.best]
    if len(best) < 2:
        return
    best.sort(key=lambda each: -(each[1].agreement.value or 0.0))
    rows = [
        (
            task.partition(":")[2] or task,
            f"{at.value:g}",
            _number(at.agreement.value),
            _share(at.kept),
            str(at.wrongly_kept),
            str(at.wrongly_dropped),
        )
        for task, at in best
    ]
    columns = ["", "at least", "kappa", "keeps", "too many", "too few"]
    print_table(console, "Thresholds, the one that agrees best with people first", columns, rows)


def _row(name: str, estimate: Estimate) -> tuple[str, str, str, str]:
    known = estimate.low is not None and estimate.high is not None
    interval = f"{_number(estimate.low)} to {_number(estimate.high)}" if known else NONE
    return name, _number(estimate.value), interval, f"{estimate.n} of {estimate.total}"


def _number(value: float | None) -> str:
    return NONE if value is None else decimal(value)


def _share(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.0f} %"
