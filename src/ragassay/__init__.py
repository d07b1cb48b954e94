"""Ragassay: evaluation sets from documents, scores for RAG systems, and how far to believe them."""

from ragassay.api.evaluations import evaluate, experiment, sweep_dataset
from ragassay.api.metrics import metric, rubric
from ragassay.api.results import (
    agree,
    check_judge,
    compare_runs,
    compare_sets,
    gate,
    read_annotations,
    repeat_judge,
    write_report,
)
from ragassay.api.sets import check_dataset, convert_dataset, label, questions, refresh, run, synthesize
from ragassay.scale import engine
from ragassay.version import __version__

__all__ = [
    "__version__",
    "agree",
    "check_dataset",
    "check_judge",
    "compare_runs",
    "compare_sets",
    "convert_dataset",
    "engine",
    "evaluate",
    "experiment",
    "gate",
    "label",
    "metric",
    "questions",
    "read_annotations",
    "refresh",
    "repeat_judge",
    "rubric",
    "run",
    "sweep_dataset",
    "synthesize",
    "write_report",
]
_GONE = {
    "predict": 'evaluate(data, system, "none", out=...)',
    "score": "evaluate(data, metrics=...)",
    "export_run": 'convert_dataset(run, out, to="scores")',
    "label_dataset": "label(data, out)",
    "critique_dataset": 'label(data, out, what="critiques")',
    "knowledge": 'label(data, out, what="knowledge", model=...)',
    "filter_dataset": "label(data, out, min=..., max=..., labels=..., where=...)",
}


def __getattr__(name: str) -> object:
    if name in _GONE:
        raise AttributeError(f"ragassay.{name} is gone; use ragassay.{_GONE[name]}")
    raise AttributeError(f"module 'ragassay' has no attribute {name!r}")
