"""The data set of a sweep: its examples, and its documents in chunks of every kind that is asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.selection import kept, said
from ragassay.documents.chunkers import Chunking
from ragassay.documents.store import DocumentStore
from ragassay.errors import InputError
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.metrics.retrieval.references import RightChunks, right_chunks
from ragassay.rag.cutting import Cut, Cutter, Fields, studied
from ragassay.records import Document, Example, RankedChunk, content_id, to_json
from ragassay.retrieval.index import LexicalIndex
from ragassay.sweep.values import DOMAIN
from ragassay.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class SweepData:
    """examples: with questions. store: the documents. cut: their chunks. digest: of documents and examples.

    ids: of the documents, in their order. domains: document id to its domain, where it names one. lexical: indexes by
    words that are there already.
    """

    examples: tuple[Example, ...]
    store: DocumentStore
    cut: Cut
    digest: str
    ids: tuple[str, ...]
    domains: Mapping[str, str] = field(default_factory=dict)
    lexical: Mapping[tuple[Chunking, Fields], LexicalIndex] = field(default_factory=dict)
    _texts: dict[Chunking, dict[int, str]] = field(default_factory=dict)
    _right: dict[Chunking, RightChunks] = field(default_factory=dict)
    _chunk_ids: dict[Chunking, dict[int, str]] = field(default_factory=dict)

    def right(self, chunking: Chunking) -> RightChunks:
        """The right chunks of all examples."""
        if chunking not in self._right:
            self._right[chunking] = right_chunks(self.examples, self.ids, self.cut.tables[chunking])
        return self._right[chunking]

    def texts(self, chunking: Chunking, chunks: Iterable[int]) -> dict[int, str]:
        """Chunk ordinal to text, of at least these chunks; each document is read once a call."""
        known = self._texts.setdefault(chunking, {})
        table = self.cut.tables[chunking]
        for chunk in sorted(set(chunks) - known.keys()):
            text = self.store[int(table.documents[chunk])].text
            known[chunk] = text[table.starts[chunk] : table.ends[chunk]]
        return known

    def ranked(
        self, chunking: Chunking, chunks: Sequence[int], scores: Sequence[float] = ()
    ) -> tuple[RankedChunk, ...]:
        """The records of ranked chunks, without their texts; without scores these are 1 / rank."""
        table, ids, known = self.cut.tables[chunking], self.ids, self._chunk_ids.setdefault(chunking, {})
        found = []
        for rank, chunk in enumerate(chunks, start=1):
            document_id, start, end = ids[table.documents[chunk]], int(table.starts[chunk]), int(table.ends[chunk])
            if chunk not in known:
                known[chunk] = content_id("chunk", document_id, str(start), str(end))
            score = round(scores[rank - 1], 6) if scores else 1 / rank
            chunk_id = known[chunk]
            found.append(RankedChunk(chunk_id=chunk_id, document_id=document_id, start=start, end=end, score=score))
        return tuple(found)


def read_sweep_data(options: SweepOptions, folder: Path, workers: Workers, progress: Progress) -> SweepData:
    """Reads the data set; documents go to ``documents.jsonl`` in the folder.

    Raises InputError for a data set without documents or examples, and UsageError for a prefix that no document has.
    """
    settings = options.tried
    examples: list[Example] = []
    cutter = Cutter([setting.chunking for setting in settings], options.space.prefix, folder)
    digest = hashlib.sha256()
    domains: dict[str, str] = {}
    progress.start("reading and cutting", None)

    def unread() -> Iterator[Document]:
        records = read_dataset(
            options.dataset, format_name=options.format_name, documents=options.documents, notes=Notes()
        )
        for record in kept(records, options.only):
            if isinstance(record, Document):
                yield record
            elif isinstance(record, Example):
                examples.append(record)

    def documents() -> Iterator[Document]:
        for document, known in studied(unread(), cutter.chunkings, workers):
            digest.update(to_json(document).encode("utf-8", "surrogatepass"))
            cutter.add(document, known)
            if DOMAIN in document.metadata:
                domains[document.id] = document.metadata[DOMAIN]
            progress.advance()
            yield document

    store = DocumentStore.write(folder / "documents.jsonl", documents())
    if not len(store):
        raise InputError(
            f"{options.dataset} holds no documents{said(options.only)} to search; name the file of "
            "documents as documents"
        )
    if not examples:
        raise InputError(f"{options.dataset} holds no examples; a sweep needs questions")
    cutter.check_prefixes("prefix")
    for example in examples:
        digest.update(to_json(example).encode("utf-8", "surrogatepass"))
    progress.start("indexing words", None)
    return SweepData(
        examples=tuple(examples),
        store=store,
        cut=cutter.result(),
        digest=digest.hexdigest()[:16],
        ids=store.ids,
        domains=domains,
    )
