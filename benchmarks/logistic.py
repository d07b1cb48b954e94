"""Logistic regression by Newton's method with a penalty on the squared weights, and how its scores are measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

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


def auroc(scores: Sequence[float], labels: Sequence[int]) -> float:
    """The share of pairs of a positive and a negative that the scores order rightly, ties half; nan without a pair."""
    positive = np.array([score for score, label in zip(scores, labels, strict=True) if label])
    negative = np.array([score for score, label in zip(scores, labels, strict=True) if not label])
    if not positive.size or not negative.size:
        return float("nan")
    difference = positive[:, None] - negative[None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())
