"""``ragassay agree``: how far people agree with each other, and a judge with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragassay.agreement.judge_values import JudgeValues


def agree(
    annotations: Annotated[
        list[Path],
        typer.Argument(help="Folders of `ragassay annotate`, .jsonl or .csv files.", metavar="ANNOTATIONS"),
    ],
    against: Annotated[
        Path | None,
        typer.Option(help="What the judge said: a data set, a run folder or a file of scores.", metavar="PATH"),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Score to set against people's ratings and preferences.", metavar="NAME")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Only this task.", metavar="NAME")] = None,
    kept_from: Annotated[float, typer.Option(help="Rating from which people are taken to keep an item.")] = 4.0,
    seed: Annotated[int, typer.Option(help="Of the intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Measure how far people agree with each other, and a judge with them: kappa, alpha, confusion, correlation.

    Labels and critiques of the judge are those in the examples of --against; verdicts on keypoints come from its scores
    of completeness, and ratings or preferences are set against --metric. Examples:

    ragassay agree judged

    ragassay agree judged --against runs/first

    ragassay agree ana.csv ben.csv --task quality --against runs/first --metric faithfulness --json
    """
    from rich.console import Console

    from ragassay.agreement.agree import agree as agree_on
    from ragassay.annotation.files import read_annotations
    from ragassay.errors import UsageError
    from ragassay.report.agreement_tables import agreement_object, print_agreement

    said = [each for path in annotations for each in read_annotations(path)]
    judge = _judge(against, metric, {each.subject_id for each in said}) if against is not None else None
    if task is not None:
        there = sorted({each.task for each in said})
        said = [each for each in said if task in (each.task, each.task.partition(":")[0])]
        if not said:
            raise UsageError(f"--task: nobody judged {task!r}; there is {', '.join(there) or 'no annotation at all'}")
    found = agree_on(said, judge, kept_from=kept_from, seed=seed)
    if as_json:
        typer.echo(json.dumps(agreement_object(found)))
    else:
        print_agreement(found, Console())


def _judge(path: Path, metric: str | None, subjects: set[str]) -> JudgeValues:
    """What a data set, a run folder or a file of scores holds."""
    from ragassay.agreement.judge_values import JudgeValues, values_of_examples, values_of_scores
    from ragassay.datasets.registry import read_dataset
    from ragassay.errors import InputError
    from ragassay.pipeline.folder import SCORES_FILE
    from ragassay.records import Example, Score, read_jsonl

    scores = path / SCORES_FILE if path.is_dir() else path
    if path.is_file() and _holds_scores(path):
        examples = JudgeValues()
    else:
        examples = values_of_examples(record for record in read_dataset(path) if isinstance(record, Example))
        scores = scores if path.is_dir() and scores.is_file() else Path()
    rated = values_of_scores(read_jsonl(scores, Score), metric, subjects) if scores.is_file() else JudgeValues()
    found = JudgeValues(of={**examples.of, **rated.of}, other_scale=rated.other_scale)
    if not found.of:
        raise InputError(f"--against: {path} holds neither labels nor critiques nor scores of a judge")
    return found


def _holds_scores(path: Path) -> bool:
    """Whether the first record of a file is a score."""
    with path.open("rb") as file:
        first = next((line for line in file if line.strip()), b"")
    try:
        found = json.loads(first)
    except ValueError:
        return False
    return isinstance(found, dict) and {"metric", "example_id", "value"} <= found.keys()
