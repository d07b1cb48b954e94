"""What a run is asked to do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

from ragassay.corpus.chunkers import CHUNKERS, DEFAULT_SIZES, UNITS, ChunkerName, Chunking, usual_overlap
from ragassay.corpus.read import ReadOptions
from ragassay.corpus.sources import printable, shown_path
from ragassay.errors import InputError, UsageError, check_seed
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.folders.run_folder import fingerprint_of
from ragassay.rag.setting import FUSIONS
from ragassay.rag.space import Space
from ragassay.records import LABELS, Label
from ragassay.remote import url_of
from ragassay.synthesis.metadata_filter import Condition
from ragassay.synthesis.options import DEFAULT_MIX, SetPlan

JUDGED_LOCALLY = 40
"""Examples that are answered and judged by default where this machine judges, which takes a second for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """documents: files and folders. out: the run folder. n: examples wanted. mix: label to share, adding up to 1.

    models: who writes, judges and answers, and what that may cost. judge_check: as for ``EvaluateOptions``.
    chunker, chunk_sizes: how documents are cut, and the sizes to compare, in its unit; None for its usual ones.
    prefix: fields of a document that are indexed in front of each of its chunks.
    conditions: on metadata of the documents that are asked about; all are searched.
    judged: how many examples are answered and judged; "all", or None for ``JUDGED_LOCALLY`` with the embedded judge,
    and all with one on a server. Retrieval is measured on all of them in any case.
    overwrite: replace another run in ``out``. processes: how many share the work, None for one a core; no result
    depends on it.
    """

    command: ClassVar[str] = "run"

    documents: tuple[Path, ...]
    out: Path
    n: int = 100
    mix: Mapping[Label, float] = field(default_factory=lambda: dict(DEFAULT_MIX))
    seed: int = 0
    models: ModelOptions = field(default_factory=ModelOptions)
    judge_check: Path | None = None
    chunker: ChunkerName = "recursive"
    chunk_sizes: tuple[int, ...] | None = None
    prefix: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    judged: int | Literal["all"] | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    overwrite: bool = False
    processes: int | None = None

    def check(self) -> None:
        """Raises UsageError for what cannot be meant, before anything is read or written."""
        if not self.documents:
            raise UsageError("DOCS: missing; name files or folders")
        for path in self.documents:
            if not path.exists() and url_of(path) is None:  # what is there is seen when it is listed
                raise InputError(f"{path} does not exist; give the path of a folder or file with documents")
        if self.n < 1:
            raise UsageError(f"--n: must be at least 1, not {self.n}")
        if self.judged is not None and self.judged != "all" and self.judged < 1:
            raise UsageError(f"--judged: must be at least 1 or 'all', not {self.judged}")
        if self.processes is not None and self.processes < 1:
            raise UsageError(f"--processes: must be at least 1, not {self.processes}")
        check_seed(self.seed)
        unknown = [label for label in self.mix if label not in LABELS]
        if unknown or not math.isclose(sum(self.mix.values()), 1, abs_tol=1e-6) or min(self.mix.values()) < 0:
            raise UsageError(f"--mix: give shares of {', '.join(LABELS)} that add up to 1")
        self.models.check()
        self._check_chunks()

    def _check_chunks(self) -> None:
        if self.chunker not in CHUNKERS:
            raise UsageError(f"--chunker: unknown chunker {self.chunker!r}; choose one of {', '.join(CHUNKERS)}")
        if not self.sizes or min(self.sizes) < 1:
            raise UsageError("--chunk-sizes: each must be at least 1, as in 256,512")
        if not all(self.prefix):
            raise UsageError("--prefix: contains an empty name; give fields such as title,source")

    @property
    def most_judged(self) -> int | None:
        """How many examples are answered and judged at most; None for all."""
        if self.judged is None:
            return None if "judge" in self.models.on_servers else JUDGED_LOCALLY
        return None if self.judged == "all" else self.judged

    @property
    def sizes(self) -> tuple[int, ...]:
        """The chunk sizes to compare."""
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
            "mix": ", ".join(f"{label}={share:g}" for label, share in self.mix.items()),
            "seed": str(self.seed),
            **({"where": ", ".join(map(str, self.conditions))} if self.conditions else {}),
            **self.models.settings(),
            **({} if self.judge_check is None else {"judge check": printable(str(self.judge_check))}),
            "answered and judged": "all examples"
            if self.most_judged is None
            else f"at most {self.most_judged} examples",
            "chunk sizes": f"{', '.join(str(size) for size in self.sizes)} {UNITS[self.chunker]}",
            "overlap": f"{', '.join(str(chunking.overlap) for chunking in self.chunkings)} {UNITS[self.chunker]}",
            "in front of chunks": printable(", ".join(self.prefix)) or "nothing",
            "chunk vectors": "late: documents are read once, in windows, for all chunk sizes",
            **self.read.settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two runs that are asked the same of the same paths by the same version."""
        return fingerprint_of(self, mix=shares_of(self.mix), chunk_sizes=self.sizes, judged=self.most_judged)


def shares_of(mix: Mapping[Label, float]) -> list[float]:
    """Of every label, for fingerprints: one that is not named has none."""
    return [mix.get(label, 0) for label in LABELS]
