"""The main job: an evaluation set from documents, the best retrieval for each kind of question, one report."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.documents.store import DocumentStore
from ragassay.errors import BudgetError
from ragassay.evaluation.clusters import ANSWERABLE, clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.tally import Unanswerable, unanswerable
from ragassay.generate.filtered import BlockFilters
from ragassay.generate.synthesizer import SynthesisResult
from ragassay.jobs.asking.costs import ANSWER, COMPARE, EMBED, MAKE, READ, REPORT, Costs, worst_coverage
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import Endpoints, RunModels
from ragassay.jobs.folders.job import working
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import (
    EXAMPLES_FILE,
    PREDICTIONS_FILE,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
)
from ragassay.jobs.folders.versions import recorded_versions
from ragassay.jobs.judge.known_agreement import known_agreement, own_work
from ragassay.jobs.make.corpus import Corpus, build_corpus
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.make.synthesize import make_examples, without_small_model, write_drafting
from ragassay.jobs.run.stages import TEXT_METRICS, AnswersMade, Engine, Sweep, answer, judged_metrics, sweep
from ragassay.metrics.catalogue import metrics_named
from ragassay.people.agreement.judge_agreement import JudgeAgreement
from ragassay.plain_files import write_whole
from ragassay.rag.setting import DECIDING, Setting
from ragassay.records import LABELS, UNLABELLED, Example, SkippedSource, write_jsonl
from ragassay.report.costs import StageCost
from ragassay.report.items import Items
from ragassay.report.notebook import Shown
from ragassay.report.run import render_report
from ragassay.report.summary import (
    MOST_UNUSED,
    BestStrategy,
    CompositionFigures,
    MissingExamples,
    Result,
    RunSummary,
    WorstQuestion,
    write_summary,
)
from ragassay.report.trust import judge_trust
from ragassay.sweep.values import ALL, Cell, SettingValues, cells_of_labels
from ragassay.version import __version__
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
        return worst_coverage(self.summary.stages)

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.run import blocks_of_run

        return blocks_of_run(self.summary, report=self.report)

    def brief(self) -> Iterable[Block]:
        """Return what the command prints."""
        from ragassay.report.brief import brief_of_run

        return brief_of_run(self.summary, self.folder)

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.run import run_object

        return run_object(self.summary, self.report)


def run(options: RunOptions, progress: Progress | None = None) -> Run:
    """Do the whole job and write the run folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the run folder then stays as it was.
    """
    options.check()
    return finished(_run(options, progress or Silent()))


async def _run(options: RunOptions, progress: Progress) -> Run:
    endpoints = Endpoints(options.models)
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
    with costs.stage(MAKE):
        filters = BlockFilters(conditions=options.where)
        made = await make_examples(options.synthesis, corpus, models, progress, options.documents, filters)
        write_jsonl(folder / EXAMPLES_FILE, made.examples)
        write_drafting(folder, made.drafting)
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
    page = render_report(summary, examples, items, recorded_versions(folder / RUN_FILE))
    write_whole(folder / REPORT_FILE, page)


_WORST = 12
_SHOWN_CHUNKS = 3


def summarize(
    options: RunOptions,
    corpus: Corpus,
    made: SynthesisResult,
    sweep: Sweep | None,
    answers: AnswersMade | None,
    stages: Sequence[StageCost],
    models: RunModels,
    agreement: Sequence[JudgeAgreement] = (),
) -> RunSummary:
    """sweep, answers: None where no example could be made. agreement: what is known of the judge and people."""
    examples = made.examples
    results: list[Result] = []
    best: list[BestStrategy] = []
    worst: list[WorstQuestion] = []
    if sweep and answers:
        of_texts = _cells(list(answers.values.values()), examples, TEXT_METRICS)
        results = [
            Result(label=each.group, setting=each.setting, metric=each.metric, estimate=each.estimate)
            for each in (*sweep.cells, *of_texts)
        ]
        best = _best(sweep, answers, examples, judged_metrics(models, examples))
        worst = _worst(corpus, sweep, answers, examples)
    own = own_work(models.judge.name, made.examples, [models.answerer.name])
    off = [SkippedSource(source="The whole set", reason=said) for said in without_small_model(options.models)]
    return RunSummary(
        version=__version__,
        model=models.name,
        stopped_by=models.endpoints.budget.reached or "",
        settings=options.settings(),
        corpus=replace(corpus.figures, notes=(*corpus.figures.notes, *off)),
        composition=_composition(made, corpus.store),
        drafting=made.drafting,
        results=tuple(results),
        best=tuple(best),
        worst=tuple(worst),
        unanswerable=_refusals(sweep, answers, examples) if sweep and answers else None,
        answered=len(answers.answered) if answers else None,
        stages=tuple(stages),
        tokens=sweep.tokens if sweep and answers else (),
        trust=judge_trust(models.judge.name, judged_metrics(models, examples), answers.copied, agreement, own)
        if answers
        else None,
        sources={
            example.context.document_id: corpus.store.get(example.context.document_id).source for example in examples
        },
    )


def _composition(made: SynthesisResult, store: DocumentStore) -> CompositionFigures:
    delivered = Counter(example.label for example in made.examples)
    per_document = Counter(example.context.document_id for example in made.examples)
    patterns: dict[str, Counter[str]] = defaultdict(Counter)
    for example in made.examples:
        patterns[example.requested_label or UNLABELLED][example.provenance.pattern] += 1
    other = "not read: others gave enough questions" if made.unused else ""
    unused = sorted((each for each in store.ids if each not in per_document), key=lambda each: each not in made.unused)
    return CompositionFigures(
        requested={str(label): count for label, count in made.requested.items()},
        delivered={label: delivered[label] for label in LABELS},
        matrix=made.matrix,
        dropped=made.dropped,
        patterns={label: dict(counts.most_common()) for label, counts in sorted(patterns.items())},
        missing=tuple(
            MissingExamples(label=label, missing=made.requested[label] - delivered[label], reason=reason)
            for label, reason in made.shortfall.items()
        ),
        documents_used=len(per_document),
        most_per_document=max(per_document.values(), default=0),
        difficulty=dict(sorted(Counter(each.difficulty for each in made.examples if each.difficulty).items())),
        by_model=made.by_model,
        unused=tuple(
            SkippedSource(source=store.get(each).source, reason=made.unused.get(each, other))
            for each in unused[:MOST_UNUSED]
        ),
    )


def _cells(values: Sequence[SettingValues], examples: Sequence[Example], metrics: Sequence[str]) -> Iterable[Cell]:
    """Of each label and the answerable together."""
    labels = [example.label for example in examples]
    named = [metric for metric, _ in metrics_named(metrics)]
    found = cells_of_labels(values, labels, named, clusters_of(examples), "label")
    return (cell for cell in found if cell.metric in metrics and cell.group != ALL)


def _best(
    sweep: Sweep, answers: AnswersMade, examples: Sequence[Example], metrics: Sequence[str]
) -> list[BestStrategy]:
    values = list(answers.judged.values())
    generation: dict[tuple[Setting, str], dict[str, Estimate]] = defaultdict(dict)
    for cell in _cells(values, examples, metrics):
        generation[cell.setting, cell.group][cell.metric] = cell.estimate
    return [
        BestStrategy(
            label=each.label,
            setting=each.setting,
            recall_at_5=each.estimate,
            dense=each.dense,
            lexical=each.lexical,
            neighbours=each.neighbours,
            ties=each.ties,
            next_best=each.comparisons[0] if each.comparisons else None,
            generation=generation[each.setting, each.label],
        )
        for each in sweep.best
    ]


def _refusals(sweep: Sweep, answers: AnswersMade, examples: Sequence[Example]) -> Unanswerable | None:
    """Of the best setting of the headline."""
    headline = next((each.setting.name for each in sweep.best if each.label == ANSWERABLE), None)
    answered = [examples[row] for row in answers.answered]
    return unanswerable(answered, [each for each in answers.predictions if each.system == headline])


def _worst(corpus: Corpus, sweep: Sweep, answers: AnswersMade, examples: Sequence[Example]) -> list[WorstQuestion]:
    """The questions of which the best setting of the headline found least."""
    headline = next((each for each in sweep.best if each.label == ANSWERABLE), None)
    if headline is None:
        return []
    metrics = sweep.values[headline.setting].metrics
    recall, gain, first = metrics[DECIDING], metrics["ndcg@10"], metrics["mrr@10"]
    chunks = {each.example_id: each.chunks for each in answers.predictions if each.system == headline.setting.name}
    rows = [row for row, each in enumerate(examples) if each.requested_label != "unanswerable" and recall[row] < 1]
    rows.sort(key=lambda row: (recall[row], gain[row], examples[row].id))
    found = []
    for row in rows[:_WORST]:
        example = examples[row]
        retrieved = []
        for chunk in chunks[example.id]:
            document = corpus.store.get(chunk.document_id)
            retrieved.append((document.source, document.text[chunk.start : chunk.end]))
        answer = _words(example.answer)
        found.append(
            WorstQuestion(
                example_id=example.id,
                label=example.requested_label or UNLABELLED,
                question=example.question,
                answer=example.answer,
                source=corpus.store.get(example.context.document_id).source,
                references=tuple(span.text for span in example.references),
                first_rank=round(1 / first[row]) if first[row] > 0 else None,
                retrieved=tuple(retrieved[:_SHOWN_CHUNKS]),
                answer_rank=next((n for n, (_, text) in enumerate(retrieved, 1) if answer in _words(text)), None),
            )
        )
    return found


def _words(text: str) -> str:
    """The words of a text alone, so that one text can be looked for in another."""
    return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])
