"""First stage: files to documents, chunks of every size and their lexical indexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ragassay.documents.chunkers import Chunking
from ragassay.documents.read import count_sources, read_and_study
from ragassay.documents.store import DocumentStore
from ragassay.generate.collection import Collection, CollectionSurvey
from ragassay.generate.gates import SearchGates
from ragassay.generate.metadata_filter import check_conditions
from ragassay.generate.synthesizer import strata_of
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.folders.run_folder import DOCUMENTS_FILE
from ragassay.jobs.make.run_options import RunOptions
from ragassay.parts import in_parts
from ragassay.rag.cutting import Cut, Cutter, Fields, Studied, study
from ragassay.records import Document, SkippedSource
from ragassay.report.summary import CorpusFigures
from ragassay.retrieval.index import LexicalIndex
from ragassay.workers import Workers


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
    def gates(self) -> SearchGates:
        """Return what finds a question's document by its words, in the largest chunks."""
        chunking = max(self.cut.tables, key=lambda chunking: chunking.size)
        table, index = self.cut.tables[chunking], self.lexical[chunking]
        return SearchGates(self.store, self.cut.tokens, table, index, self.collection.boilerplate)


class _Intake:
    """Watches documents stream by on their way to the store, and keeps numbers only."""

    def __init__(self, folder: Path, options: RunOptions) -> None:
        self.cutter = Cutter(options.chunkings, [options.prefix], folder)
        self.survey = CollectionSurvey()
        self.strata: list[tuple[str, int]] = []
        self.formats: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.words = self.files = 0
        self._latest = ""

    def watched(self, documents: Iterator[tuple[Document, Studied]]) -> Iterator[Document]:
        for document, studied in documents:
            self.survey.add(document)
            self.cutter.add(document, studied)
            self.strata.append(strata_of(document))
            name = document.source.split("#")[0]
            self.files += name != self._latest
            self._latest = name
            self.formats[Path(name).suffix.lstrip(".").lower() or "other"] += 1
            self.languages[document.language] += 1
            self.words += studied.words
            yield document


def build_corpus(folder: Path, options: RunOptions, workers: Workers, progress: Progress) -> Corpus:
    """Read the documents into the run folder.

    Raises InputError when nothing can be read, and as ``check_conditions`` for ``--where``.
    """
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
    check_conditions(options.where, store)
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
            files=intake.files,
        ),
    )
