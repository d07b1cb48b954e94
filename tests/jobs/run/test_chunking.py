"""Runs that cut documents another way, and that index something in front of the chunks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.run.run import run
from ragassay.records import Document, Prediction, read_jsonl
from ragassay.text import sentence_spans

Options = Callable[..., RunOptions]


def test_windows_of_sentences_with_a_prefix(options: Options, tmp_path: Path, ragassay_cache: Path) -> None:
    asked = options(tmp_path / "run", chunker="sentences", chunk_sizes=(1, 3), prefix=("title", "source"))
    done = run(asked)
    documents = {document.id: document for document in read_jsonl(done.folder / "documents.jsonl", Document)}
    seen = set()
    for prediction in read_jsonl(done.folder / "predictions.jsonl", Prediction):
        size = int(prediction.system.split()[0])
        assert prediction.system.split()[1] == "sentences"
        for chunk in prediction.chunks:
            spans = sentence_spans(documents[chunk.document_id].text)
            first = [start for start, _ in spans].index(chunk.start)  # a chunk begins and ends with a sentence
            last = [end for _, end in spans].index(chunk.end)
            assert last - first + 1 <= size
            seen.add(size)
    assert seen
    report = done.report.read_text("utf-8")
    assert "sentences" in report
    settings = json.loads((done.folder / "run.json").read_text("utf-8"))["settings"]
    assert settings["chunk sizes"] == "1, 3 sentences"
    assert settings["in front of chunks"] == "title, source"
