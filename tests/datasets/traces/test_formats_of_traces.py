"""Each format of traces gives the same example and prediction, in each kind of file."""

from __future__ import annotations

import csv
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
    LANGFUSE_OBSERVATIONS,
    MLFLOW,
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
    "mlflow": [MLFLOW],
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
    assert example.id in ("5b8efff798038103d269b633813fc60c", "0xt1", "t1", "tr-1")
    assert not prediction.abstained


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ALL)
def test_the_format_is_told_by_the_content(name: str, suffix: str, tmp_path: Path) -> None:
    path = WRITERS[suffix](tmp_path / f"traces{suffix}", ALL[name])
    # attributes decide what a span of OpenTelemetry says, whichever of the two names is given
    assert recognised(path).name == {"openinference": "otel"}.get(name, name)
    assert [type(each) for each in read_dataset(path)] == [Prediction, Example]


def test_langfuse_observations_alone_with_names_with_underscores(tmp_path: Path) -> None:
    root = {"id": "o0", "traceId": "t1", "type": "SPAN", "input": QUESTION, "output": ANSWER, "sessionId": "s-7"}
    times = {"startTime": "2026-05-04 10:00:00.000000", "endTime": "2026-05-04 10:00:01.500000"}
    rows = [root | times, *({**each, "parentObservationId": "o0"} for each in LANGFUSE_OBSERVATIONS)]
    renamed = [{_snake(name): _text(value) for name, value in row.items()} for row in rows]
    table = tmp_path / "observations.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, sorted({name for row in renamed for name in row}))
        writer.writeheader()
        writer.writerows(renamed)
    for path in (as_jsonl(tmp_path / "o.jsonl", renamed), table):
        prediction, example = read_dataset(path)
        assert isinstance(example, Example)
        assert isinstance(prediction, Prediction)
        assert (example.question, prediction.answer) == (QUESTION, ANSWER)
        assert [each.text for each in prediction.chunks] == [text for _, text, _ in CHUNKS]
        assert (prediction.input_tokens, prediction.cost_usd, prediction.latency_s) == (120, 0.002, 1.5)


@pytest.mark.parametrize("latency", [1.234, 0.1, 2.000001])
def test_a_latency_of_langfuse_comes_back_as_it_is(latency: float, tmp_path: Path) -> None:
    # the root ends at timestamp + latency; near 1.8e9 s a float has steps of 2e-7 s, which are no part of the time
    trace = {key: value for key, value in LANGFUSE.items() if key != "observations"} | {
        "latency": latency,
        "observations": [],
    }
    prediction, _ = read_dataset(as_jsonl(tmp_path / "t.jsonl", [trace]), format_name="langfuse")
    assert isinstance(prediction, Prediction)
    assert prediction.latency_s == latency


@pytest.mark.parametrize(
    ("name", "failed"),
    [
        ("langfuse", {**LANGFUSE_OBSERVATIONS[0], "output": None, "level": "ERROR"}),
        ("phoenix", {**PHOENIX[0], "attributes.output.value": None, "status_code": "ERROR"}),
        (
            "mlflow",
            {
                **MLFLOW,
                "data": {
                    "spans": [
                        {
                            **MLFLOW["data"]["spans"][0],
                            "attributes": {"mlflow.spanInputs": json.dumps(QUESTION)},
                            "status": {"code": "STATUS_CODE_ERROR", "message": ""},
                        }
                    ]
                },
            },
        ),
    ],
)
def test_a_failure_without_a_message_is_said_in_the_same_words(
    name: str, failed: dict[str, Any], tmp_path: Path
) -> None:
    prediction, _ = read_dataset(as_jsonl(tmp_path / "t.jsonl", [failed]), format_name=name)
    assert isinstance(prediction, Prediction)
    assert prediction.error == "the system failed, and its trace does not say why"


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def _text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def test_rows_of_search_traces_of_mlflow(tmp_path: Path) -> None:
    rows = [
        {"trace": json.dumps(MLFLOW), "state": "OK"},
        {"trace_id": "tr-2", "trace_metadata": MLFLOW["info"]["trace_metadata"], "spans": MLFLOW["data"]["spans"]},
    ]
    records = list(read_dataset(as_jsonl(tmp_path / "rows.jsonl", rows), format_name="mlflow"))
    assert [each.id for each in records if isinstance(each, Example)] == ["tr-1", "tr-2"]
    assert [each.answer for each in records if isinstance(each, Prediction)] == [ANSWER, ANSWER]
