"""Files of spans with attributes: OpenTelemetry's JSON (OTLP), single spans as its SDKs print them, rows of Phoenix.

Sources: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding,
https://arize.com/docs/phoenix/tracing/how-to-tracing/importing-and-exporting-traces/extract-data-from-spans
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.replies.places import UnreadableAnswerError, fields_seen
from ragassay.datasets.replies.wording import unpack
from ragassay.datasets.rows import ROW_SUFFIXES, read_rows
from ragassay.datasets.traces.assembling import assemble
from ragassay.datasets.traces.attributes import facts_in
from ragassay.datasets.traces.span import Span, failure_in, id_of, seconds_of

_GROUPS = ("resourceSpans", "resource_spans")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")


def _read(name: str, source: Source, notes: Notes) -> Iterator[Record]:
    return assemble(name, partial(_spans, source), source, notes)


def _spans(source: Source, notes: Notes) -> Iterator[Span]:
    for row in read_rows(source.path, notes):
        if any(name in row.value for name in _GROUPS):
            for inner in _of_otlp(row, notes):
                yield from _span(inner, notes)
        else:
            yield from _span(row, notes)


def _of_otlp(row: Row, notes: Notes) -> Iterator[Row]:
    """The spans of one export, with attributes as an object; those of its resource stand behind their own."""
    number = 0
    for group in _objects(row, row.value, _GROUPS, notes):
        about = group.get("resource")
        resource = _attributes(about.get("attributes")) if isinstance(about, dict) else {}
        for scope in _objects(row, group, _SCOPES, notes):
            for span in _objects(row, scope, ("spans",), notes):
                number += 1
                attributes = {**resource, **_attributes(span.get("attributes"))}
                yield Row(f"{row.where} span {number}", {**span, "attributes": attributes})


def _objects(row: Row, value: Mapping[str, Any], names: tuple[str, ...], notes: Notes) -> Iterator[dict[str, Any]]:
    inner = unpack(next((value[name] for name in names if name in value), []))
    if not isinstance(inner, list) or not all(isinstance(each, dict) for each in inner):
        notes.fault(f"{row.where}: {names[0]} must be a list of objects")
        return
    yield from inner


def _attributes(value: Any, depth: int = 8) -> dict[str, Any]:
    """Attributes of OTLP, a list of key and value, as an object."""
    pairs = value if isinstance(value, list) else ()
    return {
        each["key"]: _any_value(each.get("value"), depth)
        for each in pairs
        if isinstance(each, dict) and isinstance(each.get("key"), str)
    }


def _any_value(value: Any, depth: int) -> Any:
    """What an AnyValue of OTLP holds; whole numbers are texts in its JSON."""
    if not isinstance(value, dict) or not value or not depth:
        return None
    name, inner = next(iter(value.items()))
    items = inner.get("values") if isinstance(inner, dict) else None
    if name in ("arrayValue", "array_value"):
        return [_any_value(each, depth - 1) for each in items] if isinstance(items, list) else []
    if name in ("kvlistValue", "kvlist_value"):
        return _attributes(items, depth - 1)
    if name in ("intValue", "int_value"):
        return (
            int(inner) if isinstance(inner, str) and inner.removeprefix("-").isdecimal() and len(inner) < 20 else inner
        )
    return inner


def _span(row: Row, notes: Notes) -> Iterator[Span]:
    value = row.value
    context = unpack(value.get("context"))
    context = context if isinstance(context, dict) else {}

    def either(*names: str) -> Any:
        return next((each for name in names if (each := value.get(name, context.get(name))) is not None), None)

    trace_id, span_id = (
        id_of(either("traceId", "trace_id", "context.trace_id")),
        id_of(either("spanId", "span_id", "context.span_id")),
    )
    if not trace_id or not span_id:
        notes.fault(f"{row.where}: no span: trace_id or span_id is missing; it holds {fields_seen(value)}")
        return
    attributes = unpack(value.get("attributes"))
    columns = {name.removeprefix("attributes."): each for name, each in value.items() if name.startswith("attributes.")}
    given = {**(attributes if isinstance(attributes, dict) else _attributes(attributes)), **columns}
    given = {name: each for name, each in given.items() if each is not None}
    kind = value.get("span_kind")
    try:
        told = facts_in(given, kind if isinstance(kind, str) and not kind.startswith("SPAN_KIND") else "")
    except UnreadableAnswerError as error:
        notes.fault(f"{row.where}: {error}")
        return
    yield Span(
        trace_id=trace_id,
        id=span_id,
        where=row.where,
        parent=id_of(either("parentSpanId", "parent_span_id", "parent_id")),
        started_s=seconds_of(either("startTimeUnixNano", "start_time_unix_nano", "start_time")),
        ended_s=seconds_of(either("endTimeUnixNano", "end_time_unix_nano", "end_time")),
        error=_error(value),
        **told._asdict(),
    )


def _error(value: Mapping[str, Any]) -> str:
    """What a failed span says of it; empty for others."""
    status = unpack(value.get("status"))
    status = (
        status
        if isinstance(status, dict)
        else {"code": value.get("status_code"), "message": value.get("status_message")}
    )
    code = status.get("code", status.get("status_code"))
    if code not in (2, "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR"):
        return ""
    return failure_in(status.get("message", status.get("description")))


def _keys(peek: Peek) -> frozenset[str]:
    return peek.keys if peek.suffix in ROW_SUFFIXES else frozenset()


def _is_phoenix(peek: Peek) -> bool:
    keys = _keys(peek)
    return "context.span_id" in keys or ({"span_kind", "attributes", "context"} <= keys)


def _is_otlp(peek: Peek) -> bool:
    keys = _keys(peek)
    return not keys.isdisjoint(_GROUPS) or {"context", "attributes", "parent_id"} <= keys


def _never(peek: Peek) -> bool:
    return False


def _format(name: str, title: str, recognises: Any) -> Format:
    return Format(
        name=name,
        title=title,
        recognises=recognises,
        read=partial(_read, name),
        maps=True,
    )


FORMATS = (
    _format("phoenix", "Phoenix: spans as its client and its API export them", _is_phoenix),
    _format("otel", "OpenTelemetry spans with GenAI or OpenInference attributes: OTLP JSON or an SDK's", _is_otlp),
    _format("openinference", "The same, named after its attributes", _never),
)
"""One reader: the shape of a file and the names of its attributes are told by what is there."""
