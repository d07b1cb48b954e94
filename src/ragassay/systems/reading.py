"""Answer, chunks and token counts out of whatever a system gives back.

Our own names of fields are understood, and those that RAGAS, LangChain, LlamaIndex, Haystack and the chat protocol of
OpenAI use, as JSON and as objects; no library is needed for it. Where a system has names of its own, options say where
things stand, and nothing else is then taken for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from ragassay.datasets.lines import without_surrogates
from ragassay.errors import RecordError
from ragassay.models.embedded.refusals import DECLINES, evasion, only_refuses
from ragassay.models.llm.server_replies import one_line
from ragassay.models.user_code import attribute_of
from ragassay.records import Prediction, RankedChunk, content_id
from ragassay.systems.places import MISSING, Place, at_place, field_of, fields_seen, parse_place

_ANSWERS = (
    "answer",
    "response",
    "result",
    "output",
    "output_text",
    "prediction",
    "generated_answer",
    "completion",
    "reply",
    "text",
    "content",
    "message",
    "answers",
    "replies",
)
_CHUNKS = (
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
_WRAPPERS = ("answer", "data", "result", "output", "response", "prediction", "message", "generator", "llm", "retriever")
_CHAT: Place = ("choices", 0, "message", "content")
_TEXTS = ("text", "page_content", "content", "contents", "chunk", "passage", "snippet", "body", "document")
_IDS = ("chunk_id", "id", "id_", "node_id", "_id", "uuid")
_DOCUMENTS = ("document_id", "doc_id", "docid", "ref_doc_id", "source_id", "document", "source", "file_path")
_MORE_DOCUMENTS = ("file_name", "filename", "path", "url")
_SCORES = ("score", "similarity", "relevance_score", "relevance")
_STARTS = ("start", "start_char_idx", "start_index")
_ENDS = ("end", "end_char_idx", "end_index")
_INPUT_TOKENS = ("input_tokens", "prompt_tokens")
_OUTPUT_TOKENS = ("output_tokens", "completion_tokens")
_USAGES = ("usage", "usage_metadata", "token_usage")
_ABSTAINED = ("abstained", "refused", "unanswerable")
_ERRORS = ("error", "errors", "detail", "exception")
OPENING_CHARS = 2_000
"""So much of an answer tells whether it declines."""
MOST_COUNT = 10**12
"""A larger number is no count of tokens and no place in a text."""
MOST_DEPTH = 3
"""Objects within objects in which an answer is looked for."""


class UnreadableAnswerError(ValueError):
    """What came back holds neither an answer nor chunks where they should be."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where things stand in a reply; None: by their usual names. Those of chunks count from the single chunk."""

    answer: Place | None = None
    chunks: Place | None = None
    chunk_text: Place | None = None
    chunk_id: Place | None = None
    chunk_document: Place | None = None
    chunk_score: Place | None = None
    input_tokens: Place | None = None
    output_tokens: Place | None = None

    @classmethod
    def of(cls, texts: Mapping[str, str | None]) -> Places:
        """Of the places as users write them. Raises UsageError."""
        return cls(**{name: parse_place(text, name) for name, text in texts.items() if text})


class Reading(NamedTuple):
    """What a reply held. answer: None where the system only retrieves."""

    answer: str | None
    chunks: tuple[RankedChunk, ...]
    abstained: bool
    input_tokens: int | None
    output_tokens: int | None

    def prediction(self, example_id: str, system: str, latency_s: float | None = None) -> Prediction:
        """The record of it."""
        return Prediction(
            example_id=example_id,
            system=system,
            chunks=self.chunks,
            answer=self.answer,
            abstained=self.abstained,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            latency_s=latency_s,
        )


def read_answer(value: Any, places: Places) -> Reading:
    """What a system said. Raises UnreadableAnswerError, one sentence with the names of the fields that were there.

    A system that does not say whether it abstained has done so where its answer opens by declining, or says no more
    than that its sources lack the answer.
    """
    answer = _answer(value, places)
    chunks = _chunks(value, places)
    if answer is None and chunks is None:
        raise UnreadableAnswerError(
            f"the reply has {fields_seen(value)}, but no answer; give its place with answer=PLACE"
        )
    said = next((found for name in _ABSTAINED if isinstance(found := field_of(value, name), bool)), None)
    opening = (answer or "")[:OPENING_CHARS].strip()
    is_whole = len(answer or "") <= OPENING_CHARS
    declined = bool(opening) and (evasion(opening) >= DECLINES or (is_whole and only_refuses(opening)))
    return Reading(
        answer=None if answer is None else without_surrogates(answer),
        chunks=chunks or (),
        abstained=declined if said is None else said,
        input_tokens=_tokens(value, places.input_tokens, "input_tokens", _INPUT_TOKENS),
        output_tokens=_tokens(value, places.output_tokens, "output_tokens", _OUTPUT_TOKENS),
    )


