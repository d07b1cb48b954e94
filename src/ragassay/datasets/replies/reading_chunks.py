"""Chunks out of whatever a system gives back: lists of texts, mappings or objects under any of the usual names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragassay.datasets.lines import without_surrogates
from ragassay.datasets.replies.places import (
    MISSING,
    MOST_DEPTH,
    USUAL,
    Places,
    UnreadableAnswerError,
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


def chunks_of(value: Any, places: Places = USUAL) -> tuple[RankedChunk, ...] | None:
    """Return the chunks of a reply, best first; None where nothing stands for them. Raises UnreadableAnswerError."""
    if places.chunks is not None:
        found = required(value, places.chunks, "list of chunks")
        if found is None:
            return ()
        if not is_list(found):
            raise UnreadableAnswerError(
                f"the chunks at {written_place(places.chunks)} must be a list, not {fields_seen(found)}"
            )
        return _ranked(found)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and is_list(value[1]):
        return _ranked(value[1])
    if is_list(value):
        return _ranked(value)
    return _found_chunks(value, MOST_DEPTH)


def read_passage(where: str, item: Any) -> RankedChunk:
    """Return a document or chunk that is at hand, a mapping or an object, with the id of what it is of.

    The score is 0. Raises RecordError where there is no text; where: what it is called then.
    """
    try:
        found, _ = _chunk(item, 1)
    except UnreadableAnswerError:
        found = None
    if found is None or not (found.text or "").strip():
        wrong = field_of(item, "text")
        if wrong is MISSING or isinstance(wrong, str):
            raise RecordError(f"{where} has no text; it has {fields_seen(item)}")
        raise RecordError(f"{where} has no text: its field text holds {fields_seen(wrong)}")
    return found


def _found_chunks(value: Any, depth: int) -> tuple[RankedChunk, ...] | None:
    for name in CHUNK_FIELDS:
        found = field_of(value, name)
        if name == "context" and isinstance(found, str) and found:
            found = [found]
        if name in _NAMED_ONLY and is_list(found):
            found = [{"document_id": each} if isinstance(each, str) else each for each in found]
        if is_list(found):
            return _ranked(found)
    for inner in wrapped(value, depth):
        chunks = _found_chunks(inner, depth - 1)
        if chunks is not None:
            return chunks
    return None


def _ranked(items: Sequence[Any]) -> tuple[RankedChunk, ...]:
    """Return the chunks in their order; where not all have a score that is a number, the scores are 1 / rank."""
    read = [_chunk(item, rank) for rank, item in enumerate(items, start=1)]
    is_scored = all(score is not None for _, score in read)
    return tuple(
        replace(chunk, score=score if is_scored and score is not None else 1 / rank)
        for rank, (chunk, score) in enumerate(read, start=1)
    )


def _chunk(item: Any, rank: int) -> tuple[RankedChunk, float | None]:
    """Return one chunk and its score: of a text, a mapping, an object, or (one of these, score)."""
    score: Any = MISSING
    if is_list(item) and len(item) == 2 and is_number(item[1]):
        item, score = item
    outer = item
    node = field_of(item, "node")
    if node is not MISSING and node is not None and not isinstance(node, str):
        item = node
    text = item if isinstance(item, str) else _text(item, rank)
    if score is MISSING:
        score = _told((outer,), _SCORES, lambda value: value is not MISSING)
    metadata = field_of(item, "metadata")

    def is_name(value: Any) -> bool:
        return isinstance(value, str | int) and not isinstance(value, bool) and value not in ("", text)

    def named(*names: str, inside: Any = MISSING) -> str:
        """Return the first name; a field that holds the text itself is none."""
        value = _told((item, inside), names, is_name)
        return "" if value is None else without_surrogates(str(value))

    document = named(*_DOCUMENTS, inside=metadata) or named(*_MORE_DOCUMENTS, inside=metadata)
    start = _told((item, metadata), _STARTS, is_count)
    end = _told((item, metadata), _ENDS, is_count) or (None if start is None else start + len(text))
    is_placed = start is not None and end is not None and end > start
    content = ("chunk", text) if isinstance(item, str) else ("chunk", document, text)
    chunk = RankedChunk(
        chunk_id=named(*_IDS) or content_id(*content),
        document_id=document,
        start=int(start or 0) if is_placed else 0,
        end=int(end or 0) if is_placed else 0,
        score=0.0,
        text=without_surrogates(text),
    )
    return chunk, float(score) if is_number(score) else None


def _told(wheres: Sequence[Any], names: Sequence[str], is_wanted: Callable[[Any], bool]) -> Any:
    """Return the first field of some names that holds what is wanted; None where none does."""
    found = (field_of(where, name) for where in wheres for name in names)
    return next((value for value in found if is_wanted(value)), None)


def _text(item: Any, rank: int) -> str:
    text = _told((item,), _TEXTS, lambda value: isinstance(value, str) and value != "")
    get_content = None if text is not None or isinstance(item, Mapping) else attribute_of(item, "get_content")
    text = get_content() if callable(get_content) else text  # of a node of LlamaIndex
    if isinstance(text, str):
        return text
    if _told((item,), (*_IDS, *_DOCUMENTS), lambda value: value is not MISSING) is not None:
        return ""  # a retriever that gives ids alone
    raise UnreadableAnswerError(f"the chunk at rank {rank} has no text; it has {fields_seen(item)}")
