"""What can be set about each kind of system: one model of options a kind, checked before anything is asked."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from ragassay.corpus.chunkers import DEFAULT_OVERLAPS, DEFAULT_SIZES, ChunkerName
from ragassay.errors import UsageError
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.rerank.names import NO_RERANKER, is_reranker
from ragassay.systems.reading import Places

O = TypeVar("O", bound="Options")  # noqa: E741 - the type of some options

TIMEOUT_S = 60.0


class Options(BaseModel):
    """What every kind has.

    name: what tables and records call the system. concurrency: questions, or batches, at the same time; None: as many
    as the kind can bear. timeout_s: seconds that one question may take.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str | None = Field(default=None, min_length=1, max_length=200)
    concurrency: int | None = Field(default=None, ge=1, le=1000)
    timeout_s: float = Field(default=TIMEOUT_S, gt=0, le=86_400)


class ReplyOptions(Options):
    """Where things stand in what a system gives back; by their usual names where nothing is said.

    version: of the system, as its user counts; with another one all questions are asked again. Where none is given, the
    code says whether it has changed, as far as it can be seen.
    """

    version: str | None = Field(default=None, min_length=1, max_length=200)
    answer: str | None = None
    chunks: str | None = None
    chunk_text: str | None = None
    chunk_id: str | None = None
    chunk_document: str | None = None
    chunk_score: str | None = None
    input_tokens: str | None = None
    output_tokens: str | None = None

    @property
    def places(self) -> Places:
        """Raises UsageError for a place that cannot be read."""
        return Places.of({name: getattr(self, name) for name in Places.__dataclass_fields__})


class HttpOptions(ReplyOptions):
    """url: where to ask; may hold ``{question}`` for GET. request: JSON body, or the fields of the query for GET.

    headers: a value may hold ``${VARIABLE}`` of the environment. retries: further tries after a time-out, a broken
    connection or a busy server.
    """

    url: str
    method: Literal["GET", "POST"] = "POST"
    request: Any = None
    headers: dict[str, str] = Field(default_factory=dict)
    retries: int = Field(default=2, ge=0, le=20)


class FunctionOptions(ReplyOptions):
    """target: ``module:callable``. input: what it is called with, instead of the question's text."""

    target: str
    input: Any = None


class CommandOptions(ReplyOptions):
    """command: as in a shell, but run without one. batch: questions that one process gets.

    input: the object that stands on each line of its standard input, beside the id.
    """

    command: str
    batch: int = Field(default=32, ge=1, le=100_000)
    input: Any = None


class RecordedOptions(ReplyOptions):
    """file: predictions made elsewhere. system: whose, where the file holds those of several."""

    file: str
    system: str | None = None


IN_MEMORY = "memory"
Retriever = Literal["lexical", "dense", "hybrid"]
_RETRIEVERS = {"bm25": "lexical", "vector": "dense", "vectors": "dense", "embedding": "dense", "embeddings": "dense"}


