"""Linear heads on a state of the small language model."""

from __future__ import annotations

import hashlib
import json
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
