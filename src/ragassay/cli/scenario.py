"""``ragassay scenario``: a benchmark made from a schema, a check of one, and schemas."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from ragassay.cli.command import Command, Commands, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.make.scenario import (
        Baselines,
        BaselinesOptions,
        CheckOptions,
        Generated,
        GenerateOptions,
        SchemaOptions,
        Schemas,
    )
    from ragassay.synthesis.scenario.inspection import Inspection

_JOBS = "ragassay.pipeline.make.scenario"
_HERE = "ragassay.cli.scenario"
_FAULTS_SHOWN = 20

command = Commands(
    "Make or check documents, questions and answers from a schema.",
    {
        "scenario generate": Command(
            Job(
                options=f"{_JOBS}:GenerateOptions",
                run=f"{_JOBS}:generate",
                show=f"{_HERE}:show_made",
                check=f"{_HERE}:complain",
                counts_calls=True,
            ),
            """Make documents, questions and answers from a schema.

            Answers are right by construction, since documents and questions come from the same values. Uses no language
            model unless --model names one.

            Examples:

            ragassay scenario generate --schema finance --documents 40 --out scenarios/finance

            ragassay scenario generate --schema law --language zh --n 300 --out scenarios/law-zh

            ragassay scenario generate --schema mine.toml --types factual,multi_hop --out scenarios/mine
            """,
        ),
        "scenario check": Command(
            Job(
                options=f"{_JOBS}:CheckOptions",
                run=f"{_JOBS}:check",
                show=f"{_HERE}:show_inspection",
                check=f"{_HERE}:complain_of_faults",
                has_progress=False,
            ),
            """Check values, references and keypoints of a scenario.

            Documents must state their values, which must not contradict each other (order of dates, sums, differences,
            shares), references must be at their offsets and support the keypoints. Exits with code 3 if there is a
            fault.

            Example: ragassay scenario check scenarios/finance
            """,
        ),
        "scenario baselines": Command(
            Job(
                options=f"{_JOBS}:BaselinesOptions",
                run=f"{_JOBS}:write_baselines",
                show=f"{_HERE}:show_baselines",
                check=f"{_HERE}:complain",
            ),
            """Write zero-shot and one-shot documents beside those of a scenario.

            For a study of document quality: `ragassay annotate DIR --task documents` puts them side by side. Needs a
            language model.

            Example: ragassay scenario baselines scenarios/law --seeds judgments/ --model openai:gpt-4o-mini
            """,
        ),
        "scenario schema": Command(
            Job(
                options=f"{_JOBS}:SchemaOptions",
                run=f"{_JOBS}:schema",
                show=f"{_HERE}:show_schema",
                check=f"{_HERE}:complain",
                counts_calls=True,
            ),
            """Check a schema, copy a shipped one, or infer one from documents.

            A schema is checked as it is read: exit code 3 and one sentence name the file and the field at fault. With
            --out, a shipped schema (finance, law, medicine) is copied to edit.

            From documents, a language model names the elements; values become types, ranges and options. People,
            organisations and numbers of files are replaced by invented ones. Edit the file before you use it.

            Examples:

            ragassay scenario schema finance --out mine.toml

            ragassay scenario schema mine.toml

            ragassay scenario schema reports --model openai:gpt-4o-mini --out mine.toml
            """,
        ),
    },
)


def complain(
    done: Generated | Baselines | Schemas, options: GenerateOptions | BaselinesOptions | SchemaOptions
) -> None:
    """Raise for what a script should hear of although there are results."""
    from ragassay.errors import ShortfallError, check_coverage
    from ragassay.pipeline.make import scenario as jobs

    folder = jobs.log_of(done.out) if isinstance(done, jobs.Schemas) and done.out else getattr(done, "folder", "")
    check_coverage(
        done.answered,
        options.models.coverage,
        ("the model answered", "of the calls"),
        f"`ragassay report {folder} --calls --failed` lists the others",
    )
    if isinstance(done, jobs.Generated) and getattr(options, "strict", False) and done.about["missing"]:
        raise ShortfallError(
            f"{done.about['examples']} of {done.about['examples_wanted']} examples could be made; use a smaller --n "
            "or more --documents"
        )


def complain_of_faults(found: Inspection, options: CheckOptions) -> None:
    """Raise InputError for a scenario with faults."""
    from ragassay.errors import InputError

    if found.faults:
        raise InputError(f"{options.folder}: {len(found.faults)} faults; the first: {found.faults[0]}")


def show_made(done: Generated, as_json: bool) -> None:
    from ragassay.report.blocks import Table, Text
    from ragassay.report.terminal import show
    from ragassay.report.wording import noun

    about = done.about
    if as_json:
        print_json(dict(about))
        return
    made = Table(
        f"{about['documents']:,} {noun(about['documents'], 'document')}, "
        f"{about['examples']:,} {noun(about['examples'], 'example')}",
        ("question type", "examples"),
        [(kind, str(count)) for kind, count in about["question_types"].items()],
    )
    said = about["values"] - about["values_left_out"] - about["values_lost"]
    lines = [
        f"{said:,} of {about['values']:,} values are in the documents: {about['values_left_out']} left out on purpose, "
        f"{about['values_lost']} lost, {about['sections_rewritten']} sections written again",
        *(
            f"missing: {each['made']} of {each['wanted']} {each['question_type']}: {each['reason']}"
            for each in about["missing"]
        ),
        f"written to {done.folder}",
    ]
    show([made, Text(lines)])


def show_inspection(found: Inspection, as_json: bool) -> None:
    from dataclasses import asdict

    from ragassay.report.blocks import Table, Text
    from ragassay.report.terminal import show
    from ragassay.report.wording import noun

    if as_json:
        print_json(asdict(found))
        return
    types = Table(
        f"{found.documents:,} {noun(found.documents, 'document')}, "
        f"{found.values_found:,} of {found.values:,} values found in them",
        ("question type", "examples", "references in place", "keypoints held up"),
        [
            (
                kind,
                str(counts.examples),
                f"{counts.references_at_offset} of {counts.references}",
                f"{counts.keypoints_supported} of {counts.keypoints}",
            )
            for kind, counts in sorted(found.types.items())
        ],
    )
    lines = list(found.faults[:_FAULTS_SHOWN]) or ["no faults"]
    if len(found.faults) > _FAULTS_SHOWN:
        lines.append(f"and {len(found.faults) - _FAULTS_SHOWN:,} more; --json lists all")
    show([types, Text(lines)])


def show_baselines(done: Baselines, as_json: bool) -> None:
    if as_json:
        print_json({"folder": str(done.folder), "documents": dict(done.documents), "failed": list(done.failed)})
        return
    for way, count in done.documents.items():
        click.echo(f"{way.replace('_', '-')}: {count} documents")
    for reason, count in Counter(done.failed).items():
        click.echo(f"not written ({count}): {reason}")
    for each in done.skipped:
        click.echo(f"{each.source}: {each.reason}")
    click.echo(f"written to {done.folder / 'baselines.jsonl'}")


def show_schema(done: Schemas, as_json: bool) -> None:
    """Print what a schema holds, and where it is."""
    from ragassay.corpus.sources import by_reason

    if done.inferred is not None:
        fields, notes = done.inferred.fields, done.inferred.notes
        if as_json:
            print_json({"file": str(done.out), "fields": fields, "notes": notes})
            return
        for line in (*(f"{name}: {said}" for name, said in fields.items()), *notes, *by_reason(done.skipped)):
            click.echo(line)
        click.echo(f"written to {done.out}; edit it, then `ragassay scenario schema {done.out}`")
    elif as_json:
        out = {"file": str(done.out)} if done.out else {}
        print_json({"schema": done.name, "language": done.language, **done.counts, **out})
    else:
        said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.counts.items())
        click.echo(f"{done.name} ({done.language}) is consistent: {said}")
        if done.out:
            click.echo(str(done.out))
