"""Second stage, without a language model: the set that rules make of the documents."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.keyless.making import draft_set
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.make.corpus_stage import Corpus
from ragassay.records import Document
from ragassay.synthesis.gates import SearchGates
from ragassay.synthesis.metadata_filter import Condition
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.synthesizer import SynthesisResult


def drafted(
    plan: SetPlan,
    corpus: Corpus,
    gates: SearchGates,
    models: RunModels,
    conditions: Sequence[Condition],
    progress: Progress,
) -> SynthesisResult:
    """Make the set, with two stages of progress: documents in which questions are looked for, examples checked."""
    stage = ""

    def reach(name: str, done: int, total: int) -> None:
        nonlocal stage
        if name != stage:
            progress.start(name, total)
            stage = name
        progress.reach(done)

    def left_out(document: Document) -> str:
        failed = [condition for condition in conditions if not condition.holds(document)]
        return f"block left out by --where {failed[0]}" if failed else ""

    return draft_set(
        corpus.store,
        corpus.strata,
        gates,
        corpus.collection,
        plan,
        models.local_encoder,
        models.writer.name,
        left_out=left_out,
        progress=reach,
    )
