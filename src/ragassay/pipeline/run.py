"""The main job: an evaluation set from documents, the best retrieval for each kind of question, one report."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.answer_stage import Answers, answer
from ragassay.pipeline.corpus_stage import Corpus, build_corpus
from ragassay.pipeline.costs import Costs, CountedModel
from ragassay.pipeline.folder import EXAMPLES_FILE, PREDICTIONS_FILE, REPORT_FILE, SCORES_FILE, run_folder
from ragassay.pipeline.options import RunOptions
from ragassay.pipeline.progress import Progress, Silent
from ragassay.pipeline.retrieval_stage import Sweep, embed_chunks, sweep
from ragassay.pipeline.summarize import summarize
from ragassay.records import Example, write_jsonl
from ragassay.report.html import render_report
from ragassay.report.store import write_summary
from ragassay.report.summary import RunSummary
from ragassay.synthesis.gates import SearchGates
from ragassay.synthesis.synthesizer import SynthesisResult, synthesize
from ragassay.workers import Workers

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run. folder: where its files are."""

    folder: Path
    summary: RunSummary
    examples: tuple[Example, ...]

    @property
    def report(self) -> Path:
        return self.folder / REPORT_FILE


def run(options: RunOptions, progress: Progress | None = None) -> Run:
    """Does the whole job and writes the run folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the run folder then stays as it was.
    """
    options.check()
    return _finished(_run(options, progress or Silent()))


def _finished(job: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where an event loop runs already, as in notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_new_loop(job)
    results: list[T] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            results.append(_in_new_loop(job))
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits, and raised there
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


def _in_new_loop(job: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, but Ctrl-C stops at once: long work by rules never comes back to the loop to hear of it."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(job)
    finally:
        loop.close()


async def _run(options: RunOptions, progress: Progress) -> Run:
    with run_folder(options) as folder, Workers(options.processes) as workers:
        encoder = CachedEncoder(SentenceEncoder())
        try:
            return await _run_in(folder, options, encoder, workers, progress)
        finally:
            encoder.close()


async def _run_in(
    folder: Path, options: RunOptions, encoder: CachedEncoder, workers: Workers, progress: Progress
) -> Run:
    model = CountedModel(EmbeddedModel(encoder, TaskSharing(workers, encoder.count)))
    costs = Costs(encoder, model, workers)
    with costs.stage("read and index"):
        corpus = build_corpus(folder, options, workers, progress)
    with costs.stage("make examples"):
        made = await _examples(corpus, model, options, progress)
        write_jsonl(folder / EXAMPLES_FILE, made.examples)
    found: Sweep | None = None
    answers: Answers | None = None
    if made.examples:
        with costs.stage("embed chunks"):
            indexes = embed_chunks(corpus, encoder, progress)
        with costs.stage("compare retrievers"):
            found = sweep(corpus, indexes, made.examples, encoder, options, progress)
        with costs.stage("answer and judge"):
            answers = await answer(corpus, found, made.examples, model, progress)
    write_jsonl(folder / PREDICTIONS_FILE, answers.predictions if answers else ())
    write_jsonl(folder / SCORES_FILE, answers.scores if answers else ())
    with costs.stage("report"):
        summary = summarize(options, corpus, made, found, answers, costs.stages, model.name)
        _write_report(folder, summary, made.examples)
    summary = replace(summary, stages=tuple(costs.stages))  # with the report itself
    write_summary(folder, summary)
    corpus.store.close()
    return Run(folder=options.out, summary=summary, examples=made.examples)


async def _examples(corpus: Corpus, model: CountedModel, options: RunOptions, progress: Progress) -> SynthesisResult:
    size = max(corpus.tables)
    gates = SearchGates(corpus.store, corpus.tokens, corpus.tables[size], corpus.lexical[size])
    progress.start("making examples", int(options.n * options.synthesis.oversupply))
    return await synthesize(
        corpus.store,
        corpus.strata,
        corpus.collection,
        gates,
        model,
        options.synthesis,
        lambda done, total: progress.reach(done),
    )


def _write_report(folder: Path, summary: RunSummary, examples: tuple[Example, ...]) -> None:
    part = folder / f"{REPORT_FILE}.part"
    part.write_text(render_report(summary, examples), encoding="utf-8")
    part.replace(folder / REPORT_FILE)
