"""Learned weights: linear heads on a state of the small language model, and regressions over named numbers."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.models.small.gguf import Weight


class Linear(NamedTuple):
    """Log-odds = bias + state @ weights. weights: (hidden,) float32."""

    bias: float
    weights: Weight

    @classmethod
    def read(cls, path: Path, name: str = "") -> Linear:
        """name: of the head, in a file that holds several."""
        record = json.loads(path.read_text(encoding="utf-8"))
        fitted = record[name] if name else record
        return cls(fitted["bias"], np.array(fitted["weights"], np.float32))

    def odds(self, states: Weight) -> list[float]:
        """Of each state, (n, hidden). Row by row, which a matrix product does not promise to add up alike."""
        return [float((state * self.weights).sum(dtype=np.float64)) + self.bias for state in states]

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.bias!r}".encode() + self.weights.tobytes()).hexdigest()


class Weights(NamedTuple):
    """score = bias + sum over features of weight * (value - mean) / scale."""

    bias: float
    weights: Mapping[str, tuple[float, float, float]]

    @classmethod
    def read(cls, path: Path) -> Weights:
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(data["bias"], {key: tuple(value) for key, value in data["weights"].items()})

    def probability(self, features: Mapping[str, float]) -> float:
        """In (0, 1). Features without a weight do not count."""
        score = self.bias
        for name, (weight, mean, scale) in self.weights.items():
            score += weight * (features.get(name, 0.0) - mean) / scale
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
