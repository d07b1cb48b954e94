"""The user's own chunks: documents made of them, and their places in documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragassay.documents.store import DocumentStore
from ragassay.errors import RecordError
from ragassay.records import Document, RankedChunk
from ragassay.systems.own_chunks import documents_of, numbered, place_chunks, read_own_chunks


def read(*items: dict[str, Any]) -> list[RankedChunk]:
    return read_own_chunks(numbered(({"document_id": "d", **item} for item in items), "chunks"))


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (["One.", "Two."], "One.\n\nTwo."),
        (["It is old and long.", "and long. It is new."], "It is old and long. It is new."),  # two words are shared
        (["It is land", "and sea"], "It is land\n\nand sea"),  # a part of a word is none
        (["a b a b", "a b a b c"], "a b a b c"),  # all of the first one begins the second
        (["One. ", " Two."], "One. \n\n Two."),  # white space alone is nothing shared
        (["x " * 1_000 + "y", "y z"], "x " * 1_000 + "y z"),
    ],
)
def test_chunks_without_places_follow_each_other(texts: list[str], text: str) -> None:
    (document,) = documents_of(read(*({"text": each} for each in texts)))
    assert (document.id, document.title, document.text) == ("d", "d", text)


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"text": "was old", "start": 3, "end": 10}, "of 'd' differs from another chunk at the same place"),
        ({"text": "far", "start": 10**9, "end": 10**9 + 3}, "of 'd' ends at character 1000000003"),
    ],
)
def test_places_that_cannot_be(second: dict[str, Any], said: str) -> None:
    with pytest.raises(RecordError, match=said):
        documents_of(read({"text": "It is old", "start": 0, "end": 9}, second))


def test_chunks_are_found_by_their_words_and_by_names_of_documents(tmp_path: Path) -> None:
    text = "Fees.\nThe fee is 3 crowns.\nThe fee is 3 crowns.\n"
    document = Document(id="d1", title="Fees", source="kb/fees.md", text=text)
    store = DocumentStore.write(tmp_path / "documents.jsonl", [document])
    items = [
        {"id": "a", "document_id": "fees.md", "text": "The fee is 3 crowns."},
        {"id": "b", "document_id": "Fees", "text": "The  fee is\n3 crowns. The fee is 3"},  # white space apart
        {"id": "c", "metadata": {"source": "kb/fees.md"}, "page_content": "Fees.", "type": "Document"},
    ]
    own = place_chunks(read_own_chunks(numbered(items, "chunks")), store)
    places = {name: (each.document_id, each.start, each.end) for name, each in own.by_id.items()}
    assert places == {"a": ("d1", 6, 26), "b": ("d1", 6, 39), "c": ("d1", 0, 5)}
    again = {"id": "e", "document_id": "d1", "text": "The fee is 3 crowns.", "start": 6, "end": 26}
    twice = read_own_chunks(numbered([items[0], again], "chunks"))
    with pytest.raises(RecordError, match=r"'a' of 'fees\.md' and 'e' have the same place"):
        place_chunks(twice, store)
