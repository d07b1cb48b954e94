"""The metrics that a user asks for: names, functions at hand, ``module:function`` and files of functions.

So are the rubrics of a settings file: ``[metrics.polite]`` with a question, a scale, a model.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from ragassay.errors import UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.metrics.catalogue import METRICS, known_metric, register
from ragassay.metrics.judged.ratings import rubric_metric
from ragassay.metrics.metric import BUILT_IN, Metric
from ragassay.metrics.own import metrics_in, own_metric
from ragassay.models.user_code import said_of
from ragassay.settings import read_settings
from ragassay.systems.function import imported_object, name_of

PROJECT_FILE = "ragassay.toml"
_PARTS = ("question", "scale", "needs", "model")
_OPTION = "metrics"


def asked_metrics(metrics: object) -> tuple[str, ...]:
    """The names of what is asked for, one or several; metrics of the user's own are known by them from then on.

    So are the rubrics of ``ragassay.toml`` in the current folder.
    Raises UsageError for what is no metric, cannot be imported, or has the name of another one that is asked for too.
    """
    register_rubrics(Path(PROJECT_FILE))
    given: list[Any] = [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else list(metrics)
    own: dict[str, Metric] = {}
    names: list[str] = []
    for each in given:
        if isinstance(each, Metric) and each in (METRICS.get(each.name), known_metric(each.name)):
            names.append(each.name)  # one that has its name already
            continue
        found = _own(each)
        if found is None and each.strip():
            names.append(each.strip())
        for metric in found or ():
            if _identity(own.setdefault(metric.name, metric)) != _identity(metric):
                raise UsageError(f"{_OPTION}: two metrics have the name {metric.name!r}; rename one")
            names.append(register(metric))
    return tuple(dict.fromkeys(names))


def _identity(metric: Metric) -> tuple[object, ...]:
    return metric.origin, metric.code, metric.low, metric.high, metric.inputs


def with_own_models(models: ModelOptions, names: Sequence[str]) -> ModelOptions:
    """The same models, and those that the metrics of these names ask themselves."""
    asked = [known_metric(name) for name in names]  # a wrong name is complained of where it is scored
    own = tuple((each.name, each.model) for each in asked if each is not None and each.model is not None)
    return replace(models, further=own)


def _own(given: Any) -> list[Metric] | None:
    """The metrics that a thing at hand is, or that a text names in the user's own code; None for a plain name."""
    if isinstance(given, str):
        name = given.strip()
        path, colon, function = name.rpartition(":")
        if name.endswith(".py"):
            return metrics_in(_module_of(Path(name)), name)
        if colon and path.endswith(".py"):
            return metrics_in(_attribute(_module_of(Path(path)), function, path), name)
        return metrics_in(imported_object(name, Path(), _OPTION), name) if colon else None
    if isinstance(given, Metric):
        return metrics_in(given, "own code" if given.origin == BUILT_IN else given.origin)
    if not callable(given) or isinstance(given, type):
        raise UsageError(
            f"{_OPTION}: must be names such as 'faithfulness', or functions, not {type(given).__name__}; `ragassay "
            "list metrics --all` lists the names"
        )
    return [own_metric(given, name_of(given))]


def _module_of(path: Path) -> ModuleType:
    """The module that a file is, imported once. Raises UsageError."""
    if not path.is_file():
        raise UsageError(f"{_OPTION}: {path} does not exist; give the path of a Python file")
    name = f"ragassay_own_{hashlib.sha256(str(path.resolve()).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{_OPTION}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's module may raise anything while it is imported
        del sys.modules[name]
        raise UsageError(f"{_OPTION}: {path} cannot be imported ({said_of(error)})") from None
    return module


def _attribute(module: ModuleType, name: str, path: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError:
        raise UsageError(f"{_OPTION}: {path} has no {name!r}") from None


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
