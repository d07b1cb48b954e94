"""First stage: files to documents, chunks of every size and their lexical indexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ragassay.corpus.chunkers import Chunking
from ragassay.corpus.read import count_sources, read_and_study
from ragassay.corpus.store import DocumentStore
from ragassay.parts import in_parts
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, followed
from ragassay.pipeline.folders.run_folder import DOCUMENTS_FILE, run_folder
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.rag.cutting import Cut, Cutter, Fields, Studied, study
from ragassay.records import Document, SkippedSource
from ragassay.report.summary import CorpusFigures
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.retrieval.tokens import TokenizedDocuments
from ragassay.synthesis.collection import Collection, CollectionSurvey
from ragassay.synthesis.gates import SearchGates
from ragassay.synthesis.synthesizer import strata_of
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The documents of a run and all that is worked out from them alone.

    cut: their chunks, by each of the chunkings; lexical: the indexes of these. prefix: fields in front of the chunks.
    """

    store: DocumentStore
    strata: tuple[tuple[str, int], ...]
    collection: Collection
    cut: Cut
    prefix: Fields
    lexical: dict[Chunking, LexicalIndex]
    figures: CorpusFigures

    @property
    def tables(self) -> dict[int, ChunkTable]:
        return {chunking.size: table for chunking, table in self.cut.tables.items()}

    def gates(self, size: int) -> SearchGates:
        """Return what finds a question's document by its words, in the chunks of one size."""
        return SearchGates(*self.searched(size), self.collection.boilerplate)

    def searched(self, size: int) -> tuple[DocumentStore, TokenizedDocuments, ChunkTable, LexicalIndex]:
        """Return what gates and neighbours search in."""
        chunking = next(chunking for chunking in self.cut.tables if chunking.size == size)
        return self.store, self.cut.tokens, self.cut.tables[chunking], self.lexical[chunking]


class _Intake:
    """Watches documents stream by on their way to the store, and keeps numbers only."""

    def __init__(self, folder: Path, options: RunOptions) -> None:
        self.cutter = Cutter(options.chunkings, [options.prefix], folder)
        self.survey = CollectionSurvey()
        self.strata: list[tuple[str, int]] = []
        self.formats: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.words = 0

    def watched(self, documents: Iterator[tuple[Document, Studied]]) -> Iterator[Document]:
        for document, studied in documents:
            self.survey.add(document)
            self.cutter.add(document, studied)
            self.strata.append(strata_of(document))
            self.formats[Path(document.source.split("#")[0]).suffix.lstrip(".").lower() or "other"] += 1
            self.languages[document.language] += 1
            self.words += studied.words
            yield document


def build_corpus(folder: Path, options: RunOptions, workers: Workers, progress: Progress) -> Corpus:
    """Reads the documents into the run folder. Raises InputError when nothing can be read."""
    skipped: list[SkippedSource] = []
    notes: list[SkippedSource] = []
    intake = _Intake(folder, options)
    progress.start("reading documents", count_sources(options.documents, options.read, leave_out=options.out))
    documents = read_and_study(
        partial(study, options.chunkings),
        options.documents,
        options.read,
        skipped.append,
        notes.append,
        workers,
        leave_out=options.out,
        on_read=progress.advance,
    )
    store = DocumentStore.write(folder / DOCUMENTS_FILE, intake.watched(documents))
    intake.cutter.check_prefixes("--prefix")
    one_more = in_parts(progress, "indexing documents", len(store), len(options.chunkings) + 1)
    cut = intake.cutter.result()
    one_more(1)
    lexical = {}
    for chunking in cut.tables:
        lexical[chunking] = cut.lexical(chunking, options.prefix)
        one_more(1)
    return Corpus(
        store=store,
        strata=tuple(intake.strata),
        collection=intake.survey.result(),
        cut=cut,
        prefix=options.prefix,
        lexical=lexical,
        figures=CorpusFigures(
            documents=len(store),
            characters=cut.characters,
            words=intake.words,
            formats=dict(intake.formats.most_common()),
            languages=dict(intake.languages.most_common()),
            chunks={chunking.size: len(table) for chunking, table in cut.tables.items()},
            skipped=tuple(skipped),
            notes=tuple(notes),
        ),
    )


class Work(NamedTuple):
    """What the stages of a job share. folder: of its files, which are put in place at the end."""

    folder: Path
    models: RunModels
    workers: Workers
    progress: Progress


@asynccontextmanager
async def working(
    options: RunOptions | SynthesizeOptions, endpoints: Endpoints, progress: Progress
) -> AsyncIterator[Work]:
    """Claim the folder of a job and set up models and processes; says which limit ended the work."""
    with (
        run_folder(options) as folder,
        followed(progress, folder, options.command) as told,
        Workers(options.processes, imports=("ragassay.pipeline.make.corpus",)) as workers,
    ):
        async with RunModels(options.models, endpoints, workers, told) as models:
            models.ask_servers(options.out)
            yield Work(folder, models, workers, told)
        told.stopped(endpoints.budget.reached or "")
