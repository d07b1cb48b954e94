"""A run that is read again and again while it is written to."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from ragassay.corpus.store import DocumentStore
from ragassay.errors import RecordError
from ragassay.pipeline.folders import read_run
from ragassay.pipeline.folders.read_run import RunReader, read_items
from ragassay.records import Document, Prediction, RankedChunk, to_json, write_jsonl


def line(number: int, answer: str = "yes") -> str:
    return to_json(Prediction(example_id=f"q{number}", system="s", chunks=(), answer=answer)) + "\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was said of each record that was read."""
    found: list[str] = []
    real = read_run.from_json

    def noted(record_type: type[Prediction], text: bytes, *, where: str) -> Prediction:
        found.append(where)
        return real(record_type, text, where=where)

    monkeypatch.setattr(read_run, "from_json", noted)
    return found


def answers(reader: RunReader) -> list[tuple[str, str | None]]:
    return [(each.example_id, each.answer) for each in reader.items().predictions]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "predictions.part.jsonl"


def test_only_what_was_added_is_read(file: Path, parsed: list[str]) -> None:
    reader = RunReader(file.parent)
    assert answers(reader) == []
    file.write_text(line(1) + "\n" + line(2) + line(3)[:20])
    assert answers(reader) == [("q1", "yes"), ("q2", "yes")]
    parsed.clear()
    with file.open("a") as more:
        more.write(line(3)[20:] + line(1, "no"))
    assert answers(reader) == [("q1", "no"), ("q2", "yes"), ("q3", "yes")]
    assert parsed == [f"{file.name} line 4", f"{file.name} line 5"]
    parsed.clear()
    assert len(answers(reader)) == 3
    assert parsed == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (line(1, "nay") + line(2) + line(3), [("q1", "nay"), ("q2", "yes"), ("q3", "yes")]),  # longer, begins otherwise
        (line(1) + line(2, "nay"), [("q1", "yes"), ("q2", "nay")]),  # of the same length
        (line(1), [("q1", "yes")]),  # shorter
        ("", []),
        (None, []),
    ],
)
def test_a_file_that_holds_something_else_now_is_read_anew(
    file: Path, content: str | None, expected: list[tuple[str, str]]
) -> None:
    reader = RunReader(file.parent)
    file.write_text(line(1) + line(2))
    assert len(answers(reader)) == 2
    if content is None:
        file.unlink()
    else:
        file.write_text(content)
    assert answers(reader) == expected
    assert list(read_items(file.parent).predictions) == list(reader.items().predictions)


def test_a_line_that_cannot_be_read_is_said_every_time_until_it_is_mended(file: Path) -> None:
    reader = RunReader(file.parent)
    file.write_text(line(1) + "{}\n" + line(2))
    for _ in range(2):
        with pytest.raises(RecordError, match=r"predictions\.part\.jsonl line 2"):
            reader.items()
    file.write_text(line(1) + line(2))
    assert answers(reader) == [("q1", "yes"), ("q2", "yes")]


def test_what_was_given_before_does_not_grow(file: Path) -> None:
    reader = RunReader(file.parent)
    file.write_text(line(1))
    before = reader.items()
    with file.open("a") as more:
        more.write(line(2))
    assert len(reader.items().predictions) == 2
    assert len(before.predictions) == 1


def test_one_thread_at_a_time_reads_the_documents_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that were given items before go on reading chunks while newer items are read."""
    documents = [
        Document(id=f"d{number}", title="", source=f"{number}.md", text=f"text {number}") for number in range(3)
    ]
    write_jsonl(tmp_path / "documents.jsonl", documents)
    chunks = [RankedChunk(chunk_id=each.id, document_id=each.id, start=0, end=6, score=1.0) for each in documents]
    file = tmp_path / "predictions.part.jsonl"
    write_jsonl(file, [Prediction(example_id="q0", system="s", chunks=(chunks[0],))])
    reader = RunReader(tmp_path)
    older = reader.items()
    began = threading.Event()
    real = DocumentStore.__getitem__
    at_once: list[int] = []
    inside: list[int] = []

    def slow(store: DocumentStore, ordinal: int) -> Document:
        inside.append(ordinal)
        at_once.append(len(inside))
        if not began.is_set():
            began.set()
            time.sleep(0.2)  # in which another would come in, if it could
        try:
            return real(store, ordinal)
        finally:
            inside.remove(ordinal)

    read: list[str] = []
    monkeypatch.setattr(DocumentStore, "__getitem__", slow)
    thread = threading.Thread(target=lambda: read.append(older.text_of(chunks[1])))
    thread.start()
    assert began.wait(30)
    write_jsonl(file, [Prediction(example_id="q0", system="s", chunks=tuple(chunks))])
    newer = reader.items()
    thread.join(30)
    assert (read, set(at_once)) == (["text 1"], {1})
    assert newer.sources == {"d0": "0.md", "d1": "1.md", "d2": "2.md"}
