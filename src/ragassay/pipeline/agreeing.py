"""Agreement from files: what ``ragassay agree`` and ``ragassay.agree`` do."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.agreement.agree import TaskAgreement, agree
from ragassay.agreement.calibration import KEPT_FROM
from ragassay.agreement.judge_values import JudgeValues, values_of_examples, values_of_scores
from ragassay.annotation.files import COLUMNS, read_annotations
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError
from ragassay.evaluation.estimate import Estimate
from ragassay.pipeline.folder import SCORES_FILE
from ragassay.records import Annotation, Example, Score, read_jsonl

if TYPE_CHECKING:
    import pandas

NO_PANDAS = "data frames need pandas; install it with: pip install 'ragassay[pandas]'"


@dataclass(frozen=True, slots=True)
class Agreement:
    """tasks: name to all that is known of it."""

    tasks: Mapping[str, TaskAgreement]

    def __getitem__(self, task: str) -> TaskAgreement:
        return self.tasks[task]

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each task and measure: task, who, measure, value, low, high, n, total.

        who: "people" among themselves, "person" against the others, "judge" against people. Raises UsageError without
        pandas.
        """
        columns = ["task", "who", "measure", "value", "low", "high", "n", "total"]
        return _frame([row for each in self.tasks.values() for row in _rows(each)], columns)

    def confusion(self, task: str) -> pandas.DataFrame:
        """Counts of items: what most people say by row, what the judge says by column. Without a judge it is empty."""
        judge = self.tasks[task].judge
        if judge is None:
            return _frame([], [])
        values = list(judge.confusion.values)
        return _frame(judge.confusion.counts, values).set_axis(values, axis="index")

    def left_out(self, task: str) -> pandas.DataFrame:
        """The leave-one-out scheme, one row a person; None where a kappa is undefined. Without a judge it is empty."""
        judge = self.tasks[task].judge
        rows = [
            (row.rater, row.person.value, row.model.value, row.relative_drop, row.person.n, row.without_majority)
            for row in (judge.left_out if judge else ())
        ]
        return _frame(rows, ["left_out", "person", "judge", "relative_drop", "items", "without_majority"])

    def thresholds(self, task: str) -> pandas.DataFrame:
        """What each threshold on the judge's numbers keeps; empty where there are no numbers or no judge."""
        advice = self.tasks[task].advice
        rows = [
            (each.value, each.agreement.value, each.kept, each.wrongly_kept, each.wrongly_dropped)
            for each in (advice.thresholds if advice else ())
        ]
        return _frame(rows, ["at_least", "kappa", "kept", "wrongly_kept", "wrongly_dropped"])


def agree_on(
    annotations: Sequence[Path],
    *,
    against: Path | None = None,
    metric: str | None = None,
    task: str | None = None,
    kept_from: float = KEPT_FROM,
    seed: int = 0,
) -> Agreement:
    """What files of annotations say. against: what the judge said: a data set, a run folder or a file of scores.

    metric: the score that is set against people's ratings of answers and preferences. task: only this one; the part of
    a name before the colon takes all that begin so.
    Raises InputError for files that cannot be read or hold nothing to compare, UsageError for a task nobody judged.
    """
    said = [each for path in annotations for each in read_annotations(path)]
    judge = judge_values(against, metric, {each.subject_id for each in said}) if against is not None else None
    return Agreement(agree(_of_task(said, task), judge, kept_from=kept_from, seed=seed))


def annotations_in(paths: Sequence[Path]) -> pandas.DataFrame:
    """One row for each judgement in files: subject_id, annotator, task, value, note. Raises as ``agree_on``."""
    rows = [tuple(getattr(each, name) for name in COLUMNS) for path in paths for each in read_annotations(path)]
    return _frame(rows, COLUMNS)


def _frame(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise UsageError(NO_PANDAS) from None
    return pandas.DataFrame(list(rows), columns=list(columns))


def judge_values(path: Path, metric: str | None, subjects: Collection[str]) -> JudgeValues:
    """What a data set, a run folder or a file of scores holds. Raises InputError where that is nothing."""
    examples, scores = JudgeValues(), path
    if path.is_dir() or not _holds_scores(path):
        examples = values_of_examples(record for record in read_dataset(path) if isinstance(record, Example))
        scores = path / SCORES_FILE
    rated = values_of_scores(read_jsonl(scores, Score), metric, subjects) if scores.is_file() else JudgeValues()
    found = JudgeValues(of={**examples.of, **rated.of}, other_scale=rated.other_scale)
    if not found.of:
        raise InputError(f"--against: {path} holds neither labels nor critiques nor scores of a judge")
    return found


def _of_task(said: list[Annotation], task: str | None) -> list[Annotation]:
    if task is None:
        return said
    found = [each for each in said if task in (each.task, each.task.partition(":")[0])]
    if not found:
        there = ", ".join(sorted({each.task for each in said})) or "no annotation at all"
        raise UsageError(f"--task: nobody judged {task!r}; there is {there}")
    return found


def _holds_scores(path: Path) -> bool:
    """Whether the first record of a file is a score."""
    try:
        with path.open("rb") as file:
            found = json.loads(next((line for line in file if line.strip()), b""))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {"metric", "example_id", "value"} <= found.keys()


def _rows(each: TaskAgreement) -> Iterator[tuple[Any, ...]]:
    def row(who: str, measure: str, found: Estimate) -> tuple[Any, ...]:
        return each.task, who, measure, found.value, found.low, found.high, found.n, found.total

    people, judge = each.people, each.judge
    yield row("people", "fleiss_kappa", people.fleiss)
    yield row("people", "krippendorff_alpha", people.alpha)
    for measure, value in (
        ("accuracy", people.ceiling.accuracy),
        ("kappa", people.ceiling.kappa),
        ("spearman", people.ceiling.rank_correlation),
    ):
        yield each.task, "person", measure, value, None, None, people.n_shared, people.n_items
    if judge is None:
        return
    yield row("judge", "accuracy", judge.accuracy)
    yield each.task, "judge", "kappa", judge.means.model, None, None, judge.n, people.n_items
    if judge.pairwise is not None:
        yield row("judge", "pairwise_accuracy", judge.pairwise)
    if judge.numeric is not None:
        yield row("judge", "pearson", judge.numeric.pearson)
        yield row("judge", "spearman", judge.numeric.spearman)
        yield row("judge", "kendall", judge.numeric.kendall)
        if judge.numeric.difference is not None:
            yield row("judge", "mean_difference", judge.numeric.difference)
