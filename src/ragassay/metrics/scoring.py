"""From examples and predictions to scores: metrics that ask nobody, and the one that asks an encoder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.answer.similarity import embedding_similarity
from ragassay.metrics.inputs import OF_EXAMPLES, Input, first_missing, missing
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import ABSTAINED, NO_PREDICTION, Answered
from ragassay.metrics.metric import Measured, Metric, score_of
from ragassay.models.base import Encoder
from ragassay.records import Score


def scored(metrics: Sequence[tuple[Metric, int]], answered: Iterable[Answered]) -> Iterator[Score]:
    """Yield one score for each example and metric, example by example, as they are taken: memory does not grow.

    metrics: with their depths, as ``metrics_named`` gives them. None with the reason where an input is missing, as
    ``first_missing`` says it. Raises ValueError for a metric that an encoder or a model has to be asked for.
    """
    for metric, _ in metrics:
        if metric.measure is None:
            raise ValueError(f"{metric.name} asks {'an encoder' if metric.needs == 'encoder' else 'a model'}")
    for each in answered:
        item = Item(each)
        for metric, depth in metrics:
            yield score_of(each, metric.name, measured(metric, depth, item))


def measured(metric: Metric, depth: int, item: Item) -> Measured:
    """Measure one metric of one example; None with the reason where an input is missing or the metric is undefined."""
    if reason := first_missing(item, metric.inputs, depth):
        return Measured(None, reason=reason)
    if metric.measure is None:
        raise ValueError(f"{metric.name} cannot be computed for a single example")
    found = metric.measure(item, depth)
    if found.value is None or isnan(found.value):
        return Measured(None, found.evidence, found.reason or "the metric is undefined here")
    return found


def embedding_similarities(encoder: Encoder, metric: Metric, answered: Sequence[Answered]) -> list[Score]:
    """Score ``embedding_similarity`` of the two texts of each; 0 where the system abstained from giving one.

    Raises ValueError for a metric that needs no encoder.
    """
    if metric.texts is None:
        raise ValueError(f"{metric.name} needs no encoder")
    reasons = [first_missing(Item(each), metric.inputs) for each in answered]
    pairs = {
        place: pair
        for place, (each, reason) in enumerate(zip(answered, reasons, strict=True))
        if not reason and (pair := metric.texts(each)) is not None
    }
    values = dict(zip(pairs, embedding_similarity(encoder, list(pairs.values())), strict=True))
    return [
        score_of(each, metric.name, _of_similarity(each, values.get(place), reason, encoder.name))
        for place, (each, reason) in enumerate(zip(answered, reasons, strict=True))
    ]


def never_there(metric: Metric, items: Iterable[Item]) -> Input | None:
    """Return an input of the metric that no example of a set has: it would be None throughout. None if all occur.

    For a check before anything is spent. Stops at the first example that has everything. What a system that failed
    throughout did not give is a reason of each score, and no lack of the set.
    """
    open_inputs = list(metric.inputs)
    has_failed = True
    for item in items:
        has_failed = has_failed and item.answered.prediction.error not in (None, NO_PREDICTION)
        open_inputs = [each for each in open_inputs if missing(item, each)]
        if not open_inputs:
            return None
    return next((each for each in open_inputs if each in OF_EXAMPLES or not has_failed), None)


def _of_similarity(each: Answered, value: float | None, reason: str | None, encoder: str) -> Measured:
    if value is None and reason is None:
        return Measured(float(all_refuse((each.example.answer,))), (ABSTAINED,))
    return Measured(value, (f"cosine of {encoder}",) if value is not None else (), reason)
