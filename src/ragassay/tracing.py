"""OpenTelemetry spans of what a command does: only with ``RAGASSAY_OTEL=1`` and the extra ``otel``.

They go over OTLP, or to the tracer provider of the program that calls us. No span holds any text of a set. Names and
attributes: https://github.com/open-telemetry/semantic-conventions-genai (in development).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ragassay.version import __version__

if TYPE_CHECKING:
    from ragassay.records import Prediction

VARIABLE = "RAGASSAY_OTEL"
_OPERATIONS = {"/chat/completions": "chat", "/embeddings": "embeddings"}
Finish = Callable[[Mapping[str, Any], str | None], None]
"""Told the attributes of what came of it, and where it failed a few words, else None."""


def is_on() -> bool:
    """Return whether spans are asked for."""
    return os.environ.get(VARIABLE, "") == "1"


@contextmanager
def command(name: str) -> Iterator[None]:
    """Open the span around all others of a command."""
    with _span(f"ragassay {name}", "INTERNAL", {}):
        yield


@contextmanager
def model_call(base_url: str, model: str, path: str) -> Iterator[Finish]:
    """Trace one request to a model, with all its tries."""
    if not is_on():
        yield lambda found, error: None
        return
    operation, address = _OPERATIONS.get(path, path), urlsplit(base_url)
    host = address.hostname
    found = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "openai" if host == "api.openai.com" else host or address.scheme,
        "gen_ai.request.model": model,
        "server.address": host,
        "server.port": address.port,
    }
    with _span(f"{operation} {model}", "CLIENT", found) as finish:
        yield finish


@contextmanager
def questions(system: str, ids: Sequence[str]) -> Iterator[Callable[[Prediction], None]]:
    """Trace questions that a system is asked together, a span each. Gives what has to be told each prediction."""
    if not is_on():
        yield lambda prediction: None
        return
    from opentelemetry import trace

    known = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": system}
    spans = {
        name: _tracer().start_span(f"invoke_agent {system}", attributes={**known, "ragassay.example.id": name})
        for name in ids
    }

    def told(prediction: Prediction) -> None:
        span = spans.pop(prediction.example_id, None)
        if span is not None:
            found = {
                "gen_ai.usage.input_tokens": prediction.input_tokens,
                "gen_ai.usage.output_tokens": prediction.output_tokens,
                "gen_ai.conversation.id": prediction.session,
                "ragassay.abstained": prediction.abstained,
                "ragassay.retrieved_chunks": len(prediction.chunks),
            }
            _finish(span, found, prediction.error.partition(": ")[0] if prediction.error else None)
            span.end()

    try:
        if len(spans) == 1:  # what it calls meanwhile belongs to it
            with trace.use_span(next(iter(spans.values())), record_exception=False, set_status_on_exception=False):
                yield told
        else:
            yield told
    finally:
        for span in spans.values():
            _finish(span, {}, "no answer")
            span.end()
        spans.clear()


@contextmanager
def _span(name: str, kind: Literal["CLIENT", "INTERNAL"], attributes: dict[str, Any]) -> Iterator[Finish]:
    if not is_on():
        yield lambda found, error: None
        return
    from opentelemetry import trace

    with _tracer().start_as_current_span(
        name, kind=trace.SpanKind[kind], record_exception=False, set_status_on_exception=False
    ) as span:
        _finish(span, attributes)
        try:
            yield lambda found, error: _finish(span, found, error)
        except BaseException as raised:
            if getattr(raised, "exit_code", 1):  # a command that ends in order leaves by an exception, too
                _finish(span, {}, type(raised).__name__)
            raise


def _finish(span: Any, found: Mapping[str, Any], error: str | None = None) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attributes({name: value for name, value in found.items() if value is not None})
    if error is not None:
        span.set_attribute("error.type", error)
        span.set_status(StatusCode.ERROR)


def _tracer() -> Any:
    return provider().get_tracer("ragassay", __version__)


@cache
def provider() -> Any:
    """Return the tracer provider of the program at work, else one over OTLP. Raises UsageError without its packages."""
    from ragassay.errors import UsageError

    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise UsageError(
            f"{VARIABLE}=1 needs OpenTelemetry; install it with: pip install 'ragassay[otel]', or remove the variable"
        ) from None
    current = trace.get_tracer_provider()
    if isinstance(current, TracerProvider):
        return current
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    made = TracerProvider(resource=Resource.create({} if named else {"service.name": "ragassay"}))
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made
