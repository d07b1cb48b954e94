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

from ragassay.corpus.sources import resolved
from ragassay.datasets.registry import format_named
from ragassay.errors import InputError, UsageError, check_seed
from ragassay.metrics.catalogue import metrics_named
from ragassay.options import Count, Group, Many, Names, Option, Seed, settings
from ragassay.pipeline.answer.options import EvaluateOptions
from ragassay.pipeline.asking.asked_metrics import asked_metrics
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.systems.build import BUILT_IN, check_outside_system
from ragassay.systems.function import spec_of
from ragassay.systems.options import NoRetrievalOptions, RagOptions
from ragassay.systems.spec import SystemSpec, parse_spec

ExperimentKind = Literal["retrievers", "generators"]
KINDS: tuple[ExperimentKind, ...] = get_args(ExperimentKind)
Side = Literal["synthetic", "human"]
SIDES: tuple[Side, ...] = get_args(Side)

RETRIEVAL_METRICS = ("recall@5", "ndcg@5", "reference_recall@5")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A data set. documents: what built-in systems search, where the set has none.

    from_format: None to tell it by the content. shares: whether the documents are the other set's, as this one brings
    none.
    """

    dataset: Path
    documents: Path | None = None
    from_format: str | None = None
    shares: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """kind: what the systems differ in, which decides the usual metrics and the warnings. out: the folder.

    metrics: names; () for those that both benchmarks have the inputs for. models: who answers and embeds for built-in
    systems, and judges. Limits hold for the whole experiment together.
    limit: only the first so many questions of each set. retry_failed: ask those again that failed. overwrite: replace
    another experiment in the folder, and ask all again. coverage: share of the questions that each system
    has to answer.
    """

    kind: ExperimentKind
    systems: tuple[ComparedSystem, ...]
    synthetic: Benchmark
    human: Benchmark
    out: Path
    metrics: tuple[str, ...] = ()
    models: ModelOptions = field(default_factory=ModelOptions)
    limit: int | None = None
    seed: int = 0
    retry_failed: bool = False
    overwrite: bool = False
    coverage: float = 0.95

    def benchmark(self, side: Side) -> Benchmark:
        return self.synthetic if side == "synthetic" else self.human

    def check(self) -> None:
        """Raises UsageError or InputError for what cannot be meant, before anything is read or written."""
        if self.kind not in KINDS:
            raise UsageError(f"kind: unknown kind {self.kind!r}; choose retrievers or generators")
        if len(self.systems) < 2:
            raise UsageError(f"--system: needs at least 2 systems, not {len(self.systems)}")
        names = [system.name for system in self.systems]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"--system: two systems have the name {twice!r}; rename or drop one")
        check_seed(self.seed)
        for side in SIDES:
            if not self.benchmark(side).dataset.exists():
                raise InputError(f"--{side}: {self.benchmark(side).dataset} does not exist; give an evaluation set")
            if (named := self.benchmark(side).from_format) is not None:
                format_named(named, f"--from-{side}")
        if self.synthetic.dataset.resolve() == self.human.dataset.resolve():
            raise UsageError(f"--human: {self.human.dataset} is the synthetic set; give one made by people")
        self._check_models()
        if self.metrics:
            for metric, _ in metrics_named(self.metrics):
                if "other prediction" in metric.inputs:
                    raise UsageError(f"--metrics: {metric.name} cannot rank systems; leave it out")
        for system in self.systems:
            self.evaluation(system, "human", self.metrics).check()
            if not system.is_built_in and system.target is None:
                check_outside_system(system.spec)  # before the first one is asked, and paid
            if (
                isinstance(system.spec.options, NoRetrievalOptions)
                and not self.evaluation(system, "human", ()).answering.uses_servers
            ):
                raise UsageError(
                    f"--system: {system.name} needs a language model; give one with --model, or drop the system"
                )

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        return any(self.evaluation(system, "human", self.metrics).uses_servers for system in self.systems)

    command: ClassVar[str] = "experiment"

    def _check_models(self) -> None:
        for system in self.systems:
            if system.model and not system.is_built_in:
                raise UsageError(f"--model: only applies to built-in systems, not to {system.name}")
        if not self.uses_servers:
            self.models.check(lexical=True)  # no limit holds where nothing is asked

    @property
    def judge(self) -> str:
        """Who judges."""
        return self.models.name_of("judge")

    def evaluation(self, system: ComparedSystem, side: Side, metrics: tuple[str, ...]) -> EvaluateOptions:
        """One system on one benchmark; its folder is still open."""
        benchmark = self.benchmark(side)
        models = replace(
            self.models, model=system.model or self.models.model, judges=self.models.judges or (self.models.model,)
        )
        return EvaluateOptions(
            data=benchmark.dataset,
            system=system.spec,
            from_format=benchmark.from_format,
            documents=benchmark.documents,
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
            isinstance(system.spec.options, RagOptions) and not system.spec.options.generate for system in self.systems
        )
        named = ANSWER_METRICS if answers else ()
        return (*RETRIEVAL_METRICS, *named) if self.kind == "retrievers" else named

    def settings(self) -> dict[str, Any]:
        """What the folder and the page say of it."""
        benchmarks = {side: str(self.benchmark(side).dataset) for side in SIDES}
        documents = {f"documents of the {side} benchmark": str(given) for side in SIDES
                     if (given := self.benchmark(side).documents) is not None}  # fmt: skip
        models = self.models.settings() | {"judge": self.judge}
        return {"kind": self.kind, **benchmarks, **documents, **models, "seed": str(self.seed)}

    def identity(self) -> dict[str, str]:
        """What has to be the same for the folder to go on: systems and metrics may be more or others."""
        return {side: resolved(self.benchmark(side).dataset) for side in SIDES}


def run_name(system: ComparedSystem, options: EvaluateOptions) -> str:
    """The folder of a system's run: its name for people, and a hash of all that it is."""
    asked = json.dumps([system.name, options.identity()], sort_keys=True)
    readable = _UNSAFE.sub("-", system.name).strip("-")[:40] or "system"
    return f"{readable}-{hashlib.sha256(asked.encode()).hexdigest()[:8]}"


