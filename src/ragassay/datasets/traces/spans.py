"""Spans out of exported files: OpenTelemetry's JSON, rows of Phoenix, traces of Langfuse. Sources of the names:

https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and /docs/specs/semconv/gen-ai/gen-ai-spans/,
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md, https://api.reference.langfuse.com.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from ragassay.datasets.format import Notes, snake_case
from ragassay.datasets.lines import Row
from ragassay.datasets.replies.places import (
    MISSING,
    UnreadableAnswerError,
    count_of,
    dollars_of,
    fields_seen,
    id_of,
    unpack,
    unpacked_at,
)
from ragassay.datasets.replies.reading import chunks_of
from ragassay.records import RankedChunk

SpanKind = Literal["retriever", "reranker", "llm", "tool", "other"]
"""What decides how a span is read: chains, agents and everything unknown are "other"; tools include embeddings."""
_KINDS: Mapping[str, SpanKind] = {
    **dict.fromkeys(("RETRIEVER", "RETRIEVAL"), "retriever"),
    "RERANKER": "reranker",
    **dict.fromkeys(("LLM", "CHAT_MODEL", "GENERATION", "CHAT", "GENERATE_CONTENT", "TEXT_COMPLETION"), "llm"),
    **dict.fromkeys(("TOOL", "EMBEDDING", "EMBEDDINGS", "EXECUTE_TOOL", "GUARDRAIL", "EVALUATOR"), "tool"),
    **dict.fromkeys(("PROMPT", "PARSER", "EVENT"), "tool"),
}
_NAMES: Mapping[str, str] = {
    "kind": "openinference.span.kind span_kind gen_ai.operation.name type",
    "input": "input.value gen_ai.retrieval.query.text gen_ai.input.messages gen_ai.prompt reranker.query input",
    "output": "output.value gen_ai.output.messages gen_ai.completion output",
    "llm input": "llm.input_messages",
    "llm output": "llm.output_messages",
    "retriever chunks": "retrieval.documents gen_ai.retrieval.documents output",
    "reranker chunks": "reranker.output_documents",
    "input_tokens": "llm.token_count.prompt gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens "
    "usage_details.input usage.input usage.prompt_tokens usage.promptTokens",
    "output_tokens": "llm.token_count.completion gen_ai.usage.output_tokens gen_ai.usage.completion_tokens "
    "usage_details.output usage.output usage.completion_tokens usage.completionTokens",
    "cost": "llm.cost.total gen_ai.usage.cost total_cost calculated_total_cost cost_details.total",
    "session": "session.id gen_ai.conversation.id session_id",
    "trace": "trace_id context.trace_id",
    "id": "span_id context.span_id id",
    "parent": "parent_span_id parent_id parent_observation_id",
    "start": "start_time_unix_nano start_time timestamp",
    "end": "end_time_unix_nano end_time",
    "status": "status.code status.status_code status_code level",
    "message": "status.message status.description status_message",
}
"""Field to the names under which it may stand in a span and its attributes, of which the first that is there counts."""
_PLACES = {field: [tuple(name.split(".")) for name in names.split()] for field, names in _NAMES.items()}
_MOST_STEPS, _MOST_DEPTH = 16, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """parent: id of the span that it is part of; empty for a root. input, output: texts, or JSON values.

    chunks: best first. started_s, ended_s: seconds since 1970. session, error: empty for none.
    """

    trace_id: str
    id: str
    where: str
    parent: str = ""
    kind: SpanKind = "other"
    input: Any = None
    output: Any = None
    chunks: tuple[RankedChunk, ...] = ()
    started_s: float | None = None
    ended_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    session: str = ""
    error: str = ""


def spans_in(row: Row, notes: Notes) -> Iterator[Span]:
    """Return the spans of one row, whichever of the formats it has; what cannot be read is a fault that names it."""
    value = _lower(row.value)
    if "resource_spans" in value:
        for group in _objects(row.where, value, "resource_spans", notes):
            for scope in _objects(row.where, group, "scope_spans", notes):
                for number, span in enumerate(_objects(row.where, scope, "spans", notes), start=1):
                    yield from _span(f"{row.where} span {number}", span, notes)
        return
    trace = unpack(value.get("trace"))
    whole = (_lower(trace) if isinstance(trace, dict) else {}) or value
    observations = unpack(value.get("observations", whole.get("observations")))
    has_span_id = {"span_id", "context", "context.span_id", "trace_id"} & value.keys()
    if isinstance(observations, list) or (not has_span_id and "id" in whole):
        yield from _of_langfuse(row.where, whole, observations if isinstance(observations, list) else [], notes)
    else:
        yield from _span(row.where, value, notes)


def _of_langfuse(where: str, trace: Mapping[str, Any], observations: list[Any], notes: Notes) -> Iterator[Span]:
    """Return the trace as the root of its observations; ids alone, as lists of traces have them, are passed over."""
    trace_id = id_of(trace.get("id"))
    if not trace_id or not {"input", "output", "name", "timestamp"} & trace.keys():
        notes.fault(f"{where}: neither a trace nor an observation of Langfuse; it holds {fields_seen(trace)}")
        return
    root = f"trace {trace_id}"  # no observation has this id
    yield from _span(where, {**trace, "id": root, "type": ""}, notes, trace_id=trace_id)
    for number, inner in enumerate(observations, start=1):
        if isinstance(inner, dict):
            there = f"{where} observation {number}"
            yield from _span(there, _lower(inner), notes, trace_id=trace_id, root=root)


def _span(where: str, value: Mapping[str, Any], notes: Notes, *, trace_id: str = "", root: str = "") -> Iterator[Span]:
    """root: parent of a span that names none."""
    told = {**value, **_attributes_of(value)}

    def field(name: str) -> Any:
        found = (unpacked_at(told, place) for place in _PLACES[name])
        return next((each for each in found if each is not MISSING and each is not None), None)

    trace_id, span_id = trace_id or id_of(field("trace")), id_of(field("id"))
    if not trace_id or not span_id:
        notes.fault(f"{where}: no span: trace_id or span_id is missing; it holds {fields_seen(value)}")
        return
    kind = _KINDS.get(str(unpack(field("kind"))).upper(), "other")
    started, ended, latency = seconds_of(field("start")), seconds_of(field("end")), dollars_of(value.get("latency"))
    said = (field(f"{kind} input"), field(f"{kind} output")) if kind == "llm" else (None, None)
    try:
        chunks = _chunks(field(f"{kind} chunks")) if kind in ("retriever", "reranker") else ()
    except UnreadableAnswerError as error:
        notes.fault(f"{where}: {error}")
        return
    yield Span(
        trace_id=trace_id,
        id=span_id,
        where=where,
        parent=id_of(field("parent")) or root,
        kind=kind,
        input=_listed(field("input") if said[0] is None else said[0]),
        output=_listed(field("output") if said[1] is None else said[1]),
        chunks=chunks,
        started_s=started,
        ended_s=started + latency if ended is None and started is not None and latency is not None else ended,
        input_tokens=count_of(field("input_tokens")),
        output_tokens=count_of(field("output_tokens")),
        cost_usd=dollars_of(field("cost")),
        session=id_of(field("session")),
        error=_error(field("status"), field("message")),
    )


def _error(code: Any, message: Any) -> str:
    """Return what a failed span says of it; empty for others."""
    if str(code).rpartition("_")[2].rpartition(".")[2] not in ("2", "ERROR"):
        return ""
    is_told = isinstance(message, str) and message
    return str(message) if is_told else "the system failed, and its trace does not say why"


def _chunks(value: Any) -> tuple[RankedChunk, ...]:
    """Raise UnreadableAnswerError for a list of something else than chunks."""
    return chunks_of(_listed(value)) or () if value is not None else ()


def _listed(value: Any) -> Any:
    """Return a value unpacked; a list that names with numbers made an object of, as a list, without its wrappings."""
    value = unpack(value)
    if isinstance(value, Mapping) and value and all(name.isdecimal() and len(name) < 7 for name in value):
        value = [value[name] for name in sorted(value, key=int)]
    if not isinstance(value, list):
        return value
    items = [_nested(item) if isinstance(item, Mapping) else item for item in value]
    return [_unwrapped(item) if isinstance(item, Mapping) else item for item in items]


def _unwrapped(item: Mapping[str, Any]) -> Any:
    """Return the message or document of an item of OpenInference; any other item as it is."""
    inner = next((item[name] for name in ("message", "document") if isinstance(item.get(name), Mapping)), item)
    known = {name: value for name, value in inner.items() if value is not None}
    return {**known, "metadata": unpack(known["metadata"])} if "metadata" in known else known


def _attributes_of(span: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a span: objects within objects, as the dots in their names say."""
    columns = {name.removeprefix("attributes."): each for name, each in span.items() if name.startswith("attributes.")}
    given = unpack(span.get("attributes"))
    given = {**(given if isinstance(given, dict) else _attributes(given)), **columns}
    names = {name: each for name, each in span.items() if name.startswith("context.")}
    return _nested({name: each for name, each in {**names, **given}.items() if each is not None})


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in flat.items():
        *steps, last = str(name).split(".", _MOST_STEPS)
        at = found
        for step in steps:
            inner = at.get(step)
            if not isinstance(inner, dict):
                inner = at[step] = {}
            at = inner
        if isinstance(value, Mapping):
            inner = at.get(last)
            at[last] = {**(inner if isinstance(inner, dict) else {}), **_nested(value)}
        elif not isinstance(at.get(last), dict):
            at[last] = value
    return found


