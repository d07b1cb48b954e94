"""Scores, figures and pages in a folder of predictions are of these predictions, or they are gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from by_hand import example_of
from rag_servers import Troubles, troubled

from ragassay.errors import RunFolderError
from ragassay.jobs.answer.folder import predict_folder
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.answer.predict import predict
from ragassay.jobs.folders.run_folder import PART_FILE
from ragassay.jobs.score.evaluate import evaluate
from ragassay.records import Example, Prediction, Span, read_jsonl, write_jsonl
from ragassay.systems.spec import parse_spec

ABOUT = {"scores.jsonl", "metrics.json", "stages.json", "report.html"}
N = 6


def examples(n: int) -> list[Example]:
    context = Span(document_id="", start=0, end=6, text="Gannet")
    return [example_of(f"q{number}", answer="Gannet Bridge", context=context) for number in range(n)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "examples.jsonl"
    write_jsonl(path, examples(N))
    return path


def options(url: str, data: Path, **more: Any) -> EvaluateOptions:
    system = parse_spec(url, ("timeout=300", "retries=0"))
    return EvaluateOptions(data=data, system=system, out=data.with_name("run"), **more)


def scored(url: str, data: Path, **more: Any) -> Path:
    """A folder of predictions that was scored."""
    out = data.with_name("run")
    done = evaluate(options(url, data, metrics=("token_f1",), **more))
    assert done.summary.metrics["token_f1"].n > 0
    assert about(out) == ABOUT
    return out


def about(folder: Path) -> set[str]:
    return ABOUT & {path.name for path in folder.iterdir()}


def test_what_was_said_of_the_same_predictions_stays(data: Path) -> None:
    with troubled() as server:
        out = scored(server.url, data)
        before = {path: path.read_bytes() for path in out.iterdir() if path.name != "run.json"}
        assert predict(options(server.url, data)).asked == 0
    assert {path: path.read_bytes() for path in out.iterdir() if path.name != "run.json"} == before


def test_what_was_said_of_failures_goes_when_they_are_asked_again(data: Path) -> None:
    with troubled(Troubles(malformed=0.5)) as server:
        out = scored(server.url, data)
        failed = [each for each in read_jsonl(out / "predictions.jsonl", Prediction) if each.error is not None]
        assert 0 < len(failed) < N
        assert predict(options(server.url, data, retry_failed=True)).asked == len(failed)
    assert about(out) == set()


def test_a_process_that_was_killed_while_it_read_is_no_obstacle(data: Path) -> None:
    out = data.with_name("run")
    out.mkdir()
    for name in (".lock", "progress.json", "documents.jsonl.new", "calls.sqlite-wal"):
        (out / name).touch()
    with troubled() as server:
        assert predict(options(server.url, data)).asked == N
    assert "progress.json" not in {path.name for path in out.iterdir()}


def test_it_goes_before_the_first_new_prediction_is_written(tmp_path: Path) -> None:
    identity = {"system": "bm25"}
    with predict_folder(tmp_path / "run", identity, {}) as held:
        held.begin()
        held.take(Prediction(example_id="q0", system="bm25", chunks=(), answer="1998"))
        held.finish(examples(1))
    for name in ABOUT:
        (tmp_path / "run" / name).touch()
    with predict_folder(tmp_path / "run", identity, {}) as held:
        (tmp_path / "run" / PART_FILE).mkdir()  # so that nothing can be written
        with pytest.raises(RunFolderError, match="cannot be written"):
            held.take(Prediction(example_id="q1", system="bm25", chunks=(), answer="1999"))
    assert about(tmp_path / "run") == set()
