"""What an experiment is asked to do: which systems, on which two benchmarks, by which metrics."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from ragassay.datasets.registry import format_named
from ragassay.documents.sources import IN_MEMORY, resolved
from ragassay.errors import InputError, UsageError
from ragassay.jobs.answer.checks import check_evaluation
from ragassay.jobs.answer.options import EvaluateOptions, our_metrics
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.metrics.catalogue import metrics_named
from ragassay.options import Count, Group, Many, Option, Seed, settings, typed_as
from ragassay.rag.setting import DECIDING, TOP_K
from ragassay.systems.build import BUILT_IN, check_outside_system
from ragassay.systems.function import spec_of
from ragassay.systems.options import NoRetrievalOptions, RagOptions
from ragassay.systems.spec import SystemSpec, parse_spec

ExperimentKind = Literal["retrievers", "generators"]
Side = Literal["synthetic", "human"]
SIDES: tuple[Side, ...] = get_args(Side)

RETRIEVAL_METRICS = (DECIDING, f"ndcg@{TOP_K}", f"reference_recall@{TOP_K}")
ANSWER_METRICS = ("token_f1", "embedding_similarity", "correctness", "faithfulness", "answer_relevance")
"""Against reference answers, and without them, as experiments A and B have it."""
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One of the systems. name: what tables call it. model: who answers for a built-in one; empty for the usual one.

    target: the function or object itself, where it is at hand.
    """

    name: str
    spec: SystemSpec
    model: str = ""
    target: Callable[..., Any] | None = None

    @property
    def is_built_in(self) -> bool:
        return self.spec.kind in BUILT_IN


@settings
class ExperimentOptions:
    """Which systems are compared on which two sets, and by what. Limits hold for the whole experiment together."""

    command: ClassVar[str] = "experiment"

    kind: Annotated[
        ExperimentKind,
        Option("Part in which the systems differ: retrievers or generators.", metavar="KIND", is_argument=True),
    ]
    systems: Annotated[
        tuple[Any, ...],
        Many,
        Option(
            "Give at least two. System as `ragassay evaluate --system` takes it.", flags=("--system",), metavar="SYSTEM"
        ),
    ] = ()
    synthetic: Annotated[Path, Option("Set made by a model or by rules.", metavar="DATASET")]
    human: Annotated[Path, Option("Set made by people.", metavar="DATASET")]
    out: Annotated[
        Path,
        Option("Folder of the experiment; continues earlier work.", metavar="FOLDER", panel="Output"),
    ]
    from_synthetic: Annotated[
        str | None, Option("Format of the synthetic set; default: detected.", metavar="FORMAT", is_rare=True)
    ] = None
    from_human: Annotated[
        str | None, Option("Format of the human set; default: detected.", metavar="FORMAT", is_rare=True)
    ] = None
    metrics: Annotated[
        tuple[str, ...],
        typed_as(our_metrics),
        Option("Metrics, separated by commas; default: the usual ones that both sets allow.", metavar="NAMES"),
    ] = ()
    documents: Annotated[
        Path | None,
        Option(
            "Documents for both sets; default: those of the synthetic set, if the human set has none.", metavar="PATH"
        ),
    ] = None
    limit: Annotated[Count | None, Option("Only use the first N questions.", metavar="N")] = None
    seed: Annotated[Seed, Option("Random seed of the intervals.")] = 0
    retry_failed: Annotated[bool, Option("Ask failed questions again.", is_about_work=True)] = False
    overwrite: Annotated[
        bool, Option("Replace another experiment and ask all questions again.", panel="Output", is_about_work=True)
    ] = False
    answering: Annotated[
        tuple[str, ...],
        Many,
        Option(
            "Model that answers for built-in systems; repeatable, each with each system.",
            flags=("--model",),
            metavar="MODEL",
            panel="Models",
        ),
    ] = ()
    models: Annotated[ModelOptions, Group(frozenset({"model", "answers", "panel"}))] = field(
        default_factory=ModelOptions
    )
    folder: Path = Path()
    """Where files of systems are looked for."""
    shared: Path | None = None
    """The synthetic set, whose documents the human one is asked about, as it brings none."""

    @cached_property
    def compared(self) -> tuple[ComparedSystem, ...]:
        """The systems. Raises UsageError."""
        if self.kind == "retrievers" and len(self.answering) > 1:
            raise UsageError(
                "--model: retrievers are compared with one generator; give one model, or compare generators"
            )
        return systems_of(self.systems, self.answering if len(self.answering) > 1 else (), self.folder)

    @cached_property
    def asked(self) -> ModelOptions:
        """Who answers and embeds for built-in systems, and judges; of several models that answer the first."""
        return replace(self.models, model=self.answering[0]) if self.answering else self.models

    @property
    def judge(self) -> str:
        """Who judges."""
        return self.asked.name_of("judge")

    def dataset(self, side: Side) -> Path:
        return self.synthetic if side == "synthetic" else self.human

    def format_name(self, side: Side) -> str | None:
        return self.from_synthetic if side == "synthetic" else self.from_human

    def documents_of(self, side: Side) -> Path | None:
        """What built-in systems search, where that is not in the set; one at hand has been joined with its own."""
        if self.dataset(side).name.startswith(IN_MEMORY):
            return None
        return self.documents or (self.shared if side == "human" else None)

    def check(self) -> None:
        """Raise UsageError or InputError for what cannot be meant, before anything is read or written."""
        names = [system.name for system in self.compared]
        if len(names) < 2:
            raise UsageError(f"--system: needs at least 2 systems, not {len(names)}")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"--system: two systems have the name {twice!r}; rename or drop one")
        for side in SIDES:
            if not self.dataset(side).exists():
                raise InputError(f"--{side}: {self.dataset(side)} does not exist; give an evaluation set")
            if (named := self.format_name(side)) is not None:
                format_named(named, f"--from-{side}")
        if self.synthetic.resolve() == self.human.resolve():
            raise UsageError(f"--human: {self.human} is the synthetic set; give one made by people")
        for metric, _ in metrics_named(self.metrics) if self.metrics else ():
            if "other prediction" in metric.inputs:
                raise UsageError(f"--metrics: {metric.name} cannot rank systems; leave it out")
        if not self.uses_servers:
            self.asked.check(lexical=True)  # no limit holds where nothing is asked
        for system in self.compared:
            if system.model and not system.is_built_in:
                raise UsageError(f"--model: only applies to built-in systems, not to {system.name}")
            asking = self.evaluation(system, "human", self.metrics)
            check_evaluation(asking)
            if not system.is_built_in and system.target is None:
                check_outside_system(system.spec)  # before the first one is asked, and paid
            if isinstance(system.spec.options, NoRetrievalOptions) and not asking.answering.uses_servers:
                raise UsageError(
                    f"--system: {system.name} needs a language model; give one with --model, or drop the system"
                )

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        return any(self.evaluation(system, "human", self.metrics).uses_servers for system in self.compared)

    def evaluation(self, system: ComparedSystem, side: Side, metrics: tuple[str, ...]) -> EvaluateOptions:
        """One system on one benchmark; its folder is still open."""
        models = replace(
            self.asked, model=system.model or self.asked.model, judges=self.asked.judges or (self.asked.model,)
        )
        return EvaluateOptions(
            data=self.dataset(side),
            system=system.spec,
            from_format=self.format_name(side),
            documents=self.documents_of(side),
            limit=self.limit,
            retry_failed=self.retry_failed,
            overwrite=self.overwrite,
            metrics=metrics,
            models=models.without_idle_limits(),
            seed=self.seed,
        )

    def default_metrics(self) -> tuple[str, ...]:
        """The usual ones for the kind of experiment, whatever the sets have."""
        answers = not any(
            isinstance(system.spec.options, RagOptions) and not system.spec.options.generate for system in self.compared
        )
        named = ANSWER_METRICS if answers else ()
        return (*RETRIEVAL_METRICS, *named) if self.kind == "retrievers" else named

    def settings(self) -> dict[str, str]:
        """What the folder and the page say of it."""
        documents = {f"documents of the {side} benchmark": str(given) for side in SIDES
                     if (given := self.documents_of(side)) is not None}  # fmt: skip
        benchmarks = {side: str(self.dataset(side)) for side in SIDES}
        models = self.asked.settings() | {"judge": self.judge}
        return {"kind": self.kind, **benchmarks, **documents, **models, "seed": str(self.seed)}

    def identity(self) -> dict[str, str]:
        """What has to be the same for the folder to go on: systems and metrics may be more or others."""
        return {side: resolved(self.dataset(side)) for side in SIDES}


