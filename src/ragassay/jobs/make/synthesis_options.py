"""What ``ragassay synthesize`` is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, get_args

from ragassay.datasets.registry import recognised
from ragassay.documents.read import ReadOptions
from ragassay.documents.sources import shown_path
from ragassay.errors import UsageError
from ragassay.generate.candidates import DRAFTS, RULES
from ragassay.generate.drafted import DraftPlan
from ragassay.generate.options import (
    PAIRS,
    USUAL,
    BalanceBy,
    SetPlan,
    read_mix,
)
from ragassay.generate.units import STYLES, read_styles
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.run_folder import fingerprint_of
from ragassay.jobs.make.run_options import (
    Documents,
    Examples,
    Out,
    Overwrite,
    RunOptions,
    SeedOfRun,
    Strict,
    Where,
    shares_of,
)
from ragassay.models import EMBEDDED
from ragassay.options import Count, Group, Option, Processes, settings, shown_settings, shown_value, typed_as
from ragassay.records import Label
from ragassay.tasks.drafting import Style
from ragassay.tasks.languages import language_name
from ragassay.tasks.prompts import read_own_text

SynthesizerName = Literal["drafts", "statements", "simple", "per_chunk", "creative"]
SYNTHESIZERS: tuple[SynthesizerName, ...] = get_args(SynthesizerName)
WITH_LABELS = (DRAFTS, "statements")
"""Synthesizers that are asked for labels; without a language model rules stand in for both."""
GATE_CHARS = 1024
"""Size of the chunks in which a search has to find a question's document."""
_PER_DOCUMENT: Mapping[str, int] = {"creative": 1, "per_chunk": PAIRS}
_SHOWN_IF_SET = frozenset(
    {"balance by", "per document", "most per document", "max context chars", "theme", "pairs", "where", "only new"}
    | {"cutoff", "about", "persona", "style", "like", "ask in", "findable"}
)
_OF_DRAFTS = ("--about", "--persona", "--style", "--ask-in", "--findable")
_ONLY_OF = {"--no-theme": "statements", "--pairs": "per_chunk", **dict.fromkeys(_OF_DRAFTS, DRAFTS)}
_OF_OTHERS = ("--only-new", "--balance-by", "--contexts", "--context-chars")
_BY_MODEL = ("--no-theme", "--balance-by", "--only-new", *_OF_DRAFTS[:-1])
_BALANCE, _ASKING, _OWN = "Balance", "How people ask", "Synthesizers and documents"


def read_personas(file: Path | None) -> tuple[str, ...]:
    """Read a line for each kind of askers. Raises InputError."""
    text = "" if file is None else read_own_text(file, "--persona")
    return tuple(filter(None, map(str.strip, text.splitlines())))


