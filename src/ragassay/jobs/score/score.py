"""Predictions of one system scored: by metrics that ask nobody, by an encoder, by a judge.

Everything is read and checked first. Then batches of examples go through the metrics; memory holds the records and one
number for each example and metric, and the scores with their evidence are written as they come.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path

from ragassay.datasets.texts import Texts
from ragassay.errors import InputError
from ragassay.jobs.answer.checks import check_metrics
from ragassay.jobs.answer.options import NOWHERE, EvaluateOptions
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints
from ragassay.jobs.folders.progress import Progress, Silent, followed
from ragassay.jobs.folders.run_folder import (
    DOCUMENTS_FILE,
    EXAMPLES_FILE,
    PREDICTIONS_FILE,
    SCORES_FILE,
    run_folder,
)
from ragassay.jobs.judge.known_agreement import known_agreement
from ragassay.jobs.report.set_report import write_report
from ragassay.jobs.score.batches import STAGE, Batches
from ragassay.jobs.score.input import Inputs, checked_pairs, read_inputs
from ragassay.jobs.score.result import Evaluation
from ragassay.metrics.answer.abstention import is_unanswerable
from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.inputs import Input
from ragassay.metrics.scoring import Pairs, never_there, paired
from ragassay.people.agreement.judge_agreement import JudgeAgreement
from ragassay.records import Document, to_json, write_jsonl
from ragassay.report.summary import write_metrics
from ragassay.workers import Workers

_OF_CHUNKS: frozenset[Input] = frozenset({"chunks", "chunk documents", "chunk texts"})


def score(options: EvaluateOptions, progress: Progress | None = None, *, keep_scores: bool = False) -> Evaluation:
    """Reads, checks and scores, and writes the run folder if one is named.

    keep_scores: keep each score with its evidence also where there is no folder.
    Raises UsageError, InputError or RunFolderError for what cannot be used, before a model is asked; the folder then
    stays as it was. Replies that were paid for are in the log of calls whatever happens.
    """
    check_metrics(options)
    endpoints = Endpoints(options.judging)
    endpoints.enter(STAGE)
    judges = options.chosen.judged or not options.names
    known = known_agreement(options.judging, endpoints, options.judge_check) if judges else ()
    place = nullcontext(None) if options.out == NOWHERE else run_folder(options)
    with place as folder, followed(progress or Silent(), folder, options.command) as told:
        scoring = _scored(folder, options, endpoints, known, told, keep_scores=keep_scores)
        told.stopped(scoring.summary.stopped_by)
        return scoring


def _scored(
    folder: Path | None,
    options: EvaluateOptions,
    endpoints: Endpoints,
    known: Sequence[JudgeAgreement],
    progress: Progress,
    *,
    keep_scores: bool,
) -> Evaluation:
    with ExitStack() as stack:
        texts = stack.enter_context(Texts())
        workers = stack.enter_context(Workers(options.processes, imports=("ragassay.jobs.score.batches",)))
        progress.start("reading", None)
        inputs = _read(folder, options, texts)
        if not options.names:
            found = paired(inputs.examples, inputs.predictions, inputs.texts.get)
            options = replace(options, metrics=default_metrics(found, options.top_k, options.judging))
        pairs = checked_pairs(options, inputs) if options.chosen.on_records else None
        kept = io.StringIO() if keep_scores and folder is None else None
        sink = stack.enter_context((folder / SCORES_FILE).open("w", encoding="utf-8", newline="\n")) if folder else kept
        job = Batches(options, inputs, sink, progress, workers, known)
        job.score_file()
        if pairs is not None:
            job.score_plainly(pairs)
            if options.chosen.by_encoder or options.chosen.by_judge:
                finished(job.ask(pairs, endpoints))
        cost = job.cost()
    progress.start("intervals", None)
    summary = job.summary(endpoints.budget.reached or "")
    if folder is not None:
        write_jsonl(folder / EXAMPLES_FILE, inputs.examples)
        write_jsonl(folder / PREDICTIONS_FILE, inputs.predictions)
        write_metrics(folder, summary, [cost])
        progress.start("report", None)
        write_report(folder)
    return Evaluation(
        summary=summary,
        cost=cost,
        examples=inputs.examples,
        predictions=inputs.predictions,
        folder=options.out if folder is not None else None,
        lines=kept.getvalue() if kept is not None else "",
    )


def _read(folder: Path | None, options: EvaluateOptions, texts: Texts) -> Inputs:
    """The inputs; documents are written to the folder as they come."""
    if folder is None:
        return read_inputs(options, texts, lambda document: None)
    path = folder / DOCUMENTS_FILE
    with path.open("w", encoding="utf-8", newline="\n") as file:

        def keep(document: Document) -> None:
            file.write(to_json(document) + "\n")

        inputs = read_inputs(options, texts, keep)
    if not len(texts):
        path.unlink()
    return inputs


def default_metrics(pairs: Pairs, top_k: int, judging: ModelOptions) -> tuple[str, ...]:
    """Return the usual metrics, as far as they apply, those of retrieval at the depth ``top_k``.

    Those of retrieved chunks are left out where nothing was retrieved, and the accuracy of abstaining where no question
    is unanswerable, and relevance, if there is any other, where no model on a server judges: the embedded one rates
    answers on topic as if they were off it. Recall where nothing applies, for its reasons.
    Raises InputError for rows that lack both answers and references.
    """
    has_chunks = any(each.prediction.chunks for each in pairs)
    has_unanswerable = any(is_unanswerable(each.example)[0] for each in pairs)
    usual = (metric for metric in METRICS.values() if metric.is_usual)
    found = tuple(
        metric.name.replace("@k", f"@{top_k}")
        for metric in usual
        if (has_chunks or _OF_CHUNKS.isdisjoint(metric.inputs))
        and (has_unanswerable or metric.name != "abstention_accuracy")
        and never_there(metric, pairs) is None
    )
    if not found and len(pairs) and not any(each.ground_spans for each in pairs):
        raise InputError(
            "no usual metric can be computed: the rows have neither answers (response) nor passages to find "
            "(reference_contexts); add one of them, ask a system with --system, or name --metrics"
        )
    if not judging.uses_servers and len(found) > 1:
        found = tuple(name for name in found if name != "relevance")
    return found or (f"recall@{top_k}",)
