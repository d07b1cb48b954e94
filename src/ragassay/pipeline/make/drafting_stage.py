"""Second stage, without a language model: the set that rules make of the documents."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ragassay.keyless.making import draft_set
from ragassay.models import EMBEDDED
from ragassay.models.small.roles import SWITCH, is_on
from ragassay.pipeline.asking.model_options import ModelOptions, Role
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.make.corpus_stage import Corpus
from ragassay.records import Document
from ragassay.synthesis.gates import SearchGates
from ragassay.synthesis.metadata_filter import Condition
from ragassay.synthesis.options import ANY, SetPlan
from ragassay.synthesis.shortfall import Shortage
from ragassay.synthesis.synthesizer import SynthesisResult


def drafted(
    plan: SetPlan,
    corpus: Corpus,
    gates: SearchGates,
    models: RunModels,
    conditions: Sequence[Condition],
    progress: Progress,
    documents: Sequence[Path],
) -> SynthesisResult:
    """Make the set, with two stages of progress: documents in which questions are looked for, examples checked.

    documents: as the user named them, for the command that fills what is missing.
    """
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

    made = draft_set(
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
    command = f"ragassay synthesize {shlex.join(map(str, documents))} --model MODEL"

    def filled(short: Shortage) -> Shortage:
        fill = f"{command} {_what(short.name, short.missing)} --out FOLDER"
        return replace(short, reason=f"{short.reason}; with one: `{fill}`")

    return replace(made, shortages=tuple(map(filled, made.shortages)))


def _what(name: str, missing: int) -> str:
    return f"--n {missing}" if name == ANY else f"--n {missing} --mix {name}=1"


def without_small_model(options: ModelOptions) -> list[str]:
    """What is worse because the small language model is switched off; nothing where models on servers do it all."""
    worse: dict[Role, str] = {
        "writer": "only what is right by construction is asked",
        "judge": "labels and groundedness are decided by shared words",
    }
    lost = [said for role, said in worse.items() if options.name_of(role) == EMBEDDED]
    return [f"The small language model is off ({SWITCH}=off): {', and '.join(lost)}."] if lost and not is_on() else []
