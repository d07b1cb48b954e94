"""Files of traces that are not what they should be: one sentence that names the place and says what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trace_samples import GEN_AI, LANGFUSE, LANGFUSE_OBSERVATIONS, PHOENIX

from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError


def jsonl(*rows: Any) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def changed(row: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {**row, **values}


NUMBERS = changed(LANGFUSE, observations=[changed(LANGFUSE_OBSERVATIONS[0], output=[{"pages": 3}])])


@pytest.mark.parametrize(
    ("name", "text", "format_name", "said"),
    [
        ("a.jsonl", jsonl(GEN_AI[0])[:-40], "otel", "a.jsonl line 1: not valid JSON (Unterminated string"),
        ("a.json", json.dumps(PHOENIX, indent=1)[:-90], None, "not valid JSON ("),
        ("a.json", "3", "otel", "a.json: it is neither a list of objects nor an object"),
        ("a.json", "[3]", "langfuse", "a.json item 1: it is not a JSON object"),
        ("a.jsonl", "", "otel", "a.jsonl holds no spans; name its format with --from"),
        (
            "a.jsonl",
            jsonl({"name": "x", "start_time": 1}),
            "otel",
            "line 1: no span: trace_id or span_id is missing; it",
        ),
        ("a.jsonl", jsonl({"resourceSpans": 3}), None, "a.jsonl line 1: resource_spans must be a list of objects"),
        (
            "a.jsonl",
            jsonl({"id": "x", "pages": 3}),
            "langfuse",
            "line 1: neither a trace nor an observation of Langfuse",
        ),
        ("a.jsonl", jsonl(NUMBERS), None, "a.jsonl line 1 observation 1: the chunk at rank 1 has no text; it has"),
        (
            "a.jsonl",
            jsonl(GEN_AI[2]),
            None,
            "no trace that makes an example (1 no span holds a question); the first root",
        ),
    ],
)
def test_the_place_is_named(tmp_path: Path, name: str, text: str, format_name: str | None, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        list(read_dataset(path, format_name=format_name))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_spans_of_several_traces_may_be_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    second = [changed(row, **{"context.trace_id": "t2"}) for row in PHOENIX]
    path.write_text(jsonl(*(row for pair in zip(PHOENIX, reversed(second), strict=True) for row in pair)))
    first, _, again, _ = read_dataset(path)
    assert {first.example_id, again.example_id} == {"t1", "t2"}  # type: ignore[union-attr]
    assert first.chunks == again.chunks  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["otel", "langfuse"])
def test_documents_beside_traces_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    with pytest.raises(UsageError, match="--documents: traces bring the texts"):
        list(read_dataset(path, format_name=name, documents=path))
