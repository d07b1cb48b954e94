"""``ragassay filter``: the examples that are good enough, chosen by ratings and labels that they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.judging import Data, Documents, FromFormat, Out, Overwrite, ToFormat
from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from ragassay.pipeline.label.filtering import Filtered


def filter_(
    data: Data,
    out: Out,
    least: Annotated[
        str,
        typer.Option("--min", help="Lowest ratings to keep, such as stand_alone=4,tautology=2.", metavar="NAME=RATING"),
    ] = "",
    most: Annotated[str, typer.Option("--max", help="Highest ratings to keep.", metavar="NAME=RATING")] = "",
    labels: Annotated[str, typer.Option(help="Labels to keep, separated by commas; default: all.")] = "",
    verified_only: Annotated[
        bool, typer.Option("--verified-only", help="Only keep examples whose verified label is the requested one.")
    ] = False,
    where: Annotated[
        list[str] | None,
        typer.Option(help="Condition on metadata of the documents, such as date>=2023-10.", metavar="CONDITION"),
    ] = None,
    only_new: Annotated[
        bool,
        typer.Option("--only-new", help="Only keep examples whose document is new to the model."),
    ] = False,
    from_format: FromFormat = None,
    to_format: ToFormat = None,
    documents: Documents = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Keep the examples that meet all conditions.

    Also writes the dropped examples with the reasons; calls no model. Ratings come from `ragassay critique`,
    `ragassay knowledge`, or the run that made the set. A missing rating passes no threshold; critiques of the answer do
    not apply to unanswerable pairs. Examples:

    ragassay filter rated.jsonl --min stand_alone=4,question_usefulness=3 --out good.jsonl

    ragassay filter labelled.jsonl --labels summary,reasoning --verified-only --out hard.jsonl

    ragassay filter known.jsonl --max known_without_context=3 --out needs_documents.jsonl

    ragassay filter sets/known --only-new --where 'date>=2023-10' --out sets/new
    """
    from ragassay.pipeline.label.filtering import FilterOptions, filter_dataset, parse_labels, parse_ratings
    from ragassay.synthesis.metadata_filter import parse_condition

    done = filter_dataset(
        FilterOptions(
            data=data,
            out=out,
            least=parse_ratings(least, "--min"),
            most=parse_ratings(most, "--max"),
            labels=parse_labels(labels),
            verified_only=verified_only,
            conditions=tuple(map(parse_condition, where or ())),
            only_new=only_new,
            from_format=from_format,
            to_format=to_format,
            documents=documents,
            overwrite=overwrite,
        )
    )
    if as_json:
        print_json(_as_object(done))
    else:
        _print(done)


def _as_object(done: Filtered) -> dict[str, object]:
    return {
        "out": str(done.out),
        "examples": sum(done.examples.values()),
        "kept": sum(done.kept.values()),
        "by_label": {
            label: {"examples": count, "kept": done.kept.get(label, 0)} for label, count in done.examples.items()
        },
        "reasons": done.reasons,
        "only_reason": done.only,
        "notes": done.notes,
        "dropped": str(done.dropped_file),
    }


def _print(done: Filtered) -> None:
    from ragassay.report.labels import blocks_of_filtered
    from ragassay.report.terminal import show

    show(blocks_of_filtered(done.examples, done.kept, done.reasons, done.only, done.notes))
    typer.echo(f"Kept: {done.out}; dropped, with reasons: {done.dropped_file}")
