"""MLflow: traces as ``Trace.to_json()`` writes them, or rows of ``mlflow.search_traces()``.

Sources: https://mlflow.org/docs/latest/genai/concepts/trace/ and https://mlflow.org/docs/latest/genai/concepts/span/
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
from ragassay.datasets.traces.attributes import chunks_in
from ragassay.datasets.traces.span import Span, SpanKind, count_of, dollars_of, failure_in, id_of, seconds_of

_VERSION = "mlflow.trace_schema.version"
_VERSIONS = ("1", "2", "3", "4")
_KINDS: Mapping[str, SpanKind] = {
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "LLM": "llm",
    "CHAT_MODEL": "llm",
    "TOOL": "tool",
    "EMBEDDING": "tool",
    "PARSER": "tool",
    "EVALUATOR": "tool",
    "GUARDRAIL": "tool",
}


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    return assemble("mlflow", partial(_spans, source), source, notes)


def _spans(source: Source, notes: Notes) -> Iterator[Span]:
    for row in read_rows(source.path, notes):
        whole = unpack(row.value.get("trace"))
        whole = whole if isinstance(whole, dict) else row.value
        info, data = unpack(whole.get("info")), unpack(whole.get("data"))
        info = info if isinstance(info, dict) else whole
        spans = unpack((data if isinstance(data, dict) else whole).get("spans"))
        trace_id = id_of(info.get("trace_id")) or id_of(info.get("request_id"))
        if not trace_id or not isinstance(spans, list):
            notes.fault(f"{row.where}: no trace of MLflow: trace_id or spans is missing; it holds {fields_seen(whole)}")
            continue
        about = {**_object(info.get("tags")), **_object(info.get("trace_metadata", info.get("request_metadata")))}
        version = str(about.get(_VERSION, _VERSIONS[-1]))
        if version not in _VERSIONS:
            notes.fault(
                f"{row.where}: version {version[:20]!r} of MLflow's trace schema is unknown; those that are read are "
                f"{', '.join(_VERSIONS)}"
            )
            continue
        for number, each in enumerate(spans, start=1):
            where = f"{row.where} span {number}"
            span = unpack(each)
            if isinstance(span, dict):
                yield from _span(Row(where, span), trace_id, about, notes)
            else:
                notes.fault(f"{where}: it is not an object")


def _span(row: Row, trace_id: str, about: Mapping[str, Any], notes: Notes) -> Iterator[Span]:
    value = row.value
    span_id = id_of(value.get("span_id")) or id_of(_object(value.get("context")).get("span_id"))
    if not span_id:
        notes.fault(f"{row.where}: no span: span_id is missing; it holds {fields_seen(value)}")
        return
    attributes = {name: unpack(each) for name, each in _object(value.get("attributes")).items()}
    kind = _KINDS.get(str(attributes.get("mlflow.spanType")).upper(), "other")
    output = attributes.get("mlflow.spanOutputs")
    try:
        chunks = chunks_in(output) if kind in ("retriever", "reranker") else ()
    except UnreadableAnswerError as error:
        notes.fault(f"{row.where}: {error}")
        return
    parent = id_of(value.get("parent_span_id")) or id_of(value.get("parent_id"))
    usage = _object(attributes.get("mlflow.chat.tokenUsage"))
    cost = _object(attributes.get("mlflow.llm.cost"))
    if not parent:
        usage = usage or _object(about.get("mlflow.trace.tokenUsage"))
        cost = cost or _object(about.get("mlflow.trace.cost"))
    status = _object(value.get("status"))
    failed = str(status.get("code", value.get("status_code"))).removeprefix("STATUS_CODE_") in ("ERROR", "2")
    yield Span(
        trace_id=trace_id,
        id=span_id,
        where=row.where,
        parent=parent,
        kind=kind,
        input=attributes.get("mlflow.spanInputs"),
        output=output,
        chunks=chunks,
        started_s=seconds_of(value.get("start_time_unix_nano", value.get("start_time"))),
        ended_s=seconds_of(value.get("end_time_unix_nano", value.get("end_time"))),
        input_tokens=count_of(usage.get("input_tokens")),
        output_tokens=count_of(usage.get("output_tokens")),
        cost_usd=dollars_of(cost.get("total_cost")),
        session=id_of(about.get("mlflow.trace.session")),
        error=failure_in(status.get("message") or value.get("status_message")) if failed else "",
    )


def _object(value: Any) -> dict[str, Any]:
    value = unpack(value)
    return value if isinstance(value, dict) else {}


def _recognises(peek: Peek) -> bool:
    keys = peek.keys if peek.suffix in ROW_SUFFIXES else frozenset()
    return {"info", "data"} <= keys or {"spans", "trace_id"} <= keys or {"spans", "request_id"} <= keys


FORMAT = Format(
    name="mlflow",
    title="MLflow: exported traces",
    recognises=_recognises,
    read=_read,
    maps=True,
)
