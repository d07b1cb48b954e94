"""Read the user's own chunks from whatever holds them, check them, and put them in their places in the documents.

The built-in system searches them in place of its own; what another system names by their ids is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import read_objects
from ragassay.datasets.placing import Placer
from ragassay.datasets.replies.reading import read_passage
from ragassay.documents.store import DocumentStore
from ragassay.errors import InputError, RecordError
from ragassay.language import detect_language
from ragassay.models.llm.masking import one_line
from ragassay.records import Document, RankedChunk, content_id

MOST_CHUNK_CHARS = 200_000
"""About 50 000 tokens: a longer text is a document, and no answerer is given several of them."""
MOST_DOCUMENT_CHARS = 10_000_000
BETWEEN = "\n\n"
"""What stands between the chunks of a document of which nothing else is known."""
_MOST_SHARED = 4_000
_SHOWN = 60


@dataclass(frozen=True, slots=True, eq=False)
class OwnChunks:
    """spans: document id to the (start, end) of its chunks. by_id: every chunk in its place; by_place: likewise."""

    spans: Mapping[str, Sequence[tuple[int, int]]]
    by_id: Mapping[str, RankedChunk]
    by_place: Mapping[tuple[str, int, int], str]


def read_own_chunks(items: Iterable[tuple[str, Any]]) -> list[RankedChunk]:
    """Read the chunks of (where, item) pairs: mappings or objects with a text and the id of its document.

    end is 0 where an item does not say where it stands. Raises RecordError for one that cannot be used, InputError for
    none.
    """
    found: list[RankedChunk] = []
    copies: dict[tuple[str, str, int, int], str] = {}
    names: dict[str, str] = {}
    for where, item in items:
        chunk = _checked(where, item)
        first = copies.setdefault((chunk.document_id, chunk.text or "", chunk.start, chunk.end), where)
        if first != where:
            raise RecordError(f"{where} is a copy of {first}; give every chunk once, or give each start and end")
        first = names.setdefault(chunk.chunk_id, where)
        if first != where:
            raise RecordError(f"{where} repeats the id {_short(chunk.chunk_id)} of {first}; give each chunk its own id")
        found.append(chunk)
    if not found:
        raise InputError("chunks: must not be empty; give at least one, or leave them out")
    return found


def read_chunk_file(path: Path) -> list[RankedChunk]:
    """Read the chunks of a JSONL file. Raises as ``read_own_chunks``, and InputError where it cannot be read."""
    try:
        return read_own_chunks((row.where, row.value) for row in read_objects(path, Notes()))
    except OSError as error:
        raise InputError(f"--chunks: {path} cannot be read ({error.strerror}); give a JSONL file") from None


def documents_of(chunks: Sequence[RankedChunk]) -> list[Document]:
    """Make the documents that chunks make up, in the order of their first chunks, each chunk word for word in its own.

    Chunks without places follow each other; whole words that end one and begin the next are taken once. Raises
    RecordError for chunks that contradict each other.
    """
    of: dict[str, list[RankedChunk]] = defaultdict(list)
    for chunk in chunks:
        of[chunk.document_id].append(chunk)
    found = []
    for name, parts in of.items():
        text = _joined_in_place(parts) if all(chunk.end for chunk in parts) else _joined(parts)
        found.append(Document(id=name, title=name, source=name, text=text, language=detect_language(text)))
    return found


def place_chunks(chunks: Sequence[RankedChunk], store: DocumentStore) -> OwnChunks:
    """Put the chunks in their places. Raises RecordError for one whose document is not there, or does not hold it."""
    placer = Placer(store)
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    by_id: dict[str, RankedChunk] = {}
    by_place: dict[tuple[str, int, int], str] = {}
    reached: dict[str, int] = {}
    try:
        for chunk in sorted(chunks, key=lambda chunk: chunk.document_id):
            placed = _placed(chunk, placer, store, reached)
            place = (placed.document_id, placed.start, placed.end)
            if place in by_place:
                raise _fault(chunk, f"and {_short(by_place[place])} have the same place", "give every chunk once")
            spans[placed.document_id].append(place[1:])
            by_id[chunk.chunk_id], by_place[place] = placed, chunk.chunk_id
    finally:
        placer.close()
    return OwnChunks({name: sorted(places) for name, places in spans.items()}, by_id, by_place)


def _checked(where: str, item: Any) -> RankedChunk:
    chunk = read_passage(where, item)
    text = chunk.text or ""
    if not chunk.document_id:
        raise RecordError(f"{where} has no document; give its id as document_id")
    if len(text) > MOST_CHUNK_CHARS:
        raise RecordError(f"{where} has {len(text):,} characters, more than {MOST_CHUNK_CHARS:,}; cut it into chunks")
    if chunk.end and chunk.end - chunk.start != len(text):
        raise RecordError(
            f"{where} has {len(text):,} characters, but its place is {chunk.start} to {chunk.end}; "
            "correct start and end, or leave them out"
        )
    if chunk.end and chunk.chunk_id == content_id("chunk", chunk.document_id, text):  # it has none of its own
        return replace(chunk, chunk_id=content_id("chunk", chunk.document_id, str(chunk.start), text))
    return chunk


def _joined_in_place(chunks: Sequence[RankedChunk]) -> str:
    text = ""
    for chunk in sorted(chunks, key=lambda chunk: (chunk.start, chunk.end)):
        own = chunk.text or ""
        if chunk.end > MOST_DOCUMENT_CHARS:
            fault = f"ends at character {chunk.end}, where a document has at most {MOST_DOCUMENT_CHARS:,}"
            raise _fault(chunk, fault, "correct start and end")
        text += "\n" * (chunk.start - len(text))
        if not own.startswith(text[chunk.start : chunk.end]):
            raise _fault(chunk, "differs from another chunk at the same place")
        text += own[len(text) - chunk.start :]
    return text


def _joined(chunks: Sequence[RankedChunk]) -> str:
    parts: list[str] = []
    before = ""
    for chunk in chunks:
        own = chunk.text or ""
        shared = _shared(before, own)
        parts += [own[shared:]] if shared else [BETWEEN, own] if parts else [own]
        before = own
    return "".join(parts)


def _shared(before: str, after: str) -> int:
    """Return how many characters, at most ``_MOST_SHARED``, end one text and begin the other, whole words alone."""
    for size in range(min(len(before), len(after), _MOST_SHARED), 0, -1):
        if before.endswith(after[:size]) and _is_border(before, len(before) - size) and _is_border(after, size):
            return size if after[:size].strip() else 0
    return 0


def _is_border(text: str, place: int) -> bool:
    return place in (0, len(text)) or not (text[place - 1].isalnum() and text[place].isalnum())


def _placed(chunk: RankedChunk, placer: Placer, store: DocumentStore, reached: dict[str, int]) -> RankedChunk:
    """reached: document to where its last chunk without offsets begins, from which on the next one is looked for."""
    names = placer.named(chunk.document_id)
    if len(names) != 1:
        what = "is not among the documents" if not names else "may be one of several documents"
        raise RecordError(
            f"chunks: {_short(chunk.chunk_id)} is of {_short(chunk.document_id)}, which {what}; give a document's id"
        )
    own, document = chunk.text or "", store.get(names[0])
    if chunk.end:
        there = document.text[chunk.start : chunk.end]
        if there != own:
            raise _fault(chunk, f"should be at {chunk.start} to {chunk.end}, but that text is {_short(there)}")
        return replace(chunk, document_id=document.id)
    start = document.text.find(own, reached.get(document.id, 0))
    start = start if start >= 0 else document.text.find(own)
    if start >= 0:
        reached[document.id] = start
        return replace(chunk, document_id=document.id, start=start, end=start + len(own))
    found = placer.placed_chunk(replace(chunk, document_id=document.id))
    if found.document_id != document.id or found.end <= found.start:
        raise RecordError(
            f"chunks: the text of {_short(chunk.chunk_id)}, {_short(own)}, does not occur in {_short(document.id)}"
        )
    return found


def _fault(chunk: RankedChunk, fault: str, todo: str = "correct start and end, or leave them out") -> RecordError:
    return RecordError(f"chunks: {_short(chunk.chunk_id)} of {_short(chunk.document_id)} {fault}; {todo}")


def _short(text: str) -> str:
    line = one_line(text)
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…")


def numbered(items: Iterable[Any], what: str) -> Iterator[tuple[str, Any]]:
    """Yield each item with what it is called in messages: "chunks: entry 3"."""
    return ((f"{what}: entry {number}", item) for number, item in enumerate(items, start=1))
