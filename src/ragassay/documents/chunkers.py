"""Cuts texts into chunks with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from ragassay.records import Document
from ragassay.text import CJK, sentence_spans

Offsets: TypeAlias = tuple[int, int]
"""(start, end) of a chunk, sentence or token in its text."""

ChunkerName = Literal["recursive", "sentences", "tokens"]
CHUNKERS: tuple[ChunkerName, ...] = get_args(ChunkerName)
UNITS: Mapping[ChunkerName, str] = MappingProxyType(
    {"recursive": "characters", "sentences": "sentences", "tokens": "tokens"}
)
"""What the size and the overlap of a chunker count."""
DEFAULT_SIZES: Mapping[ChunkerName, tuple[int, ...]] = MappingProxyType(
    {
        "recursive": (256, 512, 1024),  # the middle of RAGVAL's 128 to 2048, where its scores are highest
        "sentences": (2, 4, 8),  # about as long as those in English prose of 20 words a sentence, 6 characters a word
        "tokens": (40, 80, 160),  # likewise: a token is a word between white space
    }
)
DEFAULT_OVERLAPS: Mapping[ChunkerName, int] = MappingProxyType({"recursive": 48, "sentences": 0, "tokens": 8})
"""48 characters: RAGVAL, hyper-parameter study; 8 tokens are about as much. Sentences are whole without any."""

_SEPARATORS = (
    re.compile(r"\n\s*\n\s*"),
    re.compile(r"\n\s*"),
    # the dot of a step's number or of an initial ends no sentence
    re.compile(r"(?<=[.!?])(?<!\b\w\.)(?<!\b\d\d\.)\s+|(?<=[。！？；])(?![”’」』）])\s*|(?<=[。！？；][”’」』）])\s*"),
    re.compile(r"\s+"),
)
"""Paragraph, line, sentence end, white space; then characters. LangChain has no sentence end among its defaults."""
_TOKEN = re.compile(rf"[{CJK}]|[^\s{CJK}]+")


def usual_overlap(chunker: ChunkerName, size: int) -> int:
    """Return the chunker's own, but never more than a quarter of a chunk."""
    return min(DEFAULT_OVERLAPS[chunker], size // 4)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Chunking:
    """One way to cut documents. size, overlap: in the chunker's unit (``UNITS``). Called with a text, it cuts it.

    Tokens are words between white space, and Han or kana signs. Raises ValueError unless 0 <= overlap < size.
    """

    chunker: ChunkerName = "recursive"
    size: int
    overlap: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise ValueError(f"overlap must be at least 0 and below the size ({self.size}), not {self.overlap}")

    def __call__(self, text: str) -> list[Offsets]:
        if self.chunker == "recursive":
            return recursive_chunks(text, self.size, self.overlap)
        if self.chunker == "sentences":
            return _windows_of(sentence_spans(text), self.size, self.overlap)
        return _windows_of([match.span() for match in _TOKEN.finditer(text)], self.size, self.overlap)


def recursive_chunks(text: str, chunk_chars: int, overlap_chars: int = 48) -> list[Offsets]:
    """Split at paragraphs, what is too long at lines, sentence ends, spaces, characters; merge up to the size.

    Chunks are in order, not empty, at most ``chunk_chars`` long, without white space around them, and hold
    everything that is not white space. Neighbours share at most ``overlap_chars`` characters.
    Raises ValueError unless 0 <= overlap_chars < chunk_chars.
    Source: LangChain's RecursiveCharacterTextSplitter (separators kept, merged greedily).
    """
    if not 0 <= overlap_chars < chunk_chars:
        raise ValueError(f"overlap_chars must be at least 0 and below chunk_chars ({chunk_chars}), not {overlap_chars}")
    return list(_split(text, *trimmed(text, 0, len(text)), 0, chunk_chars, overlap_chars))


def trimmed(text: str, start: int, end: int) -> Offsets:
    """Return a stretch of a text without the white space at its ends."""
    stretch = text[start:end]
    return start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip())


def _split(text: str, start: int, end: int, depth: int, size: int, overlap: int) -> Iterator[Offsets]:
    """Yield chunks of text[start:end], which has no white space around it; depth: the first separator to try."""
    if end - start <= size:
        if end > start:
            yield start, end
        return
    if depth == len(_SEPARATORS):
        yield from _windows(start, end, size, overlap)
        return
    small: list[Offsets] = []
    for piece in _pieces(text, start, end, _SEPARATORS[depth]):
        if piece[1] - piece[0] <= size:
            small.append(piece)
            continue
        yield from _merge(small, size, overlap)
        small = []
        yield from _split(text, *piece, depth + 1, size, overlap)
    yield from _merge(small, size, overlap)


def _pieces(text: str, start: int, end: int, separator: re.Pattern[str]) -> Iterator[Offsets]:
    at = start
    for match in separator.finditer(text, start, end):
        before = match.start()
        while before > at and text[before - 1].isspace():
            before -= 1
        if before > at:
            yield at, before
        at = match.end()
    if end > at:
        yield at, end


def _merge(pieces: Sequence[Offsets], size: int, overlap: int) -> Iterator[Offsets]:
    """Join neighbours while they fit; the next chunk starts early enough to repeat up to ``overlap`` characters."""
    first = 0
    for index, (_, end) in enumerate(pieces):
        if end - pieces[first][0] <= size:
            continue
        last_end = pieces[index - 1][1]
        yield pieces[first][0], last_end
        while first < index and (last_end - pieces[first][0] > overlap or end - pieces[first][0] > size):
            first += 1
    if pieces:
        yield pieces[first][0], pieces[-1][1]


def _windows(start: int, end: int, size: int, overlap: int) -> Iterator[Offsets]:
    """Fixed windows over a stretch that has nothing to split at."""
    step = size - overlap
    for at in range(start, max(end - overlap, start + 1), step):
        yield at, min(at + size, end)


def _windows_of(spans: Sequence[Offsets], size: int, overlap: int) -> list[Offsets]:
    """Return windows of so many sentences or tokens; neighbours share ``overlap`` of them."""
    if not spans:
        return []
    starts = range(0, max(len(spans) - overlap, 1), size - overlap)
    return [(spans[at][0], spans[min(at + size, len(spans)) - 1][1]) for at in starts]


def document_prefix(document: Document, names: Sequence[str]) -> str:
    """Return what goes in front of every chunk of a document when it is indexed, one line a field.

    names: "title", "source" or names of metadata; what the document does not have is left out.
    """
    own = {"title": document.title, "source": document.source}
    known = (name for name in names if own.get(name) or name in document.metadata)
    return "\n".join(own[name] if name in own else f"{name}: {document.metadata[name]}" for name in known)
