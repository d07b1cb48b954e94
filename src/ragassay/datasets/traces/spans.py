"""Spans out of exported files: OpenTelemetry's JSON, rows of Phoenix, traces of MLflow and Langfuse.

Fields are looked for under every name that one of them has; names with humps count as names with underscores. Sources:
https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and /docs/specs/semconv/gen-ai/gen-ai-spans/,
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md,
https://mlflow.org/docs/latest/genai/concepts/span/, https://api.reference.langfuse.com.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from ragassay.datasets.format import Notes, snake_case
from ragassay.datasets.lines import Row
from ragassay.datasets.replies.places import (
    MISSING,
    Places,
    UnreadableAnswerError,
    at_place,
    fields_seen,
    is_count,
    is_list,
    is_number,
)
from ragassay.datasets.replies.reading_chunks import chunks_of
from ragassay.datasets.replies.wording import unpack
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
_MLFLOW_VERSIONS = ("1", "2", "3", "4")
_GROUPS = ("resource_spans", "resourceSpans")
_SCOPES = ("scope_spans", "scopeSpans", "instrumentationLibrarySpans")
_MOST_STEPS, _MOST_DEPTH = 16, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span, whatever format it came in.

    parent: id of the span that it is part of; empty for a root. input, output: texts, or JSON values. chunks: what a
    retriever or re-ranker gave, best first. started_s, ended_s: seconds since 1970. session, error: empty for none.
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
    value = row.value
    if any(name in value for name in _GROUPS):
        yield from _of_otlp(row, notes)
        return
    lower = _lower(value)
    inner = unpack(lower.get("trace"))
    whole = _lower(inner) if isinstance(inner, dict) else lower
    if {"info", "data", "spans"} & whole.keys():
        yield from _of_mlflow(row.where, whole, notes)
        return
    observations = unpack(lower.get("observations", whole.get("observations")))
    has_span_id = {"span_id", "context", "context.span_id", "trace_id"} & lower.keys()
    if isinstance(observations, list) or (not has_span_id and "id" in whole):
        yield from _of_langfuse(row.where, whole, observations if isinstance(observations, list) else [], notes)
    else:
        yield from _span(row.where, lower, notes)


def _of_otlp(row: Row, notes: Notes) -> Iterator[Span]:
    number = 0
    for group in _objects(row, row.value, _GROUPS, notes):
        resource = _attributes(_object(group.get("resource")).get("attributes"))
        for scope in _objects(row, group, _SCOPES, notes):
            for span in _objects(row, scope, ("spans",), notes):
                number += 1
                attributes = {**resource, **_attributes(span.get("attributes"))}
                yield from _span(f"{row.where} span {number}", _lower({**span, "attributes": attributes}), notes)


def _of_mlflow(where: str, whole: Mapping[str, Any], notes: Notes) -> Iterator[Span]:
    info = _lower(_object(whole.get("info"))) or whole
    spans = unpack((_object(whole.get("data")) or whole).get("spans"))
    trace_id = id_of(info.get("trace_id")) or id_of(info.get("request_id"))
    if not trace_id or not isinstance(spans, list):
        notes.fault(f"{where}: no trace of MLflow: trace_id or spans is missing; it holds {fields_seen(whole)}")
        return
    about = {**_object(info.get("tags")), **_object(info.get("trace_metadata", info.get("request_metadata")))}
    version = str(about.get("mlflow.trace_schema.version", _MLFLOW_VERSIONS[-1]))
    if version not in _MLFLOW_VERSIONS:
        known = ", ".join(_MLFLOW_VERSIONS)
        notes.fault(f"{where}: version {version[:20]!r} of MLflow's trace schema is unknown; those read are {known}")
        return
    for number, inner in enumerate(spans, start=1):
        span = unpack(inner)
        if not isinstance(span, dict):
            notes.fault(f"{where} span {number}: it is not an object")
            continue
        yield from _span(f"{where} span {number}", _lower(span), notes, trace_id=trace_id, about=about)


def _of_langfuse(where: str, trace: Mapping[str, Any], observations: list[Any], notes: Notes) -> Iterator[Span]:
    """Return the trace is the root of its observations; ids alone, as lists of traces have them, are passed over."""
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


def _span(
    where: str,
    value: Mapping[str, Any],
    notes: Notes,
    *,
    trace_id: str = "",
    about: Mapping[str, Any] | None = None,
    root: str = "",
) -> Iterator[Span]:
    """about: what MLflow keeps of the trace, which its root stands for. root: parent of a span that names none."""
    context = _object(value.get("context"))

    def either(*names: str) -> Any:
        return next((each for name in names if (each := value.get(name, context.get(name))) is not None), None)

    trace_id = trace_id or id_of(either("trace_id", "context.trace_id"))
    span_id = id_of(either("span_id", "context.span_id", "id"))
    if not trace_id or not span_id:
        notes.fault(f"{where}: no span: trace_id or span_id is missing; it holds {fields_seen(value)}")
        return
    parent = id_of(either("parent_span_id", "parent_id", "parent_observation_id")) or root
    columns = {name.removeprefix("attributes."): each for name, each in value.items() if name.startswith("attributes.")}
    given = unpack(value.get("attributes"))
    given = {**(given if isinstance(given, dict) else _attributes(given)), **columns}
    attributes = {name: each for name, each in given.items() if each is not None}
    started, ended = (
        seconds_of(either(*names))
        for names in (("start_time_unix_nano", "start_time", "timestamp"), ("end_time_unix_nano", "end_time"))
    )
    latency = dollars_of(value.get("latency"))
    span = Span(
        trace_id=trace_id,
        id=span_id,
        where=where,
        parent=parent,
        started_s=started,
        ended_s=started + latency if ended is None and started is not None and latency is not None else ended,
        error=_error(value),
    )
    try:
        if any(name.startswith("mlflow.") for name in attributes) or about is not None:
            yield _by_mlflow(span, attributes, about or {})
        elif not attributes and {"input", "output", "type"} & value.keys():
            yield _by_langfuse(span, value)
        else:
            yield _by_attributes(span, _nested(attributes), value.get("span_kind"))
    except UnreadableAnswerError as error:
        notes.fault(f"{where}: {error}")


def _by_mlflow(span: Span, attributes: Mapping[str, Any], about: Mapping[str, Any]) -> Span:
    kind = _kind(unpack(attributes.get("mlflow.spanType")))
    output = unpack(attributes.get("mlflow.spanOutputs"))
    usage, cost = _object(attributes.get("mlflow.chat.tokenUsage")), _object(attributes.get("mlflow.llm.cost"))
    if not span.parent:
        usage = usage or _object(about.get("mlflow.trace.tokenUsage"))
        cost = cost or _object(about.get("mlflow.trace.cost"))
    return replace(
        span,
        kind=kind,
        input=unpack(attributes.get("mlflow.spanInputs")),
        output=output,
        chunks=_chunks(output) if kind in ("retriever", "reranker") else (),
        input_tokens=count_of(usage.get("input_tokens")),
        output_tokens=count_of(usage.get("output_tokens")),
        cost_usd=dollars_of(cost.get("total_cost")),
        session=id_of(about.get("mlflow.trace.session")),
    )


def _by_langfuse(span: Span, value: Mapping[str, Any]) -> Span:
    kind = _kind(value.get("type"))
    usage = {**_lower(_object(value.get("usage"))), **_lower(_object(value.get("usage_details")))}
    costs = (value.get("total_cost"), value.get("calculated_total_cost"))
    details = _lower(_object(value.get("cost_details"))).get("total")
    return replace(
        span,
        kind=kind,
        input=value.get("input"),
        output=value.get("output"),
        chunks=_chunks(value.get("output")) if kind == "retriever" else (),
        input_tokens=count_of(usage.get("input", usage.get("prompt_tokens"))),
        output_tokens=count_of(usage.get("output", usage.get("completion_tokens"))),
        cost_usd=next((cost for each in (*costs, details) if (cost := dollars_of(each)) is not None), None),
        session=id_of(value.get("session_id")),
    )


def _by_attributes(span: Span, told: Mapping[str, Any], span_kind: Any) -> Span:
    """By OpenInference where the attributes name a kind of it, else by GenAI."""
    named = span_kind if isinstance(span_kind, str) and not span_kind.startswith("SPAN_KIND") else ""
    named = named or id_of(_at(told, "openinference.span.kind"))
    session = id_of(_at(told, "gen_ai.conversation.id")) or id_of(_at(told, "session.id"))
    if not named and _at(told, "gen_ai") is not None:
        operation = id_of(_at(told, "gen_ai.operation.name"))
        usage = _at(told, "gen_ai.usage") or {}
        asked = (_at(told, "gen_ai.input.messages"), _at(told, "gen_ai.prompt"))
        said = (_at(told, "gen_ai.output.messages"), _at(told, "gen_ai.completion"))
        return replace(
            span,
            kind=_kind(operation) if operation else "llm" if usage else "other",
            input=_first(_at(told, "gen_ai.retrieval.query.text"), *map(_listed, asked)),
            output=_first(*map(_listed, said)),
            chunks=_documents(_at(told, "gen_ai.retrieval.documents")),
            input_tokens=count_of(_first(_at(usage, "input_tokens"), _at(usage, "prompt_tokens"))),
            output_tokens=count_of(_first(_at(usage, "output_tokens"), _at(usage, "completion_tokens"))),
            cost_usd=dollars_of(_at(usage, "cost")),
            session=session,
        )
    kind = _kind(named)
    question, answer = _at(told, "input.value"), _at(told, "output.value")
    if kind == "llm":  # what was said, without the parameters of the call
        question = _messages(_at(told, "llm.input_messages")) or question
        answer = _messages(_at(told, "llm.output_messages")) or answer
    return replace(
        span,
        kind=kind,
        input=_first(question, _at(told, "reranker.query")),
        output=answer,
        chunks=_documents(_at(told, "reranker.output_documents" if kind == "reranker" else "retrieval.documents")),
        input_tokens=count_of(_at(told, "llm.token_count.prompt")),
        output_tokens=count_of(_at(told, "llm.token_count.completion")),
        cost_usd=dollars_of(_at(told, "llm.cost.total")),
        session=session,
    )


def _kind(name: Any) -> SpanKind:
    return _KINDS.get(str(name).upper(), "other")


def _error(value: Mapping[str, Any]) -> str:
    """Return what a failed span says of it; empty for others."""
    status = _object(value.get("status"))
    code = _first(status.get("code"), status.get("status_code"), value.get("status_code"), value.get("level"))
    if str(code).rpartition("_")[2].rpartition(".")[2] not in ("2", "ERROR"):
        return ""
    message = _first(status.get("message"), status.get("description"), value.get("status_message"))
    has_message = isinstance(message, str) and message
    return str(message) if has_message else "the system failed, and its trace does not say why"


def _chunks(value: Any) -> tuple[RankedChunk, ...]:
    """Raises UnreadableAnswerError for a list of something else than chunks."""
    return chunks_of(unpack(value), Places()) or () if value is not None else ()


def _documents(value: Any) -> tuple[RankedChunk, ...]:
    items = _listed(value)
    documents = []
    for item in items if is_list(items) else ():
        inner = _at(item, "document")
        document = inner if isinstance(inner, Mapping) else item
        if isinstance(document, Mapping):
            document = {name: unpack(each) if name == "metadata" else each for name, each in document.items()}
            document = {name: each for name, each in document.items() if each is not None}
        documents.append(document)
    return _chunks(documents)


def _messages(value: Any) -> Any:
    items = _listed(value)
    return [_at(item, "message") or item for item in items] if is_list(items) else None


def _listed(value: Any) -> Any:
    """Return a list that names with numbers made an object of, as a list; other values unpacked."""
    value = unpack(value)
    if isinstance(value, Mapping) and value and all(name.isdecimal() and len(name) < 7 for name in value):
        return [value[name] for name in sorted(value, key=int)]
    if isinstance(value, list):
        return [_nested(each) if isinstance(each, Mapping) else each for each in value]
    return value


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


def _objects(row: Row, value: Mapping[str, Any], names: tuple[str, ...], notes: Notes) -> Iterator[dict[str, Any]]:
    name = next((name for name in names if name in value), names[0])
    inner = unpack(value.get(name, []))
    if not isinstance(inner, list) or not all(isinstance(each, dict) for each in inner):
        notes.fault(f"{row.where}: {name} must be a list of objects")
        return
    yield from inner


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


def _object(value: Any) -> dict[str, Any]:
    value = unpack(value)
    return value if isinstance(value, dict) else {}


def _lower(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields by their names with underscores; null counts as absent."""
    return {
        name if str(name).startswith("attributes.") else snake_case(str(name)): each
        for name, each in value.items()
        if each is not None
    }


def _at(value: Any, place: str) -> Any:
    found = at_place(value, tuple(place.split(".")))
    return None if found is MISSING else found


def _first(*values: Any) -> Any:
    return next((each for each in values if each is not None), None)


def id_of(value: Any) -> str:
    """Return a name of a trace, span or session as text; empty where there is none."""
    return str(value) if isinstance(value, str) or is_count(value) else ""


def seconds_of(value: Any) -> float | None:
    """Return seconds since 1970 of a time in ISO 8601, UTC if it names no zone, or of a number; None for others.

    A number counts nanoseconds, microseconds or milliseconds: its size tells, as all of these are times after 1973.
    """
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


def count_of(value: Any) -> int | None:
    """Return a number of tokens; Parquet and JSON may have it as a whole float, or as text."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= 15:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if is_count(value) else None


def dollars_of(value: Any) -> float | None:
    """Return a cost, or seconds; None for what is no number, or negative."""
    try:
        value = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return float(value) if is_number(value) and value >= 0 else None
