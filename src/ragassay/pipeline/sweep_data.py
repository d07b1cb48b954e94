"""The data set of a sweep: its examples, and its documents in chunks of every kind that is asked for."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ragassay.corpus.chunkers import Chunking, document_prefix
from ragassay.corpus.store import DocumentStore
from ragassay.datasets.format import Notes
from ragassay.datasets.only import kept, said
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError
from ragassay.evaluation.relevance import right_chunks
from ragassay.metrics.retrieval.ranks import RightChunks
from ragassay.pipeline.progress import Progress
from ragassay.pipeline.sweep_options import SweepOptions
from ragassay.records import Document, Example, RankedChunk, content_id, to_json
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import NO_CHUNK
from ragassay.retrieval.lexical import LexicalIndex, build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, Tokenizer, raw_words


@dataclass(frozen=True, slots=True, eq=False)
class SweepData:
    """examples: with questions. store: the documents. tables: how each chunking cuts them.

    prefixes: prefix fields to what goes in front of the chunks of each document. digest: of documents and examples.
    ids: of the documents, in their order.
    """

    examples: tuple[Example, ...]
    store: DocumentStore
    tables: dict[Chunking, ChunkTable]
    tokens: TokenizedDocuments
    prefixes: dict[tuple[str, ...], list[str]]
    characters: int
    digest: str
    ids: tuple[str, ...]
    _texts: dict[Chunking, dict[int, str]] = field(default_factory=dict)
    _right: dict[Chunking, RightChunks] = field(default_factory=dict)
    _chunk_ids: dict[Chunking, dict[int, str]] = field(default_factory=dict)

    def lexical(self, chunking: Chunking, prefix: tuple[str, ...]) -> LexicalIndex:
        """The lexical index of the chunks behind their prefixes."""
        table = self.tables[chunking]
        of_documents = self.prefixes.get(prefix, [])
        of_chunks = [of_documents[document] for document in table.documents] if of_documents else []
        return build_lexical_index(self.tokens, table, of_chunks)

    def right(self, chunking: Chunking) -> RightChunks:
        """The right chunks of all examples."""
        if chunking not in self._right:
            self._right[chunking] = right_chunks(self.examples, self.ids, self.tables[chunking])
        return self._right[chunking]

    def texts(self, chunking: Chunking, chunks: Iterable[int]) -> dict[int, str]:
        """Chunk ordinal to text, of at least these chunks; each document is read once a call."""
        known = self._texts.setdefault(chunking, {})
        table = self.tables[chunking]
        for chunk in sorted(set(chunks) - known.keys() - {NO_CHUNK}):
            text = self.store[int(table.documents[chunk])].text
            known[chunk] = text[table.starts[chunk] : table.ends[chunk]]
        return known

    def ranked(self, chunking: Chunking, chunks: Sequence[int]) -> tuple[RankedChunk, ...]:
        """The records of ranked chunks, without their texts; scores are 1 / rank."""
        table, ids, known = self.tables[chunking], self.ids, self._chunk_ids.setdefault(chunking, {})
        found = []
        for rank, chunk in enumerate((c for c in chunks if c != NO_CHUNK), start=1):
            document_id, start, end = ids[table.documents[chunk]], int(table.starts[chunk]), int(table.ends[chunk])
            if chunk not in known:
                known[chunk] = content_id("chunk", document_id, str(start), str(end))
            chunk_id = known[chunk]
            found.append(RankedChunk(chunk_id=chunk_id, document_id=document_id, start=start, end=end, score=1 / rank))
        return tuple(found)


class _Intake:
    """Watches documents on their way to the store and keeps what sweeps need of them."""

    def __init__(self, chunkings: Sequence[Chunking], prefixes: Sequence[tuple[str, ...]], progress: Progress) -> None:
        self._rows = {chunking: (array("i"), array("i"), array("i")) for chunking in chunkings}
        self._progress = progress
        self._raw = [prefix for prefix in prefixes if prefix]
        self.prefixes: dict[tuple[str, ...], list[str]] = {prefix: [] for prefix in self._raw}
        self.fields = {"title", "source"}
        self.languages: Counter[str] = Counter()
        self._tokenizer = Tokenizer()
        self.characters = 0
        self.digest = hashlib.sha256()

    def watched(self, documents: Iterable[Document]) -> Iterator[Document]:
        for ordinal, document in enumerate(documents):
            self.digest.update(to_json(document).encode("utf-8", "surrogatepass"))
            self.languages[document.language] += len(document.text)
            self._tokenizer.add(raw_words(document.text))
            self.characters += len(document.text)
            self.fields |= document.metadata.keys()
            for prefix, found in self.prefixes.items():
                found.append(document_prefix(document, prefix))
            for cut, (of, starts, ends) in self._rows.items():
                for start, end in cut(document.text):
                    of.append(ordinal)
                    starts.append(start)
                    ends.append(end)
            self._progress.advance()
            yield document

    def tables(self) -> dict[Chunking, ChunkTable]:
        return {
            cut: ChunkTable(*(np.frombuffer(column, dtype=np.int32) for column in columns))
            for cut, columns in self._rows.items()
        }

    def tokens(self) -> TokenizedDocuments:
        """In the language that most of the text is in."""
        language = self.languages.most_common(1)[0][0] if self.languages else None
        return self._tokenizer.result([prefix for found in self.prefixes.values() for prefix in found], language)


def read_sweep_data(options: SweepOptions, folder: Path, progress: Progress) -> SweepData:
    """Reads the data set; documents go to ``documents.jsonl`` in the folder.

    Raises InputError for a data set without documents or examples, and UsageError for a prefix that no document has.
    """
    settings = options.space.settings()
    chunkings = list(dict.fromkeys(setting.chunking for setting in settings))
    examples: list[Example] = []
    intake = _Intake(chunkings, list(dict.fromkeys(setting.prefix for setting in settings)), progress)
    progress.start("reading and cutting", None)

    def documents() -> Iterator[Document]:
        records = read_dataset(
            options.dataset, format_name=options.format_name, documents=options.documents, notes=Notes()
        )
        for record in kept(records, options.only):
            if isinstance(record, Document):
                yield record
            elif isinstance(record, Example):
                examples.append(record)

    store = DocumentStore.write(folder / "documents.jsonl", intake.watched(documents()))
    if not len(store):
        raise InputError(
            f"{options.dataset} holds no documents{said(options.only)} to search; name a file of documents as documents"
        )
    if not examples:
        raise InputError(f"{options.dataset} holds no examples; a sweep needs questions")
    for prefix in intake.prefixes:
        unknown = [name for name in prefix if name not in intake.fields]
        if unknown:
            known = ", ".join(sorted(intake.fields)[:20])
            raise UsageError(f"prefix: no document has {unknown[0]!r}; their fields are {known}")
    for example in examples:
        intake.digest.update(to_json(example).encode("utf-8", "surrogatepass"))
    progress.start("indexing words", None)
    return SweepData(
        examples=tuple(examples),
        store=store,
        tables=intake.tables(),
        tokens=intake.tokens(),
        prefixes=intake.prefixes,
        characters=intake.characters,
        digest=intake.digest.hexdigest()[:16],
        ids=store.ids,
    )
