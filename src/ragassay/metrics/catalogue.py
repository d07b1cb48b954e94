"""Every metric there is, by name: what tables, documentation and commands take it from.

A metric of ours is declared at the end of its own file, in ``METRICS``; nothing else lists it. Those of other packages
are looked for when a name is none of ours, so that they cost nothing otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from ragassay.errors import UsageError
from ragassay.metrics.metric import Metric, Scale, Scales
from ragassay.metrics.plug_ins import PlugIns, plug_ins
from ragassay.metrics.retrieval.entries import BY_UNIT

_PACKAGES = ("retrieval", "answer", "judged", "released")
"""Of this one, in the order of the tables."""


def _declared() -> Iterator[Metric]:
    for name in _PACKAGES:
        package = import_module(f"{__package__}.{name}")
        for module in sorted(each.name for each in iter_modules(package.__path__)):
            yield from getattr(import_module(f"{package.__name__}.{module}"), "METRICS", ())


METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _declared()}
"""Those of ragassay itself."""
_BY_UNIT: Mapping[str, Metric] = {metric.name: metric for metric in BY_UNIT}
"""The ranking metrics by other units than the chunk, which no list names one by one."""
_GONE: Mapping[str, str] = {
    "bleu": "use rouge_l or token_f1, or sacrebleu in a metric of your own",
    "chrf": "use rouge_l or token_f1, or sacrebleu in a metric of your own",
    "chunk_attribution@k": "use sentence_precision@k",
    "chunk_utilisation@k": "use eir@k",
    "context_entity_recall": "use context_recall",
    "ndcg_exponential@k": "use ndcg@k, which gains the grade",
    "noise_sensitivity": "use factual_correctness beside faithfulness",
    "noise_sensitivity_irrelevant": "use factual_correctness beside faithfulness",
    "tool_call_order": "use tool_call_f1, or a metric of your own",
}
"""Metrics that are no more, and what to use."""
_REGISTERED: dict[str, Metric] = {}
_AT = re.compile(r"_at_(\d+)\Z")
_MOST_DIGITS = 9
"""Of a depth: no system retrieves a milliard of chunks, and numbers of thousands of digits are not read at all."""


@cache
def others() -> PlugIns:
    """The metrics of other packages, looked for once."""
    return plug_ins(METRICS.__contains__)


def register(metric: Metric) -> str:
    """Makes a metric of the user's known in this process; one of the same name gives way. Returns its name.

    Raises UsageError where the name is ragassay's own or that of a plug-in.
    """
    shadowed = METRICS.get(metric.name) or _BY_UNIT.get(metric.name) or others().metrics.get(metric.name)
    if shadowed is not None:
        raise UsageError(
            f"{metric.origin}: {shadowed.origin} already has a metric {metric.name!r}; give yours another name"
        )
    _REGISTERED[metric.name] = metric
    return metric.name


_NEAREST_TO_RAGAS = {
    "nonllmstringsimilarity": "rouge_l",
    "nonllmcontextrecall": "reference_recall@k",
    "nonllmcontextprecisionwithreference": "precision@k",
    "idbasedcontextrecall": "recall@k",
    "idbasedcontextprecision": "precision@k",
    "faithfulnesswithhhem": "faithfulness",
}
"""Metrics that are not here, without underscores and case; edits, thresholds or a model of their own are in them."""


def is_everywhere(metric: Metric) -> bool:
    """Whether another process knows it too: those that are registered are of this one alone."""
    return _REGISTERED.keys().isdisjoint((metric.name, f"{_family_and_depth(metric.name)[0]}@k"))


def known_metric(name: str) -> Metric | None:
    """The metric of a name, at any depth; None where there is none."""
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


def metric_named(name: str) -> tuple[Metric, int]:
    """The metric of a name and its depth: ``recall@5`` is recall@k with k = 5; 0 where there is no depth.

    ``recall_at_5`` is another way to write it; the metric keeps the name that was asked for.

    Raises UsageError for a name that is not there, or that has no depth where it needs one.
    """
    if name in METRICS and not METRICS[name].has_depth:
        return METRICS[name], 0  # without a look at what other packages bring
    family, depth = _family_and_depth(name)
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
    gone = next((each for each in (name, f"{family}@k") if each in _GONE), None)
    if gone is not None:
        raise UsageError(f"{name}: this metric is gone; {_GONE[gone]}")
    known = [*METRICS, *_BY_UNIT, *others().metrics, *_REGISTERED]
    at = depth if 0 < len(depth) <= _MOST_DIGITS and depth.isdecimal() and int(depth) else "5"
    of_ragas = _NEAREST_TO_RAGAS.get(name.replace("_", "").lower())
    close = [of_ragas] if of_ragas else get_close_matches(name, known, n=3)
    near = " or ".join(each.replace("@k", f"@{at}") for each in close)
    hint = f"did you mean {near}?" if near else "`ragassay list metrics` lists them"
    hint = f"nearest to this metric of ragas is {near}" if of_ragas else hint
    faults = "".join(f"\n{fault}" for fault in others().faults)
    raise UsageError(f"unknown metric {name!r}; {hint}{faults}")


def metrics_named(names: Sequence[str]) -> list[tuple[Metric, int]]:
    """``metric_named`` of each, every one once. Raises UsageError where there is none."""
    if not names:
        raise UsageError("no metric given; `ragassay list metrics` lists them")
    return [metric_named(name) for name in dict.fromkeys(names)]


def own_code(names: Sequence[str]) -> dict[str, str]:
    """Those of the metrics that are code of the user's own, with its fingerprint."""
    return {name: metric.code for name in names if (metric := known_metric(name)) is not None and metric.code}


def _family_and_depth(name: str) -> tuple[str, str]:
    """``recall`` and ``5`` of ``recall@5`` and ``recall_at_5``; the name and nothing of one without a depth."""
    family, _, depth = _AT.sub(r"@\1", name).partition("@")
    return family, depth


def _metric(name: str) -> Metric | None:
    return METRICS.get(name) or _BY_UNIT.get(name) or _REGISTERED.get(name) or others().metrics.get(name)
