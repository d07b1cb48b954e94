"""What other people's loaders and splitters make of a document: five kinds, imitated, with the place of every chunk.

None of their code is used. Each function takes a title and a Markdown text and gives chunks with the offsets that they
were made from, so that a placement can be checked.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ragassay.corpus.alignment import Alignment
from ragassay.datasets.placing import Placer
from ragassay.records import Document, Prediction, RankedChunk
from ragassay.text import sentence_spans


class Chunk(NamedTuple):
    """text: as a system returns it. start, end: of the text that it was made from."""

    text: str
    start: int
    end: int


Splitter = Callable[[str, str], list[Chunk]]

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)
_WORD = re.compile(r"\S+")


def _pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Paragraphs joined up to ``most`` characters; a longer paragraph is cut between words."""
    start = end = -1
    for match in re.finditer(r"\S(?:.*?\S)??(?=\s*\n\s*\n|\s*\Z)", text, re.DOTALL):
        first, last = match.span()
        if start >= 0 and last - start <= most:
            end = last
            continue
        if start >= 0:
            yield from _cut(text, start, end, most)
        start, end = first, last
    if start >= 0:
        yield from _cut(text, start, end, most)


def _cut(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    while end - start > most:
        at = text.rfind(" ", start + most // 2, start + most)
        at = at if at > 0 else start + most
        yield start, at
        start = at + (text[at : at + 1] == " ")
    yield start, end


def recursive(title: str, text: str) -> list[Chunk]:
    """Paragraphs, then words, up to 500 characters, word for word."""
    return [Chunk(text[start:end], start, end) for start, end in _pieces(text, 500)]


def markdown_headers(title: str, text: str) -> list[Chunk]:
    """Sections; the path of headings in front, two spaces before line ends."""
    heads = [(match.start(), match.end(), match[1]) for match in _HEADING.finditer(text)]
    parts = [(0, title), *((end, head) for _, end, head in heads)]
    ends = [*(start for start, _, _ in heads), len(text)]
    chunks = []
    for (start, head), stop in zip(parts, ends, strict=True):
        for first, last in _pieces(text[start:stop], 900):
            body = "  \n".join(line.strip() for line in text[start + first : start + last].splitlines() if line.strip())
            chunks.append(Chunk(f"{title} > {head}\n{body}", start + first, start + last))
    return chunks


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
    for start, end in _pieces(text, 700):
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
    for page, (start, end) in enumerate(_pieces(text, 1_200), 1):
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


SPLITTERS: dict[str, Splitter] = {
    "recursive": recursive,
    "Markdown headers": markdown_headers,
    "sentences, metadata": sentences_with_metadata,
    "HTML": html_text,
    "PDF": pdf_text,
}

Made = tuple[Document, Chunk]
Place = Callable[[RankedChunk], RankedChunk]


def made(documents: Sequence[Document], splitter: str) -> list[Made]:
    """Cut documents, each chunk with its document."""
    cut = SPLITTERS[splitter]
    return [(each, chunk) for each in documents for chunk in cut(each.title, each.text) if chunk.text.strip()]


def as_returned(chunk: Chunk) -> RankedChunk:
    """Return the chunk as a system gives it that knows nothing of our documents."""
    return RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1.0, text=chunk.text)


def by_words(documents: Sequence[Document]) -> Place:
    """Return what places chunks as ``ragassay predict`` does."""
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
