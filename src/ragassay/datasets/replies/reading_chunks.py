"""Chunks out of whatever a system gives back: lists of texts, mappings or objects under any of the usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragassay.datasets.lines import without_surrogates
from ragassay.datasets.replies.places import (
    MISSING,
    MOST_DEPTH,
    Place,
    Places,
    UnreadableAnswerError,
    at_place,
    field_of,
    fields_seen,
    is_count,
    is_list,
    is_number,
    required,
    wrapped,
    written_place,
)
from ragassay.errors import RecordError
from ragassay.models.user_code import attribute_of
from ragassay.records import RankedChunk, content_id

CHUNK_FIELDS = (
    "chunks",
    "contexts",
    "context",
    "retrieved_contexts",
    "source_documents",
    "source_nodes",
    "retrieved_chunks",
    "retrieved_documents",
    "retrieved",
    "documents",
    "docs",
    "nodes",
    "sources",
    "passages",
    "references",
    "citations",
    "hits",
    "results",
)
_NAMED_ONLY = frozenset({"sources", "citations"})
"""Lists of texts under these names are names of documents."""
_TEXTS = ("text", "page_content", "content", "contents", "chunk", "passage", "snippet", "body", "document")
_IDS = ("chunk_id", "id", "id_", "node_id", "_id", "uuid")
_DOCUMENTS = ("document_id", "doc_id", "docid", "ref_doc_id", "source_id", "document", "source", "file_path")
_MORE_DOCUMENTS = ("file_name", "filename", "path", "url", "doc_uri")
_SCORES = ("score", "similarity", "relevance_score", "relevance")
_STARTS = ("start", "start_char_idx", "start_index")
_ENDS = ("end", "end_char_idx", "end_index")


def chunks_of(value: Any, places: Places) -> tuple[RankedChunk, ...] | None:
    """The chunks of a reply, best first; None where nothing stands for them. Raises UnreadableAnswerError."""
    if places.chunks is not None:
        found = required(value, places.chunks, "list of chunks")
        if found is None:
            return ()
        if not is_list(found):
            raise UnreadableAnswerError(
                f"the chunks at {written_place(places.chunks)} must be a list, not {fields_seen(found)}"
            )
        return _ranked(found, places)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and is_list(value[1]):
        return _ranked(value[1], places)
    if is_list(value):
        return _ranked(value, places)
    return _found_chunks(value, places, MOST_DEPTH)


def read_passage(where: str, item: Any) -> RankedChunk:
    """A document or chunk that is at hand, as a mapping or an object: text, id and, as document_id, what it is of.

    The score is 0. Raises RecordError where there is no text; where: what it is called then.
    """
    try:
        found = _chunk(item, Places(), 1).ranked(0.0)
    except UnreadableAnswerError:
        found = None
    if found is None or not (found.text or "").strip():
        wrong = field_of(item, "text")
        if wrong is MISSING or isinstance(wrong, str):
            raise RecordError(f"{where} has no text; it has {fields_seen(item)}")
        raise RecordError(f"{where} has no text: its field text holds {fields_seen(wrong)}")
    return found


def _found_chunks(value: Any, places: Places, depth: int) -> tuple[RankedChunk, ...] | None:
    for name in CHUNK_FIELDS:
        found = field_of(value, name)
        if name == "context" and isinstance(found, str) and found:
            found = [found]
        if name in _NAMED_ONLY and is_list(found):
            found = [{"document_id": each} if isinstance(each, str) else each for each in found]
        if is_list(found):
            return _ranked(found, places)
    for inner in wrapped(value, depth):
        chunks = _found_chunks(inner, places, depth - 1)
        if chunks is not None:
            return chunks
    return None


def _ranked(items: Sequence[Any], places: Places) -> tuple[RankedChunk, ...]:
    """The chunks in their order; where not all have a score that is a number, the scores are 1 / rank."""
    read = [_chunk(item, places, rank) for rank, item in enumerate(items, start=1)]
    known = [each.score for each in read if each.score is not None]
    scores = known if len(known) == len(read) else [1 / rank for rank in range(1, len(read) + 1)]
    return tuple(each.ranked(score) for each, score in zip(read, scores, strict=True))


class _Chunk(NamedTuple):
    text: str
    id: str
    document_id: str
    start: int
    end: int
    score: float | None

    def ranked(self, score: float) -> RankedChunk:
        return RankedChunk(
            chunk_id=self.id,
            document_id=self.document_id,
            start=self.start,
            end=self.end,
            score=score,
            text=self.text,
        )


def _chunk(item: Any, places: Places, rank: int) -> _Chunk:
    """One chunk: a text, a mapping, an object, or (one of these, score)."""
    score: Any = MISSING
    if is_list(item) and len(item) == 2 and is_number(item[1]):
        item, score = item
    if isinstance(item, str):
        return _Chunk(without_surrogates(item), content_id("chunk", item), "", 0, 0, _as_score(score))
    outer = item
    node = field_of(item, "node")
    if node is not MISSING and node is not None and not isinstance(node, str):
        item = node
    text = _text(outer, item, places, rank)
    score = _first(outer, places.chunk_score, _SCORES) if score is MISSING else score
    if places.chunk_score is not None and score is MISSING:
        required(outer, places.chunk_score, f"score of the chunk at rank {rank}")
    metadata = field_of(item, "metadata")
    document = _first_name(item, metadata, outer, places.chunk_document, _DOCUMENTS, text)
    if not document and places.chunk_document is None:
        document = _first_name(item, metadata, outer, None, _MORE_DOCUMENTS, text)
    start = _offset(item, metadata, _STARTS)
    end = _offset(item, metadata, _ENDS) or (start + len(text) if start is not None else None)
    known = start is not None and end is not None and end > start
    name = _first_name(item, None, outer, places.chunk_id, _IDS, text)
    return _Chunk(
        text=without_surrogates(text),
        id=without_surrogates(name) or content_id("chunk", document, text),
        document_id=without_surrogates(document),
        start=start if known and start is not None else 0,
        end=end if known and end is not None else 0,
        score=_as_score(score),
    )


def _text(outer: Any, item: Any, places: Places, rank: int) -> str:
    if places.chunk_text is not None:
        found = required(outer, places.chunk_text, f"text of the chunk at rank {rank}")
    else:
        found = next((text for name in _TEXTS if isinstance(text := field_of(item, name), str) and text), MISSING)
        if found is MISSING:
            found = _content(item)
    if isinstance(found, str):
        return found
    if _first(item, None, _IDS + _DOCUMENTS) is not MISSING and places.chunk_text is None:
        return ""  # a retriever that gives ids alone
    raise UnreadableAnswerError(f"the chunk at rank {rank} has no text; it has {fields_seen(item)}")


def _content(item: Any) -> Any:
    if isinstance(item, Mapping):
        return MISSING
    get_content = attribute_of(item, "get_content")
    return get_content() if callable(get_content) else MISSING


def _first(value: Any, place: Place | None, names: Sequence[str]) -> Any:
    if place is not None:
        return at_place(value, place)
    return next((found for name in names if (found := field_of(value, name)) is not MISSING), MISSING)


def _first_name(item: Any, metadata: Any, outer: Any, place: Place | None, names: Sequence[str], text: str) -> str:
    """The first of some fields that holds a name; "" where none does. A field that holds the text itself is no name."""
    if place is not None:
        found = at_place(outer, place)
        return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""
    for where in (item, metadata):
        for name in names:
            found = field_of(where, name)
            if isinstance(found, str | int) and not isinstance(found, bool) and found not in ("", text):
                return str(found)
    return ""


def _offset(item: Any, metadata: Any, names: Sequence[str]) -> int | None:
    for where in (item, metadata):
        for name in names:
            found = field_of(where, name)
            if is_count(found):
                return int(found)
    return None


def _as_score(value: Any) -> float | None:
    return float(value) if is_number(value) else None
