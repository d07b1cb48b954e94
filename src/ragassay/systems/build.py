"""Make systems of what users said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragassay.documents.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.base import Model
from ragassay.models.vector_cache import SpanEncoder
from ragassay.parts import Counted, in_parts
from ragassay.records import Example
from ragassay.retrieval.rerank import (
    CROSS_ENCODER,
    JUDGE,
    LATE_INTERACTION,
    NO_RERANKER,
    CrossEncoderReranker,
    JudgeReranker,
    LateInteractionReranker,
    Reranker,
)
from ragassay.systems.base import System
from ragassay.systems.options import (
    IN_MEMORY,
    FunctionOptions,
    GroundTruthOptions,
    HttpOptions,
    NoRetrievalOptions,
    RagOptions,
    RecordedOptions,
)
from ragassay.systems.own_chunks import OwnChunks
from ragassay.systems.rag import Generator, GroundTruth, NoRetrieval, RagSystem, check_rag, rag_name
from ragassay.systems.rag_index import MemoryIndex, Searcher, StoreIndex, cut_documents
from ragassay.systems.spec import SystemSpec
from ragassay.systems.steps import Guardrail, read_guard
from ragassay.workers import Workers

BUILT_IN = frozenset({"rag", "no_retrieval", "ground_truth_context"})


@dataclass(frozen=True, slots=True, eq=False)
class Materials:
    """What built-in systems are made of. store: None without documents. own: chunks that are searched as they are."""

    store: DocumentStore | None
    examples: Mapping[str, Example]
    generator: Generator
    encoder: SpanEncoder
    folder: Path
    progress: Counted
    own: OwnChunks | None = None
    workers: Workers | None = None


def outside_system(spec: SystemSpec) -> System:
    """Make a system that needs nothing of ours. Raises UsageError or InputError for what cannot be used."""
    options = spec.options
    if isinstance(options, HttpOptions):
        from ragassay.systems.http import HttpSystem

        return HttpSystem(options)
    if isinstance(options, FunctionOptions):
        from ragassay.systems.function import FunctionSystem, imported_object

        return FunctionSystem(options, imported_object(options.target, spec.folder))
    if isinstance(options, RecordedOptions):
        from ragassay.systems.recorded import RecordedSystem

        return RecordedSystem(options, spec.file(options.file))
    raise ValueError(f"{spec.kind} is a built-in system")


def check_outside_system(spec: SystemSpec) -> None:
    """Raise what ``outside_system`` raises, for a run that comes later: nothing of the user's is made an object."""
    if isinstance(spec.options, FunctionOptions):
        from ragassay.systems.function import imported_object

        imported_object(spec.options.target, spec.folder)
    else:
        outside_system(spec)


def built_in_system(spec: SystemSpec, materials: Materials) -> System:
    """Make the built-in RAG system, which indexes the documents now, or a baseline. Raises UsageError or InputError."""
    options, generator = spec.options, materials.generator
    if isinstance(options, RagOptions):
        return _rag(spec, options, materials)
    if isinstance(options, NoRetrievalOptions):
        return NoRetrieval(options, generator)
    if not isinstance(options, GroundTruthOptions):
        raise ValueError(f"{spec.kind} is not a built-in system")
    if options.context == "document":
        _documents(materials, "context=document")
    return GroundTruth(options, generator, materials.examples, materials.store)


def _rag(spec: SystemSpec, options: RagOptions, materials: Materials) -> System:
    encoder, progress = materials.encoder, materials.progress
    setting = options.setting(materials.generator.model.name)
    check_rag(options, materials.generator)
    name = options.name or rag_name(setting, options.store, has_own_chunks=materials.own is not None)
    store = _documents(materials, "rag")
    reranker = reranker_of(options.reranker, materials.generator.model)
    guarded = read_guard(spec.file(options.guard)) if options.guard else []
    progress.start("cutting documents", len(store))
    cut = cut_documents(store, setting, progress.advance, materials.own, materials.folder, materials.workers)
    on_chunks = in_parts(progress, "embedding documents", len(store), len(cut.table))
    guardrail = Guardrail(guarded, encoder, options.guard_threshold) if guarded else None
    index: Searcher
    if options.store == IN_MEMORY:
        index = MemoryIndex(cut, encoder, materials.folder, on_chunks)
    else:
        index = StoreIndex(cut, options.store, encoder, on_chunks)
    return RagSystem(name, setting, index, materials.generator, encoder, guardrail, reranker)


def reranker_of(name: str, model: Model) -> Reranker | None:
    """Make the reranker of a name; models and libraries are loaded now. Raises UsageError or ModelError."""
    if name == NO_RERANKER:
        return None
    if name == JUDGE:
        return JudgeReranker(model)
    if name == LATE_INTERACTION:
        from ragassay.models.embeddings import SentenceEncoder

        return LateInteractionReranker(SentenceEncoder())
    return CrossEncoderReranker(name.removeprefix(CROSS_ENCODER))


def _documents(materials: Materials, what: str) -> DocumentStore:
    if materials.store is None or not len(materials.store):
        raise UsageError(
            f"{what} needs documents, but the set has none; name them with --documents, or say where the "
            "answers of a system stand in the set, with --map answer=COLUMN"
        )
    return materials.store
