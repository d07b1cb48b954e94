"""Chunks of ten kinds of loaders and splitters find their places; benchmarks/placement.py has more, and the speed."""

from __future__ import annotations

from pathlib import Path

import pytest
from placement import as_returned, by_words, is_wrong, made
from splitters import SPLITTERS

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.records import Document

DEMO = Path(__file__).parents[2] / "demo" / "knowledge_base"


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    def silent(*_: object) -> None:
        pass

    return list(read_corpus([DEMO / "help", DEMO / "contracts", DEMO / "minutes"], ReadOptions(), silent, silent))


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_nearly_all_chunks_are_placed_and_none_wrongly(splitter: str, documents: list[Document]) -> None:
    place = by_words(documents)
    texts = {each.id: each.text for each in documents}
    chunks = made(documents, splitter)
    found = [(place(as_returned(chunk)), document, chunk) for document, chunk in chunks]
    placed = [each for each in found if each[0].document_id]
    assert len(placed) >= 0.98 * len(chunks)
    assert not [each for each in placed if is_wrong(*each, texts)]
