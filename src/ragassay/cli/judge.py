"""``ragassay judge``: a judge against people, and twice against itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.commands import Commands
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    JudgeModel,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_estimate_of, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.judge.check_options import JudgeCheckOptions
    from ragassay.pipeline.judge.pairs import JudgePairs
    from ragassay.report.judged_summary import JudgingCost

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
    from ragassay.report.claim_tables import print_claims
    from ragassay.report.console import print_line
    from ragassay.report.judge_check_tables import print_checks, print_cost
    from ragassay.report.streams import open_console

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
        console = open_console()
        print_line(console, f"{found.model} on {found.data}", "bold")
        console.print()
        print_checks(found.checks, console)
        if found.claims is not None:
            print_claims(found.claims, found.judgements, console)
        print_cost(found.cost, console)
        if found.folder is not None:
            print_line(console, f"Values of every item, and what they rest on: {found.folder / 'values.jsonl'}")
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
    from ragassay.report.console import print_line
    from ragassay.report.judge_check_tables import print_cost, print_repeated
    from ragassay.report.streams import open_console

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
        console = open_console()
        print_line(console, f"{found.model} on {found.data}", "bold")
        console.print()
        print_repeated(found.measures, console)
        for cost in found.costs:
            print_cost(cost, console)
    _complain(found.stopped_by, found.costs, options.models, found.folder)


@judge.command("pairs")
@expanded
def build_pairs(
    documents: Annotated[
        list[Path], typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="JSONL file to write.", metavar="FILE", show_default=False)],
    n: Annotated[int, typer.Option("--n", help="Number of pairs for each quality.")] = 20,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed and documents give the same pairs.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Build pairs of a better and a worse item to check judges.

    Makes pairs from your documents for three qualities, as in WikiEval. Faithfulness: an answer from the passage, and
    one written without it or with other values. Answer relevance: a complete answer, and one that leaves part of the
    question open. Context relevance: a passage, and the same padded with related sentences. The better item is known by
    construction; read some pairs before you rely on them. Examples:

    ragassay judge pairs docs --out pairs.jsonl

    ragassay judge pairs docs --out pairs.jsonl --n 50 --model openai:gpt-4o-mini --max-cost 1

    ragassay judge check pairs.jsonl --quality faithfulness
    """
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import BudgetError, check_dry_run
    from ragassay.pipeline.judge.pairs import JudgePairsOptions, build_judge_pairs, estimate_judge_pairs
    from ragassay.report.streams import open_console

    options = JudgePairsOptions(
        documents=tuple(documents),
        out=out,
        n=n,
        seed=seed,
        models=model_options(calls, spending, model=model),
        overwrite=overwrite,
    )
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        print_estimate_of(lambda progress: estimate_judge_pairs(options, progress), as_json)
        return
    with progress_bars() as progress:
        found = build_judge_pairs(options, progress)
    if as_json:
        print_json(_pairs_object(found))
    else:
        _print_pairs(found, open_console())
    if found.stopped_by:
        raise BudgetError(
            f"{found.stopped_by}: {out} holds the pairs so far; run the same command with --overwrite to "
            "continue; its limits start from zero"
        )


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


def _pairs_object(found: JudgePairs) -> dict[str, Any]:
    return {
        "out": str(found.out),
        "model": found.model,
        "documents": found.documents,
        "wanted": found.wanted,
        "made": dict(found.made),
        "dropped": dict(found.dropped),
        "skipped": [{"source": each.source, "reason": each.reason} for each in found.skipped],
        "stopped_by": found.stopped_by,
    }


def _print_pairs(found: JudgePairs, console: Console) -> None:
    from ragassay.corpus.sources import by_reason
    from ragassay.report.console import print_line, print_table

    rows = [(quality.replace("_", " "), str(found.wanted), str(count)) for quality, count in found.made.items()]
    print_table(console, f"Pairs from {found.documents:,} documents", ["quality", "asked for", "made"], rows)
    for reason, count in found.dropped.items():
        print_line(console, f"not made: {count:,} x {reason}")
    for kind in by_reason(found.skipped):
        print_line(console, kind)
    print_line(console, f"By {found.model}. Written to {found.out}; next: ragassay judge check {found.out}")


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
