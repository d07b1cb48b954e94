"""``ragassay scenario``: a benchmark made from a schema, a check of one, and schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ragassay.cli.command import Command, Commands, Job
from ragassay.errors import InputError, ShortfallError, check_coverage

if TYPE_CHECKING:
    from ragassay.generate.scenario.folder import Inspection
    from ragassay.jobs.make.scenario import (
        Baselines,
        BaselinesOptions,
        CheckOptions,
        Generated,
        GenerateOptions,
        SchemaOptions,
        Schemas,
    )
    from ragassay.report.blocks import Block

_JOBS = "ragassay.jobs.make.scenario"
_FAULTS_SHOWN = 20


def check_calls(
    done: Generated | Baselines | Schemas, options: GenerateOptions | BaselinesOptions | SchemaOptions
) -> None:
    from ragassay.jobs.make import scenario as jobs

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


def check_faults(found: Inspection, options: CheckOptions) -> None:
    if found.faults:
        raise InputError(f"{options.folder}: {len(found.faults)} faults; the first: {found.faults[0]}")


def generated_blocks(done: Generated) -> Iterable[Block]:
    from ragassay.report.blocks import Table, Text
    from ragassay.report.wording import count

    about = done.about
    yield Table(
        f"{count(about['documents'], 'document')}, {count(about['examples'], 'example')}",
        ("question type", "examples"),
        [(kind, str(number)) for kind, number in about["question_types"].items()],
    )
    said = about["values"] - about["values_left_out"] - about["values_lost"]
    yield Text(
        [
            f"{said:,} of {about['values']:,} values are in the documents: {about['values_left_out']} left out on "
            f"purpose, {about['values_lost']} lost, {about['sections_rewritten']} sections written again",
            *(
                f"missing: {each['made']} of {each['wanted']} {each['question_type']}: {each['reason']}"
                for each in about["missing"]
            ),
            f"written to {done.folder}",
        ]
    )


def inspection_blocks(found: Inspection) -> Iterable[Block]:
    from ragassay.report.blocks import Table, Text
    from ragassay.report.wording import count

    yield Table(
        f"{count(found.documents, 'document')}, {found.values_found:,} of {found.values:,} values found in them",
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
    more = len(found.faults) - _FAULTS_SHOWN
    rest = [f"and {more:,} more; --json lists all"] if more > 0 else []
    yield Text([*found.faults[:_FAULTS_SHOWN], *rest] or "no faults")


def baselines_blocks(done: Baselines) -> Iterable[Block]:
    from ragassay.report.blocks import Text

    yield Text(
        [
            *(f"{way.replace('_', '-')}: {number} documents" for way, number in done.documents.items()),
            *(f"not written ({number}): {reason}" for reason, number in Counter(done.failed).items()),
            *(f"{each.source}: {each.reason}" for each in done.skipped),
            f"written to {done.folder / 'baselines.jsonl'}",
        ]
    )


def baselines_object(done: Baselines) -> dict[str, Any]:
    return {"folder": str(done.folder), "documents": dict(done.documents), "failed": list(done.failed)}


def schema_blocks(done: Schemas) -> Iterable[Block]:
    """Return what a schema holds, and where it is."""
    from ragassay.documents.sources import by_reason
    from ragassay.report.blocks import Text

    if done.inferred is not None:
        fields = [f"{name}: {said}" for name, said in done.inferred.fields.items()]
        where = f"written to {done.out}; edit it, then `ragassay scenario schema {done.out}`"
        return [Text([*fields, *done.inferred.notes, *by_reason(done.skipped), where])]
    said = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in done.counts.items())
    return [Text([f"{done.name} ({done.language}) is consistent: {said}", *([str(done.out)] if done.out else [])])]


def schema_object(done: Schemas) -> dict[str, Any]:
    if done.inferred is not None:
        return {"file": str(done.out), "fields": done.inferred.fields, "notes": done.inferred.notes}
    out = {"file": str(done.out)} if done.out else {}
    return {"schema": done.name, "language": done.language, **done.counts, **out}


_SCENARIO = Commands(
    "Make or check documents, questions and answers from a schema.",
    {
        "scenario generate": Command(
            Job(
                options=f"{_JOBS}:GenerateOptions",
                run=f"{_JOBS}:generate",
                blocks=generated_blocks,
                found=lambda done: dict(done.about),
                check=check_calls,
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
                blocks=inspection_blocks,
                found=asdict,
                check=check_faults,
                has_progress=False,
            ),
            """Check values, references and keypoints of a scenario.

            Documents must state their values, references must be at their offsets and support the keypoints. Exits with
            code 3 if there is a fault.

            Example: ragassay scenario check scenarios/finance
            """,
        ),
        "scenario baselines": Command(
            Job(
                options=f"{_JOBS}:BaselinesOptions",
                run=f"{_JOBS}:write_baselines",
                blocks=baselines_blocks,
                found=baselines_object,
                check=check_calls,
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
                blocks=schema_blocks,
                found=schema_object,
                check=check_calls,
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
COMMANDS = {"scenario": _SCENARIO}