@settings
class SynthesizeOptions:
    """Which documents are asked about, by which synthesizer, and how the examples are balanced."""

    command: ClassVar[str] = "synthesize"

    documents: Documents
    out: Out
    synthesizer: Annotated[
        str,
        Option(
            "drafts, statements, simple, per_chunk or creative.",
            flags=("--synthesizer", "-s"),
            metavar="NAME",
        ),
    ] = DRAFTS
    about: Annotated[
        str,
        Option(
            "Whose documents these are, on what, for whom, such as 'handbook of Acme, for its employees'; default: the "
            "model says it from titles and first lines.",
            metavar="TEXT",
            panel=_ASKING,
        ),
    ] = ""
    personas: Annotated[
        Path | None,
        Option(
            "Text file with a line for each kind of people who ask, and what they need; default: the model names some.",
            flags=("--persona",),
            metavar="FILE",
            panel=_ASKING,
        ),
    ] = None
    styles: Annotated[
        Mapping[Style, float],
        typed_as(read_styles),
        Option(
            "Styles of questions (plain, first_person, keywords, terse, typos), also with shares, such as "
            "plain=.6,keywords=.4; default: mixed as in query logs.",
            flags=("--style",),
            metavar="STYLES",
            panel=_ASKING,
        ),
    ] = field(default_factory=lambda: dict(STYLES))
    like: Annotated[
        Path | None,
        Option(
            "Log or set with questions that were asked, whose mix of kinds the new set follows; and of styles and "
            "labels, unless --style or --mix is given.",
            metavar="LOG",
            panel=_ASKING,
        ),
    ] = None
    ask_in: Annotated[
        str,
        Option(
            "Language of questions and answers, such as fr; default: that of the documents.",
            metavar="CODE",
            panel=_ASKING,
        ),
    ] = ""
    n: Examples = USUAL.n
    mix: Annotated[
        Mapping[Label, float] | None,
        typed_as(lambda mix: mix if mix is None else read_mix(mix)),
        Option(
            "Share of each verified label, adding up to 1, such as fact_single=.5,reasoning=.5; default: 40/20/20/20 "
            "for drafts and statements, else any label.",
            metavar="MIX",
        ),
    ] = None
    findable: Annotated[
        bool, Option("Only keep questions whose document a search by words finds.", panel=_ASKING, is_rare=True)
    ] = False
    seed: SeedOfRun = USUAL.seed
    balance_by: Annotated[
        BalanceBy,
        Option(
            "Label that counts: verified, requested, or both, which drops pairs where the two differ.",
            panel=_BALANCE,
            is_rare=True,
        ),
    ] = USUAL.balance_by
    per_document: Annotated[
        Count | None,
        Option("Examples of one label from a document before others have their turn.", panel=_BALANCE, is_rare=True),
    ] = None
    most_per_document: Annotated[
        Count | None, Option("Maximum examples from one document, over all labels.", panel=_BALANCE, is_rare=True)
    ] = None
    contexts: Annotated[
        Literal["passages", "documents"] | None,
        Option(
            "Text that a question is made from: passages or documents; default: passages, but documents for creative.",
            is_rare=True,
        ),
    ] = None
    context_chars: Annotated[Count, Option("Maximum characters of a passage; longer ones are cut.", is_rare=True)] = (
        USUAL.context_chars
    )
    max_context_chars: Annotated[
        Count,
        Option("Maximum characters of a whole document; longer ones are left out and counted.", is_rare=True),
    ] = USUAL.max_context_chars
    theme: Annotated[
        bool,
        Option(
            "statements: ask about the whole corpus, or about one document (--no-theme, language models only).",
            panel=_OWN,
            is_rare=True,
        ),
    ] = True
    pairs: Annotated[Count, Option("per_chunk: pairs from a passage in one reply.", panel=_OWN, is_rare=True)] = PAIRS
    where: Where = ()
    only_new: Annotated[bool, Option("Leave out documents that the answering model knows.", panel=_OWN)] = False
    cutoff: Annotated[
        str, Option("Knowledge cutoff of that model, such as 2023-10.", metavar="DATE", panel=_OWN, is_rare=True)
    ] = ""
    baselines: Annotated[
        bool | None,
        Option(
            "Answer every question without retrieval and with its context; default: creative only.",
            panel=_OWN,
            is_rare=True,
        ),
    ] = None
    strict: Strict = False
    overwrite: Overwrite = False
    processes: Processes = None
    read: Annotated[ReadOptions, Group()] = field(default_factory=ReadOptions)
    models: Annotated[ModelOptions, Group(frozenset({"panel", "embeddings"}))] = field(default_factory=ModelOptions)

    @property
    def synthesizer_name(self) -> str:
        """What reports call it: also what makes the set without a language model."""
        return RULES if self.is_keyless else self.synthesizer

    @property
    def labels(self) -> Mapping[Label, float]:
        """The mix that holds; empty where any label will do."""
        if self.mix is not None:
            return self.mix
        return USUAL.mix if self.synthesizer in WITH_LABELS else {}

    @property
    def drafting(self) -> DraftPlan:
        """What is said of the collection and of who asks. Raises InputError for a file that cannot be read."""
        return DraftPlan(
            about=self.about,
            askers=read_personas(self.personas),
            styles=self.styles,
            language=self.ask_in.lower(),
            findable=self.findable,
        )

    @property
    def uses_baselines(self) -> bool:
        """Whether examples are answered with no retrieval and with their block."""
        return self.synthesizer == "creative" if self.baselines is None else self.baselines

    @property
    def is_keyless(self) -> bool:
        """Whether rules make the set, with no language model."""
        return self.synthesizer in WITH_LABELS and self.models.name_of("writer") == EMBEDDED

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
            where=self.where,
            read=self.read,
            overwrite=self.overwrite,
            processes=self.processes,
        )

    @property
    def synthesis(self) -> SetPlan:
        """What the loop over documents is asked for."""
        per_document = self.per_document or _PER_DOCUMENT.get(self.synthesizer, USUAL.per_document)
        contexts = self.contexts or ("documents" if self.synthesizer == "creative" else "passages")
        thresholds = dict(USUAL.thresholds)
        if not self.theme:
            del thresholds["stand_alone"]  # what is asked of one document need not name it
        return SetPlan(
            n=self.n,
            mix=self.labels,
            seed=self.seed,
            balance_by=self.balance_by,
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
        """Raise UsageError or InputError for what cannot be meant, before anything is read or written."""
        if self.synthesizer == "scenario":
            raise UsageError("--synthesizer scenario: use `ragassay scenario`, which makes documents and questions")
        if self.synthesizer not in SYNTHESIZERS:
            raise UsageError(
                f"--synthesizer: unknown synthesizer {self.synthesizer!r}; choose one of {', '.join(SYNTHESIZERS)}"
            )
        self.corpus.check()
        if self.like:
            recognised(self.like)
        if (self.mix or {}).get("unanswerable") and self.synthesizer not in WITH_LABELS:
            raise UsageError(
                f"--mix: the synthesizer {self.synthesizer} makes no unanswerable pairs; leave them out, "
                "or use --synthesizer drafts or statements"
            )
        self._check_what_belongs_elsewhere()
        self._check_models()
        read_personas(self.personas)
        if self.ask_in and not language_name(self.ask_in.lower()):
            raise UsageError(f"--ask-in: unknown language {self.ask_in!r}; give a code such as de, en, fr or zh")

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers

    @property
    def _given(self) -> set[str]:
        """Options that not every synthesizer has a use for, as far as they are given."""
        given = {
            "--no-theme": not self.theme,
            "--pairs": self.pairs != PAIRS,
            "--about": self.about,
            "--persona": self.personas,
            "--style": self.styles != STYLES,
            "--ask-in": self.ask_in,
            "--findable": self.findable,
            "--only-new": self.only_new,
            "--balance-by": self.balance_by != USUAL.balance_by,
            "--contexts": self.contexts,
            "--context-chars": self.context_chars != USUAL.context_chars,
        }
        return {name for name, value in given.items() if value}

    def _check_what_belongs_elsewhere(self) -> None:
        """An option that the synthesizer would pass over in silence."""
        for option, of in _ONLY_OF.items():
            if option in self._given and self.synthesizer != of:
                raise UsageError(
                    f"{option}: only applies to --synthesizer {of}, not to {self.synthesizer}; leave it out"
                )
        odd = next((each for each in _OF_OTHERS if each in self._given), None)
        if odd and self.synthesizer == DRAFTS and not self.is_keyless:
            raise UsageError(f"{odd}: does not apply to --synthesizer drafts; choose another one with it")
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
        if self.models.name_of("writer") == EMBEDDED:
            asked = [] if self.synthesizer in WITH_LABELS else [f"--synthesizer {self.synthesizer}"]
            if asked := asked + [each for each in _BY_MODEL if each in self._given]:
                raise UsageError(f"{asked[0]}: needs a language model; name one with --model")

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as run.json shows them; rare ones where they are not as usual."""
        plan = self.synthesis
        return {
            "synthesizer": self.synthesizer_name,
            "documents": ", ".join(map(shown_path, self.documents)),
            "n": str(self.n),
            "mix": shown_value(self.labels) or "any label",
            "seed": str(self.seed),
            **self.models.settings(),
            "contexts": "documents" if plan.whole_documents else f"passages of {plan.context_chars} characters",
            **self.read.settings(),
            **{name: value for name, value in shown_settings(self).items() if name in _SHOWN_IF_SET},
            "baselines": "yes" if self.uses_baselines else "no",
        }

    def fingerprint(self) -> str:
        """Equal for two jobs that are asked the same of the same paths by the same version."""
        plan = self.synthesis
        return fingerprint_of(
            self,
            synthesizer=self.synthesizer_name,
            mix=shares_of(self.labels),
            per_document=plan.per_document,
            contexts=plan.whole_documents,
            baselines=self.uses_baselines,
            personas=read_personas(self.personas),
        )
