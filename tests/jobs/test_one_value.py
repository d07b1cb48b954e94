"""One name, one value: what a run or a sweep says of its rankings, scoring says of the same rankings recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.run.run import Run
from ragassay.jobs.score.score import score
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.results import PREDICTIONS_FOLDER, VALUES_FOLDER
from ragassay.jobs.sweep.sweep import sweep
from ragassay.metrics.catalogue import METRICS
from ragassay.rag.setting import NO_GENERATOR
from ragassay.rag.space import Space
from ragassay.records import Document, Score, read_jsonl, write_jsonl
from ragassay.sweep.values import SettingValues

Told = dict[tuple[str, str], tuple[float | None, str | None]]
"""(example id, metric) to value and reason."""


def told(scores: Iterable[Score]) -> Told:
    return {(each.example_id, each.metric): (each.value, each.reason) for each in scores}


def test_a_run_and_score_give_the_same_of_the_same_predictions(finished: Run) -> None:
    scores = list(read_jsonl(finished.folder / "scores.jsonl", Score))
    systems = dict.fromkeys(each.system for each in scores)
    assert len(systems) > 1
    for system in systems:
        of_run = told(each for each in scores if each.system == system)
        names = tuple(dict.fromkeys(name for _, name in of_run))
        scored = score(EvaluateOptions(metrics=names, data=finished.folder, system_name=system), keep_scores=True)
        assert {"recall@5", "ndcg@10", "precision@5", "eir@5"} <= {*names}
        assert told(scored.scores) == of_run


@pytest.mark.parametrize("graded", [False, True])
def test_a_sweep_and_score_give_the_same_of_the_same_predictions(finished: Run, tmp_path: Path, graded: bool) -> None:
    """graded: of questions for which people judged whole documents."""
    names = tuple(
        name.replace("@k", f"@{k}")
        for name, metric in METRICS.items()
        if metric.kind == "retrieval" and metric.measure
        for k in (2, 10)
    )
    folder, examples = finished.folder, list(finished.examples)
    if graded:
        folder = tmp_path / "graded"
        folder.mkdir()
        documents = list(read_jsonl(finished.folder / "documents.jsonl", Document))
        write_jsonl(folder / "documents.jsonl", documents)
        whole = [replace(each.span(0, len(each.text)), grade=1 + place % 3) for place, each in enumerate(documents)]
        examples = [
            replace(each, references=tuple(whole[(place * 5 + step) % len(whole)] for step in range(1 + place % 4)))
            for place, each in enumerate(examples)
        ]
        write_jsonl(folder / "examples.jsonl", examples)
    generator = NO_GENERATOR if graded else "embedded"  # whose predictions hold the whole ranking, or what it reads
    space = Space(
        chunker=("tokens",), chunk_size=(32,), overlap=(12,), text_weight=(0.1,), top_k=(10,), generator=(generator,)
    )
    out = tmp_path / "sweep"
    done = sweep(SweepOptions(dataset=folder, out=out, space=space, metrics=names))
    (kept,) = (out / VALUES_FOLDER).glob("*.npz")
    values = SettingValues.load(kept, done.planned.settings[0])
    assert values is not None
    data = EvaluateOptions(metrics=names, data=folder)
    (predictions,) = (out / PREDICTIONS_FOLDER).glob("*.jsonl")
    scored = told(score(replace(data, predictions=predictions), keep_scores=True).scores)
    for name in names:
        of_score = np.array([scored[example.id, name][0] for example in examples], dtype=np.float64)
        np.testing.assert_array_equal(values.metrics[name], of_score, err_msg=name)
