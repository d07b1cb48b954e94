"""Two run folders compared, and sets side by side: ``ragassay compare`` and ``ragassay report SET SET``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError, choices
from ragassay.evaluation.aggregate import ROUNDING
from ragassay.evaluation.clusters import answerable_rows
from ragassay.evaluation.paired import RunComparison, compare_values, corrected_differences
from ragassay.evaluation.prediction_powered import Corrected
from ragassay.jobs.folders.page_file import check_place, write_page
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, PREDICTIONS_FILE, RUN_FILE, SCORES_FILE, SWEEP_FILE
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scale, Scales
from ragassay.options import Names, Option, settings
from ragassay.people.agreement.verdicts_by_people import read_verdicts, values_by_people
from ragassay.plain_files import read_object
from ragassay.records import Example, Prediction, Score, read_jsonl
from ragassay.report.comparison import SetFigures, render_sets, set_figures_of
from ragassay.report.summary import METRICS_FILE, read_metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRun:
    """One system of a run folder. values: metric to example id to value, metrics in the order of the file.

    judge: name of the model that judged, as it was given; empty where that is not known. scales: of the metrics that
    are not ragassay's own, as far as the folder keeps them. corrected: as ScoreSummary has it. answers: of each
    example that was asked, None where the system failed.
    """

    folder: Path
    system: str
    examples: dict[str, Example]
    values: dict[str, dict[str, float | None]]
    judge: str = ""
    scales: Scales = field(default_factory=dict)
    corrected: Mapping[str, Mapping[str, Corrected]] = field(default_factory=dict)
    answers: Mapping[str, str | None] = field(default_factory=dict)

    def scale(self, metric: str) -> Scale | None:
        """Of a metric; None where neither the folder nor this process knows it."""
        return scale_of(metric, self.scales)


@settings
class CompareOptions:
    """Which runs are compared, and by what."""

    run_a: Annotated[Path, Option("Folder with scores: A, the baseline.", metavar="RUN_A", is_argument=True)]
    run_b: Annotated[Path, Option("Folder to hold against it: B.", metavar="RUN_B", is_argument=True)]
    metrics: Annotated[
        Names, Option("Metrics, separated by commas; default: all that both have.", metavar="NAMES")
    ] = ()
    system_a: Annotated[str | None, Option("System of RUN_A, if it has several.", metavar="NAME", is_rare=True)] = None
    system_b: Annotated[str | None, Option("System of RUN_B, if it has several.", metavar="NAME", is_rare=True)] = None
    people: Annotated[
        Path | None,
        Option(
            "People's verdicts on some answers of both, which correct the judge's difference, as of `evaluate`.",
            metavar="ANNOTATIONS",
        ),
    ] = None
    changed: Annotated[
        int, Field(ge=0), Option("Number of most changed questions to show.", metavar="N", is_rare=True)
    ] = 5


def compare(options: CompareOptions) -> tuple[ScoredRun, ScoredRun, RunComparison]:
    return compare_runs(
        options.run_a,
        options.run_b,
        metrics=options.metrics,
        system_a=options.system_a,
        system_b=options.system_b,
        most_changed=options.changed,
        people=options.people,
    )


def compare_runs(
    a: Path,
    b: Path,
    *,
    metrics: Sequence[str] = (),
    system_a: str | None = None,
    system_b: str | None = None,
    most_changed: int = 10,
    people: Path | None = None,
) -> tuple[ScoredRun, ScoredRun, RunComparison]:
    """Compare b with a, on the examples of both.

    metrics: names; those that both have if none is given. system_a, system_b: which of several systems of a run.
    people: annotations of answers of both.
    Raises UsageError for a system or metric that is not there, InputError for a folder without scores, where the runs
    have no example in common, or where an id stands for two different questions.
    """
    first, second = read_scored(a, system_a, "--system-a"), read_scored(b, system_b, "--system-b")
    names = _metrics(metrics, first, second)
    common = common_examples(first, second)
    check_values(names, first)
    check_values(names, second)
    found = compare_values(
        first.values,
        second.values,
        common,
        names,
        scales={name: common_scale(name, first, second) for name in names},
        only_a=len(first.examples) - len(common),
        only_b=len(second.examples) - len(common),
        most_changed=most_changed,
    )
    if people is not None:
        found = replace(found, corrected=_corrected(people, names, first, second, common))
    chosen = any(name.strip() for name in metrics)
    apart = () if chosen else (name for name in (*first.values, *second.values) if name not in names)
    runs = (first, second)
    changed = (replace(each, answers=[run.answers.get(each.example_id, "") for run in runs]) for each in found.changed)
    found = replace(found, changed=tuple(changed), names=_names_apart(*runs), not_in_both=tuple(apart))
    return first, second, replace(found, judged_apart=judged_apart(names, first, second))


def _names_apart(first: ScoredRun, second: ScoredRun) -> list[str]:
    """Return the names of the systems or, of one system, of the folders."""
    return [run.system if first.system != second.system else run.folder.resolve().name for run in (first, second)]


def _corrected(
    path: Path, names: Sequence[str], first: ScoredRun, second: ScoredRun, common: Sequence[Example]
) -> dict[str, Corrected]:
    named = _names_apart(first, second)
    if named[0] == named[1]:
        raise InputError(
            f"{path}: both runs are of {first.system!r} in folders {named[0]!r}; rename one of the folders"
        )
    said = read_verdicts(path)
    one, other = (values_by_people(said, [name], str(path), common).of for name in named)
    scales = {name: common_scale(name, first, second) for name in names if name in one and name in other}
    bounds = {name: scale.bounds for name, scale in scales.items() if scale is not None and scale.bounds is not None}
    answerable = [common[place] for place in answerable_rows([example.label for example in common]).tolist()]
    found = corrected_differences((one, other), (first.values, second.values), answerable, bounds)
    if not found:
        raise InputError(f"{path}: no question has verdicts on answers of both systems; annotate the same ones of both")
    return found


def judged_apart(names: Sequence[str], first: ScoredRun, second: ScoredRun) -> tuple[str, ...]:
    """Return the metrics that two different judges decided."""
    if not first.judge or not second.judge or first.judge == second.judge:
        return ()
    scales = {name: common_scale(name, first, second) for name in names}
    return tuple(name for name, scale in scales.items() if scale is not None and scale.is_judged)


def common_scale(metric: str, *runs: ScoredRun) -> Scale | None:
    """Return the scale of a metric in all of the runs; None where nothing is known of it. Raises InputError for two."""
    known = [(run.folder, scale) for run in runs if (scale := run.scale(metric)) is not None]
    for folder, scale in known:
        if scale != known[0][1]:
            raise InputError(
                f"{known[0][0]} and {folder} have two ranges or directions of {metric}; score one of them again with "
                "the other's metric"
            )
    return known[0][1] if known else None


def common_examples(first: ScoredRun, second: ScoredRun) -> list[Example]:
    """Return those of both, in the order of the first. Raises InputError for none, or where they ask something else."""
    common = [example for name, example in first.examples.items() if name in second.examples]
    if not common:
        raise InputError(
            f"{first.folder} and {second.folder} have no examples in common; compare runs on the same set, whose rows "
            "have the same ids, or the same questions and right answers"
        )
    strange = next((each.id for each in common if second.examples[each.id].asked != each.asked), None)
    if strange is not None:
        raise InputError(
            f"example {strange} of {first.folder} and that of {second.folder} have different questions; "
            "compare runs on the same set"
        )
    return common


def check_values(names: Iterable[str], run: ScoredRun) -> None:
    """Raise InputError for a value that the metric cannot have."""
    for name in names:
        scale = run.scale(name)
        low, high = (scale.bounds if scale is not None else None) or (-inf, inf)
        for example_id, value in run.values[name].items():
            if value is not None and not low - ROUNDING <= value <= high + ROUNDING:
                raise InputError(
                    f"{run.folder}: {name} of example {example_id} must be between {low:g} and {high:g}, "
                    f"not {value:g}; score the predictions again"
                )


def read_scored(folder: Path, system: str | None, option: str) -> ScoredRun:
    """Return a run with its values. Raises InputError or UsageError as ``compare_runs``."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; name one that `ragassay evaluate --out` or `ragassay run` wrote")
    values: dict[str, dict[str, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    try:
        examples = {example.id: example for example in read_jsonl(folder / EXAMPLES_FILE, Example)}
        for score in read_jsonl(folder / SCORES_FILE, Score):
            values[score.system][score.metric][score.example_id] = score.value
    except OSError as error:
        missing = Path(str(error.filename)).name
        raise InputError(
            f"{folder} has no readable {missing} ({error.strerror}); name a finished run with scores"
        ) from None
    chosen, path = _system(folder, list(values), system, option), folder / PREDICTIONS_FILE
    summary = read_metrics(folder) if (folder / METRICS_FILE).exists() else None
    return ScoredRun(
        folder=folder,
        system=chosen,
        examples=examples,
        values=dict(values[chosen]),
        judge=_judge(folder),
        scales=summary.scales if summary is not None else {},
        corrected=summary.corrected if summary is not None and summary.system == chosen else {},
        answers=answers_of(read_jsonl(path, Prediction) if path.exists() else (), chosen),
    )


def answers_of(predictions: Iterable[Prediction], system: str) -> dict[str, str | None]:
    """Return the answers of a system by example; None where it failed."""
    told = (each for each in predictions if each.system == system)
    return {each.example_id: (each.answer or "") if each.error is None else None for each in told}


def _judge(folder: Path) -> str:
    """Return who judged, by name alone; of a run that asked a system only its figures say it."""
    if said := read_object(folder / METRICS_FILE).get("judge"):
        return str(said).partition(" (")[0]
    settings = read_object(folder / RUN_FILE).get("settings")  # scores can be compared without them
    return str(settings.get("judge") or settings.get("model") or "") if isinstance(settings, dict) else ""


def _system(folder: Path, systems: Sequence[str], asked: str | None, option: str) -> str:
    named = choices(systems, 8)
    if not systems:
        raise InputError(f"{folder} holds no scores; score its predictions first")
    if asked is not None and asked not in systems:
        raise UsageError(f"{option}: {folder} has no scores of {asked!r}; choose one of {named}")
    if asked is None and len(systems) > 1:
        raise UsageError(f"{option}: {folder} has scores of {len(systems)} systems; choose one of {named}")
    return asked or systems[0]


def _metrics(asked: Sequence[str], first: ScoredRun, second: ScoredRun) -> list[str]:
    names = list(dict.fromkeys(name.strip() for name in asked if name.strip()))
    for run in (first, second):
        lacking = [name for name in names if name not in run.values]
        if lacking:
            raise UsageError(
                f"--metrics: {run.folder} has no scores of {', '.join(lacking)}; choose from {', '.join(run.values)}"
            )
    common = names or [name for name in first.values if name in second.values]
    if not common:
        has = "; ".join(f"{run.folder} has {', '.join(run.values)}" for run in (first, second))
        near, far = sorted((first, second), key=lambda run: _least_depth(run.values))
        families = {name.partition("@")[0] for name in far.values}
        names = [name for name in near.values if name.partition("@")[0] in families] or [*near.values]
        raise InputError(
            f"no metrics in common: {has}; score both with the same: "
            f"`ragassay evaluate {far.folder} --metrics {','.join(names)} --out FOLDER`, and compare FOLDER"
        )
    return common


def _least_depth(names: Iterable[str]) -> int:
    """Return the fewest chunks that a metric looks at, such as 3 of recall@3: the other run has as many."""
    return min((int(depth) for name in names if (depth := name.partition("@")[2]).isdecimal()), default=0)


def compare_sets(paths: Sequence[Path], out: Path | None = None) -> tuple[SetFigures, ...]:
    """Return the figures of each set, and a page about them where ``out`` names its file.

    paths: folders that a command wrote, or sets in any format; two or more.
    Raises UsageError for fewer than two, InputError for one that is no set or holds no example, RunFolderError as
    ``write_page``.
    """
    if len(paths) < 2:
        raise UsageError("sets: name at least two")
    if out is not None:
        check_place(out)
    found = tuple(_figures(path, name) for path, name in zip(paths, _names(paths), strict=True))
    if out is not None:
        write_page(out, render_sets(found))
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """The last part of each path; the whole path where that is another one's, too. Raises UsageError for one twice."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("sets: must not repeat; name each set once")
    last = [path.resolve().name for path in paths]
    return [name if last.count(name) == 1 else str(path) for name, path in zip(last, paths, strict=True)]


def _figures(path: Path, name: str) -> SetFigures:
    if not path.exists():
        raise InputError(f"{path} does not exist; name a set or the folder of a run")
    if (path / SWEEP_FILE).is_file():
        raise InputError(f"{path} holds a sweep, not a set; name its data set instead")
    examples = [record for record in read_dataset(path) if isinstance(record, Example)]
    if not examples:
        raise InputError(f"{path} holds no examples; name a set, or a folder that a command of ragassay wrote")
    return set_figures_of(name, examples)
