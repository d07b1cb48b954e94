"""Each format of traces gives the same example and prediction, in each kind of file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trace_samples import (
    ANSWER,
    CHUNKS,
    GEN_AI,
    LANGFUSE,
    OPENINFERENCE,
    PHOENIX,
    QUESTION,
)

from ragassay.datasets.registry import read_dataset, recognised
from ragassay.records import Example, Prediction

ALL = {
    "otel": GEN_AI,
    "openinference": [OPENINFERENCE],
    "phoenix": PHOENIX,
    "langfuse": [LANGFUSE],
}
Rows = list[dict[str, Any]]


def as_jsonl(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def as_json(path: Path, rows: Rows) -> Path:
    path.write_text(json.dumps(rows, indent=1), "utf-8")
    return path


def as_parquet(path: Path, rows: Rows) -> Path:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    names = list(dict.fromkeys(name for row in rows for name in row))
    rows = [{name: row.get(name) for name in names} for row in rows]
    try:
        table = arrow.Table.from_pylist(rows)
        parquet.write_table(table, path)
    except arrow.ArrowException:  # rows of several forms: objects are written as text, as data frames do
        texts = [{name: _text(value) for name, value in row.items()} for row in rows]
        parquet.write_table(arrow.Table.from_pylist(texts), path)
    return path


WRITERS: dict[str, Callable[[Path, Rows], Path]] = {".jsonl": as_jsonl, ".json": as_json, ".parquet": as_parquet}


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ALL)
def test_question_chunks_answer_and_what_it_took(name: str, suffix: str, tmp_path: Path) -> None:
    path = WRITERS[suffix](tmp_path / f"traces{suffix}", ALL[name])
    prediction, example = read_dataset(path, format_name=name)
    assert isinstance(prediction, Prediction)
    assert isinstance(example, Example)
    assert (example.question, example.answer, example.references) == (QUESTION, "", ())
    assert (prediction.answer, prediction.system, prediction.error) == (ANSWER, "recorded", None)
    assert [(each.chunk_id, each.text, each.score) for each in prediction.chunks] == CHUNKS
    assert {each.document_id for each in prediction.chunks} == {"bridge.md"}
    # the agent of otel repeats the tokens of its call: they count once
    assert (prediction.input_tokens, prediction.output_tokens, prediction.cost_usd) == (120, 8, 0.002)
    assert prediction.latency_s == pytest.approx(1.5)
    assert (prediction.session, prediction.example_id) == ("s-7", example.id)
    assert example.id in ("5b8efff798038103d269b633813fc60c", "0xt1", "t1")
    assert not prediction.abstained


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ALL)
def test_the_format_is_told_by_the_content(name: str, suffix: str, tmp_path: Path) -> None:
    path = WRITERS[suffix](tmp_path / f"traces{suffix}", ALL[name])
    # attributes decide what a span of OpenTelemetry says, whichever of the two names is given
    assert recognised(path).name == {"langfuse": "langfuse"}.get(name, "otel")
    assert [type(each) for each in read_dataset(path)] == [Prediction, Example]


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def _text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value
