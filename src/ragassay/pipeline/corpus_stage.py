"""First stage: files to documents, chunks of every size and their lexical indexes."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ragassay.corpus.chunkers import document_prefix
from ragassay.corpus.read import read_and_study
from ragassay.corpus.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.pipeline.folder import DOCUMENTS_FILE
from ragassay.pipeline.options import RunOptions
from ragassay.pipeline.progress import Progress
from ragassay.pipeline.study import Studied, study
from ragassay.records import Document, SkippedSource
from ragassay.report.summary import CorpusFigures
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.lexical import LexicalIndex, build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, Tokenizer
from ragassay.synthesis.collection import Collection, CollectionSurvey
from ragassay.synthesis.synthesizer import strata_of
from ragassay.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The documents of a run and all that is worked out from them alone.

    prefixes: of each document, what its chunks are indexed with; none at all where nothing was asked for.
    tables, lexical: chunk size to its chunks.
    """

    store: DocumentStore
    strata: tuple[tuple[str, int], ...]
    collection: Collection
    tokens: TokenizedDocuments
    prefixes: tuple[str, ...]
    tables: dict[int, ChunkTable]
    lexical: dict[int, LexicalIndex]
    figures: CorpusFigures


class _Intake:
    """Watches documents stream by on their way to the store, and keeps numbers only."""

    def __init__(self, options: RunOptions, progress: Progress) -> None:
        self._progress = progress
        self._rows = {size: (array("i"), array("i"), array("i")) for size in options.sizes}
        self._prefix_fields = options.prefix
        self._fields = {"title", "source"}
        self.prefixes: list[str] = []
        self.survey = CollectionSurvey()
        self.tokenizer = Tokenizer()
        self.strata: list[tuple[str, int]] = []
        self.formats: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.characters = 0
        self.words = 0

    def watched(self, documents: Iterator[tuple[Document, Studied]]) -> Iterator[Document]:
        for ordinal, (document, studied) in enumerate(documents):
            self.survey.add(document)
            self.tokenizer.add(studied.raw)
            self.strata.append(strata_of(document))
            self.formats[Path(document.source.split("#")[0]).suffix.lstrip(".").lower() or "other"] += 1
            self.languages[document.language] += 1
            self.characters += len(document.text)
            self.words += studied.words
            if self._prefix_fields:
                self._fields.update(document.metadata)
                self.prefixes.append(document_prefix(document, self._prefix_fields))
            for (documents_of, starts, ends), chunks in zip(self._rows.values(), studied.chunks, strict=True):
                documents_of.extend([ordinal] * len(chunks[0]))
                starts.frombytes(chunks[0].tobytes())
                ends.frombytes(chunks[1].tobytes())
            self._progress.advance()
            yield document

    def tables(self) -> dict[int, ChunkTable]:
        return {
            size: ChunkTable(*(np.frombuffer(column, dtype=np.int32) for column in columns))
            for size, columns in self._rows.items()
        }

    def check_prefix_fields(self) -> None:
        """Raises UsageError for a field that no document has."""
        unknown = [name for name in self._prefix_fields if name not in self._fields]
        if unknown:
            raise UsageError(
                f"--prefix: no document has {unknown[0]!r}; their fields are {', '.join(sorted(self._fields))}"
            )


def build_corpus(folder: Path, options: RunOptions, workers: Workers, progress: Progress) -> Corpus:
    """Reads the documents into the run folder. Raises InputError when nothing can be read."""
    skipped: list[SkippedSource] = []
    notes: list[SkippedSource] = []
    intake = _Intake(options, progress)
    progress.start("reading documents", None)
    documents = read_and_study(
        partial(study, options.chunkings),
        options.documents,
        options.read,
        skipped.append,
        notes.append,
        workers,
        leave_out=options.out,
    )
    store = DocumentStore.write(folder / DOCUMENTS_FILE, intake.watched(documents))
    intake.check_prefix_fields()
    progress.start("indexing words", len(options.sizes) + 1)
    tokens = intake.tokenizer.result(intake.prefixes)
    progress.advance()
    tables = intake.tables()
    lexical = {}
    for size, table in tables.items():
        of_chunks = [intake.prefixes[document] for document in table.documents] if intake.prefixes else []
        lexical[size] = build_lexical_index(tokens, table, of_chunks)
        progress.advance()
    return Corpus(
        store=store,
        strata=tuple(intake.strata),
        collection=intake.survey.result(),
        tokens=tokens,
        prefixes=tuple(intake.prefixes),
        tables=tables,
        lexical=lexical,
        figures=CorpusFigures(
            documents=len(store),
            characters=intake.characters,
            words=intake.words,
            formats=dict(intake.formats.most_common()),
            languages=dict(intake.languages.most_common()),
            chunks={size: len(table) for size, table in tables.items()},
            skipped=tuple(skipped),
            notes=tuple(notes),
        ),
    )
