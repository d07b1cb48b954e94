"""``ragassay synthesize``: documents in, the evaluation set that was asked for out, and an account of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.corpus.sources import by_reason
from ragassay.models.base import Model
from ragassay.models.llm.budget import Spent
from ragassay.pipeline.asking.costs import ANSWER_ALONE, FOLLOW_UP, MAKE, READ, Costs
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.folders.run_folder import EXAMPLES_FILE
from ragassay.pipeline.make.corpus import Corpus, build_corpus, working
from ragassay.pipeline.make.examples import draft_examples, without_small_model, write_examples
from ragassay.pipeline.make.synthesis_options import GATE_CHARS, SynthesizeOptions
from ragassay.records import Example, to_json, write_jsonl
from ragassay.report.costs import StageCost
from ragassay.report.notebook import Shown
from ragassay.report.summary import write_stages
from ragassay.report.synthesis import SYNTHESIS_FILE, SynthesisSummary, baseline_figures
from ragassay.synthesis.baselines import Baselines, with_baselines
from ragassay.synthesis.evolved import Evolved, Neighbours
from ragassay.synthesis.extraction import Extractor
from ragassay.synthesis.filtered import BlockFilters, Filtered
from ragassay.synthesis.follow_ups import FollowUps, with_follow_ups
from ragassay.synthesis.metadata_filter import check_conditions
from ragassay.synthesis.pair_writer import creative, per_chunk, simple
from ragassay.synthesis.strategy import Strategy
from ragassay.synthesis.synthesizer import SynthesisResult
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
        from ragassay.report.synthesis import blocks_of_synthesis

        return blocks_of_synthesis(self.summary, self.stages, self.folder)

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.synthesis import synthesis_object

        return synthesis_object(self.summary, self.stages, self.folder)


def synthesize_documents(options: SynthesizeOptions, progress: Progress | None = None) -> Synthesized:
    """Makes the set and writes the folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the folder then stays as it was. Calls that
    were answered are in the log whatever happens, and the same options go on from there.
    """
    options.check()
    return finished(_synthesize(options, Endpoints(options.models), progress or Silent()))


async def _synthesize(options: SynthesizeOptions, endpoints: Endpoints, progress: Progress) -> Synthesized:
    async with working(options, endpoints, progress) as work:
        return await _made(options, *work)


async def _made(
    options: SynthesizeOptions, folder: Path, models: RunModels, workers: Workers, progress: Progress
) -> Synthesized:
    costs, tally = Costs(models, workers), EffortTally()
    writer, judge = tally.watched(models.writer, WRITER), models.judging(tally.watched(models.judge, JUDGE))
    answerer = tally.watched(models.answerer, ANSWERER)
    with costs.stage(READ):
        corpus = build_corpus(folder, options.corpus, workers, progress)
        check_conditions(options.where, corpus.store)
    notes = without_small_model(options.models)
    with costs.stage(MAKE):
        if options.is_keyless:
            made = draft_examples(
                options.synthesis,
                corpus,
                corpus.gates(GATE_CHARS),
                models,
                options.where,
                progress,
                options.documents,
            )
        else:
            made = await write_examples(
                options.synthesis,
                corpus,
                corpus.gates(GATE_CHARS) if options.theme else None,
                _of_some(_strategy(options, corpus, writer, notes), options, corpus, answerer),
                judge,
                models,
                progress,
            )
    baselines: Baselines | None = None
    if options.uses_baselines and made.examples:
        with costs.stage(ANSWER_ALONE):
            progress.start("answering examples", None)
            baselines = await with_baselines(made.examples, _blocks(made.examples, corpus), answerer, judge)
            made = replace(made, examples=baselines.examples)
    if options.follow_ups:
        with costs.stage(FOLLOW_UP):
            progress.start("asking as follow-ups", None)
            followed_up = await with_follow_ups(made.examples, options.follow_ups, options.seed, writer, judge)
        made = replace(made, examples=followed_up.examples)
        notes.append(_said_of(followed_up))
    write_jsonl(folder / EXAMPLES_FILE, made.examples)
    summary = _summary(options, corpus, made, notes, tally, models, baselines)
    (folder / SYNTHESIS_FILE).write_text(to_json(summary) + "\n", encoding="utf-8")
    write_stages(folder, costs.stages)
    corpus.store.close()
    served = [stage for stage in costs.stages if stage.served]
    return Synthesized(
        folder=options.out,
        summary=summary,
        examples=made.examples,
        stages=tuple(costs.stages),
        coverage=min((1 - stage.unanswered / stage.served for stage in served), default=None),
        spent=models.endpoints.budget.spent,
    )


def _said_of(found: FollowUps) -> str:
    left = ", ".join(f"{reason} ({count:,})" for reason, count in sorted(found.left.items()))
    return (
        f"Follow-up questions: {found.made} of {found.wanted} could be made, in place of questions that stand alone."
        + (f" Tries that failed: {left}." if left else "")
    )


def _strategy(options: SynthesizeOptions, corpus: Corpus, writer: Model, notes: list[str]) -> Strategy:
    """Return the synthesizer that was asked for. notes: gets what the reader should know of it."""
    asked = writer, corpus.collection, options.synthesis
    match options.synthesizer:
        case "simple":
            return simple(*asked)
        case "per_chunk":
            return per_chunk(*asked, options.pairs)
        case "creative":
            return creative(*asked)
        case "evolved":
            return _evolved(options, corpus, writer, notes)
    return Extractor(*asked)


def _of_some(strategy: Strategy, options: SynthesizeOptions, corpus: Corpus, answerer: Model) -> Strategy:
    """The strategy, asked about the documents alone that the filters let pass."""
    if not (options.where or options.only_new):
        return strategy
    new_to = answerer if options.only_new else None
    filters = BlockFilters(conditions=options.where, new_to=new_to, cutoff=options.cutoff)
    return Filtered(strategy, corpus.collection, options.synthesis, filters, corpus.store.get)


def _evolved(options: SynthesizeOptions, corpus: Corpus, writer: Model, notes: list[str]) -> Evolved:
    neighbours = Neighbours(*corpus.searched(GATE_CHARS)) if len(corpus.store) > 1 else None
    if neighbours is None:
        notes.append("Only one document: no question was made from two.")
    return Evolved(writer, corpus.collection, options.synthesis, neighbours)


def _blocks(examples: Sequence[Example], corpus: Corpus) -> dict[str, str]:
    """Example id to the text that holds its answer: its context, and the documents that it needs besides."""
    blocks = {}
    for example in examples:
        home = example.context.document_id
        others = dict.fromkeys(span.document_id for span in example.references if span.document_id != home)
        blocks[example.id] = "\n\n".join([example.context.text, *(corpus.store.get(each).text for each in others)])
    return blocks


def _summary(
    options: SynthesizeOptions,
    corpus: Corpus,
    made: SynthesisResult,
    notes: Sequence[str],
    tally: EffortTally,
    models: RunModels,
    baselines: Baselines | None,
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
        notes=(*by_reason(corpus.figures.notes), *notes),
        effort=tally.rows(),
        baselines=None
        if baselines is None
        else baseline_figures([*baselines.closed.values()], [*baselines.open.values()], models.answerer.name),
        stopped_by=models.endpoints.budget.reached or "",
        counted_by="requested" if by_request else "verified",
        ratings=made.ratings,
        passed=made.passed,
        spare=made.spare,
        difficulty=dict(sorted(Counter(each.difficulty for each in made.examples if each.difficulty).items())),
    )


def _names(models: RunModels, options: SynthesizeOptions) -> str:
    names = {WRITER: models.writer.name, JUDGE: models.judge.name}
    if options.uses_baselines or options.only_new:
        names[ANSWERER] = models.answerer.name
    if len(set(names.values())) == 1:
        return models.writer.name
    return "; ".join(f"{role}: {name}" for role, name in names.items())