class RagOptions(Options):
    """The built-in system.

    retriever: lexical is BM25, dense compares sentence vectors, hybrid adds both with ``text_weight`` for BM25, joined
    as ``fusion`` says. chunker: recursive splits at paragraphs, lines, sentences. chunk_size, overlap: characters, or
    sentences or tokens for the other two chunkers; the chunker's usual ones where nothing is said. prefix: title,
    source and names of metadata, put in front of each chunk. vectors: late reads documents once, in windows; plain
    reads each chunk by itself. store: where the chunks are: memory, mapped:FOLDER, faiss, faiss:hnsw, or
    postgresql://USER@HOST/DATABASE, all but the first for what is larger or is to stay. reranker: none,
    late_interaction, judge (the model that answers) or cross_encoder:MODEL, which looks again at the first
    ``candidates`` chunks. top_k: chunks retrieved and answered from. generate: false retrieves alone.
    hyde: search with a passage that a language model makes up. retrieval: ``tool`` lets the model decide whether a
    question needs any. guard: file with example questions to refuse; guard_threshold: cosine from which one is near.
    prompt: file with the answerer's prompt.
    """

    retriever: Retriever = "hybrid"
    chunker: ChunkerName = "recursive"
    chunk_size: int = Field(default=0, ge=0, validate_default=True)
    overlap: int | None = Field(default=None, ge=0)
    prefix: tuple[str, ...] = ()
    text_weight: float = Field(default=0.1, ge=0, le=1)
    fusion: Literal["raw_linear", "min_max", "rrf"] = "raw_linear"
    vectors: ChunkVectors = "late"
    store: str = IN_MEMORY
    reranker: str = NO_RERANKER
    candidates: int = Field(default=20, ge=1, le=10_000)
    top_k: int = Field(default=5, ge=1, le=10_000)
    generate: bool = True
    hyde: bool = False
    retrieval: Literal["always", "tool"] = "always"
    guard: str | None = None
    guard_threshold: float = Field(default=0.75, gt=0, le=1)
    prompt: str | None = None

    @field_validator("retriever", mode="before")
    @classmethod
    def _other_names(cls, value: Any) -> Any:
        return _RETRIEVERS.get(value.lower(), value.lower()) if isinstance(value, str) else value

    @field_validator("chunk_size")
    @classmethod
    def _usual(cls, value: int, info: ValidationInfo) -> int:
        """The middle one of the chunker's usual sizes, 512 characters, where none is given."""
        return value or DEFAULT_SIZES[info.data.get("chunker", "recursive")][1]

    @property
    def overlap_used(self) -> int:
        """The overlap, by default the chunker's usual one, but never more than a quarter of a chunk."""
        usual = min(DEFAULT_OVERLAPS[self.chunker], self.chunk_size // 4)
        return usual if self.overlap is None else self.overlap

    @field_validator("reranker")
    @classmethod
    def _known(cls, value: str) -> str:
        if not is_reranker(value):
            raise ValueError(f"{value!r} is no reranker; give none, late_interaction, judge or cross_encoder:MODEL")
        return value

    @field_validator("store")
    @classmethod
    def _without_password(cls, value: str) -> str:
        if "://" in value and (urlsplit(value).password or "password=" in urlsplit(value).query):
            raise ValueError("the URL holds a password; remove it, and set PGPASSWORD in the environment")
        return value

    @field_validator("prefix", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.replace("+", ",").split(",") if name.strip())
        return value


class NoRetrievalOptions(Options):
    """A language model answers from what it knows: how much of a set needs no documents at all."""

    prompt: str | None = None


class GroundTruthOptions(Options):
    """Answers from the very texts that the examples rest on: the best that retrieval could do.

    context: ``document`` gives the whole document, as RAGVAL does; ``context`` what the question was made from;
    ``references`` the spans alone.
    """

    context: Literal["context", "document", "references"] = "context"
    prompt: str | None = None


KINDS: dict[str, type[Options]] = {
    "rag": RagOptions,
    "no_retrieval": NoRetrievalOptions,
    "ground_truth_context": GroundTruthOptions,
    "http": HttpOptions,
    "function": FunctionOptions,
    "command": CommandOptions,
    "recorded": RecordedOptions,
}
MAIN_OPTION = {"http": "url", "function": "target", "command": "command", "recorded": "file"}
"""What stands behind the colon of a name such as ``recorded:FILE``."""


def options_of(kind: type[O], values: dict[str, Any], where: str) -> O:
    """The options with these values. Raises UsageError that names the option at fault, and what was meant perhaps.

    where: what the user wrote, for the message.
    """
    for name in values:
        if name not in kind.model_fields:
            near = get_close_matches(name, kind.model_fields, n=1)
            hint = f"do you mean {near[0]}?" if near else f"the options are {', '.join(sorted(kind.model_fields))}"
            raise UsageError(f"{where}: there is no option {name[:60]!r}; {hint}")
    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the options"
        said = first["msg"].removeprefix("Value error, ")
        said = said[:1].lower() + said[1:]
        raise UsageError(f"{where}: {place}: {said}") from None
