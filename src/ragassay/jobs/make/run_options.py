"""What a run is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from ragassay.documents.chunkers import DEFAULT_SIZES, UNITS, ChunkerName, Chunking, usual_overlap
from ragassay.documents.read import ReadOptions
from ragassay.documents.sources import printable, shown_path
from ragassay.errors import InputError, UsageError
from ragassay.generate.metadata_filter import Condition, read_conditions
from ragassay.generate.options import USUAL, SetPlan, read_mix
from ragassay.jobs.asking.model_options import JudgeCheck, ModelOptions
from ragassay.jobs.folders.run_folder import fingerprint_of
from ragassay.options import (
    Count,
    Group,
    Many,
    Names,
    Option,
    Processes,
    Seed,
    one_text,
    settings,
    shown_value,
    typed_as,
)
from ragassay.rag.setting import FUSIONS
from ragassay.rag.space import Space
from ragassay.records import LABELS, Label
from ragassay.remote import url_of

JUDGED_LOCALLY = 40
"""Examples that are answered and judged by default where this machine judges, which takes a second for each."""
_OUTPUT = "Output"


def _sizes(given: Any) -> Any:
    """Numbers in one text, or in a list; each once, in their order."""
    text = one_text(given)
    parts = text.split(",") if isinstance(text, str) else [given] if isinstance(given, int) else given
    try:
        sizes = tuple(sorted({int(part) for part in parts if not isinstance(part, float) or part.is_integer()}))
        if not sizes or len(sizes) < len(set(parts)):
            raise ValueError
        return sizes
    except (TypeError, ValueError):
        raise UsageError(f"--chunk-sizes: {text!r} must be whole numbers, such as 256,512,1024") from None


def _judged(given: Any) -> Any:
    if given is None or given == "all" or (str(given).isdecimal() and int(given) > 0):
        return given
    raise UsageError(f"--judged: must be a whole number above 0, or 'all', not {given!r}")


Documents = Annotated[
    tuple[Path, ...],
    Many,
    Option("Files and folders with documents.", metavar="DOCS", is_argument=True),
]
Out = Annotated[
    Path, Option("Folder for the results; created if missing.", metavar="FOLDER", panel=_OUTPUT, is_about_work=True)
]
Overwrite = Annotated[bool, Option("Replace another run in the folder.", panel=_OUTPUT, is_about_work=True)]
Strict = Annotated[bool, Option("Exit with code 5 if examples are missing.", panel=_OUTPUT, is_about_work=True)]
Examples = Annotated[Count, Option("Examples to make.")]
SeedOfRun = Annotated[Seed, Option("Random seed; the same seed and documents give the same files.")]
Where = Annotated[
    tuple[Condition, ...],
    typed_as(read_conditions),
    Option(
        "Only ask about documents with this metadata, such as 'date>=2023-10'; all are searched. Repeatable.",
        metavar="CONDITION",
    ),
]


@settings
class RunOptions:
    """Documents, how many examples are made of them, and which retrievers are compared."""

    command: ClassVar[str] = "run"

    documents: Documents
    out: Out
    n: Examples = USUAL.n
    mix: Annotated[
        Mapping[Label, float], typed_as(read_mix), Option("Share of each label; the shares add up to 1.", metavar="MIX")
    ] = field(default_factory=lambda: dict(USUAL.mix))
    seed: SeedOfRun = USUAL.seed
    chunker: Annotated[ChunkerName, Option("Unit of chunks: recursive (characters), sentences or tokens.")] = (
        "recursive"
    )
    chunk_sizes: Annotated[
        tuple[Count, ...] | None,
        typed_as(lambda sizes: sizes if sizes is None else _sizes(sizes)),
        Option(
            "Chunk sizes to compare; default: 256,512,1024 characters, 2,4,8 sentences or 40,80,160 tokens.",
            metavar="SIZES",
        ),
    ] = None
    prefix: Annotated[
        Names,
        Option(
            "Metadata fields to index in front of every chunk, such as title,source; its text does not change.",
            metavar="FIELDS",
            is_rare=True,
        ),
    ] = ()
    where: Where = ()
    judged: Annotated[
        int | Literal["all"] | None,
        typed_as(_judged),
        Option("Examples to answer and judge; default: 40, or all with a server.", metavar="N|all"),
    ] = None
    strict: Strict = False
    overwrite: Overwrite = False
    processes: Processes = None
    judge_check: JudgeCheck = None
    read: Annotated[ReadOptions, Group()] = field(default_factory=ReadOptions)
    models: Annotated[ModelOptions, Group(frozenset({"panel"}))] = field(default_factory=ModelOptions)

    def check(self) -> None:
        """Raise UsageError for what cannot be meant, before anything is read or written."""
        if not self.documents:
            raise UsageError("DOCS: missing; name files or folders")
        for path in self.documents:
            if not path.exists() and url_of(path) is None:  # what is there is seen when it is listed
                raise InputError(f"{path} does not exist; give the path of a folder or file with documents")
        if len(self.models.judges) > 1:
            raise UsageError("--judge: a run has one judge; score it by several with `ragassay evaluate`")
        self.models.check()

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers

    @property
    def most_judged(self) -> int | None:
        """How many examples are answered and judged at most; None for all."""
        if self.judged is None:
            return None if "judge" in self.models.on_servers else JUDGED_LOCALLY
        return None if self.judged == "all" else self.judged

    @property
    def sizes(self) -> tuple[int, ...]:
        return DEFAULT_SIZES[self.chunker] if self.chunk_sizes is None else self.chunk_sizes

    @property
    def space(self) -> Space:
        """The settings to compare: every chunk size with every mix of words and vectors."""
        return Space(
            chunker=(self.chunker,),
            chunk_size=self.sizes,
            prefix=(self.prefix,),
            encoder=(self.models.embeddings,),
            fusion=FUSIONS,
        )

    @property
    def chunkings(self) -> tuple[Chunking, ...]:
        """How documents are cut, once for each chunk size."""
        name = self.chunker
        return tuple(Chunking(chunker=name, size=size, overlap=usual_overlap(name, size)) for size in self.sizes)

    @property
    def synthesis(self) -> SetPlan:
        return SetPlan(n=self.n, mix=self.mix, seed=self.seed)

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as reports show them."""
        return {
            "documents": ", ".join(map(shown_path, self.documents)),
            "n": str(self.n),
            "mix": shown_value(self.mix),
            "seed": str(self.seed),
            **({"where": ", ".join(map(str, self.where))} if self.where else {}),
            **self.models.settings(),
            **({} if self.judge_check is None else {"judge check": printable(str(self.judge_check))}),
            "answered and judged": "all examples"
            if self.most_judged is None
            else f"at most {self.most_judged} examples",
            "chunk sizes": f"{', '.join(str(size) for size in self.sizes)} {UNITS[self.chunker]}",
            "overlap": f"{', '.join(str(chunking.overlap) for chunking in self.chunkings)} {UNITS[self.chunker]}",
            "in front of chunks": printable(", ".join(self.prefix)) or "nothing",
            **self.read.settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two runs that are asked the same of the same paths by the same version."""
        return fingerprint_of(self, mix=shares_of(self.mix), chunk_sizes=self.sizes, judged=self.most_judged)


def shares_of(mix: Mapping[Label, float]) -> list[float]:
    """Of every label, for fingerprints: one that is not named has none."""
    return [mix.get(label, 0) for label in LABELS]