def run_name(system: ComparedSystem, options: EvaluateOptions) -> str:
    """The folder of a system's run: its name for people, and a hash of all that it is."""
    asked = json.dumps([system.name, options.identity()], sort_keys=True)
    readable = _UNSAFE.sub("-", system.name).strip("-")[:40] or "system"
    return f"{readable}-{hashlib.sha256(asked.encode()).hexdigest()[:8]}"


def systems_of(specs: Sequence[Any], models: Sequence[str] = (), folder: Path = Path()) -> tuple[ComparedSystem, ...]:
    """The systems that a user listed; each built-in one by every model, where several are named.

    specs: as ``--system`` takes them, or mappings with ``system``, also the function or object itself, and, as one
    likes, ``name``, ``model`` and options of the system. folder: where files of systems are looked for. Raises
    UsageError.
    """
    found: list[ComparedSystem] = []
    for each in specs:
        if isinstance(each, ComparedSystem):
            found.append(each)
            continue
        given = dict(each) if isinstance(each, Mapping) else {"system": each}
        written, own = given.pop("system", None), given.pop("model", None)
        if callable(written):
            found.append(ComparedSystem(name=given["name"], spec=spec_of(written, given)[0], target=written))
            continue
        if not isinstance(written, str) or not written or not isinstance(own, str | None):
            raise UsageError(f"systems: invalid system {str(each)[:80]!r}; write it as rag:retriever=bm25")
        beside = folder / written
        spec = parse_spec(str(beside) if beside.is_file() else written, more=given)
        for model in [own] if own or spec.kind not in BUILT_IN or not models else list(models):
            name = spec.options.name or written
            shown = f"{name}, {model}" if model and (len(models) > 1 or not spec.options.name) else name
            found.append(ComparedSystem(name=shown, spec=spec, model=model or ""))
    return tuple(found)
