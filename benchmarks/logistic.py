"""Logistic regression by Newton's method with a penalty on the squared weights, and how its scores are measured."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ragassay.people.agreement import correlation

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


def balanced(said: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Return the mean of the shares of right and of wrong claims that are judged as such."""
    said, right = np.asarray(said, bool), np.asarray(right, bool)
    return float(((said[right]).mean() + (~said[~right]).mean()) / 2)


def auroc(scores: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Return the chance that a right claim scores above a wrong one, ties half; NaN where a class is empty."""
    found = correlation.auroc(np.asarray(scores, np.float64), np.asarray(right, np.bool_)).value
    return float("nan") if found is None else found
