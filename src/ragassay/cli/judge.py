"""``ragassay judge``: a judge against people, and twice against itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.commands import Commands
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    JudgeModel,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_estimate_of, print_json

if TYPE_CHECKING:
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.judge.check_options import JudgeCheckOptions
    from ragassay.report.costs import JudgingCost

judge = Commands("Measure a judge against people, and against itself.")

File = Annotated[
    Path | None,
    typer.Argument(
        help="JSONL file of pairs, comparisons, rated answers or claims; default: small sets that are shipped.",
        metavar="FILE",
    ),
]
QualityName = Annotated[
    str | None,
    typer.Option(
        "--quality",
        help="faithfulness, answer_relevance, context_relevance, preference or truthfulness; default: all in FILE.",
    ),
]
Blocks = Annotated[
    Path | None,
    typer.Option(
        help="JSONL file of knowledge blocks, by url, id or title; default: knowledge_blocks.jsonl beside FILE."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="Folder for values, evidence and the log of calls; default for a judge on a server: "
        "NAME.judge-check or NAME.judge-repeat.",
        metavar="FOLDER",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(help="Random seed of intervals, the random control and ties.")]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a judge is measured on, and where the results go."""

    file: File = None
    quality: QualityName = None
    blocks: Blocks = None
    out: Out = None
    seed: Seed = 0


NOTHING_NAMED = Checked()


@judge.command("check")
@expanded
def check_judge(
    checked: Checked = NOTHING_NAMED,
    claims: Annotated[
        bool,
        typer.Option("--claims", help="Check on claims: those in FILE, or those that are shipped."),
    ] = False,
    as_json: AsJson = False,
    model: JudgeModel = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Measure a judge against comparisons or ratings by people.

    Prints accuracy, AUROC and correlations with 95 % intervals. FILE has one of four shapes, recognised from its
    fields: pairs (question, better, worse), comparisons (query, gt_answer, model1, model2 and labels, one row for each
    judgement), rated answers (question, answer and the rating in a field with the name of the quality), claims (text,
    and claims with text, supported and type). The judge is compared with people, if two judged the same, with controls
    (length, chance, one cosine) and, for language models, with the baselines GPT score and GPT ranking; claims are
    reported by type, with the calibration of the judge. Examples:

    ragassay judge check

    ragassay judge check --claims

    ragassay judge check pairs.jsonl --quality faithfulness --model openai:gpt-4o-mini --max-cost 1

    ragassay judge check rated.jsonl --quality truthfulness --blocks articles.jsonl --json
    """
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import CoverageError, check_dry_run
    from ragassay.pipeline.judge.check import check_judge as check
    from ragassay.pipeline.judge.check import check_object, estimate_check
    from ragassay.report.terminal import show

    options = replace(_options(checked, model_options(calls, spending, model=model)), claims=claims)
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        print_estimate_of(lambda progress: estimate_check(options, progress), as_json)
        return
    with progress_bars() as progress:
        found = check(options, progress)
    if as_json:
        print_json(check_object(found))
    else:
        show(found.blocks())
        if found.folder is not None:
            typer.echo(f"Values of every item, and what they rest on: {found.folder / 'values.jsonl'}")
    _complain(found.stopped_by, (found.cost,), options.models, found.folder)
    if found.silent:
        raise CoverageError(f"the judge gave no value for {', '.join(found.silent)}; see the reasons above")


@judge.command("repeat")
@expanded
def repeat_judge(
    checked: Checked = NOTHING_NAMED,
    as_json: AsJson = False,
    model: JudgeModel = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Run a judge twice and compare its values.

    Prints correlation, mean absolute difference and share of equal values for each metric. Takes the files that
    `ragassay judge check` takes. Each run has its own log, so that no reply is shared, and continues where it stopped.
    Examples:

    ragassay judge repeat --model openai:gpt-4o-mini --temperature 0.7 --max-cost 1

    ragassay judge repeat pairs.jsonl --quality faithfulness --model http://localhost:8000/v1#llama-3.1-8b
    """
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import check_dry_run
    from ragassay.pipeline.judge.check import estimate_check, repeat_object
    from ragassay.pipeline.judge.check import repeat_judge as repeat
    from ragassay.report.terminal import show

    options = _options(checked, model_options(calls, spending, model=model))
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        print_estimate_of(lambda progress: estimate_check(options, progress), as_json)
        return
    with progress_bars() as progress:
        found = repeat(options, progress)
    if as_json:
        print_json(repeat_object(found))
    else:
        show(found.blocks())
    _complain(found.stopped_by, found.costs, options.models, found.folder)


@judge.command("pairs", hidden=True, context_settings={"ignore_unknown_options": True})
def build_pairs(
    arguments: Annotated[list[str] | None, typer.Argument(metavar="...", show_default=False)] = None,
) -> None:
    """Name what took the place of a command that is gone."""
    from ragassay.errors import UsageError

    raise UsageError("judge pairs: pairs are no longer made; write the lines that `ragassay judge check FILE` reads")


def _options(checked: Checked, models: ModelOptions) -> JudgeCheckOptions:
    from ragassay.agreement.check_items import parse_quality  # imported late: --help answers in half a second
    from ragassay.pipeline.judge.check_options import JudgeCheckOptions

    return JudgeCheckOptions(
        data=checked.file,
        quality=None if checked.quality is None else parse_quality(checked.quality),
        blocks=checked.blocks,
        models=models,
        out=checked.out,
        seed=checked.seed,
    )


def _complain(stopped_by: str, costs: tuple[JudgingCost, ...], models: ModelOptions, folder: Path | None) -> None:
    """Raises for what a script should hear of although there are results."""
    from ragassay.errors import CONTINUE, BudgetError, check_coverage

    if stopped_by:
        raise BudgetError(f"{stopped_by}: answers so far are kept; {CONTINUE}")
    asked, unanswered = sum(cost.asked for cost in costs), sum(cost.unanswered for cost in costs)
    check_coverage(
        1 - unanswered / asked if models.uses_servers and asked else None,
        models.coverage,
        ("the judge answered", "of the calls"),
        f"see the reasons above and in {folder}",
    )
