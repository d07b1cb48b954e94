"""The metrics that a user asks for: names, functions at hand, ``module:function`` and files of functions."""

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
from ragassay.metrics.catalogue import METRICS, known_metric, register
from ragassay.metrics.metric import BUILT_IN, Metric
from ragassay.metrics.own import metrics_in, own_metric
from ragassay.models.user_code import said_of
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.asking.rubric_file import PROJECT_FILE, register_rubrics
from ragassay.systems.function import imported_object, name_of

_SHOWN = 300
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
