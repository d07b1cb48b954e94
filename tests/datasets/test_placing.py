"""Chunks of others put in their places in our documents."""

from __future__ import annotations

import pytest

from ragassay.datasets.placing import Placer
from ragassay.records import Document, Prediction, RankedChunk

GUIDE = "The bridge opened in 1998.\nIt is 412 m long."
DOCUMENTS = [
    Document(id="d1", title="Bridge", source="guides/bridge.md", text=GUIDE),
    Document(id="d2", title="Ship", source="ships/bluefin.md", text="A ship. It is 412 m long."),
    Document(id="d3", title="Notes", source="old/bridge.md", text="Nothing of use."),
]


def placed(document_id: str, text: str, start: int = 0, end: int = 0, chunk_id: str = "c") -> tuple[str, int, int]:
    chunk = RankedChunk(chunk_id=chunk_id, document_id=document_id, start=start, end=end, score=1, text=text)
    placer = Placer(DOCUMENTS)
    try:
        made = placer.placed(Prediction(example_id="q", system="s", chunks=(chunk,))).chunks[0]
    finally:
        placer.close()
    assert (made.text, made.score) == (text, 1)
    return made.document_id, made.start, made.end


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("d2", "It is 412 m long.", ("d2", 8, 25)),
        ("guides/bridge.md", "It is 412 m long.", ("d1", 27, 44)),
        ("/srv/kb/ships/bluefin.md", "It is 412 m long.", ("d2", 8, 25)),
        ("C:\\kb\\bluefin.md", "It is 412 m long.", ("d2", 8, 25)),
        ("bridge.md", "It is  412 m\nlong.", ("d1", 27, 44)),  # two have the name, one the text
        ("Ship", "A ship.", ("d2", 0, 7)),
        ("", "It is 412 m long.", ("d1", 27, 44)),  # the first document that holds it
        ("elsewhere.md", "A ship.", ("d2", 0, 7)),
        ("bluefin.md", "", ("d2", 0, 25)),  # names a document alone
        ("d2", "Not in it.", ("d2", 0, 0)),
        ("elsewhere.md", "Not in any.", ("elsewhere.md", 0, 0)),
    ],
)
def test_places(name: str, text: str, place: tuple[str, int, int]) -> None:
    assert placed(name, text) == place


def test_a_place_that_is_told_stays() -> None:
    assert placed("d1", "It is", 27, 32) == ("d1", 27, 32)
    assert placed("bridge.md", "It is", 27, 32) == ("d1", 27, 32)
    assert placed("d1", " It is", 26, 32) == ("d1", 26, 32)
    assert placed("d1", "What it is about.", 27, 44) == ("d1", 27, 44)  # its own words for what stands there


def test_a_place_that_does_not_hold_the_text_is_looked_for() -> None:
    assert placed("d1", "It is 412 m long.", 0, 17) == ("d1", 27, 44)
    assert placed("d1", "It is 412 m long.", 1000, 1017) == ("d1", 27, 44)
    assert placed("d1", "Not in it.", 1000, 1010) == ("d1", 0, 0)
