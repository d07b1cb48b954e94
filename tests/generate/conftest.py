"""Candidates by hand, and small corpora with their gates."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ragassay.documents.markdown import read_markdown
from ragassay.documents.store import DocumentStore
from ragassay.generate.candidates import Candidate
from ragassay.generate.collection import Collection, CollectionSurvey
from ragassay.generate.gates import SearchGates
from ragassay.generate.synthesizer import strata_of
from ragassay.records import Document, Label, Span, content_id
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.index import build_lexical_index
from ragassay.retrieval.tokens import tokenize_documents


class SmallCorpus(NamedTuple):
    store: DocumentStore
    strata: list[tuple[str, int]]
    collection: Collection
    gates: SearchGates
    searched: tuple[Any, ...]


HOUSES = "mill forge dairy school tower ferry tannery bakery brewery chapel".split()
KEEPERS = "Moss Tarn Ward Lind Brink Holt Penn Quayle Rook Sallow".split()


def make_document(text: str, source: str = "a.md", **fields: Any) -> Document:
    """A Markdown document as the reader would make it."""
    parsed = read_markdown(text)
    made = {"id": content_id("doc", source, parsed.text), "title": parsed.title or "", "language": "en"} | fields
    return Document(source=source, text=parsed.text, blocks=parsed.blocks, literals=parsed.literals, **made)


@pytest.fixture(scope="session")
def document() -> Callable[..., Document]:
    return make_document


@pytest.fixture(scope="session")
def houses(document: Callable[..., Document]) -> list[Document]:
    """Ten houses with their keepers, each long enough to be asked about; its first sentence is the fact."""
    return [
        document(
            f"# The {house}\n\nThe {house} has a keeper named {keeper}. The {house} stands on the hill above the "
            f"{keeper} farm. Every visitor to the {house} signs the book that {keeper} lays out beside the door.",
            f"{house}.md",
            metadata={"year": str(2015 + place)},
        )
        for place, (house, keeper) in enumerate(zip(HOUSES, KEEPERS, strict=True))
    ]


@pytest.fixture(scope="session")
def candidate() -> Callable[..., Candidate]:
    """A candidate whose every field may be given; by default a fact of document doc-1."""

    def make(
        question: str = "Where is the lamp?", label: Label = "fact_single", home: str = "doc-1", **fields: Any
    ) -> Candidate:
        context = Span(document_id=home, start=0, end=30, text="The lamp is in the old harbour.")
        given = {
            "ordinal": 0,
            "answer": "" if label == "unanswerable" else "In the old harbour",
            "statement": "The lamp is in the old harbour.",
            "context": context,
            "references": () if label == "unanswerable" else (context,),
            "language": "en",
        }
        return Candidate(question=question, label=label, **(given | fields))

    return make


@pytest.fixture
def small_corpus(tmp_path: Path) -> Iterator[Callable[[Sequence[Document]], SmallCorpus]]:
    """Store, strata, collection and search gates of some documents, with one chunk a document."""
    opened: list[DocumentStore] = []

    def make(documents: Sequence[Document]) -> SmallCorpus:
        store = DocumentStore.write(tmp_path / f"documents-{len(opened)}.jsonl", documents)
        opened.append(store)
        survey = CollectionSurvey()
        for each in documents:
            survey.add(each)
        tokens = tokenize_documents(each.text for each in documents)
        table = ChunkTable(
            np.arange(len(documents), dtype=np.int32),
            np.zeros(len(documents), dtype=np.int32),
            np.array(array("i", [len(each.text) for each in documents]), dtype=np.int32),
        )
        collection = survey.result()
        searched = (store, tokens, table, build_lexical_index(tokens, table))
        gates = SearchGates(*searched, collection.boilerplate)
        return SmallCorpus(store, [strata_of(each) for each in documents], collection, gates, searched)

    yield make
    for store in opened:
        store.close()
