"""What ``ragassay label`` is asked to do: what is said of every example of a set, and which examples are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from ragassay.datasets.selection import RowsFrom
from ragassay.errors import UsageError
from ragassay.generate.metadata_filter import Condition, read_conditions
from ragassay.generate.options import MAX_CONTEXT_CHARS
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.models import EMBEDDED
from ragassay.options import Count, Group, Option, Processes, one_text, settings, shown_settings, typed_as
from ragassay.records import LABELS, Label
from ragassay.tasks.critique import CRITIQUES, NO_RULE

Part = Literal["labels", "critiques", "knowledge"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What can be said of an example, in the order in which it is said: some critiques apply to some labels alone."""
NOTHING = "none"
_TRIES = 3
_OF_PARTS, _KEPT, _FORMATS = "Details of --what", "Examples to keep", "Formats"
_SHOWN = frozenset(
    {"data", "out", "documents", "critiques", "tries", "cutoff", "min", "max", "labels", "verified only", "where"}
    | {"only new"}
)
"""Settings that run.json names as they are typed."""
Rating = Annotated[int, Field(ge=1, le=5)]


def _among(option: str, known: Iterable[str], kind: str, nothing: str = "") -> Any:
    """Read names of one kind, in their usual order; ``all`` stands for all of them, nothing for none."""
    names_known = tuple(known)

    def read(given: Any) -> Any:
        text = one_text(given)
        listed = text.split(",") if isinstance(text, str) else given
        names = {name.strip().replace("-", "_") for name in listed or () if name.strip()} - {nothing}
        unknown = min(names - {*names_known, "all"}, default=None)
        if unknown is not None:
            raise UsageError(f"{option}: unknown {kind} {unknown!r}; choose from {', '.join(names_known)}")
        return None if given is None else tuple(name for name in names_known if name in names or "all" in names)

    return typed_as(read)


def _ratings(option: str) -> Any:
    """Read 'stand_alone=4, tautology=2'; 'standalone' and 'stand-alone' are meant too."""
    known = {name.replace("_", ""): name for name in CRITIQUES}

    def read(given: Any) -> Any:
        text = one_text(given)
        if not isinstance(text, str):
            return given or {}
        ratings: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            plain = name.lower().replace("-", "_")
            name = known.get(plain.replace("_", ""), plain)
            if not equals or not value.isascii() or not value.isdecimal():
                raise UsageError(f"{option}: must be CRITIQUE=RATING, such as stand_alone=4, not {part!r}")
            if name in ratings:
                raise UsageError(f"{option}: {name} is given twice")
            ratings[name] = int(value)
        return ratings

    return typed_as(read)


