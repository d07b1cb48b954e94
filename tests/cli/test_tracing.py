"""Spans of our own runs: with ``RAGASSAY_OTEL=1`` alone, of calls and questions, and without any text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay import tracing

Cli = Callable[..., Any]
ROWS = [
    {"user_input": "When was the bridge opened?", "reference": "In May 1998.", "response": "In 1998."},
    {"user_input": "Who built it?", "reference": "Ines.", "response": "By Ines."},
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What is recorded, in memory."""
    memory = pytest.importorskip(
        "opentelemetry.sdk.trace.export.in_memory_span_exporter", reason="needs ragassay[otel]"
    )
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    exporter, provider = memory.InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "provider", lambda: provider)
    monkeypatch.setenv(tracing.VARIABLE, "1")
    return exporter


def answers(question: str) -> str:
    if "Who" in question:
        raise ValueError("secret words")
    return "In May 1998."


def test_calls_and_questions(spans: Any, rows: Path, tmp_path: Path) -> None:
    def judge(prompt: str) -> str:
        return '{"reason": "benign", "rating": 5}'

    polite = ragassay.rubric("Is it polite?", scale=5, name="polite", model=judge)
    with tracing.command("evaluate"):
        ragassay.evaluate(rows, answers, ["token_f1", polite], out=tmp_path / "run")
    made = spans.get_finished_spans()
    (whole,) = [each for each in made if each.name == "ragassay evaluate"]
    asked = {each.attributes["ragassay.example.id"]: each for each in made if each.name.startswith("invoke_agent ")}
    assert len(asked) == 2
    assert {each.parent.span_id for each in asked.values()} == {whole.context.span_id}
    assert sorted(each.attributes.get("error.type", "") for each in asked.values()) == ["", "ValueError"]
    (call,) = [each for each in made if each.name.startswith("chat ")]
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.usage.output_tokens"] > 0
    everything = " ".join(each.to_json() for each in made)
    assert not [text for text in ("bridge", "In 1998", "May 1998", "Ines", "secret", "benign") if text in everything]


def test_a_command_is_a_span_with_its_fault(spans: Any, cli: Cli, rows: Path, tmp_path: Path) -> None:
    assert cli("evaluate", rows, "--metrics", "token_f1", "--out", tmp_path / "run").code == 0
    assert cli("evaluate", tmp_path / "gone.jsonl", "--metrics", "token_f1").code == 3
    first, second = (each for each in spans.get_finished_spans() if each.name == "ragassay evaluate")
    assert (first.status.is_ok, second.status.is_ok, second.attributes["error.type"]) == (True, False, "InputError")


def test_nothing_is_recorded_unless_asked_for(spans: Any, rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(tracing.VARIABLE)
    ragassay.evaluate(rows, answers, ["token_f1"])
    assert not spans.get_finished_spans()


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, cli: Cli, rows: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.resources", None)
    monkeypatch.setenv(tracing.VARIABLE, "1")
    tracing.provider.cache_clear()
    outcome = cli("evaluate", rows, "--metrics", "token_f1")
    assert (outcome.code, outcome.err) == (
        2,
        "ragassay: RAGASSAY_OTEL=1 needs OpenTelemetry; install it with: pip install 'ragassay[otel]', or remove the "
        "variable\n",
    )
