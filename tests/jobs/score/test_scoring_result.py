"""``ragassay.evaluate``: data as people have them at hand in, means and every single score out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.api.given import records_of
from ragassay.errors import InputError, RecordError, UsageError
from ragassay.records import Example, Prediction

ROWS = [
    {
        "user_input": "When was the bridge opened?",
        "response": "In 1998.",
        "retrieved_contexts": ["The bridge was opened in 1998."],
        "reference": "In May 1998.",
        "reference_contexts": ["The bridge was opened in 1998."],
    },
    {
        "user_input": "How long is it?",
        "response": "",
        "retrieved_contexts": ["It is 412 m long.", "A ferry ran before it."],
        "reference": "412 m",
    },
]
METRICS = ["token_f1", "faithfulness", "recall@1"]


class Table:
    """A data set as Hugging Face and RAGAS have them."""

    def to_list(self) -> list[dict[str, Any]]:
        return [dict(row) for row in ROWS]


class Array:
    """A list as pandas gives it back from a Parquet file."""

    def __init__(self, values: list[str]) -> None:
        self._values = values

    def tolist(self) -> list[str]:
        return self._values


class Frame:
    """A data frame, as far as it matters here."""

    columns = ("user_input",)

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        rows: list[dict[str, Any]] = [dict(row) for row in ROWS]
        rows[0]["retrieved_contexts"] = Array(rows[0]["retrieved_contexts"])
        rows[1]["reference_contexts"] = float("nan")
        return rows


def columns() -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in ROWS for name in row)
    return {name: [row.get(name) for row in ROWS] for name in names}


@pytest.mark.parametrize("dataset", [ROWS, tuple(ROWS), iter(ROWS), Table(), Frame(), columns()])
def test_rows_in_any_wrapping_are_the_same_records(dataset: object) -> None:
    assert records_of(dataset) == records_of(list(ROWS))


def test_means_coverage_and_every_sample() -> None:
    result = ragassay.evaluate(ROWS, metrics=METRICS)
    # token F1 of "In 1998" and "In May 1998": 2 x 2 / (2 + 3); the second answer is empty, which is an abstention: 0
    assert result["token_f1"] == pytest.approx(4 / 5 / 2)
    assert (result.metrics["token_f1"].n, result.metrics["token_f1"].total) == (2, 2)
    assert result["recall@1"] == 1
    assert result.summary.reasons["faithfulness"] == {"the system abstained": 1}
    assert (result.labels, result.types, result.folder) == ({}, {}, None)
    first, second = result.samples
    assert first.prediction is not None
    assert (first.example.question, first.prediction.answer) == (ROWS[0]["user_input"], "In 1998.")
    assert first.scores["faithfulness"].evidence[-1].startswith("by built-in rules (statement_verdicts")
    assert second.scores["faithfulness"].reason == "the system abstained"
    assert repr(result).startswith("Evaluation(token_f1=0.4000 (2 of 2), faithfulness=")
    assert "token_f1" in str(result)
    with pytest.raises(KeyError):
        result["rouge_1"]


def test_one_row_is_a_set() -> None:
    assert ragassay.evaluate(ROWS[0], metrics=["token_f1"])["token_f1"] == pytest.approx(4 / 5)


def test_records_and_paths(tmp_path: Path) -> None:
    records = records_of(ROWS)
    assert {type(record) for record in records} >= {Example, Prediction}
    of_records = ragassay.evaluate(records, metrics=METRICS, out=tmp_path / "run")
    assert of_records.folder == tmp_path / "run"
    of_path = ragassay.evaluate(str(tmp_path / "run"), metrics=METRICS)
    assert of_path.metrics == of_records.metrics
    assert [each.scores["token_f1"] for each in of_path.samples] == [
        each.scores["token_f1"] for each in of_records.samples
    ]
    assert (
        ragassay.evaluate(records, metrics=METRICS, out=tmp_path / "run").metrics == of_records.metrics
    )  # the same run again


@pytest.mark.parametrize(
    ("dataset", "error", "words"),
    [
        ({"user_input": None}, RecordError, "row 1: the field 'user_input' is missing"),
        (42, UsageError, "dataset: must be a path, records of Ragassay, or rows as mappings, not int"),
        ([42], UsageError, "dataset: an entry has the type"),
        ([None], UsageError, "dataset: an entry has the type"),
        ([{"answer": "x"}], RecordError, "row 1: the field 'user_input' is missing"),
        (
            [*ROWS, {"user_input": "?", "retrieved_contexts": "text"}],
            RecordError,
            "row 3: the field 'retrieved_contexts'",
        ),
        ({"user_input": ["a", "b"], "response": ["c"]}, UsageError, "its columns have different lengths"),
        ([], InputError, "holds no examples"),
        ([{"user_input": "When?"}], InputError, "token_f1 needs reference answer, which no example has"),
        ("/nowhere/at/all.jsonl", InputError, "does not exist"),
    ],
)
def test_what_cannot_be_scored(dataset: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ragassay.evaluate(dataset, metrics=["token_f1"])


def test_a_frame_has_a_row_for_each_example() -> None:
    pandas = pytest.importorskip("pandas")
    frame = ragassay.evaluate(ROWS, metrics=METRICS).to_pandas()
    texts = ["example_id", "user_input", "reference", "response", "retrieved_contexts", "label", "question_type"]
    assert list(frame.columns) == [*texts, *METRICS]
    assert len(frame) == len(ROWS)
    assert frame["token_f1"][0] == pytest.approx(4 / 5)
    assert frame["token_f1"][1] == 0
    assert pandas.isna(frame["faithfulness"][1])
    assert frame["response"][1] == ""
    assert frame["retrieved_contexts"][1] == ROWS[1]["retrieved_contexts"]
    assert {str(frame[name].dtype) for name in texts} == {"object"}
    assert {str(frame[name].dtype) for name in METRICS} == {"float64"}


def test_a_notebook_shows_what_the_terminal_prints_as_text() -> None:
    row = {**ROWS[0], "user_input": "<script>alert(1)</script>&\x1b[31m"}

    @ragassay.metric
    def short(answer: str) -> float | None:
        raise ValueError("</pre><script>alert(2)</script>[bold]\x1b[31m\u202e")

    page = ragassay.evaluate([row], metrics=["token_f1", short])._repr_html_()
    assert not set("\x1b\u202e") & set(page)
    assert "<script" not in page
    assert "&lt;script&gt;alert(2)" in page
    assert "token_f1" in page


def test_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "scoring.md", "exec"), {})
    assert capsys.readouterr().out.startswith("1.0 1\n('supported: It was opened in 1998.")


def test_records_that_no_file_can_hold_are_named() -> None:
    example, prediction = (
        next(each for each in records_of(ROWS) if isinstance(each, kind)) for kind in (Example, Prediction)
    )
    assert isinstance(prediction, Prediction)
    broken = replace(prediction, answer="half a pair: \ud800")
    with pytest.raises(RecordError, match=f"Prediction {broken.example_id}: a text contains half a surrogate pair"):
        ragassay.evaluate([example, broken], metrics=["token_f1"])
