"""Chunks of two kinds of loaders and splitters find their places."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ragassay.datasets.placing import Placer
from ragassay.documents.alignment import Alignment
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.records import Document, Prediction, RankedChunk
from ragassay.text import sentence_spans

DEMO = Path(__file__).parents[2] / "demo" / "knowledge_base"


class Chunk(NamedTuple):
    """text: as a system returns it. start, end: of the text that it was made from."""

    text: str
    start: int
    end: int


def pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Join paragraphs up to ``most`` characters; cut a longer one between words."""
    for match in re.finditer(rf"(?s)\S.{{0,{most}}}(?=\n\s*\n|\s*\Z)|\S.{{0,{most}}}(?=\s)", text):
        yield match.span()


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


SPLITTERS = {"sentences, metadata": sentences_with_metadata, "PDF": pdf_text}


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


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_nearly_all_chunks_are_placed_and_none_wrongly(splitter: str, documents: list[Document]) -> None:
    texts, placer = {each.id: each.text for each in documents}, Placer(documents)
    chunks = [(each, chunk) for each in documents for chunk in SPLITTERS[splitter](each.title, each.text)]
    found = []
    for document, chunk in chunks:
        returned = RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1.0, text=chunk.text)
        placed = placer.placed(Prediction(example_id="q", system="s", chunks=(returned,))).chunks[0]
        found.append((placed, document, chunk))
    placed_somewhere = [each for each in found if each[0].document_id]
    assert len(placed_somewhere) >= 0.98 * len(chunks)
    assert not [each for each in placed_somewhere if is_wrong(*each, texts)]