def read_passage(where: str, item: Any) -> RankedChunk:
    """A document or chunk that is at hand, as a mapping or an object: text, id and, as document_id, what it is of.

    The score is 0. Raises RecordError where there is no text; where: what it is called then.
    """
    try:
        found = _chunk(item, Places(), 1).ranked(0.0)
    except UnreadableAnswerError:
        found = None
    if found is None or not (found.text or "").strip():
        raise RecordError(f"{where} has no text; it has {fields_seen(item)}")
    return found


def told_error(value: Any) -> str | None:
    """What a reply without an answer says went wrong, in one line; None where it says nothing of the kind."""
    for name in _ERRORS:
        found = field_of(value, name)
        if found is not MISSING and found not in (None, "", [], {}, False):
            inner = field_of(found, "message")
            return one_line(str(inner if isinstance(inner, str) else found))[:OPENING_CHARS]
    return None


def _required(value: Any, place: Place, what: str) -> Any:
    found = at_place(value, place)
    if found is MISSING:
        written = ".".join(map(str, place))
        raise UnreadableAnswerError(f"the reply has no {what} at {written}; it has {fields_seen(value)}")
    return found


def _answer(value: Any, places: Places) -> str | None:
    if places.answer is not None:
        found = _required(value, places.answer, "answer")
        text = _as_text(found, of_numbers=True)
        if text is None:
            raise UnreadableAnswerError(
                f"the answer at {'.'.join(map(str, places.answer))} must be text, not {fields_seen(found)}"
            )
        return text
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and value and isinstance(value[0], str) and len(value) == 2:
        return value[0]
    return None if _is_list(value) else _found_answer(value, MOST_DEPTH)


def _found_answer(value: Any, depth: int) -> str | None:
    chat = at_place(value, _CHAT)
    if isinstance(chat, str):
        return chat
    for name in _ANSWERS:
        found = field_of(value, name)
        text = _as_text(found, of_numbers=name == "answer")
        if text is not None:
            return text
    messages = field_of(value, "messages")  # of a graph of LangGraph: the conversation, the answer last
    if _is_list(messages) and messages:
        return _as_text(messages[-1])
    for inner in _inside(value, depth):
        text = _found_answer(inner, depth - 1)
        if text is not None:
            return text
    return None


def _inside(value: Any, depth: int) -> Iterator[Any]:
    """What is wrapped in a reply, one level deeper."""
    for name in _WRAPPERS if depth else ():
        inner = field_of(value, name)
        is_inside = inner is not MISSING and inner is not None and inner is not value
        if is_inside and not isinstance(inner, str | int | float):
            yield inner


def _as_text(value: Any, *, of_numbers: bool = False) -> str | None:
    """A text, also as the only item of a list, as ``content`` of a chat message, or as the text parts of that."""
    if isinstance(value, str):
        return value
    if of_numbers and _is_number(value):
        return str(value)
    if _is_list(value) and len(value) == 1:
        return _as_text(value[0])
    content = field_of(value, "content")
    if isinstance(content, str):
        return content
    parts = content if _is_list(content) else value if _is_list(value) else ()
    texts = [field_of(part, "text") for part in parts if field_of(part, "type") == "text"]
    return "".join(text for text in texts if isinstance(text, str)) or None


def _chunks(value: Any, places: Places) -> tuple[RankedChunk, ...] | None:
    if places.chunks is not None:
        found = _required(value, places.chunks, "list of chunks")
        if found is None:
            return ()
        if not _is_list(found):
            raise UnreadableAnswerError(
                f"the chunks at {'.'.join(map(str, places.chunks))} must be a list, not {fields_seen(found)}"
            )
        return _ranked(found, places)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and _is_list(value[1]):
        return _ranked(value[1], places)
    if _is_list(value):
        return _ranked(value, places)
    return _found_chunks(value, places, MOST_DEPTH)


def _found_chunks(value: Any, places: Places, depth: int) -> tuple[RankedChunk, ...] | None:
    for name in _CHUNKS:
        found = field_of(value, name)
        if name == "context" and isinstance(found, str) and found:
            found = [found]
        if name in _NAMED_ONLY and _is_list(found):
            found = [{"document_id": each} if isinstance(each, str) else each for each in found]
        if _is_list(found):
            return _ranked(found, places)
    for inner in _inside(value, depth):
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
    if _is_list(item) and len(item) == 2 and isinstance(item[1], int | float):
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
        _required(outer, places.chunk_score, f"score of the chunk at rank {rank}")
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
        found = _required(outer, places.chunk_text, f"text of the chunk at rank {rank}")
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
    """What LlamaIndex calls a node's content."""
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
            if _is_count(found):
                return int(found)
    return None


def _as_score(value: Any) -> float | None:
    return float(value) if _is_number(value) else None


def _tokens(value: Any, place: Place | None, what: str, names: Sequence[str]) -> int | None:
    if place is not None:
        found = _required(value, place, what)
        return found if _is_count(found) else None
    for where in (value, *(field_of(value, name) for name in _USAGES)):
        for name in names:
            found = field_of(where, name)
            if _is_count(found):
                return int(found)
    return None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNT


def _is_number(value: Any) -> bool:
    """Whether it is one that a float can hold: no NaN, no infinity, and JSON has integers of any length."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
