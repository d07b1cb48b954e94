"""Answer and token counts out of whatever a system gives back, and its chunks (``reading_chunks.py``).

Our own names of fields are understood, and those that RAGAS, LangChain, LlamaIndex, Haystack and the chat protocol of
OpenAI use, as JSON and as objects; no library is needed for it. Where a system has names of its own, options say where
things stand, and nothing else is then taken for them.
"""

from __future__ import annotations

from collections.abc import Callable
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
)
from ragassay.datasets.replies.reading_chunks import chunks_of
from ragassay.models.embedded.judging.refusals import DECLINES, evasion, only_refuses
from ragassay.models.llm.masking import one_line
from ragassay.records import Prediction

T = TypeVar("T")
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
    """Return what a reply without an answer says went wrong, in one line; None where it says nothing of the kind.

    beside_chunks: a detail beside them may be of the search.
    """
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