@settings
class LabelOptions:
    """A set, what a model says of its examples, and which of these are kept."""

    command: ClassVar[str] = "label"

    data: Annotated[Path, Option("File or folder with a data set, or a run folder.", metavar="DATA", is_argument=True)]
    out: Annotated[Path, Option("File to write, or a new folder.", metavar="FILE|FOLDER")]
    what: Annotated[
        tuple[Part, ...] | None,
        _among("--what", PARTS, "part", NOTHING),
        Option(
            "What is said of every example: labels, critiques, knowledge, or several of them; none only keeps. "
            "default: labels; critiques with --critiques; none with conditions.",
            metavar="NAMES",
        ),
    ] = None
    critiques: Annotated[
        tuple[str, ...],
        _among("--critiques", CRITIQUES, "critique"),
        Option("Critiques, separated by commas; default: all eight.", metavar="NAMES", panel=_OF_PARTS),
    ] = ()
    tries: Annotated[
        int,
        Field(ge=1, le=50),
        Option("knowledge: answers without context to each question.", panel=_OF_PARTS, is_rare=True),
    ] = _TRIES
    cutoff: Annotated[
        str,
        Option(
            "knowledge: when the answering model stopped learning, such as 2023-10.",
            metavar="DATE",
            panel=_OF_PARTS,
            is_rare=True,
        ),
    ] = ""
    least: Annotated[
        Mapping[str, Rating],
        _ratings("--min"),
        Option(
            "Lowest ratings, such as stand_alone=4,tautology=2.", flags=("--min",), metavar="NAME=RATING", panel=_KEPT
        ),
    ] = field(default_factory=dict)
    most: Annotated[
        Mapping[str, Rating],
        _ratings("--max"),
        Option("Highest ratings.", flags=("--max",), metavar="NAME=RATING", panel=_KEPT),
    ] = field(default_factory=dict)
    labels: Annotated[
        tuple[Label, ...],
        _among("--labels", LABELS, "label"),
        Option("Labels, separated by commas.", metavar="NAMES", panel=_KEPT),
    ] = ()
    verified_only: Annotated[bool, Option("Those whose verified label is the requested one.", panel=_KEPT)] = False
    where: Annotated[
        tuple[Condition, ...],
        typed_as(read_conditions),
        Option(
            "Those whose documents have this metadata, such as 'date>=2023-10'. Repeatable.",
            metavar="CONDITION",
            panel=_KEPT,
        ),
    ] = ()
    only_new: Annotated[bool, Option("Those whose document is new to the model.", panel=_KEPT)] = False
    from_format: RowsFrom = None
    to_format: Annotated[
        str | None,
        Option(
            "Format of --out: jsonl, csv, beir, ragas or deepeval; default: from its suffix.",
            flags=("--to",),
            metavar="FORMAT",
            panel=_FORMATS,
        ),
    ] = None
    documents: Annotated[
        Path | None,
        Option("Documents, if DATA does not hold them: JSONL, or files and folders.", metavar="PATH", panel=_FORMATS),
    ] = None
    max_context_chars: Annotated[
        Count, Option("Maximum characters of a context; longer pairs are left out and counted.", is_rare=True)
    ] = MAX_CONTEXT_CHARS
    overwrite: Annotated[bool, Option("Replace the file that --out names.", panel=_FORMATS)] = False
    processes: Processes = None
    models: Annotated[ModelOptions, Group(frozenset({"panel", "embeddings"}))] = field(default_factory=ModelOptions)

    @property
    def keeps_some(self) -> bool:
        """Whether examples have to meet conditions."""
        return bool(self.least or self.most or self.labels or self.verified_only or self.where or self.only_new)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is said of every example; nothing is asked of a model that was not named where examples are chosen."""
        if self.what is not None:
            return self.what
        if self.critiques:
            return ("critiques",)
        return () if self.keeps_some else ("labels",)

    @property
    def rated_by(self) -> tuple[str, ...]:
        return (self.critiques or tuple(CRITIQUES)) if "critiques" in self.parts else ()

    @property
    def asking(self) -> ModelOptions:
        """The models; the embedded one where nothing is asked."""
        return self.models if self.parts else ModelOptions()

    @property
    def uses_servers(self) -> bool:
        return self.asking.uses_servers

    @property
    def folder(self) -> Path:
        """Where the log of calls, verdicts and figures are kept: beside ``out``."""
        return self.out.with_name(f"{self.out.stem}.label")

    def check(self) -> None:
        """Raise UsageError for what cannot be meant, before anything is read."""
        from ragassay.datasets.registry import format_for  # imported late: --help stays fast
        from ragassay.models.embedded.judging.critique import RATES

        if not self.parts and not self.keeps_some:
            raise UsageError(
                f"--what {NOTHING}: give a condition: --min, --max, --labels, --verified-only, --where or --only-new"
            )
        for option, given, part in (
            ("--critiques", bool(self.critiques), "critiques"),
            ("--tries", self.tries != _TRIES, "knowledge"),
            ("--cutoff", bool(self.cutoff), "knowledge"),
            ("--answers", bool(self.models.answers), "knowledge"),
        ):
            if given and part not in self.parts:
                raise UsageError(f"{option}: needs --what {part}")
        self.asking.check()
        if len(self.asking.judges) > 1:
            raise UsageError("--judge: a set has one judge; name one")
        if "knowledge" in self.parts and self.models.name_of("answerer") == EMBEDDED:
            raise UsageError(
                "--model: --what knowledge needs a language model that may know the answers; the embedded model knows "
                "nothing but what it is shown"
            )
        if self.critiques and RATES.keys().isdisjoint(self.critiques) and self.models.name_of("judge") == EMBEDDED:
            raise UsageError(f"--critiques: {', '.join(self.critiques)}: {NO_RULE}")
        chosen = format_for(self.out, self.to_format)
        lost = sorted({"labels" if part == "labels" else "critiques" for part in self.parts} - set(chosen.holds))
        if lost:
            raise UsageError(
                f"--out: the format {chosen.name} cannot hold {lost[0]}; name a file such as labelled.jsonl"
            )

    def settings(self) -> dict[str, str]:
        """Name to value as text, as run.json shows them."""
        return {
            **{name: value for name, value in shown_settings(self).items() if name in _SHOWN},
            "what": ", ".join(self.parts) or NOTHING,
            **(
                {**self.models.settings(), "longest context": f"{self.max_context_chars} characters"}
                if self.parts
                else {}
            ),
        }
