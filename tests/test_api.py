"""From Python: the functions beside the commands give back what the commands print, and raise what they complain of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, RagassayError, RunFolderError, UsageError
from ragassay.jobs.folders.run_folder import SWEEP_FILE

ROWS: list[dict[str, Any]] = [
    {
        "user_input": "How long is the lamp burning?",
        "response": "nine hours",
        "reference": "It burns for nine hours.",
        "reference_contexts": ["The lamp of the harbour burns for nine hours."],
        "retrieved_contexts": ["The lamp of the harbour burns for nine hours."],
    },
    {
        "user_input": "Where does the ferry land?",
        "response": "In the south.",
        "reference": "It lands in the north.",
        "reference_contexts": ["The ferry lands in the north of the island."],
        "retrieved_contexts": ["The crew of the ferry has six members."],
    },
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


@pytest.fixture
def data(rows: Path, tmp_path: Path) -> Path:
    """The rows as a folder of ours."""
    return ragassay.convert_dataset(rows, tmp_path / "set").out


def test_a_set_in_another_format(rows: Path, tmp_path: Path) -> None:
    done = ragassay.convert_dataset(rows, tmp_path / "beir", to_format="beir")
    assert (done.out, done.format) == (tmp_path / "beir", "beir")
    assert done.records == {"example": 2, "document": 2, "prediction": 2}
    assert done.notes["not held: answers"] == 2
    with pytest.raises(RunFolderError, match="already exists and is not empty; name a new folder"):
        ragassay.convert_dataset(rows, tmp_path / "beir", to_format="beir")
    with pytest.raises(UsageError, match="no predictions of 'nobody'"):
        ragassay.convert_dataset(rows, tmp_path / "set.csv", system="nobody")
    assert not (tmp_path / "set.csv").exists()


def test_what_is_wrong_with_a_set(data: Path) -> None:
    whole = ragassay.check_dataset(data)
    assert (whole.format, whole.card.examples, whole.findings.errors) == ("jsonl", 2, 0)
    lines = (data / "examples.jsonl").read_text("utf-8").splitlines()
    (data / "examples.jsonl").write_text(f"{lines[0]}\n{lines[0]}\n{{oops\n", "utf-8")
    broken = ragassay.check_dataset(str(data))
    assert {"unreadable", "id"} <= {each.kind for each in broken.findings.kept}
    assert broken.findings.errors >= 2
    with pytest.raises(InputError, match="does not exist"):
        ragassay.check_dataset(data / "nowhere")


def test_every_setting_of_a_grid(data: Path, tmp_path: Path) -> None:
    grid = {"chunk_size": (64, 128), "text_weight": 1}
    done = ragassay.sweep_dataset(data, grid, tmp_path / "sweep", metrics="recall@1")
    assert [each.chunk_size for each in done.planned.settings] == [64, 128]
    assert done.deciding == "recall@1"
    assert "answerable" in {each.label for each in done.outcome.best}
    assert done._repr_html_().startswith("<p")
    assert "recall@1" in str(done)
    assert ragassay.sweep_dataset(data, grid, tmp_path / "sweep", metrics=["recall@1"], search="grid").reused == 2
    assert ragassay.write_report(tmp_path / "sweep") == tmp_path / "sweep" / "report.html"
    for wrong, said in (
        ({"chunk": 3}, "grid: unknown parameter 'chunk'"),
        ({"top_k": "five"}, "top_k: must be a whole number, not 'five'"),
        ([{"top_k": 3}], "sweep_dataset: grid must map names to values, not list"),
        ("top_k", "grid must map names to values, not str"),
        ({3: 5}, "grid must map names to values"),
    ):
        with pytest.raises(UsageError, match=said):
            ragassay.sweep_dataset(data, wrong, tmp_path / "other")  # type: ignore[arg-type]
    for search, said in ((7, "search: "), ("all", "search: unknown value 'all'")):
        with pytest.raises(UsageError, match=said):
            ragassay.sweep_dataset(data, grid, tmp_path / "other", search=search)  # type: ignore[arg-type]
    assert not (tmp_path / "other").exists()


def test_the_page_has_a_row_for_every_function() -> None:
    page = (Path(__file__).parents[1] / "docs" / "python.md").read_text("utf-8")
    cells = [line.partition(" | ")[0] for line in page.splitlines() if line.startswith("`")]
    assert {name for cell in cells for name in re.findall("`([a-z_]+)`", cell)} == set(ragassay.__all__[1:])


def test_the_page_of_exit_codes_has_all_classes() -> None:
    page = (Path(__file__).parents[1] / "docs" / "exit-codes.md").read_text("utf-8")
    told = {name: int(code) for code, name in re.findall(r"^(\d) \| `(\w+)` \|", page, re.MULTILINE)}
    direct = {
        each.__name__: each.exit_code for each in RagassayError.__subclasses__() if each.__module__ == "ragassay.errors"
    }
    assert told == direct


def test_two_sets_side_by_side(tmp_path: Path) -> None:
    sets = [tmp_path / "all.jsonl", tmp_path / "one.jsonl"]
    for path, rows in zip(sets, (ROWS, ROWS[:1]), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = ragassay.compare_sets(*sets, out=tmp_path / "sets.html")
    assert [(each.name, each.examples) for each in found] == [("all.jsonl", len(ROWS)), ("one.jsonl", 1)]
    assert "2 sets side by side" in (tmp_path / "sets.html").read_text("utf-8")
    with pytest.raises(UsageError, match="sets: name at least two"):
        ragassay.compare_sets(sets[0])
    (tmp_path / "sweep").mkdir()
    (tmp_path / "sweep" / SWEEP_FILE).write_text("{}", "utf-8")
    with pytest.raises(InputError, match="holds a sweep, not a set; name its data set instead"):
        ragassay.compare_sets(sets[0], tmp_path / "sweep")


def test_two_runs_side_by_side(tmp_path: Path) -> None:
    better = [{**row, "response": row["reference"]} for row in ROWS]
    for name, rows in (("a", ROWS), ("b", better)):
        ragassay.evaluate(rows, metrics=["token_f1"], out=tmp_path / name)
    found = ragassay.compare_runs(tmp_path / "a", tmp_path / "b", metrics="token_f1")
    assert f"B: {tmp_path / 'b'}" in str(found).replace("\n", "")
    assert found._repr_html_().startswith("<p")
    assert found.examples == 2
    assert found.metrics["token_f1"].b == 1 > found.metrics["token_f1"].a
    page = ragassay.write_report(tmp_path / "b", tmp_path / "page.html", against=tmp_path / "a")
    assert page == tmp_path / "page.html"
    assert ragassay.write_report(tmp_path / "b", page) == page
    page.write_text("<title>mine</title>", "utf-8")
    with pytest.raises(
        RunFolderError, match="already exists and is not a page of Ragassay; name another file, or remove this one"
    ):
        ragassay.write_report(tmp_path / "b", page)
    assert page.read_text("utf-8") == "<title>mine</title>"
    with pytest.raises(InputError, match="nowhere is not a folder"):
        ragassay.compare_runs(tmp_path / "a", tmp_path / "nowhere")


def test_conditions_on_metadata_that_no_document_has(data: Path, tmp_path: Path) -> None:
    documents = [{"id": "a", "title": "Mill", "text": "The mill was built in 1901 by the weavers of Alder."}]
    with pytest.raises(InputError, match=r"^where: no document has the field 'year'"):
        ragassay.run(documents, tmp_path / "run", where=["year>=2000"], n=1)
    with pytest.raises(InputError, match=r"^where: no document has the field 'year'"):
        ragassay.label(data, tmp_path / "kept.jsonl", where=["year>=2000"])
    with pytest.raises(UsageError, match="the embedded model knows nothing"):
        ragassay.label(data, tmp_path / "known.jsonl", what="knowledge")
