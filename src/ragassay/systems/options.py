"""What can be set about each kind of system: one model of options a kind, checked before anything is asked."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ragassay.datasets.replies.places import Places, parse_place
from ragassay.documents.chunkers import DEFAULT_SIZES
from ragassay.errors import UsageError
from ragassay.rag.setting import (
    NO_GENERATOR,
    NOBODY,
    TOP_K,
    Candidates,
    ChunkerParameter,
    ChunkSize,
    FusionParameter,
    Guard,
    GuardThreshold,
    Overlap,
    Prefix,
    Prompt,
    RerankerName,
    Retrieval,
    Setting,
    TextWeight,
    TopK,
    VectorsParameter,
    overlap_of,
)
from ragassay.retrieval.rerank import NO_RERANKER
from ragassay.settings import fault_of

O = TypeVar("O", bound="Options")  # noqa: E741 - the type of some options

TIMEOUT_S = 60.0


class Options(BaseModel):
    """name: what tables and records call the system. concurrency: questions, or batches, at a time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str | None = Field(default=None, min_length=1, max_length=200)
    concurrency: int | None = Field(default=None, ge=1, le=1000)
    timeout: float = Field(default=TIMEOUT_S, gt=0, le=86_400)


class ReplyOptions(Options):
    """Where things stand in replies; by usual names if not said. version: with another all is asked again."""

    version: str | None = Field(default=None, min_length=1, max_length=200)
    answer: str | None = None
    chunks: str | None = None

    @property
    def places(self) -> Places:
        """Raise UsageError for a place that cannot be read."""
        given = {"answer": self.answer, "chunks": self.chunks}
        return Places(**{name: parse_place(place, name) for name, place in given.items() if place})


class HttpOptions(ReplyOptions):
    """url: may hold ``{question}`` for GET. request: JSON body or query. headers: may hold ``${VARIABLE}``."""

    url: str
    method: Literal["GET", "POST"] = "POST"
    request: Any = None
    headers: dict[str, str] = Field(default_factory=dict)
    retries: int = Field(default=2, ge=0, le=20)


class FunctionOptions(ReplyOptions):
    """target: ``module:callable``. input: what it is called with, instead of the question's text."""

    target: str
    input: Any = None


class RecordedOptions(ReplyOptions):
    """file: predictions made elsewhere. system: whose, where the file holds those of several."""

    file: str
    system: str | None = None


IN_MEMORY = "memory"
Retriever = Literal["lexical", "dense", "hybrid"]
_RETRIEVERS = {"bm25": "lexical", "vector": "dense", "vectors": "dense", "embedding": "dense", "embeddings": "dense"}


class RagOptions(Options):
    """The built-in system: parameters as in ``rag.setting.Setting``, and what holds for a system of one's own.

    retriever: lexical is BM25, dense compares sentence vectors, hybrid adds both. chunk_size, overlap: None for the
    chunker's usual ones, of sizes the middle one. store: where the chunks are, in memory or where they may be more
    and stay. generate: false retrieves alone. hyde: whether the model that answers makes up a passage to search with.
    """

    retriever: Retriever = Field(default="hybrid", description="`bm25` (or `lexical`), `dense`, `hybrid`")
    chunker: ChunkerParameter = "recursive"
    chunk_size: ChunkSize | None = None
    overlap: Overlap | None = None
    prefix: Prefix = ()
    text_weight: TextWeight = 0.1
    fusion: FusionParameter = "raw_linear"
    vectors: VectorsParameter = "late"
    store: str = Field(
        default=IN_MEMORY,
        description="Where the chunks are: `memory`, or `postgresql://USER@HOST/DATABASE` with pgvector (extra "
        "`pgvector`, password in `PGPASSWORD`; `:hnsw` behind it for approximate search)",
    )
    reranker: RerankerName = NO_RERANKER
    candidates: Annotated[Candidates, Field(ge=1)] = 20
    top_k: Annotated[TopK, Field(ge=1)] = TOP_K
    generate: bool = Field(default=True, description="`false` retrieves alone")
    hyde: bool = Field(
        default=False, description="Search with the vector of a passage that the model makes up (Gao et al. 2023)"
    )
    retrieval: Retrieval = "always"
    guard: Guard | None = None
    guard_threshold: Annotated[GuardThreshold, Field(gt=0)] = 0.75
    prompt: Prompt | None = None

    @field_validator("retriever", mode="before")
    @classmethod
    def _other_names(cls, value: Any) -> Any:
        return _RETRIEVERS.get(value.lower(), value.lower()) if isinstance(value, str) else value

    @field_validator("store")
    @classmethod
    def _checked_store(cls, value: str) -> str:
        if value != IN_MEMORY and not value.startswith(("postgresql://", "postgres://")):
            raise ValueError(
                "choose memory, which searches a million chunks exactly, or postgresql://USER@HOST/DATABASE"
            )
        if "://" in value and (urlsplit(value).password or "password=" in urlsplit(value).query):
            raise ValueError("the URL holds a password; remove it, and set PGPASSWORD in the environment")
        return value

    def setting(self, generator: str) -> Setting:
        """Return the same as a setting. Raises UsageError where the overlap is not below the chunk size."""
        size = DEFAULT_SIZES[self.chunker][1] if self.chunk_size is None else self.chunk_size
        alike = "chunker", "prefix", "vectors", "fusion", "reranker", "top_k", "retrieval"
        return Setting(
            **{name: getattr(self, name) for name in alike},
            chunk_size=size,
            overlap=overlap_of(self.chunker, size, self.overlap),
            text_weight={"dense": 0.0, "lexical": 1.0}.get(self.retriever, self.text_weight),
            candidates=self.candidates if self.reranker != NO_RERANKER else 0,
            generator=generator if self.generate else NO_GENERATOR,
            hyde=generator if self.hyde else NOBODY,
            guard=self.guard or "",
            guard_threshold=self.guard_threshold if self.guard else 0.0,
            prompt=self.prompt or "",
        )


class NoRetrievalOptions(Options):
    """A language model answers from what it knows: how much of a set needs no documents at all."""

    prompt: str | None = None


class GroundTruthOptions(Options):
    """Answers from the texts that the examples rest on: whole documents (RAGVAL), contexts, or references alone."""

    context: Literal["context", "document", "references"] = "context"
    prompt: str | None = None


KINDS: dict[str, type[Options]] = {
    "rag": RagOptions,
    "no_retrieval": NoRetrievalOptions,
    "ground_truth_context": GroundTruthOptions,
    "http": HttpOptions,
    "function": FunctionOptions,
    "recorded": RecordedOptions,
}
MAIN_OPTION = {"http": "url", "function": "target", "recorded": "file"}
"""What stands behind the colon of a name such as ``recorded:FILE``."""


def options_of(kind: type[O], values: dict[str, Any], where: str) -> O:
    """Return the options with these values. Raises UsageError that names the option at fault, and what may be meant."""
    for name in values:
        if name not in kind.model_fields:
            near = get_close_matches(name, kind.model_fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the options are {', '.join(sorted(kind.model_fields))}"
            raise UsageError(f"{where}: unknown option {name[:60]!r}; {hint}")
    try:
        return kind(**values)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the options"
        raise UsageError(f"{where}: {place}: {fault_of(error, place.replace('_', ' '))}") from None
