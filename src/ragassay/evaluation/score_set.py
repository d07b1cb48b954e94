"""A set with recorded predictions, scored: one estimate a metric. Nothing but an encoder is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ragassay.errors import InputError, UsageError
from ragassay.evaluation.aggregate import SHARE, estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.metric import Metric
from ragassay.metrics.pairing import paired
from ragassay.metrics.released.dragonball_file import FILE_METRICS, released_items
from ragassay.metrics.scoring import embedding_similarities, never_there, scored
from ragassay.models.base import Encoder
from ragassay.records import Example, Prediction, Score


def score_set(
    examples: Sequence[Example],
    predictions: Sequence[Prediction],
    names: Sequence[str],
    *,
    encoder: Encoder | None = None,
) -> list[Score]:
    """One score for each example and metric, None with the reason where there is no value.

    names: as in ``ragassay metrics``, with a depth where they need one. encoder: for embedding similarity.
    Raises UsageError, before anything is scored, for an unknown metric, one that a judge has to be asked for, or
    predictions of several systems; InputError where there is nothing to score, or where no example has what a metric
    needs; RecordError where examples and predictions do not fit.
    """
    metrics = metrics_named(names)
    answered = paired(examples, predictions)
    _check(metrics, answered, encoder)
    plain = [each for each in metrics if each[0].needs == "nothing"]
    scores = [*scored(plain, answered)]
    for metric, _ in metrics:
        if metric.needs == "encoder" and encoder is not None:
            scores += embedding_similarities(encoder, metric, answered)
    return scores


def estimates_of(scores: Sequence[Score], names: Sequence[str], *, seed: int = 0) -> dict[str, Estimate]:
    """The mean of each metric with its interval and its coverage."""
    values: dict[str, list[float | None]] = {name: [] for name in dict.fromkeys(names)}
    for score in scores:
        values[score.metric].append(score.value)
    return {
        metric.name: estimate(values[metric.name], seed=seed, bounds=_bounds(metric))
        for metric, _ in metrics_named(names)
    }


def released_estimates(path: Path, *, seed: int = 0) -> Mapping[str, Estimate]:
    """The released scorer's four figures of a DragonBall file, by the names in ``FILE_METRICS``."""
    rows = [item.scores for item in released_items(path)]
    if not rows:
        raise InputError(f"{path} holds no answered query")
    return {
        name: estimate(column, seed=seed, bounds=None if name == "eir_released" else SHARE)
        for name, column in zip(FILE_METRICS, zip(*rows, strict=True), strict=True)
    }


def _bounds(metric: Metric) -> tuple[float, float] | None:
    return None if metric.high is None else (metric.low, metric.high)


def _check(metrics: Sequence[tuple[Metric, int]], answered: Sequence[Answered], encoder: Encoder | None) -> None:
    for metric, _ in metrics:
        if metric.needs == "model" or (metric.needs == "encoder" and encoder is None):
            raise UsageError(
                f"{metric.name} asks {'a judge' if metric.needs == 'model' else 'an encoder'}; leave it out"
            )
    if not answered:
        raise InputError("there is no prediction to score")
    systems = list(dict.fromkeys(each.prediction.system for each in answered))
    if len(systems) > 1:
        raise UsageError(
            f"the predictions are of {len(systems)} systems ({', '.join(systems[:5])}); score one at a time"
        )
    for metric, _ in metrics:
        lacking = never_there(metric, (Item(each) for each in answered))
        if lacking is not None:
            raise InputError(f"{metric.name} needs {lacking}, which no example of the set has; leave the metric out")
