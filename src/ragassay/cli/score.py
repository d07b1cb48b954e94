"""``ragassay score``: metrics of recorded predictions."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Embeddings,
    JudgeCheck,
    JudgeModel,
    Spending,
    expanded,
    model_options,
)

if TYPE_CHECKING:
    from ragassay.pipeline.scoring import Scoring
    from ragassay.pipeline.scoring_options import ScoreOptions


@expanded
def score(
    data: Annotated[
        Path,
        typer.Argument(help="File or folder with examples, and predictions.", metavar="INPUT", show_default=False),
    ],
    predictions: Annotated[
        Path | None,
        typer.Argument(
            help="JSONL file of predictions, or a run folder, where INPUT holds none.", metavar="PREDICTIONS"
        ),
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            help="Names with commas between, as `ragassay metrics` has them; or your own, as module:function or a "
            "Python file. The usual ones if not given."
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder for scores with their evidence; made if missing.", metavar="RUN")
    ] = None,
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT, where it cannot be told.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, where INPUT does not hold them.", metavar="PATH")
    ] = None,
    system: Annotated[str | None, typer.Option(help="Whose predictions, where there are several systems'.")] = None,
    against: Annotated[
        Path | None, typer.Option(help="Predictions of another system, for gpt_ranking metrics.", metavar="PREDICTIONS")
    ] = None,
    questions: Annotated[
        int, typer.Option(help="Questions that a language model writes for answer_relevance.", min=1)
    ] = 3,
    evasive_is_zero: Annotated[
        bool, typer.Option("--evasive-is-zero", help="answer_relevance of 0 for answers that do not commit themselves.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Decides ties of rankings by a judge.")] = 0,
    processes: Annotated[
        int | None, typer.Option(help="Processes that share the work; one a core, at most 8, if not given.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    model: JudgeModel = EMBEDDED,
    embeddings: Embeddings = EMBEDDED,
    judge_check: JudgeCheck = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Score recorded predictions: means with 95 % intervals, and how many examples they cover; by label and by type.

    Without --metrics they are the usual ones of retrieval and answers that the data have the inputs for. Judged metrics
    ask the embedded model, or the one that --model names; what the data lack for a metric is said before anything is
    asked. For DragonBall files the released scorer's figures are reference_recall, eir_released,
    all_references_recall_at_5 and rouge_l_released. Examples:

    ragassay score set.jsonl predictions.jsonl --metrics recall@5,token_f1,faithfulness

    ragassay score answers.jsonl --from dragonball --metrics reference_recall,eir_released

    ragassay score rows.jsonl --metrics faithfulness,answer_relevance --model openai:gpt-4o-mini --out runs/judged
    """
    from ragassay.pipeline.asked_metrics import asked_metrics, with_own_models  # imported late: --help stays fast
    from ragassay.pipeline.scoring_options import NOWHERE, ScoreOptions

    names = asked_metrics(metrics.split(","))
    options = ScoreOptions(
        metrics=names,
        data=data,
        predictions=predictions,
        from_format=from_format,
        documents=documents,
        system=system,
        against=against,
        questions=questions,
        evasive_is_zero=evasive_is_zero,
        seed=seed,
        models=with_own_models(model_options(calls, spending, model=model, embeddings=embeddings), names),
        judge_check=judge_check,
        out=out or NOWHERE,
        overwrite=overwrite,
        processes=processes,
    )
    if spending.dry_run:
        _estimate(options, as_json)
        return
    done = _score(options)
    _print(done, as_json)
    _complain(done, options)


def _estimate(options: ScoreOptions, as_json: bool) -> None:
    from ragassay.cli.predict import print_rows
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import UsageError
    from ragassay.pipeline.scoring import estimate_score

    if not options.models.uses_servers:
        raise UsageError("--dry-run: no model on a server is asked, so it costs nothing; name one with --model")
    with progress_bars() as progress:
        rows = estimate_score(options, progress)
    print_rows(rows, as_json)


def _score(options: ScoreOptions) -> Scoring:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.pipeline.scoring import score as score_all

    try:
        with progress_bars() as progress, redirect_stdout(sys.stderr):  # a metric of the user's may print
            return score_all(options, progress)
    except KeyboardInterrupt:
        typer.echo(
            "ragassay: stopped; calls that were answered are kept, so that the same command goes on from there",
            err=True,
        )
        raise typer.Exit(130) from None


def _print(done: Scoring, as_json: bool) -> None:
    from ragassay.report.score_tables import print_scores, score_object
    from ragassay.report.streams import open_console

    if as_json:
        typer.echo(json.dumps(score_object(done.summary, done.cost, done.folder), ensure_ascii=False, indent=1))
    else:
        print_scores(done.summary, done.cost, open_console(), done.folder)


def _complain(done: Scoring, options: ScoreOptions) -> None:
    """Raises for what a script should hear of although there are results."""
    from ragassay.errors import BudgetError, CoverageError

    if done.summary.stopped_by:
        raise BudgetError(
            f"{done.summary.stopped_by}: what was scored until then is above; the same command, which counts anew, "
            "goes on from there"
        )
    share = done.summary.judge_coverage
    if share is not None and share < options.models.coverage:
        raise CoverageError(
            f"--coverage: the model answered {100 * share:.1f} % of what it was asked, less than "
            f"{100 * options.models.coverage:g} %; the reasons stand above"
        )
