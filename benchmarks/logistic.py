"""Logistic regression by Newton's method with a penalty on the squared weights, and how its scores are measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ragassay.models.small.heads import Weights

Floats = npt.NDArray[np.float64]


def fitted(design: Floats, good: Floats, counts: Floats, penalty: Floats) -> Floats:
    """Logistic regression by Newton's method with a penalty on each squared weight; the last column is the bias."""
    solution = np.zeros(design.shape[1])
    for _ in range(50):
        probability = 1 / (1 + np.exp(-np.clip(design @ solution, -30, 30)))
        gradient = design.T @ (counts * (good - probability)) - penalty * solution
        curvature = (design.T * (counts * probability * (1 - probability))) @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        solution += step
        if np.abs(step).max() < 1e-6:
            break
    return solution


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[int],
    penalty: float,
    weights: Sequence[float] | None = None,
    prior: Mapping[str, float] | None = None,
) -> Weights:
    """Features are standardised; those that never vary get no weight. Deterministic: there is nothing random in it.

    weights: how much each row counts; 1 where not given. prior: what the weights of some standardised features are
    drawn to, instead of zero.
    """
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0)
    varies = scale > 1e-9
    matrix = (matrix[:, varies] - mean[varies]) / scale[varies]
    design = np.hstack([np.ones((len(rows), 1)), matrix])
    wanted = np.array(labels, dtype=float)
    counts = np.ones(len(rows)) if weights is None else np.array(weights, dtype=float)
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 1e-6
    expected = np.zeros(design.shape[1])
    for at, name in enumerate([name for name, keep in zip(names, varies, strict=True) if keep]):
        expected[at + 1] = (prior or {}).get(name, 0.0)
    solution = expected.copy()
    for _ in range(50):
        probability = 1 / (1 + np.exp(-design @ solution))
        gradient = design.T @ (counts * (wanted - probability)) - ridge * (solution - expected)
        curvature = (design * (counts * probability * (1 - probability))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        solution += step
        if np.abs(step).max() < 1e-8:
            break
    kept = [name for name, keep in zip(names, varies, strict=True) if keep]
    return Weights(
        float(solution[0]),
        {
            name: (float(weight), float(mean[names.index(name)]), float(scale[names.index(name)]))
            for name, weight in zip(kept, solution[1:], strict=True)
        },
    )


def auroc(scores: Sequence[float], labels: Sequence[int]) -> float:
    """The share of pairs of a positive and a negative that the scores order rightly, ties half; nan without a pair."""
    positive = np.array([score for score, label in zip(scores, labels, strict=True) if label])
    negative = np.array([score for score, label in zip(scores, labels, strict=True) if not label])
    if not positive.size or not negative.size:
        return float("nan")
    difference = positive[:, None] - negative[None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


def mean_by_group(
    measure: Callable[[Sequence[float], Sequence[int]], float],
    scores: Sequence[float],
    labels: Sequence[int],
    groups: Sequence[str],
) -> float:
    """The mean of a measure over groups where it is defined."""
    values = []
    for group in dict.fromkeys(groups):
        inside = [index for index, each in enumerate(groups) if each == group]
        values.append(measure([scores[index] for index in inside], [labels[index] for index in inside]))
    return float(np.nanmean(values))


def precision_of_top(scores: Sequence[float], labels: Sequence[int], share: float) -> float:
    """The share of positives among the best."""
    order = np.argsort(-np.array(scores), kind="stable")
    n = max(1, round(share * len(order)))
    return float(np.array(labels)[order[:n]].mean())


def write_weights(path: Path, model: Weights, *, command: str, data_sha256: str, n_train: int) -> None:
    """The model with what made it."""
    record = {
        "command": command,
        "data_sha256": data_sha256,
        "n_train": n_train,
        "seed": None,
        "bias": round(model.bias, 5),
        "weights": {name: [round(value, 5) for value in values] for name, values in sorted(model.weights.items())},
    }
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