def _objects(where: str, value: Mapping[str, Any], name: str, notes: Notes) -> Iterator[dict[str, Any]]:
    inner = unpack(value.get(name, []))
    if not isinstance(inner, list):
        notes.fault(f"{where}: {name} must be a list of objects")
        return
    for number, item in enumerate(map(unpack, inner), start=1):
        if isinstance(item, dict):
            yield _lower(item)
        else:
            notes.fault(f"{where}: item {number} of {name} must be an object")


def _attributes(value: Any, depth: int = _MOST_DEPTH) -> dict[str, Any]:
    pairs = value if isinstance(value, list) else ()
    return {
        pair["key"]: _any_value(pair.get("value"), depth)
        for pair in pairs
        if isinstance(pair, dict) and isinstance(pair.get("key"), str)
    }


def _any_value(value: Any, depth: int) -> Any:
    """Return what an AnyValue of OTLP holds; whole numbers are texts in its JSON."""
    if not isinstance(value, dict) or not value or not depth:
        return None
    name, inner = next(iter(value.items()))
    items = inner.get("values") if isinstance(inner, dict) else None
    if name in ("arrayValue", "array_value"):
        return [_any_value(each, depth - 1) for each in items] if isinstance(items, list) else []
    if name in ("kvlistValue", "kvlist_value"):
        return _attributes(items, depth - 1)
    is_whole = name in ("intValue", "int_value") and isinstance(inner, str) and len(inner) < 20
    return int(inner) if is_whole and inner.removeprefix("-").isdecimal() else inner


def _lower(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields by their names with underscores; null counts as absent."""
    return {
        name if str(name).startswith("attributes.") else snake_case(str(name)): each
        for name, each in value.items()
        if each is not None
    }


def seconds_of(value: Any) -> float | None:
    """Return seconds since 1970 of a time in ISO 8601, UTC without a zone, or of a number; its size tells the unit."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= 20:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        unit = 1e9 if value >= 10**17 else 1e6 if value >= 10**14 else 1e3 if value >= 10**11 else 1e9
        return value / unit if 0 < value < 1 << 63 else None
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
