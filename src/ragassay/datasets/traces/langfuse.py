"""Langfuse: traces with their observations, as its interface and API export them, or observations alone.

Sources: https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields (names with underscores)
and https://api.reference.langfuse.com (the same names in camel case).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import snake_case
from ragassay.datasets.replies.places import UnreadableAnswerError, fields_seen
from ragassay.datasets.replies.wording import unpack
from ragassay.datasets.rows import ROW_SUFFIXES, read_rows
from ragassay.datasets.traces.assembling import assemble
from ragassay.datasets.traces.attributes import chunks_in
from ragassay.datasets.traces.span import Span, SpanKind, count_of, dollars_of, failure_in, id_of, seconds_of

_KINDS: Mapping[str, SpanKind] = {
    "RETRIEVER": "retriever",
    "GENERATION": "llm",
    "TOOL": "tool",
    "EMBEDDING": "tool",
    "EVALUATOR": "tool",
    "GUARDRAIL": "tool",
    "EVENT": "tool",
}


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    return assemble("langfuse", partial(_spans, source), source, notes)


def _spans(source: Source, notes: Notes) -> Iterator[Span]:
    for row in read_rows(source.path, notes):
        value = _lower(row.value)
        inner = unpack(value.get("trace"))
        trace = _lower(inner) if isinstance(inner, dict) else value
        observations = unpack(value.get("observations", trace.get("observations")))
        if isinstance(observations, list) or "trace_id" not in value:
            yield from _trace(row.where, trace, observations if isinstance(observations, list) else [], notes)
        else:
            yield from _observation(row.where, value, id_of(value["trace_id"]), "", notes)


def _trace(where: str, trace: Mapping[str, Any], observations: list[Any], notes: Notes) -> Iterator[Span]:
    """The trace itself as the root, and its observations; ids alone, as lists of traces have them, are passed over."""
    trace_id = id_of(trace.get("id"))
    if not trace_id or not {"input", "output", "name", "timestamp"} & trace.keys():
        notes.fault(f"{where}: neither a trace nor an observation of Langfuse; it holds {fields_seen(trace)}")
        return
    root = f"trace {trace_id}"  # no observation has this id
    started = seconds_of(trace.get("timestamp"))
    latency = dollars_of(trace.get("latency"))
    yield Span(
        trace_id=trace_id,
        id=root,
        where=where,
        input=trace.get("input"),
        output=trace.get("output"),
        started_s=started,
        ended_s=started + latency if started is not None and latency is not None else None,
        cost_usd=dollars_of(trace.get("total_cost")),
        session=id_of(trace.get("session_id")),
    )
    for number, each in enumerate(observations, start=1):
        if isinstance(each, dict):
            yield from _observation(f"{where} observation {number}", _lower(each), trace_id, root, notes)


def _observation(where: str, value: Mapping[str, Any], trace_id: str, root: str, notes: Notes) -> Iterator[Span]:
    """root: the parent of an observation that has none."""
    span_id, kind = id_of(value.get("id")), str(value.get("type") or "").upper()
    if not trace_id or not span_id:
        notes.fault(f"{where}: no observation: id or trace_id is missing; it holds {fields_seen(value)}")
        return
    try:
        chunks = chunks_in(value.get("output")) if kind == "RETRIEVER" else ()
    except UnreadableAnswerError as error:
        notes.fault(f"{where}: {error}")
        return
    usage = {**_numbers(value.get("usage")), **_numbers(value.get("usage_details"))}
    costs = [
        value.get("total_cost"),
        value.get("calculated_total_cost"),
        _numbers(value.get("cost_details")).get("total"),
    ]
    started, latency = seconds_of(value.get("start_time")), dollars_of(value.get("latency"))
    ended = seconds_of(value.get("end_time"))
    yield Span(
        trace_id=trace_id,
        id=span_id,
        where=where,
        parent=id_of(value.get("parent_observation_id")) or root,
        kind=_KINDS.get(kind, "other"),
        input=value.get("input"),
        output=value.get("output"),
        chunks=chunks,
        started_s=started,
        ended_s=started + latency if ended is None and started is not None and latency is not None else ended,
        input_tokens=count_of(usage.get("input", usage.get("prompt_tokens"))),
        output_tokens=count_of(usage.get("output", usage.get("completion_tokens"))),
        cost_usd=next((found for each in costs if (found := dollars_of(each)) is not None), None),
        session=id_of(value.get("session_id")),
        error=failure_in(value.get("status_message")) if value.get("level") == "ERROR" else "",
    )


def _numbers(value: Any) -> dict[str, Any]:
    value = unpack(value)
    return _lower(value) if isinstance(value, dict) else {}


def _lower(value: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by their names with underscores; null counts as absent."""
    return {snake_case(str(name)): each for name, each in value.items() if each is not None}


def _recognises(peek: Peek) -> bool:
    names = set(map(snake_case, peek.keys)) if peek.suffix in ROW_SUFFIXES else set()
    is_observation = {"id", "trace_id", "type", "start_time"} <= names
    return is_observation or {"id", "observations", "input"} <= names or {"trace", "observations"} <= names


FORMAT = Format(
    name="langfuse",
    title="Langfuse: exported traces or observations",
    recognises=_recognises,
    read=_read,
    maps=True,
)
