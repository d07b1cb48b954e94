"""``ragassay judge``: a judge against people, and twice against itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ragassay.cli.command import Command, Commands, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.judge.check import JudgeReport
    from ragassay.pipeline.judge.options import JudgeOptions

_OPTIONS = "ragassay.pipeline.judge.options:JudgeOptions"

command = Commands(
    "Measure a judge against people, and against itself.",
    {
        "judge check": Command(
            Job(
                options=_OPTIONS,
                run="ragassay.pipeline.judge.check:check_judge",
                show="ragassay.cli.judge:show",
                check="ragassay.cli.judge:complain",
                counts_calls=True,
            ),
            """Measure a judge against comparisons or ratings by people.

            Prints accuracy, AUROC and correlations with 95 % intervals. FILE has one of four shapes, recognised from
            its fields: pairs (question, better, worse), comparisons (query, gt_answer, model1, model2 and labels, one
            row for each judgement), rated answers (question, answer and the rating in a field with the name of the
            quality), claims (text, and claims with text, supported and type). The judge is compared with people, if two
            judged the same, with controls (length, chance, one cosine) and, for language models, with the baselines GPT
            score and GPT ranking; claims are reported by type, with the calibration of the judge.

            Examples:

            ragassay judge check

            ragassay judge check --claims

            ragassay judge check pairs.jsonl --quality faithfulness --model openai:gpt-4o-mini --max-cost 1

            ragassay judge check rated.jsonl --quality truthfulness --blocks articles.jsonl --json
            """,
        ),
        "judge repeat": Command(
            Job(
                options=_OPTIONS,
                run="ragassay.pipeline.judge.check:repeat_judge",
                show="ragassay.cli.judge:show",
                check="ragassay.cli.judge:complain",
                counts_calls=True,
            ),
            """Run a judge twice and compare its values.

            Prints correlation, mean absolute difference and share of equal values for each metric. Takes the files that
            `ragassay judge check` takes. Each run has its own log, so that no reply is shared, and continues where it
            stopped.

            Examples:

            ragassay judge repeat --model openai:gpt-4o-mini --temperature 0.7 --max-cost 1

            ragassay judge repeat pairs.jsonl --quality faithfulness --model http://localhost:8000/v1#llama-3.1-8b
            """,
        ),
    },
)


def show(done: JudgeReport, as_json: bool) -> None:
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        print_json(done.as_object())
        return
    print_blocks(done.blocks())
    if done.folder is not None and not done.measures:
        click.echo(f"Values of every item, and what they rest on: {done.folder / 'values.jsonl'}")


def complain(done: JudgeReport, options: JudgeOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    from ragassay.errors import CONTINUE, BudgetError, CoverageError, check_coverage

    if done.stopped_by:
        raise BudgetError(f"{done.stopped_by}: answers so far are kept; {CONTINUE}")
    check_coverage(
        done.coverage if options.uses_servers else None,
        options.models.coverage,
        ("the judge answered", "of the calls"),
        f"see the reasons above and in {done.folder}",
    )
    if done.silent:
        raise CoverageError(f"the judge gave no value for {', '.join(done.silent)}; see the reasons above")
