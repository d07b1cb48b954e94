"""Systems out of what users said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragassay.corpus.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.base import Model
from ragassay.parts import Counted, in_parts
from ragassay.records import Example
from ragassay.retrieval.dense_vectors import ChunkEncoder
from ragassay.retrieval.rerank.base import Reranker
from ragassay.retrieval.rerank.names import CROSS_ENCODER, JUDGE, LATE_INTERACTION, NO_RERANKER
from ragassay.systems.base import System
from ragassay.systems.options import (
    IN_MEMORY,
    CommandOptions,
    FunctionOptions,
    GroundTruthOptions,
    HttpOptions,
    NoRetrievalOptions,
    PlugInOptions,
    RagOptions,
    RecordedOptions,
)
from ragassay.systems.own_chunks import OwnChunks
from ragassay.systems.rag import Generator
from ragassay.systems.rag_index import CutDocuments, Searcher
from ragassay.systems.spec import SystemSpec, system_plug_ins
from ragassay.workers import Workers

BUILT_IN = frozenset({"rag", "no_retrieval", "ground_truth_context"})
"""Kinds that ask our own models and search the documents of the set."""


@dataclass(frozen=True, slots=True, eq=False)
class Materials:
    """What built-in systems are made of. store: None where there are no documents. folder: for vectors on disk.

    own: the user's own chunks, which are searched as they are. workers: share what can be; None for this process.
    """

    store: DocumentStore | None
    examples: Mapping[str, Example]
    generator: Generator
    encoder: ChunkEncoder
    encoder_name: str
    folder: Path
    progress: Counted
    own: OwnChunks | None = None
    workers: Workers | None = None


def outside_system(spec: SystemSpec) -> System:
    """A system that needs nothing of ours. Raises UsageError or InputError for what cannot be used."""
    options = spec.options
    if isinstance(options, HttpOptions):
        from ragassay.systems.http import HttpSystem

        return HttpSystem(options)
    if isinstance(options, FunctionOptions):
        from ragassay.systems.function import FunctionSystem

        return FunctionSystem.imported(options, spec.folder)
    if isinstance(options, PlugInOptions):
        from ragassay.systems.function import FunctionSystem

        return FunctionSystem.of_plug_in(spec.kind, options)
    if isinstance(options, CommandOptions):
        from ragassay.systems.command import CommandSystem

        return CommandSystem(options, spec.folder)
    if isinstance(options, RecordedOptions):
        from ragassay.systems.recorded import RecordedSystem

        return RecordedSystem(options, spec.file(options.file))
    raise ValueError(f"{spec.kind} is a built-in system")


def check_outside_system(spec: SystemSpec) -> None:
    """Raises what ``outside_system`` raises, for a run that comes later: nothing of the user's is made an object."""
    if isinstance(spec.options, FunctionOptions):
        from ragassay.systems.function import imported_object

        imported_object(spec.options.target, spec.folder)
    elif isinstance(spec.options, PlugInOptions):
        system_plug_ins().by_name[spec.kind].load()
    else:
        outside_system(spec)


def built_in_system(spec: SystemSpec, materials: Materials) -> System:
    """The built-in RAG system, which indexes the documents now, or a baseline. Raises UsageError or InputError."""
    options, generator = spec.options, materials.generator
    if isinstance(options, NoRetrievalOptions):
        from ragassay.systems.baselines import NoRetrieval

        return NoRetrieval(options, generator)
    if isinstance(options, GroundTruthOptions):
        from ragassay.systems.baselines import GroundTruth

        if options.context == "document":
            _documents(materials, "context=document")
        return GroundTruth(options, generator, materials.examples, materials.store)
    if not isinstance(options, RagOptions):
        raise ValueError(f"{spec.kind} is not a built-in system")
    return _rag(spec, options, materials)


def _rag(spec: SystemSpec, options: RagOptions, materials: Materials) -> System:
    from ragassay.systems.guardrail import Guardrail, read_guard
    from ragassay.systems.rag import RagSystem, check_rag, rag_name
    from ragassay.systems.rag_index import cut_documents

    setting = options.setting(materials.generator.model.name)
    check_rag(options, materials.generator)
    name = options.name or rag_name(setting, options.store, has_own_chunks=materials.own is not None)
    store = _documents(materials, "rag")
    reranker = _reranker(options.reranker, materials.generator.model)
    guarded = read_guard(spec.file(options.guard)) if options.guard else []
    progress = materials.progress
    progress.start("cutting documents", len(store))
    documents = cut_documents(store, setting, progress.advance, materials.own, materials.folder, materials.workers)
    index = _index(options.store, documents, materials)
    guardrail = Guardrail(guarded, materials.encoder, options.guard_threshold) if guarded else None
    return RagSystem(name, setting, index, materials.generator, materials.encoder, guardrail, reranker)


def _index(store: str, documents: CutDocuments, materials: Materials) -> Searcher:
    """store: the name of one."""
    n_documents = len(documents.store)
    on_chunks = in_parts(materials.progress, "embedding documents", n_documents, len(documents.table))
    if store == IN_MEMORY:
        from ragassay.systems.rag_index import build_index

        return build_index(documents, materials.encoder, materials.folder, on_chunks)
    from ragassay.retrieval.stores.opening import open_store
    from ragassay.systems.rag_store import StoreIndex, fill_store

    opened = open_store(store, language=documents.cut.language)
    fill_store(opened, documents, materials.encoder, materials.encoder_name, on_chunks)
    return StoreIndex(documents, opened)


def _reranker(name: str, model: Model) -> Reranker | None:
    """The reranker of a name; models and libraries are loaded now. Raises UsageError or ModelError."""
    if name == NO_RERANKER:
        return None
    if name == JUDGE:
        from ragassay.retrieval.rerank.judge import JudgeReranker

        return JudgeReranker(model)
    if name == LATE_INTERACTION:
        from ragassay.models.embeddings import SentenceEncoder
        from ragassay.retrieval.rerank.late_interaction import LateInteractionReranker

        return LateInteractionReranker(SentenceEncoder())
    from ragassay.retrieval.rerank.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(name.removeprefix(CROSS_ENCODER))


def _documents(materials: Materials, what: str) -> DocumentStore:
    if materials.store is None or not len(materials.store):
        raise UsageError(
            f"{what} needs documents, but the set has none; give them with --documents. `ragassay score` "
            "(ragassay.score) takes answers that the rows hold"
        )
    return materials.store
