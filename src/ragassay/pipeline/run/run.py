"""The main job: an evaluation set from documents, the best retrieval for each kind of question, one report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.agreement.judge_agreement import JudgeAgreement
from ragassay.errors import BudgetError
from ragassay.models import EMBEDDED
from ragassay.pipeline.asking.costs import ANSWER, COMPARE, EMBED, MAKE, READ, REPORT, Costs
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.folders.run_folder import (
    EXAMPLES_FILE,
    PREDICTIONS_FILE,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
)
from ragassay.pipeline.folders.versions import recorded_versions
from ragassay.pipeline.judge.known_agreement import known_agreement
from ragassay.pipeline.make.corpus import Corpus, build_corpus, working
from ragassay.pipeline.make.examples import draft_examples, write_examples
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.run.stages import AnswersMade, Engine, Sweep, answer, sweep
from ragassay.pipeline.run.summarize import summarize
from ragassay.records import Example, write_jsonl
from ragassay.report.items import Items
from ragassay.report.notebook import Shown
from ragassay.report.run import render_report
from ragassay.report.summary import RunSummary, write_summary
from ragassay.synthesis.extraction import Extractor
from ragassay.synthesis.filtered import BlockFilters, Filtered
from ragassay.synthesis.metadata_filter import check_conditions
from ragassay.synthesis.strategy import Strategy
from ragassay.synthesis.synthesizer import SynthesisResult
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.report.blocks import Block


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Run(Shown):
    """A finished run.

    folder: where its files are. budget_reached: which limit ended the calls to models, as in "--max-calls 100 reached".
    """

    folder: Path
    summary: RunSummary
    examples: tuple[Example, ...]
    budget_reached: str | None = None

    @property
    def report(self) -> Path:
        return self.folder / REPORT_FILE

    @property
    def coverage(self) -> float | None:
        """Share of what models on servers were asked and answered, of the worst stage; None where none was asked."""
        shares = [1 - stage.unanswered / stage.served for stage in self.summary.stages if stage.served]
        return min(shares, default=None)

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.run import blocks_of_run

        return blocks_of_run(self.summary, report=self.report)

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.run import run_object

        return run_object(self.summary, self.report)


def run(options: RunOptions, progress: Progress | None = None) -> Run:
    """Does the whole job and writes the run folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the run folder then stays as it was.
    """
    options.check()
    return finished(_run(options, Endpoints(options.models), progress or Silent()))


async def _run(options: RunOptions, endpoints: Endpoints, progress: Progress) -> Run:
    known = known_agreement(options.models, endpoints, options.judge_check)
    async with working(options, endpoints, progress) as work:
        return await _made(options, known, *work)


async def _made(
    options: RunOptions,
    agreement: Sequence[JudgeAgreement],
    folder: Path,
    models: RunModels,
    workers: Workers,
    progress: Progress,
) -> Run:
    """Do all stages. agreement: how far the judge is known to agree with people."""
    costs = Costs(models, workers)
    with costs.stage(READ):
        corpus = build_corpus(folder, options, workers, progress)
        check_conditions(options.where, corpus.store)
    with costs.stage(MAKE):
        made = await _examples(corpus, models, options, progress)
        write_jsonl(folder / EXAMPLES_FILE, made.examples)
    found: Sweep | None = None
    answers: AnswersMade | None = None
    if made.examples:
        # A limit that vectors from a server reach leaves the examples, which were paid for, as they are.
        with suppress(BudgetError):
            engine = Engine(folder, corpus, made.examples, options, models, progress)
            with costs.stage(EMBED):
                engine.rankings.index(engine.settings)
            with costs.stage(COMPARE):
                found = await sweep(engine)
            with costs.stage(ANSWER):
                answers = await answer(engine, found, models, options.models.name_of("answerer"))
    write_jsonl(folder / PREDICTIONS_FILE, answers.predictions if answers else ())
    write_jsonl(folder / SCORES_FILE, answers.scores if answers else ())
    with costs.stage(REPORT):
        summary = summarize(options, corpus, made, found, answers, costs.stages, models, agreement)
        _write_report(folder, summary, made.examples, answers)
    summary = replace(summary, stages=tuple(costs.stages))  # with the report itself
    write_summary(folder, summary)
    corpus.store.close()
    return Run(
        folder=options.out, summary=summary, examples=made.examples, budget_reached=models.endpoints.budget.reached
    )


async def _examples(corpus: Corpus, models: RunModels, options: RunOptions, progress: Progress) -> SynthesisResult:
    gates = corpus.gates(max(corpus.tables))
    if options.models.name_of("writer") == EMBEDDED:
        return draft_examples(options.synthesis, corpus, gates, models, options.where, progress, options.documents)
    strategy: Strategy = Extractor(models.writer, corpus.collection, options.synthesis)
    if options.where:
        filters = BlockFilters(conditions=options.where)
        strategy = Filtered(strategy, corpus.collection, options.synthesis, filters, corpus.store.get)
    return await write_examples(options.synthesis, corpus, gates, strategy, models.judging(), models, progress)


def _write_report(
    folder: Path, summary: RunSummary, examples: tuple[Example, ...], answers: AnswersMade | None
) -> None:
    items = None
    if answers is not None:
        texts, sources = answers.retrieved
        items = Items(
            examples,
            answers.predictions,
            answers.scores,
            sources={**sources, **summary.sources},
            text_of=lambda chunk: texts.get(chunk.chunk_id, ""),
        )
    part = folder / f"{REPORT_FILE}.part"
    part.write_text(render_report(summary, examples, items, recorded_versions(folder / RUN_FILE)), encoding="utf-8")
    part.replace(folder / REPORT_FILE)
