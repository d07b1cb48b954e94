"""Metrics out of whatever holds them: a function, a metric, a list, a module of the user's or of another package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

from ragassay.errors import UsageError
from ragassay.metrics.inputs import INPUTS
from ragassay.metrics.metric import Metric
from ragassay.metrics.own import check_name, guarded, own_metric
from ragassay.metrics.terms import terms_of
from ragassay.models.plug_ins import metric_plug_ins
from ragassay.systems.code import code_of

_ASKED = ("model", "language model", "own code")
_CHOICE = "'model', 'language model' or 'own code'"


class PlugIns(NamedTuple):
    """metrics: of other packages, by name. faults: a sentence for each that cannot be used."""

    metrics: Mapping[str, Metric]
    faults: tuple[str, ...]


def metrics_in(found: Any, origin: str) -> list[Metric]:
    """The metrics that something holds: it may be one, a function, several of these, or a module with some.

    Of a module, METRICS, where it has that; else the functions that are marked with ``ragassay.metric`` in it.
    Raises UsageError for what holds none, and for a metric that cannot be worked out.
    """
    if isinstance(found, Metric):
        _check(found, origin)
        return [guarded(replace(found, origin=origin, code=found.code or code_of(found.measure or found.judge) or ""))]
    if isinstance(found, ModuleType):
        return _in_module(found, origin)
    if isinstance(found, list | tuple):
        return [metric for each in found for metric in metrics_in(each, origin)]
    if callable(found):
        return [own_metric(found, origin)]
    raise UsageError(f"{origin}: must be a function or a module, not {type(found).__name__}")


def _check(metric: Metric, origin: str) -> None:
    check_name(metric.name.removesuffix("@k"))
    strange = next((str(each) for each in metric.inputs if each not in INPUTS), None)
    if strange is not None:
        raise UsageError(f"{origin}: {metric.name}: unknown input {strange[:60]!r}; choose from {', '.join(INPUTS)}")
    is_plain = metric.measure is not None and metric.judge is None and metric.needs == "nothing"
    is_asked = metric.judge is not None and metric.measure is None and metric.needs in _ASKED
    if not is_plain and not is_asked:
        raise UsageError(f"{origin}: {metric.name}: must have measure, or judge with needs {_CHOICE}")


def plug_ins(is_taken: Callable[[str], bool]) -> PlugIns:
    """Those of all packages that are installed. is_taken: whether ragassay has a metric of a name itself."""
    metrics: dict[str, Metric] = {}
    faults = []
    for each in metric_plug_ins():
        try:
            loaded = each.load()
        except UsageError as error:
            faults.append(str(error))
            continue
        try:
            found = metrics_in(loaded, each.origin)
        except UsageError as error:
            faults.append(f"{each} cannot be used: {error}")
            continue
        for metric in found:
            if is_taken(metric.name):
                faults.append(
                    f"{each.origin}: its metric {metric.name!r} is not used; ragassay has one of the same name"
                )
            elif metric.name in metrics:
                other = metrics[metric.name].origin
                faults.append(
                    f"{each.origin}: its metric {metric.name!r} is not used; {other} has one of the same name"
                )
            else:
                metrics[metric.name] = metric
    return PlugIns(metrics, tuple(dict.fromkeys(faults)))


def _in_module(module: ModuleType, origin: str) -> list[Metric]:
    held = vars(module)
    own = held.get("METRICS", [each for each in held.values() if isinstance(each, Metric) or terms_of(each)])
    found = metrics_in(list(dict.fromkeys(own)), origin)
    if not found:
        raise UsageError(f"{origin}: no metric found; mark a function with @ragassay.metric")
    return found