def systems_of(
    specs: Sequence[str | Mapping[str, Any]], models: Sequence[str] = (), folder: Path = Path()
) -> tuple[ComparedSystem, ...]:
    """The systems that a user listed; each built-in one by every model, where several are named.

    specs: as ``--system`` takes them, or mappings with ``system`` and, as one likes, ``name``, ``model`` and options of
    the system. folder: where files of systems are looked for. Raises UsageError.
    """
    found: list[ComparedSystem] = []
    for each in specs:
        given = {"system": each} if isinstance(each, str) else dict(each)
        written, own = given.pop("system", None), given.pop("model", None)
        if not isinstance(written, str) or not written or not isinstance(own, str | None):
            raise UsageError(f"systems: invalid system {str(each)[:80]!r}; write it as rag:retriever=bm25")
        beside = folder / written
        spec = parse_spec(str(beside) if beside.is_file() else written, more=given)
        for model in [own] if own or spec.kind not in BUILT_IN or not models else list(models):
            name = spec.options.name or written
            shown = f"{name}, {model}" if model and (len(models) > 1 or not spec.options.name) else name
            found.append(ComparedSystem(name=shown, spec=spec, model=model or ""))
    return tuple(found)


def named_systems(systems: Mapping[str, str | Callable[..., Any]]) -> tuple[ComparedSystem, ...]:
    """Systems by name: each as ``--system`` takes it, or the function or object itself. Raises UsageError."""
    found: list[ComparedSystem] = []
    for name, system in systems.items():
        if isinstance(system, str):
            found += systems_of([{"system": system, "name": name}])
        else:
            found.append(ComparedSystem(name=name, spec=spec_of(system, {"name": name})[0], target=system))
    return tuple(found)


@settings
class ExperimentSettings:
    """Which systems are compared on which two sets, and by what."""

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
        Names,
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

    @cached_property
    def experiment(self) -> ExperimentOptions:
        """What is done. Raises UsageError."""
        if self.kind == "retrievers" and len(self.answering) > 1:
            raise UsageError(
                "--model: retrievers are compared with one generator; give one model, or compare generators"
            )
        several = self.answering if len(self.answering) > 1 else ()
        models = replace(self.models, model=self.answering[0]) if self.answering else self.models
        return ExperimentOptions(
            kind=self.kind,
            systems=systems_of(self.systems, several, self.folder),
            synthetic=Benchmark(dataset=self.synthetic, documents=self.documents, from_format=self.from_synthetic),
            human=Benchmark(dataset=self.human, documents=self.documents, from_format=self.from_human),
            out=self.out,
            metrics=asked_metrics(self.metrics),
            models=models,
            limit=self.limit,
            seed=self.seed,
            retry_failed=self.retry_failed,
            overwrite=self.overwrite,
            coverage=models.coverage,
        )

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        return self.experiment.uses_servers
