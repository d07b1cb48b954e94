"""Chunks of five kinds of loaders and splitters find their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from splitters import SPLITTERS, Place, as_returned, by_words, is_wrong, made

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.pairing import paired
from ragassay.metrics.scoring import scored
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, Provenance
from ragassay.text import sentence_spans

DEMO = Path(__file__).parents[2] / "demo" / "knowledge_base"
MARKED = """# Sailing guide

## Before you sail

The **harbour office** opens at 6.30 and closes at 21.15 on weekdays. Show your *licence* there, or send `licence.pdf`
to the pilots. A berth of class B costs 42 euros a night – water is free.

- The slipway takes boats up to 9.5 metres.
- The crane lifts 12 tonnes & is checked every March.

## Tides

| Port | High water | Pilot |
| --- | --- | --- |
| Oskay | 04:10 | Needed from 15 metres |
| Gannet Bay | 05:35 | Never needed |

> Do not anchor off Gannet Bay in an easterly wind. The holding ground there is “poor”, says the almanac.
"""


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    def silent(*_: object) -> None:
        pass

    return list(read_corpus([DEMO / "help", DEMO / "contracts", DEMO / "minutes"], ReadOptions(), silent, silent))


@pytest.fixture(scope="module")
def place(documents: list[Document]) -> Place:
    return by_words(documents)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_nearly_all_chunks_are_placed_and_none_wrongly(splitter: str, documents: list[Document], place: Place) -> None:
    texts = {each.id: each.text for each in documents}
    chunks = made(documents, splitter)
    found = [(place(as_returned(chunk)), document, chunk) for document, chunk in chunks]
    placed = [each for each in found if each[0].document_id]
    assert len(placed) >= 0.98 * len(chunks)
    assert not [each for each in placed if is_wrong(*each, texts)]


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_sentences_count_as_found_whatever_a_splitter_made_of_them(splitter: str, documents: list[Document]) -> None:
    document = Document(id="guide", title="Sailing guide", source="guide.md", text=MARKED)
    place = by_words([document, *documents])
    chunks = [as_returned(chunk) for _, chunk in made([document], splitter)]
    held = [each for each in map(place, chunks) if each.document_id == document.id]
    inside = [
        document.span(start, end)
        for start, end in sentence_spans(document.text)
        if any(each.start <= start and end <= each.end for each in held)
    ]
    assert inside
    example = Example(
        id="q1",
        question="What does it say?",
        answer="",
        context=NO_CONTEXT,
        references=tuple(inside),
        keypoints=(),
        requested_label="summary",
        verified_label="summary",
        provenance=Provenance(synthesizer="by_hand", model="none"),
        language="en",
    )
    prediction = Prediction(example_id="q1", system="theirs", chunks=tuple(map(place, chunks)))
    asked = metrics_named([f"{name}@{len(chunks)}" for name in ("reference_recall", "sentence_recall", "eir")])
    recall, by_sentence, rate = scored(asked, paired([example], [prediction], {document.id: document.text}.get))
    assert (recall.value, by_sentence.value) == (1, 1)
    assert rate.value is not None
    assert rate.value > 0.3
