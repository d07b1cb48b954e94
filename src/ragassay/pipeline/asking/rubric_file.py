"""The rubrics of a settings file: ``[metrics.polite]`` with a question, a scale, a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragassay.errors import UsageError
from ragassay.metrics.catalogue import register
from ragassay.metrics.judged.rubric import rubric_metric
from ragassay.metrics.metric import Metric
from ragassay.settings import read_settings

PROJECT_FILE = "ragassay.toml"
_PARTS = ("question", "scale", "needs", "model")


def rubrics_in(path: Path) -> list[Metric]:
    """The metrics of the file; none where there is no file, or no table ``metrics`` in it.

    Raises UsageError or InputError, which name the file and the entry, for what cannot be meant.
    """
    if not path.is_file():
        return []
    tables = read_settings(path).get("metrics", {})
    if not isinstance(tables, dict):
        raise UsageError(f"{path}: metrics must be tables, as in [metrics.polite]")
    return [_rubric(f"{path}: metrics.{name}", name, table) for name, table in tables.items()]


def register_rubrics(path: Path) -> None:
    """Makes the metrics of the file known in this process. Raises what ``rubrics_in`` raises, and for names taken."""
    for metric in rubrics_in(path):
        register(metric)


def _rubric(where: str, name: str, table: Any) -> Metric:
    if not isinstance(table, dict) or "question" not in table:
        raise UsageError(f'{where}: question is missing; write it as in question = "Is the tone polite?"')
    strange = next((part for part in table if part not in _PARTS), None)
    if strange is not None:
        raise UsageError(f"{where}: unknown part {strange[:60]!r}; choose one of {', '.join(_PARTS)}")
    model, needs = table.get("model"), table.get("needs", [])
    if model is not None and not isinstance(model, str):
        raise UsageError(f"{where}: model must be a name, such as 'openai:gpt-4o-mini', not {model!r}")
    if not isinstance(needs, str | list):
        raise UsageError(f"{where}: needs must be a list of fields, such as ['contexts'], not {needs!r}")
    return rubric_metric(
        table["question"], scale=table.get("scale", 5), name=name, needs=needs, model=model, origin=where
    )
