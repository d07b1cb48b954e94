"""Attributes of spans as names with dots, and what OpenInference and OpenTelemetry's GenAI conventions say by them.

Sources: https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md and
https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ with the names of earlier versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ragassay.datasets.replies.places import MISSING, Places, at_place, is_list
from ragassay.datasets.replies.reading_chunks import chunks_of
from ragassay.datasets.replies.wording import unpack
from ragassay.datasets.traces.span import SpanKind, count_of, dollars_of, id_of
from ragassay.records import RankedChunk

_MOST_STEPS = 16
_INFERENCE_KINDS: Mapping[str, SpanKind] = {
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "LLM": "llm",
    "TOOL": "tool",
    "EMBEDDING": "tool",
    "GUARDRAIL": "tool",
    "EVALUATOR": "tool",
    "PROMPT": "tool",
}
_OPERATIONS: Mapping[str, SpanKind] = {
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "retrieval": "retriever",
    "embeddings": "tool",
    "execute_tool": "tool",
}


class Facts(NamedTuple):
    """What the attributes of a span say."""

    kind: SpanKind
    input: Any
    output: Any
    chunks: tuple[RankedChunk, ...]
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    session: str


def facts_in(attributes: Mapping[str, Any], kind: str = "") -> Facts:
    """What attributes with names with dots say, by OpenInference where they name a kind of it, else by GenAI.

    kind: of OpenInference, where it stands beside the attributes. Raises UnreadableAnswerError for documents in a form
    of their own.
    """
    nested = _nested(attributes)
    named = kind or id_of(_at(nested, "openinference", "span", "kind"))
    if named or _at(nested, "gen_ai") is None:
        return _by_inference(nested, named.upper())
    return _by_gen_ai(nested)


def _by_inference(told: Mapping[str, Any], kind: str) -> Facts:
    model = _at(told, "llm") or {}
    documents = _at(told, "reranker", "output_documents") if kind == "RERANKER" else _at(told, "retrieval", "documents")
    count = _at(model, "token_count") or {}
    question, answer = _at(told, "input", "value"), _at(told, "output", "value")
    if kind == "LLM":  # what was said, without the parameters of the call
        question = _messages(_at(model, "input_messages")) or question
        answer = _messages(_at(model, "output_messages")) or answer
    return Facts(
        kind=_INFERENCE_KINDS.get(kind, "other"),
        input=question if question is not None else _at(told, "reranker", "query"),
        output=answer,
        chunks=_documents(documents),
        input_tokens=count_of(_at(count, "prompt")),
        output_tokens=count_of(_at(count, "completion")),
        cost_usd=dollars_of(_at(model, "cost", "total")),
        session=id_of(_at(told, "session", "id")),
    )


def _by_gen_ai(told: Mapping[str, Any]) -> Facts:
    own = _at(told, "gen_ai")
    usage = _at(own, "usage") or {}
    query = _at(own, "retrieval", "query", "text")
    session = id_of(_at(own, "conversation", "id")) or id_of(_at(told, "session", "id"))
    operation = id_of(_at(own, "operation", "name"))
    return Facts(
        kind=_OPERATIONS.get(operation, "llm" if not operation and usage else "other"),
        input=_first(query, _listed(_at(own, "input", "messages")), _listed(_at(own, "prompt"))),
        output=_first(_listed(_at(own, "output", "messages")), _listed(_at(own, "completion"))),
        chunks=_documents(_at(own, "retrieval", "documents")),
        input_tokens=count_of(_first(_at(usage, "input_tokens"), _at(usage, "prompt_tokens"))),
        output_tokens=count_of(_first(_at(usage, "output_tokens"), _at(usage, "completion_tokens"))),
        cost_usd=dollars_of(_at(usage, "cost")),
        session=session,
    )


def chunks_in(value: Any) -> tuple[RankedChunk, ...]:
    """The chunks in what a retriever gave: a list, or an object around one; () where it gave nothing of the kind.

    Raises UnreadableAnswerError for a list of something else.
    """
    return chunks_of(unpack(value), Places()) or () if value is not None else ()


def _documents(value: Any) -> tuple[RankedChunk, ...]:
    items = _listed(value)
    if not is_list(items):
        return ()
    documents = []
    for item in items:
        inner = _at(item, "document")
        document = inner if isinstance(inner, Mapping) else item
        if isinstance(document, Mapping):
            document = {name: unpack(each) if name == "metadata" else each for name, each in document.items()}
            document = {name: each for name, each in document.items() if each is not None}
        documents.append(document)
    return chunks_in(documents)


def _messages(value: Any) -> Any:
    items = _listed(value)
    return [_at(item, "message") or item for item in items] if is_list(items) else None


def _listed(value: Any) -> Any:
    """A list that names with numbers made an object of, as a list; other values unpack."""
    value = unpack(value)
    if isinstance(value, Mapping) and value and all(name.isdecimal() and len(name) < 7 for name in value):
        return [value[name] for name in sorted(value, key=int)]
    return (
        [_nested(each) if isinstance(each, Mapping) else each for each in value] if isinstance(value, list) else value
    )


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Names with dots as objects in objects. Where a name is a value and an object, the object stays."""
    found: dict[str, Any] = {}
    for name, value in flat.items():
        steps = str(name).split(".", _MOST_STEPS)
        at = found
        for step in steps[:-1]:
            inner = at.get(step)
            if not isinstance(inner, dict):
                inner = at[step] = {}
            at = inner
        if isinstance(value, Mapping):
            inner = at.get(steps[-1])
            at[steps[-1]] = {**(inner if isinstance(inner, dict) else {}), **_nested(value)}
        elif not isinstance(at.get(steps[-1]), dict):
            at[steps[-1]] = value
    return found


def _at(value: Any, *place: str) -> Any:
    found = at_place(value, place)
    return None if found is MISSING else found


def _first(*values: Any) -> Any:
    return next((each for each in values if each is not None), None)
