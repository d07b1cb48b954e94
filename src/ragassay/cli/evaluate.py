"""``ragassay evaluate``: a system on an evaluation set, and what it is worth."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Embeddings,
    JudgeCheck,
    Judges,
    PanelWay,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_estimate_of, print_json
from ragassay.cli.predict import (
    SYSTEMS_HELP,
    Answerer,
    Chunks,
    Concurrency,
    Data,
    Documents,
    FromFormat,
    Limit,
    Only,
    Overwrite,
    RetryFailed,
    Settings,
    SystemVersion,
    Timeout,
    complain,
)

if TYPE_CHECKING:
    from ragassay.pipeline.asking.model_options import ModelOptions, Panel
    from ragassay.pipeline.score.evaluate import Evaluated, EvaluateOptions


@expanded
def evaluate(
    data: Data,
    system: Annotated[str, typer.Option(help=SYSTEMS_HELP, metavar="SYSTEM")] = "rag",
    retriever: Annotated[
        str | None, typer.Option(help="Retriever of the built-in system: bm25, dense or hybrid.", metavar="NAME")
    ] = None,
    top_k: Annotated[
        int | None,
        typer.Option(help="Chunks that the built-in system retrieves; default: as many as the metrics need."),
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            help="Metrics, separated by commas, also your own as MODULE:FUNCTION or FILE.py; default: the usual ones. "
            "`ragassay metrics` lists all."
        ),
    ] = "",
    split: Annotated[
        str | None, typer.Option(help="Split of a BEIR folder; default: test, or all.", metavar="NAME")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for predictions and scores; continues earlier work.", metavar="RUN")
    ] = None,
    settings: Settings = None,
    from_format: FromFormat = None,
    documents: Documents = None,
    chunks: Chunks = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    system_version: SystemVersion = None,
    only: Only = None,
    limit: Limit = None,
    retry_failed: RetryFailed = False,
    overwrite: Overwrite = False,
    seed: Annotated[int, typer.Option(help="Random seed of ties in rankings by a judge.")] = 0,
    as_json: AsJson = False,
    model: Answerer = EMBEDDED,
    judge: Judges = None,
    panel: PanelWay = "mean",
    embeddings: Embeddings = EMBEDDED,
    judge_check: JudgeCheck = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Ask a system the questions of a set and score its answers.

    Does the work of `ragassay predict` and `ragassay score`. A BEIR folder brings its own corpus and graded relevance;
    its documents are ranked whole. Examples:

    ragassay evaluate runs/first --retriever bm25 --top-k 5

    ragassay evaluate scifact/ --retriever hybrid --metrics ndcg@10,recall@100

    ragassay evaluate set.jsonl --system http://localhost:8000/ask --metrics recall@5,token_f1 --out runs/mine
    """
    from ragassay.datasets.only import parse_only
    from ragassay.errors import UsageError
    from ragassay.pipeline.answer.options import PredictOptions
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.score.asked_metrics import asked_metrics, with_own_models
    from ragassay.pipeline.score.evaluate import EvaluateOptions
    from ragassay.pipeline.score.evaluate_estimate import estimate_evaluate
    from ragassay.systems.spec import parse_spec

    asking = {"concurrency": concurrency, "timeout_s": timeout, "version": system_version}
    spec = parse_spec(system, settings or (), asking)
    if spec.kind == "rag":
        spec = parse_spec(system, settings or (), {**asking, "retriever": retriever, "top_k": top_k})
    elif retriever is not None or top_k is not None:
        raise UsageError(f"--retriever, --top-k: only apply to the built-in system, not to {spec.kind}")
    is_built_in = spec.kind in ("rag", "no_retrieval", "ground_truth_context")
    if not is_built_in and model != EMBEDDED:
        raise UsageError(f"--model: only applies to built-in systems, not to {spec.kind}; name a judge with --judge")
    answering = _models(calls, spending, model, embeddings if is_built_in else EMBEDDED)
    names = asked_metrics(metrics.split(","))
    further = with_own_models(ModelOptions(), names).further
    first, *more = judge or [model]
    asks = bool(further) or any(name != EMBEDDED for name in more)
    judging = replace(
        _models(calls, spending, first, embeddings, asks=asks),
        further=further,
        judges=(first, *more) if more else (),
        panel=cast("Panel", panel),
    )
    if not answering.uses_servers and not judging.uses_servers:
        model_options(calls, spending, model=EMBEDDED).check()  # no limit holds where nothing is asked
    options = EvaluateOptions(
        predict=PredictOptions(
            dataset=data,
            system=spec,
            out=out or Path(),
            from_format=from_format,
            documents=documents,
            chunks=chunks,
            where=parse_only(only or ()),
            limit=limit,
            retry_failed=retry_failed,
            overwrite=overwrite,
            models=answering,
            coverage=calls.coverage,
        ),
        metrics=names,
        split=split,
        out=out,
        judge=judging,
        judge_check=judge_check,
        seed=seed,
    )
    if spending.dry_run:
        print_estimate_of(lambda progress: estimate_evaluate(options, progress), as_json)
        return
    done = _run(options)
    _print(done, as_json)
    complain(done.predicted, options.predict)
    _complain(done, options)


def _models(calls: Calls, spending: Spending, model: str, embeddings: str, *, asks: bool = False) -> ModelOptions:
    """Who answers, or judges; the limits are for those on servers. asks: whether a metric asks one itself."""
    if not asks and model == EMBEDDED and embeddings == EMBEDDED:
        return model_options(DEFAULT_CALLS, DEFAULT_SPENDING, model=EMBEDDED)
    return model_options(calls, spending, model=model, embeddings=embeddings)


def _run(options: EvaluateOptions) -> Evaluated:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.pipeline.score.evaluate import evaluate as run

    try:
        with progress_bars() as progress, redirect_stdout(sys.stderr):  # a function under test may print
            return run(options, progress)
    except KeyboardInterrupt:
        if options.out is None:
            raise KeyboardInterrupt("stopped; nothing is kept without --out") from None
        raise


def _print(done: Evaluated, as_json: bool) -> None:
    from ragassay.report.predictions import blocks_of_predictions, predictions_object
    from ragassay.report.scores import blocks_of_scores, score_object
    from ragassay.report.terminal import show

    predicted = done.predicted
    figures = predicted.figures
    path = str(predicted.folder / "predictions.jsonl") if done.folder is not None else ""
    if as_json:
        found: dict[str, Any] = score_object(done.summary, done.cost, done.folder)
        print_json({**found, "predicted": predictions_object(figures, path)}, ascii_only=True)
        return
    show([*blocks_of_predictions(figures, path), *blocks_of_scores(done.summary, done.cost, done.folder)])


def _complain(done: Evaluated, options: EvaluateOptions) -> None:
    """Raises for what a script should hear of although there are scores."""
    from ragassay.errors import BudgetError, check_coverage

    if done.summary.stopped_by:
        limit = done.summary.stopped_by.split()[0]
        raise BudgetError(f"{limit} reached by answers and metrics together; the scores so far are above")
    check_coverage(
        done.summary.judge_coverage,
        options.judge.coverage,
        ("the judge answered", "of the calls"),
        "see the reasons above",
    )
