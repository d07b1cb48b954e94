"""Small runs for the tests of the pages."""

from __future__ import annotations

import json
from pathlib import Path

from plain_examples import plain_example

from ragassay.records import Document, Prediction, RankedChunk, Score, Span, write_jsonl

TEXT = "The Argo carries 40 cars and 200 people."


def write_run(folder: Path, *, value: float = 1.0, state: str = "finished", n: int = 3) -> None:
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"state": state, "settings": {"model": "embedded"}}))
    (folder / "stages.json").write_text(json.dumps({"stages": [{"wall_s": 1.5, "cost_usd": 0.25}] * 2}))
    (folder / "report.html").write_text("<!doctype html><title>report</title>")
    write_jsonl(folder / "documents.jsonl", [Document(id="d", title="Argo", source="argo.md", text=TEXT)])
    span = Span(document_id="d", start=0, end=24, text=TEXT[:24])
    asked = {"references": (span,), "requested_label": "summary", "verified_label": "summary"}
    examples = [
        plain_example(TEXT, id=f"q{number}", question=f"How many cars, case {number}?", context=span, **asked)
        for number in range(n)
    ]
    write_jsonl(folder / "examples.jsonl", examples)
    chunk = RankedChunk(chunk_id="c", document_id="d", start=4, end=40, score=1.0)
    write_jsonl(
        folder / "predictions.jsonl",
        [Prediction(example_id=each.id, system="bm25", chunks=(chunk,), answer="40") for each in examples],
    )
    write_jsonl(
        folder / "scores.jsonl",
        [Score(example_id=each.id, system="bm25", metric="recall@5", value=value) for each in examples],
    )
