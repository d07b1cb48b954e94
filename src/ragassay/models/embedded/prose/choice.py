"""Learned weights: which sentences are worth a question, and which drafts a strict reader takes as they stand.

Both are logistic regressions over named features; weights, seed, data hash and command stand in a JSON file beside.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple


class Weights(NamedTuple):
    """score = bias + sum over features of weight * (value - mean) / scale."""

    bias: float
    weights: Mapping[str, tuple[float, float, float]]

    def probability(self, features: Mapping[str, float]) -> float:
        """In (0, 1). Features without a weight do not count."""
        score = self.bias
        for name, (weight, mean, scale) in self.weights.items():
            score += weight * (features.get(name, 0.0) - mean) / scale
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def load(name: str) -> Weights:
    """The weights of ``worth``, ``acceptability`` or ``asked``."""
    text = resources.files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Weights(data["bias"], {key: tuple(value) for key, value in data["weights"].items()})
