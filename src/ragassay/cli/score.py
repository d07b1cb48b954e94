"""``ragassay score``: metrics of recorded predictions."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Embeddings,
    JudgeCheck,
    JudgeModels,
    PanelWay,
    Spending,
    expanded,
    with_judges,
)
from ragassay.cli.output import AsJson, Processes, ReplaceRun, print_estimate_of, print_json
from ragassay.cli.row_options import ALL_ROWS, Rows, selection_of

if TYPE_CHECKING:
    from ragassay.pipeline.score.options import RankBy, ScoreOptions
    from ragassay.pipeline.score.score import Scoring


@expanded
def score(
    data: Annotated[
        Path,
        typer.Argument(help="File or folder with examples, and predictions.", metavar="INPUT", show_default=False),
    ],
    predictions: Annotated[
        Path | None,
        typer.Argument(help="JSONL file of predictions, or a run folder, if INPUT holds none.", metavar="PREDICTIONS"),
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            help="Metrics, separated by commas, also your own as MODULE:FUNCTION or FILE.py; default: the usual ones. "
            "`ragassay metrics` lists all."
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder for scores with their evidence; created if missing.", metavar="RUN")
    ] = None,
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT; default: detected.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, if INPUT does not hold them.", metavar="PATH")
    ] = None,
    system: Annotated[str | None, typer.Option(help="System to score, if there are several.")] = None,
    against: Annotated[
        Path | None, typer.Option(help="Predictions of another system, for gpt_ranking metrics.", metavar="PREDICTIONS")
    ] = None,
    questions: Annotated[
        int,
        typer.Option(
            help="Questions that a language model writes for each answer, for answer_relevance.", min=1, hidden=True
        ),
    ] = 3,
    evasive_is_zero: Annotated[
        bool, typer.Option("--evasive-is-zero", help="Give evasive answers an answer_relevance of 0.", hidden=True)
    ] = False,
    rank_by: Annotated[
        str, typer.Option(help="Rank chunks as they stand, or by their scores, highest first.", metavar="rank|score")
    ] = "rank",
    by: Annotated[
        list[str] | None,
        typer.Option(help="Field of the documents, such as domain, to break the figures down by; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of ties in rankings by a judge, and of --sample.")] = 0,
    processes: Processes = None,
    overwrite: ReplaceRun = False,
    as_json: AsJson = False,
    model: JudgeModels = None,
    panel: PanelWay = "mean",
    embeddings: Embeddings = EMBEDDED,
    judge_check: JudgeCheck = None,
    rows: Rows = ALL_ROWS,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Score recorded predictions, by label and question type.

    Prints means with 95 % intervals and the number of examples behind each. Without --metrics, all usual metrics of
    retrieval and answers are computed that the data have inputs for. Judged metrics use the embedded model, or the one
    that --model names; missing inputs are reported before any call. For DragonBall files, the metrics of the released
    scorer are reference_recall_released@5, eir_released@5, all_references_recall_released@5 and rouge_l_released.
    Examples:

    ragassay score set.jsonl predictions.jsonl --metrics recall@5,token_f1,faithfulness

    ragassay score answers.jsonl --from dragonball --metrics reference_recall_released@5,eir_released@5

    ragassay score traces.jsonl --from langfuse --sample 200 --unique --metrics faithfulness

    ragassay score rows.jsonl --metrics faithfulness,answer_relevance --model openai:gpt-4o-mini --out runs/judged
    """
    from ragassay.cli.progress_bars import progress_bars  # imported late: --help stays fast
    from ragassay.errors import check_dry_run
    from ragassay.pipeline.score.asked_metrics import asked_metrics, with_own_models
    from ragassay.pipeline.score.options import NOWHERE, ScoreOptions
    from ragassay.pipeline.score.score import estimate_score
    from ragassay.pipeline.score.score import score as score_all

    names = asked_metrics(metrics.split(","))
    options = ScoreOptions(
        metrics=names,
        data=data,
        predictions=predictions,
        from_format=from_format,
        documents=documents,
        selection=selection_of(rows, seed),
        system=system,
        against=against,
        questions=questions,
        evasive_is_zero=evasive_is_zero,
        rank_by=cast("RankBy", rank_by),
        by=tuple(dict.fromkeys(by or ())),
        seed=seed,
        models=with_own_models(with_judges(calls, spending, model or [EMBEDDED], panel, embeddings), names),
        judge_check=judge_check,
        out=out or NOWHERE,
        overwrite=overwrite,
        processes=processes,
    )
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        print_estimate_of(lambda progress: estimate_score(options, progress), as_json)
        return
    with progress_bars() as progress, redirect_stdout(sys.stderr):  # a metric of the user's may print
        done = score_all(options, progress)
    _print(done, as_json)
    _complain(done, options)


def _print(done: Scoring, as_json: bool) -> None:
    from ragassay.report.scores import blocks_of_scores, score_object
    from ragassay.report.terminal import show

    if as_json:
        print_json(score_object(done.summary, done.cost, done.folder))
    else:
        show(blocks_of_scores(done.summary, done.cost, done.folder))


def _complain(done: Scoring, options: ScoreOptions) -> None:
    """Raises for what a script should hear of although there are results."""
    from ragassay.errors import CONTINUE, BudgetError, check_coverage

    if done.summary.stopped_by:
        raise BudgetError(f"{done.summary.stopped_by}: the scores so far are above; {CONTINUE}")
    check_coverage(
        done.summary.judge_coverage,
        options.models.coverage,
        ("the judge answered", "of the calls"),
        "see the reasons above",
    )
