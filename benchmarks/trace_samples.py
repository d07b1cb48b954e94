"""The same question in each format, written by hand after what the formats' makers publish (``docs/traces.md``)."""

from __future__ import annotations

import json
from typing import Any

QUESTION, ANSWER = "When was the bridge opened?", "It was opened in 1998."
CHUNKS = [("c1", "The bridge was opened in May 1998.", 0.9), ("c2", "It is 412 m long.", 0.4)]


def otlp_attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    kinds = {str: "stringValue", float: "doubleValue", bool: "boolValue"}
    return [
        {"key": key, "value": {"intValue": str(value)} if type(value) is int else {kinds[type(value)]: value}}
        for key, value in values.items()
    ]


def otlp_span(span_id: str, parent: str, start: int, end: int, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": span_id,
        "parentSpanId": parent,
        "name": span_id,
        "kind": 1,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + start * 1_000_000),
        "endTimeUnixNano": str(1_700_000_000_000_000_000 + end * 1_000_000),
        "attributes": otlp_attributes(values),
        "status": {},
    }


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def documents(prefix: str) -> dict[str, Any]:
    """The chunks as OpenInference has them in attributes."""
    values: dict[str, Any] = {}
    for number, (name, text, score) in enumerate(CHUNKS):
        place = f"{prefix}.{number}.document"
        values |= {f"{place}.id": name, f"{place}.content": text, f"{place}.score": score}
        values[f"{place}.metadata"] = json.dumps({"source": "bridge.md"})
    return values


CHAIN = {
    "openinference.span.kind": "CHAIN",
    "input.value": json.dumps({"query": QUESTION}),
    "input.mime_type": "application/json",
    "output.value": ANSWER,
    "session.id": "s-7",
}
RETRIEVER = {"openinference.span.kind": "RETRIEVER", "input.value": QUESTION, **documents("retrieval.documents")}
LLM = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": f"Context ... {QUESTION}",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": ANSWER,
    "llm.token_count.prompt": 120,
    "llm.token_count.completion": 8,
    "llm.cost.total": 0.002,
}
OPENINFERENCE = otlp(
    otlp_span("a1", "", 0, 1500, CHAIN),
    otlp_span("b1", "a1", 100, 300, RETRIEVER),
    otlp_span("b2", "a1", 400, 1400, LLM),
)


def sdk_span(span_id: str, parent: str | None, start: str, end: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """As ``ReadableSpan.to_json`` of OpenTelemetry's Python SDK writes it."""
    return {
        "name": span_id,
        "context": {"trace_id": "0xt1", "span_id": span_id, "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": parent,
        "start_time": f"2026-05-04T10:00:{start}Z",
        "end_time": f"2026-05-04T10:00:{end}Z",
        "status": {"status_code": "OK"},
        "attributes": attributes,
        "events": [],
        "links": [],
        "resource": {"attributes": {"service.name": "rag"}, "schema_url": ""},
    }


def message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


GEN_AI = [
    sdk_span(
        "a1",
        None,
        "00.000000",
        "01.500000",
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.conversation.id": "s-7",
            "gen_ai.input.messages": json.dumps([message("user", QUESTION)]),
            "gen_ai.output.messages": json.dumps([{**message("assistant", ANSWER), "finish_reason": "stop"}]),
            "gen_ai.usage.input_tokens": 120,
            "gen_ai.usage.output_tokens": 8,
        },
    ),
    sdk_span(
        "b1",
        "a1",
        "00.100000",
        "00.300000",
        {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": QUESTION,
            "gen_ai.retrieval.documents": json.dumps(
                [{"id": name, "score": score, "content": text, "source": "bridge.md"} for name, text, score in CHUNKS]
            ),
        },
    ),
    sdk_span(
        "b2",
        "a1",
        "00.400000",
        "01.400000",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": 120,
            "gen_ai.usage.output_tokens": 8,
            "gen_ai.usage.cost": 0.002,
        },
    ),
]


def phoenix_row(span_id: str, parent: str | None, start: str, end: str, kind: str, **columns: Any) -> dict[str, Any]:
    return {
        "name": span_id,
        "span_kind": kind,
        "parent_id": parent,
        "start_time": f"2026-05-04T10:00:{start}+00:00",
        "end_time": f"2026-05-04T10:00:{end}+00:00",
        "status_code": "OK",
        "status_message": "",
        "context.span_id": span_id,
        "context.trace_id": "t1",
        **{f"attributes.{name}": value for name, value in columns.items()},
    }


PHOENIX = [
    phoenix_row(
        "a1",
        None,
        "00.000000",
        "01.500000",
        "CHAIN",
        **{"input.value": QUESTION, "output.value": ANSWER, "session.id": "s-7"},
    ),
    phoenix_row(
        "b1",
        "a1",
        "00.100000",
        "00.300000",
        "RETRIEVER",
        **{
            "input.value": QUESTION,
            "retrieval.documents": [
                {
                    "document.id": name,
                    "document.content": text,
                    "document.score": score,
                    "document.metadata": {"source": "bridge.md"},
                }
                for name, text, score in CHUNKS
            ],
        },
    ),
    phoenix_row(
        "b2",
        "a1",
        "00.400000",
        "01.400000",
        "LLM",
        **{"llm.token_count.prompt": 120.0, "llm.token_count.completion": 8.0, "llm.cost.total": 0.002},
    ),
]

LANGFUSE_OBSERVATIONS: list[dict[str, Any]] = [
    {
        "id": "o1",
        "traceId": "t1",
        "type": "RETRIEVER",
        "name": "search",
        "startTime": "2026-05-04T10:00:00.100Z",
        "endTime": "2026-05-04T10:00:00.300Z",
        "parentObservationId": None,
        "input": {"query": QUESTION},
        "output": [
            {"page_content": text, "id": name, "score": score, "metadata": {"source": "bridge.md"}}
            for name, text, score in CHUNKS
        ],
        "level": "DEFAULT",
    },
    {
        "id": "o2",
        "traceId": "t1",
        "type": "GENERATION",
        "name": "answer",
        "startTime": "2026-05-04T10:00:00.400Z",
        "endTime": "2026-05-04T10:00:01.400Z",
        "parentObservationId": None,
        "input": [{"role": "user", "content": f"Context ... {QUESTION}"}],
        "output": {"role": "assistant", "content": ANSWER},
        "usageDetails": {"input": 120, "output": 8, "total": 128},
        "costDetails": {"input": 0.0012, "output": 0.0008, "total": 0.002},
        "level": "DEFAULT",
    },
]
LANGFUSE = {
    "id": "t1",
    "timestamp": "2026-05-04T10:00:00.000Z",
    "name": "chat",
    "input": {"messages": [{"role": "user", "content": QUESTION}]},
    "output": ANSWER,
    "sessionId": "s-7",
    "latency": 1.5,
    "totalCost": 0.002,
    "observations": LANGFUSE_OBSERVATIONS,
}
