"""A run that is read while it is written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.errors import RecordError
from ragassay.jobs.folders.read_run import read_items
from ragassay.records import Document, Prediction, RankedChunk, to_json, write_jsonl


def line(number: int, answer: str = "yes") -> str:
    return to_json(Prediction(example_id=f"q{number}", system="s", chunks=(), answer=answer)) + "\n"


def test_whole_lines_are_read_and_of_an_example_the_latest(tmp_path: Path) -> None:
    assert read_items(tmp_path).predictions == []
    file = tmp_path / "predictions.part.jsonl"
    file.write_text(line(1) + "\n" + line(2) + line(1, "no") + line(3)[:20])
    found = [(each.example_id, each.answer) for each in read_items(tmp_path).predictions]
    assert found == [("q1", "no"), ("q2", "yes")]


def test_a_line_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "predictions.jsonl").write_text(line(1) + "{}\n" + line(2))
    with pytest.raises(RecordError, match=r"predictions\.jsonl line 2"):
        read_items(tmp_path)


def test_chunks_without_a_text_get_that_of_the_documents(tmp_path: Path) -> None:
    documents = [Document(id=f"d{number}", title="", source=f"{number}.md", text=f"text {number}") for number in (0, 1)]
    write_jsonl(tmp_path / "documents.jsonl", documents)
    chunks = tuple(RankedChunk(chunk_id=each.id, document_id=each.id, start=0, end=6, score=1.0) for each in documents)
    write_jsonl(tmp_path / "predictions.jsonl", [Prediction(example_id="q0", system="s", chunks=chunks)])
    found = read_items(tmp_path)
    assert [found.text_of(each) for each in chunks] == ["text 0", "text 1"]
    assert found.sources == {"d0": "0.md", "d1": "1.md"}
