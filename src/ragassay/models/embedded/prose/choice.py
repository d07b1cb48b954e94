"""Learned weights: which sentences are worth a question, and which drafts a strict reader takes as they stand.

Both are logistic regressions over named features; weights, seed, data hash and command stand in a JSON file beside.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ragassay.models.small.heads import Weights


@cache
def load(name: str) -> Weights:
    """The weights of ``worth`` or ``acceptability``."""
    return Weights.read(Path(__file__).with_name(f"{name}.json"))
