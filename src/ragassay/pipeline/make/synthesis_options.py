"""What ``ragassay synthesize`` is asked to do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, get_args

from ragassay.corpus.read import ReadOptions
from ragassay.corpus.sources import shown_path
from ragassay.errors import UsageError
from ragassay.models.plug_ins import PlugIn
from ragassay.pipeline.asking.model_options import EMBEDDED, ModelOptions
from ragassay.pipeline.folders.run_folder import fingerprint_of
from ragassay.pipeline.make.run_options import RunOptions, shares_of
from ragassay.records import LABELS, QUESTION_TYPES, Label, QuestionType
from ragassay.synthesis.candidates import RULES
from ragassay.synthesis.evolved import WAYS, Way
from ragassay.synthesis.metadata_filter import Condition
from ragassay.synthesis.options import (
    DEFAULT_MIX,
    DEFAULT_THRESHOLDS,
    MAX_CONTEXT_CHARS,
    BalanceBy,
    SetPlan,
)
from ragassay.synthesis.per_chunk import PAIRS
from ragassay.synthesis.plug_in_strategy import full_name, synthesizer_plug_in, synthesizer_plug_ins

SynthesizerName = Literal["statements", "simple", "per_chunk", "creative", "evolved", "scenario"]
SYNTHESIZERS: tuple[SynthesizerName, ...] = get_args(SynthesizerName)
GATE_CHARS = 1024
"""Size of the chunks in which a search has to find a question's document."""
_PASSAGE_CHARS = 4000
_PER_DOCUMENT: Mapping[str, int] = {"creative": 1, "per_chunk": PAIRS}


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizeOptions:
    """documents: files and folders; seeds for a schema where the synthesizer is ``scenario`` and none is named.

    synthesizer: one of ``SYNTHESIZERS``, or the name of a plug-in.
    mix: label to share; None for the synthesizer's own. balance_by: the label that counts. type_mix: question type to
    share, of ``evolved``. even_lengths: contexts of all lengths alike. per_document: examples of one label that a
    document gives before others have had their turn. most_per_document: of all labels together, never exceeded.
    contexts: what a context is, None for the synthesizer's own. context_chars: longest passage. max_context_chars:
    longer contexts are left out. theme: of ``statements``. pairs: of ``per_chunk``. ways: of ``evolved``.
    follow_ups: share of the examples that become follow-up questions of others, as far as the model can word them.
    conditions, only_new, cutoff: which documents are asked about. baselines: None for ``creative`` only.
    schema, schema_language, scenario_documents, types: of ``scenario``.
    """

    command: ClassVar[str] = "synthesize"

    documents: tuple[Path, ...]
    out: Path
    synthesizer: SynthesizerName | str = "statements"
    n: int = 100
    mix: Mapping[Label, float] | None = None
    seed: int = 0
    balance_by: BalanceBy = "both"
    type_mix: Mapping[str, float] = field(default_factory=dict)
    even_lengths: bool = False
    per_document: int | None = None
    most_per_document: int | None = None
    contexts: Literal["passages", "documents"] | None = None
    context_chars: int = _PASSAGE_CHARS
    max_context_chars: int = MAX_CONTEXT_CHARS
    theme: bool = True
    follow_ups: float = 0.0
    pairs: int = PAIRS
    ways: tuple[Way, ...] | None = None
    conditions: tuple[Condition, ...] = ()
    only_new: bool = False
    cutoff: str = ""
    baselines: bool | None = None
    schema: str = ""
    schema_language: str = "en"
    scenario_documents: int = 40
    types: tuple[QuestionType, ...] = QUESTION_TYPES
    models: ModelOptions = field(default_factory=ModelOptions)
    read: ReadOptions = field(default_factory=ReadOptions)
    overwrite: bool = False
    processes: int | None = None

    @property
    def plug_in(self) -> PlugIn | None:
        """The synthesizer, where another package brings it."""
        return None if self.synthesizer in SYNTHESIZERS else synthesizer_plug_in(self.synthesizer, SYNTHESIZERS)

    @property
    def synthesizer_name(self) -> str:
        """What reports call it: what makes the set without a language model, a plug-in with its package and version."""
        if self.is_keyless:
            return RULES
        return self.synthesizer if self.plug_in is None else full_name(self.plug_in)

    @property
    def labels(self) -> Mapping[Label, float]:
        """The mix that holds; empty where any label will do."""
        if self.mix is not None:
            return self.mix
        return DEFAULT_MIX if self.synthesizer == "statements" else {}

    @property
    def uses_baselines(self) -> bool:
        """Whether examples are answered with no retrieval and with their block."""
        return self.synthesizer == "creative" if self.baselines is None else self.baselines

    @property
    def is_keyless(self) -> bool:
        """Whether rules make the set, with no language model."""
        return self.synthesizer == "statements" and self.models.name_of("writer") == EMBEDDED

    @property
    def evolved_ways(self) -> tuple[Way, ...]:
        """How ``evolved`` makes seeds harder."""
        return WAYS if self.ways is None else self.ways

    @property
    def corpus(self) -> RunOptions:
        """How documents are read and indexed, as a run would."""
        return RunOptions(
            documents=self.documents,
            out=self.out,
            n=self.n,
            seed=self.seed,
            models=self.models,
            chunk_sizes=(GATE_CHARS,),
            read=self.read,
            overwrite=self.overwrite,
            processes=self.processes,
        )

    @property
    def synthesis(self) -> SetPlan:
        """What the loop over documents is asked for."""
        per_document = self.per_document or _PER_DOCUMENT.get(self.synthesizer, 2)
        contexts = self.contexts or ("documents" if self.synthesizer == "creative" else "passages")
        thresholds = dict(DEFAULT_THRESHOLDS)
        if not self.theme:
            del thresholds["stand_alone"]  # what is asked of one document need not name it
        return SetPlan(
            n=self.n,
            mix=self.labels,
            seed=self.seed,
            balance_by=self.balance_by,
            type_mix=self.type_mix,
            even_lengths=self.even_lengths,
            most_per_document=self.most_per_document,
            per_document=max(per_document, self.pairs) if self.synthesizer == "per_chunk" else per_document,
            context_chars=min(self.context_chars, self.max_context_chars),
            max_context_chars=self.max_context_chars,
            whole_documents=contexts == "documents",
            pairs=self.pairs if self.synthesizer == "per_chunk" else 1,
            theme=self.theme,
            thresholds=thresholds,
        )

    def check(self) -> None:
        """Raises UsageError or InputError for what cannot be meant, before anything is read or written."""
        if self.plug_in is not None:
            self.plug_in.load()  # before documents are read
        elif self.synthesizer not in SYNTHESIZERS:
            others = synthesizer_plug_ins(SYNTHESIZERS)
            raise UsageError(
                f"--synthesizer: unknown synthesizer {self.synthesizer!r}; choose one of "
                f"{', '.join([*SYNTHESIZERS, *others.by_name])}{others.said}"
            )
        if self.synthesizer == "scenario":
            self._check_scenario()
        else:
            self.corpus.check()
        self._check_contexts()
        self._check_mix()
        self._check_follow_ups()
        self._check_what_belongs_elsewhere()
        self._check_models()

    def _check_scenario(self) -> None:
        if bool(self.documents) == bool(self.schema):
            raise UsageError("--synthesizer scenario: needs either DOCS, to infer a schema from, or --schema")
        if self.documents:
            self.corpus.check()
        else:
            replace(self.corpus, documents=(Path(),)).check()

    def _check_contexts(self) -> None:
        for option, value in (
            ("--context-chars", self.context_chars),
            ("--max-context-chars", self.max_context_chars),
            ("--pairs", self.pairs),
            ("--per-document", 1 if self.per_document is None else self.per_document),
            ("--most-per-document", 1 if self.most_per_document is None else self.most_per_document),
            ("--documents", self.scenario_documents),
        ):
            if value < 1:
                raise UsageError(f"{option}: must be at least 1, not {value}")
        if self.balance_by not in get_args(BalanceBy):
            raise UsageError(
                f"--balance-by: unknown value {self.balance_by!r}; choose one of {', '.join(get_args(BalanceBy))}"
            )
        if self.contexts not in {None, "passages", "documents"}:
            raise UsageError(f"--contexts: unknown value {self.contexts!r}; choose passages or documents")

    def _check_follow_ups(self) -> None:
        if not 0 <= self.follow_ups <= 1:
            raise UsageError(f"--follow-ups: must be between 0 and 1, not {self.follow_ups:g}")
        if self.follow_ups and self.synthesizer == "scenario":
            raise UsageError("--follow-ups: does not apply to a scenario; leave it out")
        if self.follow_ups and "writer" not in self.models.on_servers:
            raise UsageError("--follow-ups: needs a language model; name one with --model")

    def _check_mix(self) -> None:
        if self.mix is None:
            return
        total = sum(self.mix.values())
        if set(self.mix) - set(LABELS) or not math.isclose(total, 1, abs_tol=1e-6) or min(self.mix.values()) < 0:
            raise UsageError(f"--mix: give shares of {', '.join(LABELS)} that add up to 1")
        if self.synthesizer == "scenario":
            raise UsageError("--mix: does not apply to a scenario; use --types")
        if self.mix.get("unanswerable") and self.synthesizer != "statements" and self.plug_in is None:
            raise UsageError(
                f"--mix: the synthesizer {self.synthesizer} makes no unanswerable pairs; leave them out, "
                "or use --synthesizer statements"
            )

    def _check_what_belongs_elsewhere(self) -> None:
        """An option that the synthesizer would pass over in silence."""
        for option, given, of in (
            ("--no-theme", not self.theme, "statements"),
            ("--pairs", self.pairs != PAIRS, "per_chunk"),
            ("--evolve", self.ways is not None, "evolved"),
            ("--type-mix", bool(self.type_mix), "evolved"),
            ("--schema", bool(self.schema), "scenario"),
            ("--types", self.types != QUESTION_TYPES, "scenario"),
        ):
            if given and self.synthesizer != of:
                raise UsageError(
                    f"{option}: only applies to --synthesizer {of}, not to {self.synthesizer}; leave it out"
                )
        if self.only_new and self.synthesizer == "scenario":
            raise UsageError("--only-new: a scenario is made up and new to every model; leave it out")
        if self.conditions and self.schema:
            raise UsageError("--where: chooses among DOCS, and --schema needs none; leave it out")
        if self.baselines and self.synthesizer == "scenario":
            raise UsageError("--baselines: does not apply to a scenario; leave it out")
        if self.cutoff and not self.only_new:
            raise UsageError("--cutoff: needs --only-new")

    def _check_models(self) -> None:
        self.models.check()
        if self.models.embeddings != EMBEDDED:
            raise UsageError("--embeddings: nothing is retrieved; leave it out")
        if self.only_new and self.models.name_of("answerer") == EMBEDDED:
            raise UsageError("--only-new: needs a language model that may know the documents; name it with --answers")
        if self.models.answers and not (self.uses_baselines or self.only_new):
            raise UsageError(f"--answers: does not apply to --synthesizer {self.synthesizer}; leave it out")
        if self.synthesizer != "scenario" and self.models.name_of("writer") == EMBEDDED and self.plug_in is None:
            for option, is_asked in (
                (f"--synthesizer {self.synthesizer}", self.synthesizer != "statements"),
                ("--no-theme", not self.theme),
                ("--balance-by", self.balance_by != "both"),
                ("--even-lengths", self.even_lengths),
                ("--follow-ups", self.follow_ups > 0),
                ("--only-new", self.only_new),
            ):
                if is_asked:
                    raise UsageError(f"{option}: needs a language model; name one with --model")

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as run.json shows them."""
        synthesis = self.synthesis
        shown = {
            "synthesizer": self.synthesizer_name,
            "documents": ", ".join(map(shown_path, self.documents)),
            "n": str(self.n),
            "mix": ", ".join(f"{label}={share:g}" for label, share in self.labels.items()) or "any label",
            "seed": str(self.seed),
            **self.models.settings(),
            "contexts": "documents"
            if synthesis.whole_documents
            else f"passages of {synthesis.context_chars} characters",
            "longest context": f"{self.max_context_chars} characters",
            "balance by": self.balance_by,
            "types": ", ".join(f"{kind}={share:g}" for kind, share in self.type_mix.items()) or "any type",
            "even lengths": "yes" if self.even_lengths else "no",
            "of a document": str(synthesis.per_document),
            "most of a document": "" if self.most_per_document is None else str(self.most_per_document),
            **({"follow-ups": f"{self.follow_ups:g}"} if self.follow_ups else {}),
            **self.read.settings(),
        }
        own = {
            "statements": {"theme": "yes" if self.theme else "no"},
            "per_chunk": {"pairs": str(self.pairs)},
            "evolved": {"evolve": ", ".join(self.evolved_ways)},
            "scenario": {
                "schema": self.schema,
                "language": self.schema_language,
                "scenario documents": str(self.scenario_documents),
                "question types": ", ".join(self.types),
            },
        }
        filters = {
            **({"where": ", ".join(map(str, self.conditions))} if self.conditions else {}),
            **({"only new": "yes", "cutoff": self.cutoff} if self.only_new else {}),
        }
        return shown | own.get(self.synthesizer, {}) | filters | {"baselines": "yes" if self.uses_baselines else "no"}

    def fingerprint(self) -> str:
        """Equal for two jobs that are asked the same of the same paths by the same version."""
        plan = self.synthesis
        return fingerprint_of(
            self,
            synthesizer=self.synthesizer_name,
            mix=shares_of(self.labels),
            per_document=plan.per_document,
            contexts=plan.whole_documents,
            ways=self.evolved_ways,
            baselines=self.uses_baselines,
        )
