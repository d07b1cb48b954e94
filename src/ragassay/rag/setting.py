"""One setting of the built-in system, all of it: the parameters of what runs, sweeps and predictions do.

Every parameter is described here once (``ChunkSize``, ``TopK`` ...) for options, spaces and tables of the
documentation.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.dataclasses import dataclass

from ragassay.documents.chunkers import CHUNKERS, UNITS, ChunkerName, Chunking, usual_overlap
from ragassay.errors import UsageError
from ragassay.models import EMBEDDED
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.hybrid import Fusion
from ragassay.retrieval.rerank import NO_RERANKER, is_reranker

NO_GENERATOR = "none"
NOBODY = "none"
Searching = Literal["always", "tool"]
ALWAYS: Searching
TOOL: Searching
ALWAYS, TOOL = get_args(Searching)
WHOLE_DOCUMENTS = 1_000_000
"""From this chunk size on no document is cut, as good as ever."""
TOP_K = 5
"""Chunks to answer from, and the N of Recall@N (Know Your RAG (COLING 2025), retrieval per label)."""
DECIDING = f"recall@{TOP_K}"
"""The metric that runs and sweeps decide by where none is named."""
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
"""In the order in which ties are broken."""


def _fields_of_documents(value: Any) -> Any:
    """ "title+source" or "title,source" as the names in it."""
    if isinstance(value, str):
        return tuple(name.strip() for name in value.replace("+", ",").split(",") if name.strip())
    return tuple(value) if isinstance(value, list) else value


def _reranker(value: str) -> str:
    if not is_reranker(value):
        raise ValueError(f"unknown reranker {value!r}; choose none, late_interaction, judge or cross_encoder:MODEL")
    return value


ChunkerParameter = Annotated[
    ChunkerName,
    Field(
        description="How documents are cut: `recursive` (characters, at paragraphs, sentences), `sentences`, `tokens`"
    ),
]
ChunkSize = Annotated[int, Field(ge=1, description="Size of a chunk, in the chunker's unit")]
Overlap = Annotated[int, Field(ge=0, description="What neighbouring chunks share, in the chunker's unit")]
Prefix = Annotated[
    tuple[str, ...],
    BeforeValidator(_fields_of_documents),
    Field(description="Fields indexed in front of each chunk: `title`, `source`, names of metadata; `title+source`"),
]
EncoderName = Annotated[
    str,
    Field(
        min_length=1,
        description="Encoder: `embedded`, `openai:MODEL`, a server with `/embeddings`, `sentence-transformers:MODEL`",
    ),
]
VectorsParameter = Annotated[
    ChunkVectors,
    Field(
        description="`late` reads documents once, in windows, for all chunk sizes; `plain` reads each chunk by itself"
    ),
]
FusionParameter = Annotated[Fusion, Field(description="How both scores are joined: `raw_linear`, `min_max`, `rrf`")]
TextWeight = Annotated[float, Field(ge=0, le=1, description="Share of BM25: 0 is vectors alone, 1 is BM25 alone")]
RerankerName = Annotated[
    str,
    AfterValidator(_reranker),
    Field(description="Re-ranker of the first candidates: `none`, `late_interaction`, `judge`, `cross_encoder:MODEL`"),
]
Candidates = Annotated[int, Field(le=10_000, description="Chunks that the reranker looks at")]
TopK = Annotated[int, Field(le=10_000, description="Chunks to answer from")]
GeneratorName = Annotated[
    str, Field(min_length=1, description="Model that answers: `none`, `embedded`, `openai:MODEL`, any server")
]
Imaginer = Annotated[
    str,
    Field(min_length=1, description="The model that makes up a passage to search with (Gao et al. 2023), or `none`"),
]
Retrieval = Annotated[
    Searching,
    Field(
        description="`always`; `tool`: the generator decides whether to search, and for what (RAGVAL's boolean agent)"
    ),
]
Guard = Annotated[str, Field(description='File with example questions; those near to one are refused. `""` for none')]
GuardThreshold = Annotated[float, Field(ge=0, le=1, description="Cosine from which a question is near to an example")]
Prompt = Annotated[str, Field(description='File with the answerer\'s prompt; `""` for the built-in one')]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Setting:
    """All parameters. candidates, guard_threshold: 0 without a reranker or guardrail; top_k: 0 for retrieval alone."""

    chunker: ChunkerParameter = "recursive"
    chunk_size: ChunkSize = 512
    overlap: Overlap = 48
    prefix: Prefix = ()
    encoder: EncoderName = EMBEDDED
    vectors: VectorsParameter = "late"
    fusion: FusionParameter = "raw_linear"
    text_weight: TextWeight = 0.1
    reranker: RerankerName = NO_RERANKER
    candidates: Candidates = 0
    top_k: TopK = TOP_K
    generator: GeneratorName = NO_GENERATOR
    hyde: Imaginer = NOBODY
    retrieval: Retrieval = ALWAYS
    guard: Guard = ""
    guard_threshold: GuardThreshold = 0.0
    prompt: Prompt = ""

    @property
    def chunking(self) -> Chunking:
        return Chunking(chunker=self.chunker, size=self.chunk_size, overlap=self.overlap)

    @property
    def retriever(self) -> str:
        return "dense" if self.text_weight == 0 else "lexical" if self.text_weight == 1 else "hybrid"

    @property
    def mix(self) -> str:
        """How vectors and words are joined: ``dense``, ``lexical`` or, for example, ``raw_linear w=0.1``."""
        return f"{self.fusion} w={self.text_weight:g}" if self.retriever == "hybrid" else self.retriever

    @property
    def unit(self) -> str:
        """Return what the chunk size counts."""
        return UNITS[self.chunker]

    @property
    def ranking(self) -> Setting:
        """Return the same without what comes after the first ranking: settings that share it share the ranking."""
        return replace(self.retrieved, reranker=NO_RERANKER, candidates=0, guard="", guard_threshold=0.0)

    @property
    def retrieved(self) -> Setting:
        """Return the same without answering: settings that share it retrieve the same chunks."""
        decider = self.generator if self.retrieval == TOOL else NO_GENERATOR
        return replace(self, top_k=0, generator=decider, prompt="")

    def parts_but(self, *names: str) -> tuple[Any, ...]:
        """Return the values of all parameters but these."""
        return tuple(getattr(self, each.name) for each in fields(self) if each.name not in names)

    @property
    def name(self) -> str:
        """Return what tables and predictions call it: all that sets it apart from other settings."""
        unit = "" if self.chunker == "recursive" else f" {self.unit}"
        is_whole = self.chunk_size >= WHOLE_DOCUMENTS
        has_usual_overlap = self.overlap == usual_overlap(self.chunker, self.chunk_size)
        words = [
            "whole documents" if is_whole else f"{self.chunk_size}{unit}",
            *([f"overlap {self.overlap}"] if not (has_usual_overlap or is_whole) else []),
            *([f"prefix {'+'.join(self.prefix)}"] if self.prefix else []),
            *([f"by {self.encoder}"] if self.encoder != EMBEDDED and self.text_weight < 1 else []),
            *(["plain"] if self.vectors == "plain" and self.text_weight < 1 else []),
            self.mix,
            *([f"{self.reranker} of {self.candidates}"] if self.candidates else []),
            *([f"hyde {self.hyde}"] if self.hyde != NOBODY else []),
            *(["tool"] if self.retrieval == TOOL else []),
            *([f"guard {self.guard} {self.guard_threshold:g}"] if self.guard else []),
            *([f"top {self.top_k}"] if self.top_k != TOP_K else []),
            *([f"prompt {self.prompt}"] if self.prompt else []),
            *([f"answers {self.generator}"] if self.generator != NO_GENERATOR else []),
        ]
        return " ".join(words)

    @property
    def fingerprint(self) -> str:
        """Return the name of its files."""
        said = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def row(self) -> dict[str, str | int | float]:
        """Its columns in tables."""
        return {**asdict(self), "prefix": "+".join(self.prefix), "retriever": self.retriever, "setting": self.name}


def overlap_of(chunker: ChunkerName, size: int, overlap: int | None) -> int:
    """Return an overlap, the chunker's usual one for None. Raises UsageError where it is not below the chunk size."""
    found = usual_overlap(chunker, size) if overlap is None else overlap
    if found >= size:
        raise UsageError(f"overlap: must be below the chunk size of {size}, not {found}")
    return found


def preference(setting: Setting) -> tuple[Any, ...]:
    """Smaller is better among settings that are worth the same: the smallest text weight, then what is least work."""
    return (
        setting.text_weight,
        setting.generator != NO_GENERATOR,
        setting.hyde != NOBODY,
        setting.retrieval == TOOL,
        bool(setting.guard),
        bool(setting.prompt),
        setting.candidates,
        setting.top_k,
        setting.chunk_size,
        CHUNKERS.index(setting.chunker),
        setting.overlap,
        len(setting.prefix),
        FUSIONS.index(setting.fusion),
        setting,
    )
