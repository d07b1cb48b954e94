"""One span of a trace, whatever format it came in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from ragassay.datasets.replies.places import is_count, is_number
from ragassay.records import RankedChunk

SpanKind = Literal["retriever", "reranker", "llm", "tool", "other"]
"""What decides how a span is read: chains, agents and everything unknown are "other"; tools include embeddings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """parent: id of the span that it is part of; empty for a root.

    input, output: texts, or JSON values. chunks: what a retriever or re-ranker gave, best first.
    started_s, ended_s: seconds since 1970; None where not told. session: empty where not told; error: so for none.
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


def id_of(value: Any) -> str:
    """A name of a trace, span or session as text; empty where there is none."""
    return str(value) if isinstance(value, str) or is_count(value) else ""


def failure_in(message: Any) -> str:
    """What a failed span says of it, or that it says nothing."""
    return message if isinstance(message, str) and message else "the system failed, and its trace does not say why"


def seconds_of(value: Any) -> float | None:
    """Seconds since 1970 of a time as ISO 8601 has it, UTC if it names no zone, or of a number; None for others.

    A number counts nanoseconds, or what pandas writes to JSON, milliseconds or microseconds: its size tells, as all
    of these are times after 1973.
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
    """A number of tokens; Parquet and JSON may have it as a whole float, or as text."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= 15:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if is_count(value) else None


def dollars_of(value: Any) -> float | None:
    """A cost; None for what is no number, or negative."""
    try:
        value = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return float(value) if is_number(value) and value >= 0 else None
