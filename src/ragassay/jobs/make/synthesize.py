"""``ragassay synthesize``: documents in, the evaluation set that was asked for out, and an account of it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.datasets.format import Notes
from ragassay.documents.sources import IN_MEMORY, by_reason, shown_path
from ragassay.generate.asked.likeness import habits
from ragassay.generate.baselines import Attempts, with_baselines
from ragassay.generate.candidates import DRAFTS, STATEMENTS, Strategy
from ragassay.generate.drafted import AS_USUAL, DraftPlan, draft_set_by_model
from ragassay.generate.extraction import Extractor
from ragassay.generate.filtered import EVERY_BLOCK, BlockFilters, Filtered
from ragassay.generate.options import DEFAULT_MIX, SetPlan
from ragassay.generate.pair_writer import PairWriter
from ragassay.generate.synthesizer import Drafting, SynthesisResult, synthesize
from ragassay.generate.units import STYLES
from ragassay.jobs.asking.costs import ANSWER_ALONE, MAKE, READ, Costs, worst_coverage
from ragassay.jobs.asking.effort import EffortTally
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.model_options import ModelOptions, Role
from ragassay.jobs.asking.models import Endpoints, RunModels
from ragassay.jobs.folders.job import working
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, FINDINGS_FILE, REFUSED_FILE
from ragassay.jobs.make.corpus import Corpus, build_corpus
from ragassay.jobs.make.log import asked_in, words_of
from ragassay.jobs.make.synthesis_options import WITH_LABELS, SynthesizeOptions
from ragassay.keyless.making import draft_set
from ragassay.models import EMBEDDED
from ragassay.models.base import Model
from ragassay.models.llm.budget import Spent
from ragassay.models.small.roles import SWITCH, is_on
from ragassay.records import LABELS, Example, to_json, write_jsonl
from ragassay.report.costs import StageCost
from ragassay.report.notebook import Shown
from ragassay.report.summary import write_stages
from ragassay.report.synthesis import SYNTHESIS_FILE, SynthesisSummary, baseline_figures
from ragassay.version import __version__
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

WRITER, JUDGE, ANSWERER = "writer", "judge", "answerer"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Synthesized(Shown):
    """A finished synthesis. folder: where its files are. stages: what each took, other every time.

    coverage: share of what models on servers were asked and answered; None where none was asked. spent: on them, now.
    """

    folder: Path
    summary: SynthesisSummary
    examples: tuple[Example, ...]
    stages: tuple[StageCost, ...] = ()
    coverage: float | None = None
    spent: Spent = field(default_factory=Spent)

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.brief import brief_of_synthesis

        return brief_of_synthesis(self.summary, self.stages, self.folder)

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.synthesis import synthesis_object

        return synthesis_object(self.summary, self.stages, self.folder)


def synthesize_documents(options: SynthesizeOptions, progress: Progress | None = None) -> Synthesized:
    """Make the set and write the folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the folder then stays as it was. Calls that
    were answered are in the log whatever happens, and the same options go on from there.
    """
    options.check()
    return finished(_synthesize(options, progress or Silent()))


async def _synthesize(options: SynthesizeOptions, progress: Progress) -> Synthesized:
    async with working(options, Endpoints(options.models), progress) as work:
        return await _made(options, *work)


async def _made(
    options: SynthesizeOptions, folder: Path, models: RunModels, workers: Workers, progress: Progress
) -> Synthesized:
    costs, tally = Costs(models, workers), EffortTally()
    writer, judge = tally.watched(models.writer, WRITER), models.judging(tally.watched(models.judge, JUDGE))
    answerer = tally.watched(models.answerer, ANSWERER)
    with costs.stage(READ):
        corpus = build_corpus(folder, options.corpus, workers, progress)
        known = words_of(corpus.store) if options.like else frozenset[str]()
        log = habits(asked_in(options.like, Notes(), {}), known) if options.like else {}
    plan, drafting = options.synthesis, options.drafting
    if log:
        plan = replace(plan, kinds=log["kind"])
        if "label" in log and options.mix is None and options.synthesizer in WITH_LABELS:
            plan = replace(plan, mix={label: log["label"].get(label, 0) for label in LABELS})
        if options.styles == STYLES:
            drafting = replace(drafting, styles={style: log["style"].get(style, 0) for style in STYLES})
    with costs.stage(MAKE):
        filters = BlockFilters(
            conditions=options.where, new_to=answerer if options.only_new else None, cutoff=options.cutoff
        )
        made = await make_examples(
            plan,
            corpus,
            models,
            progress,
            options.documents,
            filters,
            options.synthesizer,
            writer,
            judge,
            drafting,
        )
    write_drafting(folder, made.drafting)
    attempts: list[Attempts] | None = None
    if options.uses_baselines and made.examples:
        with costs.stage(ANSWER_ALONE):
            progress.start("answering examples", None)
            blocks = {example.id: example.context.text for example in made.examples}
            examples, attempts = await with_baselines(made.examples, blocks, answerer, judge)
            made = replace(made, examples=examples)
    write_jsonl(folder / EXAMPLES_FILE, made.examples)
    summary = _summary(options, corpus, made, tally, models, attempts)
    if log:
        summary = replace(summary, like=(log, habits(made.examples, known)))
    (folder / SYNTHESIS_FILE).write_text(to_json(summary) + "\n", encoding="utf-8")
    write_stages(folder, costs.stages)
    corpus.store.close()
    return Synthesized(
        folder=options.out,
        summary=summary,
        examples=made.examples,
        stages=tuple(costs.stages),
        coverage=worst_coverage(costs.stages),
        spent=models.endpoints.budget.spent,
    )


def _summary(
    options: SynthesizeOptions,
    corpus: Corpus,
    made: SynthesisResult,
    tally: EffortTally,
    models: RunModels,
    attempts: Sequence[Attempts] | None,
) -> SynthesisSummary:
    per_document = Counter(example.context.document_id for example in made.examples)
    by_request = options.balance_by == "requested"
    delivered = Counter((by_request and example.requested_label) or example.label for example in made.examples)
    return SynthesisSummary(
        version=__version__,
        synthesizer=options.synthesizer_name,
        models=_names(models, options),
        asked=options.n,
        requested=made.requested,
        delivered=dict(delivered),
        matrix=made.matrix,
        dropped=made.dropped,
        missing=made.shortages,
        by_type=dict(Counter(each.question_type for each in made.examples if each.question_type)),
        documents=len(corpus.store),
        visited=made.visited,
        used=len(per_document),
        most_per_document=max(per_document.values(), default=0),
        skipped=corpus.figures.skipped,
        notes=(*by_reason(corpus.figures.notes), *without_small_model(options.models)),
        drafting=made.drafting,
        files=corpus.figures.files,
        effort=tally.rows(),
        baselines=None
        if attempts is None
        else baseline_figures(
            [tried.closed[0] for tried in attempts], [tried.open for tried in attempts], models.answerer.name
        ),
        stopped_by=models.endpoints.budget.reached or "",
        counted_by="requested" if by_request else "verified",
        spare=made.spare,
        by_model=made.by_model,
        difficulty=dict(sorted(Counter(each.difficulty for each in made.examples if each.difficulty).items())),
    )


def _names(models: RunModels, options: SynthesizeOptions) -> str:
    names = {WRITER: models.writer.name, JUDGE: models.judge.name}
    if options.uses_baselines or options.only_new:
        names[ANSWERER] = models.answerer.name
    if len(set(names.values())) == 1:
        return models.writer.name
    return "; ".join(f"{role}: {name}" for role, name in names.items())


USUAL_MODEL = "openai:gpt-4o-mini"
"""Named where a command has to name one."""


async def make_examples(
    plan: SetPlan,
    corpus: Corpus,
    models: RunModels,
    progress: Progress,
    documents: Sequence[Path],
    filters: BlockFilters = EVERY_BLOCK,
    synthesizer: str = DRAFTS,
    writer: Model | None = None,
    judge: Model | None = None,
    drafting: DraftPlan = AS_USUAL,
) -> SynthesisResult:
    """Make a set by a language model, or by rules where the writer of ``models`` is the embedded one.

    documents: as the user named them, for the command that has a language model make the set. writer, judge: what
    watches those of ``models``.
    """
    if not models.writer.is_on_server:
        return _draft(plan, corpus, models, progress, documents, filters)
    writer, judge = writer or models.writer, judge or models.judging()
    if synthesizer == DRAFTS and not models.judge.is_on_server:
        judge = writer  # the embedded model cannot review
    if synthesizer == DRAFTS:
        progress.start("drafting examples", plan.n)
        return await draft_set_by_model(
            corpus.store,
            corpus.strata,
            corpus.collection,
            corpus.gates,
            writer,
            judge,
            models.local_encoder,
            replace(plan, balance_by="verified"),
            drafting,
            lambda done, total: progress.reach(min(done, total)),
            lambda: models.endpoints.budget.reached is not None,
            filters.left_out,
        )
    strategy: Strategy
    if synthesizer == STATEMENTS:
        strategy = Extractor(writer, corpus.collection, plan)
    else:
        strategy = PairWriter(synthesizer, writer, corpus.collection, plan)
    if filters != EVERY_BLOCK:
        strategy = Filtered(strategy, corpus.collection, plan, filters)
    progress.start("making examples", plan.n)
    made = await synthesize(
        corpus.store,
        corpus.strata,
        corpus.gates if plan.theme else None,  # what is asked of one document is not searched for
        strategy,
        models.writer.name,
        judge,
        plan,
        lambda done, total: progress.reach(plan.n * done / total),
        lambda: models.endpoints.budget.reached is not None,
        models.local_encoder,
    )
    progress.reach(len(made.examples))
    return made


def _draft(
    plan: SetPlan,
    corpus: Corpus,
    models: RunModels,
    progress: Progress,
    documents: Sequence[Path],
    filters: BlockFilters,
) -> SynthesisResult:
    """Make the set by rules; progress has two stages: documents that were looked through, examples checked."""
    stage = ""

    def reach(name: str, done: int, total: int) -> None:
        nonlocal stage
        if name != stage:
            progress.start(name, total)
            stage = name
        progress.reach(done)

    mix = ["--mix", ",".join(f"{label}={part:g}" for label, part in plan.mix.items())]
    where = [word for condition in filters.conditions for word in ("--where", str(condition))]
    named = ("DOCS" if path.name.startswith(IN_MEMORY) else shown_path(path) for path in documents)
    words = [
        *named,
        *where,
        "--model",
        USUAL_MODEL,
        "--n",
        str(plan.n),
        *(mix if plan.mix and plan.mix != DEFAULT_MIX else []),
    ]
    made = draft_set(
        corpus.store,
        corpus.strata,
        corpus.gates,
        corpus.collection,
        plan,
        models.local_encoder,
        models.writer.name,
        left_out=filters.left_out,
        progress=reach,
    )
    return replace(made, by_model=f"ragassay synthesize {shlex.join(words)} --out FOLDER")


def write_drafting(folder: Path, drafting: Drafting | None) -> None:
    """Write what drafts refused, and what they found wrong with the documents, for people and programs."""
    if drafting is not None:
        write_jsonl(folder / REFUSED_FILE, drafting.refused)
        write_jsonl(folder / FINDINGS_FILE, drafting.findings)


def without_small_model(options: ModelOptions) -> list[str]:
    """Return what is worse because the small language model is off; nothing where models on servers do it all."""
    worse: dict[Role, str] = {
        "writer": "only what is right by construction is asked",
        "judge": "labels and groundedness are decided by shared words",
    }
    lost = [said for role, said in worse.items() if options.name_of(role) == EMBEDDED]
    return [f"The small language model is off ({SWITCH}=off): {', and '.join(lost)}."] if lost and not is_on() else []
