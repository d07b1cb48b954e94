"""Answer, chunks and token counts out of whatever a system gives back, as JSON or objects; no library is needed for it.

Our own names of fields are understood, and those of RAGAS, LangChain, LlamaIndex, Haystack and OpenAI. Where options
say where things stand, nothing else is taken for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ragassay.datasets.lines import without_surrogates
from ragassay.datasets.replies.places import (
    MISSING,
    MOST_DEPTH,
    USUAL,
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
from ragassay.models.embedded.judging.refusals import DECLINES, evasion, only_refuses
from ragassay.models.llm.masking import one_line
from ragassay.models.user_code import attribute_of
from ragassay.records import Prediction, RankedChunk, content_id

T = TypeVar("T")
_ANSWERS = tuple(
    """
    answer response result output output_text prediction generated_answer completion reply text content message
    answers replies
    """.split()
)
ANSWER_FIELDS = frozenset(_ANSWERS)
_CHAT: Place = ("choices", 0, "message", "content")
_INPUT_TOKENS = ("input_tokens", "prompt_tokens", "n_input_tokens")
_OUTPUT_TOKENS = ("output_tokens", "completion_tokens", "n_output_tokens")
_USAGES = ("usage", "usage_metadata", "token_usage")
_STANDALONE = ("standalone_question", "rewritten_question", "generated_question")
"""The last one is LangChain's (``return_generated_question``)."""
_ABSTAINED = ("abstained", "refused", "unanswerable")
_ERRORS = ("error", "errors", "exception", "detail")
REPORTED = "error reported by the system"
MOST_ERROR_CHARS = 300
OPENING_CHARS = 2_000
"""So much of an answer tells whether it declines."""
STANDALONE_CHARS = 10_000
"""Of a standalone question: more is no question, and judges and encoders read it."""


def read_answer(
    value: Any, places: Places = USUAL, *, example_id: str = "", system: str = "", latency_s: float | None = None
) -> Prediction:
    """Return what a system said. Raises UnreadableAnswerError, one sentence with the names of the fields there are.

    An error that it tells in place of an answer is the prediction's; chunks that it had found by then count.
    """
    answer = _or_error(_answer, value, places)
    chunks = _or_error(chunks_of, value, places)
    said = next((found for name in _ABSTAINED if isinstance(found := field_of(value, name), bool | np.bool_)), None)
    error = told_error(value, beside_chunks=chunks is not None) if answer is None and not said else None
    if answer is None and chunks is None and not said and error is None:
        raise UnreadableAnswerError(
            f"the reply has {fields_seen(value)}, but no answer; give its place with answer=PLACE"
        )
    input_tokens, output_tokens = tokens_of(value)
    return Prediction(
        example_id=example_id,
        system=system,
        chunks=chunks or (),
        answer=None if answer is None else without_surrogates(answer),
        abstained=declines(answer) if said is None else bool(said),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        latency_s=latency_s,
        error=None if error is None else f"{REPORTED}: {error}",
        standalone_question=_standalone(value),
    )


def declines(answer: str | None) -> bool:
    """Return whether an answer opens by declining, or says no more than that its sources lack the answer."""
    opening = (answer or "")[:OPENING_CHARS].strip()
    is_whole = len(answer or "") <= OPENING_CHARS
    return bool(opening) and (evasion(opening) >= DECLINES or (is_whole and only_refuses(opening)))


def _or_error(read: Callable[[Any, Places], T], value: Any, places: Places) -> T | None:
    """Return what was read; None where it is not in its place as an error stands in the reply."""
    try:
        return read(value, places)
    except UnreadableAnswerError:
        if told_error(value) is None:
            raise
        return None


def told_error(value: Any, *, beside_chunks: bool = False) -> str | None:
    """Return what a reply without an answer says went wrong, in one line. beside_chunks: a detail is of the search."""
    for name in _ERRORS[: -1 if beside_chunks else None]:
        found = field_of(value, name)
        if found is not MISSING and found not in (None, "", [], {}, False):
            inner = field_of(found, "message")
            return one_line(without_surrogates(str(inner if isinstance(inner, str) else found)))[:MOST_ERROR_CHARS]
    return None


def _answer(value: Any, places: Places) -> str | None:
    if places.answer is not None:
        found = required(value, places.answer, "answer")
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
    return None if is_list(value) else _found_answer(value, MOST_DEPTH)


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
    if is_list(messages) and messages:
        return _as_text(messages[-1])
    for inner in wrapped(value, depth):
        text = _found_answer(inner, depth - 1)
        if text is not None:
            return text
    return None


def _as_text(value: Any, *, of_numbers: bool = False) -> str | None:
    if of_numbers and is_number(value):
        return str(value)
    for _ in range(MOST_DEPTH):
        value = value[0] if is_list(value) and len(value) == 1 else value
    if isinstance(value, str):
        return value
    content = field_of(value, "content")
    if isinstance(content, str):
        return content
    parts = content if is_list(content) else value if is_list(value) else ()
    texts = [field_of(part, "text") for part in parts if field_of(part, "type") == "text"]
    return "".join(text for text in texts if isinstance(text, str)) or None


def _standalone(value: Any) -> str | None:
    """Return the question in a conversation as the system asked it; a reply need not have one."""
    found = (field_of(value, name) for name in _STANDALONE)
    said = next((each.strip() for each in found if isinstance(each, str) and each.strip()), None)
    return None if said is None else without_surrogates(said)[:STANDALONE_CHARS]


def tokens_of(value: Any) -> tuple[int | None, int | None]:
    """Return how many tokens were read and written, under the usual names."""
    usages = (value, *(field_of(value, name) for name in _USAGES))
    read, written = (
        next((int(found) for usage in usages for name in names if is_count(found := field_of(usage, name))), None)
        for names in (_INPUT_TOKENS, _OUTPUT_TOKENS)
    )
    return read, written


CHUNK_FIELDS = tuple(
    """
    chunks contexts context retrieved_contexts source_documents source_nodes retrieved_chunks retrieved_documents
    retrieved documents docs nodes sources passages references citations hits results
    """.split()
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
    """Return a document or chunk that is at hand, with the id of what it is of. Raises RecordError without a text."""
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
