"""Second stage: examples made of the documents, by rules or by a language model."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ragassay.documents.sources import IN_MEMORY, shown_path
from ragassay.generate.candidates import DRAFTS, STATEMENTS, Strategy
from ragassay.generate.drafted import AS_USUAL, DraftPlan, draft_set_by_model
from ragassay.generate.extraction import Extractor
from ragassay.generate.filtered import EVERY_BLOCK, BlockFilters, Filtered
from ragassay.generate.options import DEFAULT_MIX, SetPlan
from ragassay.generate.pair_writer import PairWriter
from ragassay.generate.synthesizer import Drafting, SynthesisResult, synthesize
from ragassay.jobs.asking.model_options import ModelOptions, Role
from ragassay.jobs.asking.models import RunModels
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.folders.run_folder import FINDINGS_FILE, REFUSED_FILE
from ragassay.jobs.make.corpus import Corpus
from ragassay.keyless.making import draft_set
from ragassay.models import EMBEDDED
from ragassay.models.base import Model
from ragassay.models.small.roles import SWITCH, is_on
from ragassay.records import write_jsonl

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
