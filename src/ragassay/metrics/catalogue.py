"""Every metric there is, by name: what tables, documentation and commands take it from.

A metric of ours is declared at the end of its own file, in ``METRICS``; nothing else lists it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from ragassay.errors import UsageError
from ragassay.metrics import released
from ragassay.metrics.metric import Metric, Scale, Scales
from ragassay.metrics.retrieval.rankings import BY_UNIT

_PACKAGES = ("retrieval", "answer", "judged")
"""Of this one, in the order of the tables."""


def _declared() -> Iterator[Metric]:
    for name in _PACKAGES:
        package = import_module(f"{__package__}.{name}")
        for module in sorted(each.name for each in iter_modules(package.__path__)):
            yield from getattr(import_module(f"{package.__name__}.{module}"), "METRICS", ())
    yield from released.METRICS


METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _declared()}
"""Those of ragassay itself."""
_BY_UNIT: Mapping[str, Metric] = {metric.name: metric for metric in BY_UNIT}
"""The ranking metrics by other units than the chunk, which no list names one by one."""
_REGISTERED: dict[str, Metric] = {}
_MOST_DIGITS = 9
"""Of a depth: no system retrieves a milliard of chunks, and numbers of thousands of digits are not read at all."""


def register(metric: Metric) -> str:
    """Make a metric of the user's known in this process; one of the same name gives way. Return its name.

    Raises UsageError where the name is ragassay's own.
    """
    shadowed = METRICS.get(metric.name) or _BY_UNIT.get(metric.name)
    if shadowed is not None:
        raise UsageError(
            f"{metric.origin}: {shadowed.origin} already has a metric {metric.name!r}; give yours another name"
        )
    _REGISTERED[metric.name] = metric
    return metric.name


def is_everywhere(metric: Metric) -> bool:
    """Return whether another process knows it too: those that are registered are of this one alone."""
    return _REGISTERED.keys().isdisjoint((metric.name, f"{metric.name.partition('@')[0]}@k"))


def known_metric(name: str) -> Metric | None:
    """Return the metric of a name, at any depth; None where there is none."""
    try:
        return metric_named(name)[0]
    except UsageError:
        return None


def scale_of(name: str, kept: Scales = MappingProxyType({})) -> Scale | None:
    """The scale that a run folder keeps of a metric, else that of the metric known here; None where there is neither.

    kept: of the run folder.
    """
    if name in kept:
        return kept[name]
    metric = known_metric(name)
    return None if metric is None else metric.scale


def range_words(name: str, kept: Scales = MappingProxyType({})) -> str:
    """Return ``, 1 to 5``, to stand behind a metric's name; empty for 0 to 1, and where no range is known."""
    scale = scale_of(name, kept)
    ends = scale.bounds if scale is not None else None
    return f", {ends[0]:g} to {ends[1]:g}" if ends not in (None, (0, 1)) else ""


def metric_named(name: str) -> tuple[Metric, int]:
    """Return the metric of a name and its depth: ``recall@5`` is recall@k with k = 5; 0 where there is no depth.

    Raises UsageError for a name that is not there, or that has no depth where it needs one.
    """
    family, _, depth = name.partition("@")
    of_family = _metric(f"{family}@k")
    if depth.isdecimal() and of_family is not None:
        if len(depth) > _MOST_DIGITS:
            raise UsageError(f"{family}: a depth of {len(depth)} digits is too large; give a smaller one")
        if int(depth) > 0:
            return replace(of_family, name=name), int(depth)
    metric = _metric(name)
    if metric is not None and not metric.has_depth:
        return metric, 0
    if of_family is not None:
        raise UsageError(f"{name}: needs a number of chunks, such as {family}@5")
    near = get_close_matches(_plain(name), [*METRICS, *_BY_UNIT, *_REGISTERED], n=3)
    at = depth if 0 < len(depth) <= _MOST_DIGITS and depth.isdecimal() and int(depth) else "5"
    close = " or ".join(each.replace("@k", f"@{at}") for each in near)
    hint = f"did you mean {close}?" if close else "`ragassay list metrics` lists them"
    raise UsageError(f"unknown metric {name!r}; {hint}")


def _plain(name: str) -> str:
    """Return a name as ours are written: that of a class of ragas or deepeval without capitals."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().removesuffix("_metric")


def metrics_named(names: Sequence[str]) -> list[tuple[Metric, int]]:
    """``metric_named`` of each, every one once. Raises UsageError where there is none."""
    if not names:
        raise UsageError("no metric given; `ragassay list metrics` lists them")
    return [metric_named(name) for name in dict.fromkeys(names)]


def own_code(names: Sequence[str]) -> dict[str, str]:
    """Those of the metrics that are code of the user's own, with its fingerprint."""
    return {name: metric.code for name in names if (metric := known_metric(name)) is not None and metric.code}


def _metric(name: str) -> Metric | None:
    return METRICS.get(name) or _BY_UNIT.get(name) or _REGISTERED.get(name)
