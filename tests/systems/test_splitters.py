"""Chunks of four kinds of loaders and splitters find their places."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from ragassay.corpus.alignment import Alignment
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.datasets.placing import Placer
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.pairing import paired
from ragassay.metrics.scoring import scored
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, Provenance, RankedChunk
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


class Chunk(NamedTuple):
    """text: as a system returns it. start, end: of the text that it was made from."""

    text: str
    start: int
    end: int


def pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Join paragraphs up to ``most`` characters; cut a longer one between words."""
    for match in re.finditer(rf"(?s)\S.{{0,{most}}}(?=\n\s*\n|\s*\Z)|\S.{{0,{most}}}(?=\s)", text):
        yield match.span()


def recursive(title: str, text: str) -> list[Chunk]:
    return [Chunk(text[start:end], start, end) for start, end in pieces(text, 500)]


def sentences_with_metadata(title: str, text: str) -> list[Chunk]:
    """Sentences joined by one space up to 60 words, the file's name in front."""
    chunks: list[Chunk] = []
    held: list[tuple[int, int]] = []
    for span in [*sentence_spans(text), None]:
        words = sum(len(text[a:b].split()) for a, b in held)
        if held and (span is None or words + len(text[span[0] : span[1]].split()) > 60):
            body = " ".join(" ".join(text[a:b].split()) for a, b in held)
            chunks.append(Chunk(f"file_name: {title}\nfile_type: text/markdown\n\n{body}", held[0][0], held[-1][1]))
            held = []
        if span is not None:
            held.append(span)
    return chunks


def html_text(title: str, text: str) -> list[Chunk]:
    """Pages as HTML with entities and tags, cut by paragraphs."""
    chunks = []
    for start, end in pieces(text, 700):
        body = html.escape(text[start:end]).replace("&#x27;", "&rsquo;").replace("  ", "&nbsp; ")
        body = re.sub(r"\*\*([^*\n]+)\*\*", r"<strong>\1</strong>", body)
        body = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', body)
        chunks.append(
            Chunk(f"<div class='content'><p>{body.replace(chr(10), '<br/>' + chr(10))}</p></div>", start, end)
        )
    return chunks


def pdf_text(title: str, text: str) -> list[Chunk]:
    """Lines of 46 characters with words parted at their ends, ligatures, a page's header and number in the middle."""
    chunks = []
    for page, (start, end) in enumerate(pieces(text, 1_200), 1):
        words = re.sub(r"[*_`#|]+", " ", re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text[start:end])).split()
        lines = textwrap.wrap(" ".join(words), 46)
        broken = []
        for line in lines:
            head, _, last = line.rpartition(" ")
            if len(last) > 7 and last.isalpha() and len(broken) % 3 == 0:
                broken.append(f"{head} {last[:4]}-\n{last[4:]}")
            else:
                broken.append(line)
        broken.insert(len(broken) // 2, f"{title.upper()}   CONFIDENTIAL   Page {page} of 24")
        body = "\n".join(broken).replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ")
        chunks.append(Chunk(body, start, end))
    return chunks


SPLITTERS = {"recursive": recursive, "sentences, metadata": sentences_with_metadata, "HTML": html_text, "PDF": pdf_text}
Place = Callable[[RankedChunk], RankedChunk]


def made(documents: Sequence[Document], splitter: str) -> list[tuple[Document, Chunk]]:
    """Cut documents, each chunk with its document."""
    cut = SPLITTERS[splitter]
    return [(each, chunk) for each in documents for chunk in cut(each.title, each.text) if chunk.text.strip()]


def as_returned(chunk: Chunk) -> RankedChunk:
    """Return the chunk as a system gives it that knows nothing of our documents."""
    return RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1.0, text=chunk.text)


def by_words(documents: Sequence[Document]) -> Place:
    """Return what places chunks as the engine does."""
    placer = Placer(documents)
    return lambda chunk: placer.placed(Prediction(example_id="q", system="s", chunks=(chunk,))).chunks[0]


def is_wrong(placed: RankedChunk, document: Document, chunk: Chunk, texts: dict[str, str]) -> bool:
    """Say whether a place is another than the chunk was made from, and does not have the same words."""
    if placed.document_id == document.id:
        shared = min(placed.end, chunk.end) - max(placed.start, chunk.start)
        if 2 * shared >= max(placed.end - placed.start, chunk.end - chunk.start):
            return False
    there = Alignment([texts[placed.document_id][placed.start : placed.end]])
    found = there.find(document.text[chunk.start : chunk.end])
    return found is None or found.share < 1


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
