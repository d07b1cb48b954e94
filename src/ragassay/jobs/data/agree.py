"""Agreement from files: what ``ragassay agree`` and ``ragassay.agree`` do."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ragassay.datasets.foreign import RECORDED
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.selection import value_of
from ragassay.errors import InputError, RecordError, UsageError, choices
from ragassay.jobs.folders.page_file import check_place, write_page
from ragassay.jobs.folders.run_folder import SCORES_FILE
from ragassay.jobs.folders.versions import versions_here
from ragassay.options import Option, Paths, Seed, settings, shown_settings
from ragassay.people.agreement.agree import RATED, TaskAgreement, agree
from ragassay.people.agreement.machine import JudgeValues, values_of_examples, values_of_scores
from ragassay.people.agreement.raters import folded
from ragassay.people.annotation.files import COLUMNS, read_annotations
from ragassay.people.annotation.store import FILE, Round
from ragassay.plain_files import lines_of, open_plain
from ragassay.records import Document, Example, Score, read_jsonl
from ragassay.report.agreement import render_agreement
from ragassay.report.notebook import Shown
from ragassay.sweep.values import DOMAIN

if TYPE_CHECKING:
    import pandas

    from ragassay.report.blocks import Block

_OF_SCORES = frozenset({"metric", "example_id", "value"})
NO_PANDAS = "data frames need pandas; install it with: pip install 'ragassay[pandas]'"


@settings
class AgreeOptions:
    """Whose judgements are set against each other, and against which judge's."""

    annotations: Annotated[
        Paths, Option("Folders of `ragassay annotate`, .jsonl or .csv files.", metavar="ANNOTATIONS", is_argument=True)
    ]
    against: Annotated[
        Path | None, Option("Output of the judge: a data set, a run folder or a file of scores.", metavar="PATH")
    ] = None
    metric: Annotated[str | None, Option("Score to compare with people's ratings and preferences.", metavar="NAME")] = (
        None
    )
    task: Annotated[
        str | None, Option("Only this task; the part before a colon takes all that begin so.", metavar="NAME")
    ] = None
    seed: Annotated[Seed, Option("Random seed of the intervals.")] = 0
    out: Annotated[
        Path | None,
        Option("HTML page to write, with all tables and figures; only replaces such a page.", metavar="FILE"),
    ] = None


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Shown):
    """tasks: name to all that is known of it. settings: what was asked, by name. report: the page, if there is one."""

    tasks: Mapping[str, TaskAgreement]
    settings: Mapping[str, str] = field(default_factory=dict)
    report: Path | None = None

    def __getitem__(self, task: str) -> TaskAgreement:
        return self.tasks[task]

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.agreement import blocks_of_agreement
        from ragassay.report.blocks import Text

        yield from blocks_of_agreement(self.tasks)
        if self.report is not None:
            yield Text(f"Report: {self.report}")

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.agreement import agreement_object

        return {**agreement_object(self.tasks), "report": str(self.report) if self.report else None}

    def write_report(self, target: str | Path) -> Path:
        """Write one HTML page with all of it, whole or not at all. Raises RunFolderError where that cannot be."""
        return write_page(Path(target), render_agreement(self.tasks, self.settings, versions_here()))


def agree_on(options: AgreeOptions) -> Agreement:
    """Measure what files of annotations say, beside what a judge said, and write the page if one is asked for.

    Raises InputError for files that cannot be read or hold nothing to compare, UsageError for a task nobody judged.
    """
    if options.out is not None:
        check_place(options.out)
    against = options.against
    said = [annotation for path in options.annotations for annotation in read_annotations(path)]
    items = {folded(annotation.task, annotation.subject_id)[1] for annotation in said}
    judge = judge_values(against, options.metric, items) if against is not None else None
    task = options.task
    judged = [each for each in said if task in (None, each.task, each.task.partition(":")[0])]
    if task is not None and not judged:
        there = choices(sorted({each.task for each in said}))
        raise UsageError(f"--task: no annotations for {task!r}; choose one of {there}")
    is_rated = bool({annotation.task for annotation in judged} & RATED)
    groups = _groups([*options.annotations, *([against] if against else [])]) if is_rated else {}
    tasks = agree(judged, judge, seed=options.seed, groups=groups)
    agreement = Agreement(tasks, {"seed": str(options.seed), **shown_settings(options)})
    return agreement if options.out is None else replace(agreement, report=agreement.write_report(options.out))


def _groups(paths: Sequence[Path]) -> dict[str, str]:
    domains: dict[str, str] = {}
    examples: dict[str, Example] = {}
    for path in paths:
        data = Round(path).data if (path / FILE).is_file() else path
        if data is None or not data.exists() or data.suffix.lower() == ".csv":
            continue
        with suppress(InputError, RecordError):  # a set that has changed since, or annotations alone
            for record in read_dataset(data):
                if isinstance(record, Document):
                    domains[record.id] = record.metadata.get(DOMAIN) or record.metadata.get("scenario", "")
                elif isinstance(record, Example):
                    examples[record.id] = record
    return {
        name: ", ".join(filter(None, (value_of(example, domains), example.language)))
        for name, example in examples.items()
    }


def annotations_in(paths: Sequence[Path]) -> pandas.DataFrame:
    """Return one row for each judgement in files: subject_id, annotator, task, value, note. Raises as ``agree_on``."""
    try:
        import pandas
    except ImportError:
        raise UsageError(NO_PANDAS) from None
    rows = [tuple(getattr(each, name) for name in COLUMNS) for path in paths for each in read_annotations(path)]
    return pandas.DataFrame(rows, columns=list(COLUMNS))


def judge_values(path: Path, metric: str | None, items: Collection[str]) -> JudgeValues:
    """What a data set, a run folder or a file of scores holds.

    items: those that people judged.

    Raises InputError where that is nothing, UsageError for a metric that has no value there.
    """
    examples, scores = JudgeValues(), path
    if path.is_dir() or not _first_fields(path) >= _OF_SCORES:
        examples = values_of_examples(record for record in read_dataset(path) if isinstance(record, Example))
        scores = path / SCORES_FILE
    given = list(read_jsonl(scores, Score)) if scores.is_file() else []
    folder = path.resolve().name  # as people may call what has no name of its own
    given += [replace(each, system=folder) for each in given if each.system == RECORDED]
    rated = values_of_scores(given, metric, items) if given else JudgeValues()
    if metric is not None and "quality" not in rated.of:
        raise UsageError(f"--metric: {path} has no scores for {metric!r}; choose a metric that it has")
    found = replace(rated, of={**examples.of, **rated.of})
    if not found.of:
        raise InputError(f"--against: {path} holds no labels, critiques or scores of a judge")
    return found


def _first_fields(path: Path) -> Set[str]:
    """Return the fields of the first record of a file of lines; none of any other file."""
    try:
        with open_plain(path) as file:
            found = json.loads(next((line for line in lines_of(file, path.name) if line.strip()), b""))
    except (OSError, InputError, ValueError, RecursionError):
        return frozenset()
    return found.keys() if isinstance(found, dict) else frozenset()
