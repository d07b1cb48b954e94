"""What headline figures are of: the questions that have an answer; the others have a row of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.metrics.released.dragonball_file import FILE_METRICS

ANSWERABLE = "answerable"
"""All questions together but the unanswerable: these have no passage to find and no answer to give."""
OF_REFUSALS = frozenset({"abstention_precision", "abstention_recall", "abstention_accuracy"})
"""Metrics that mean something only over answerable and unanswerable questions together."""


def is_over_all(metric: str) -> bool:
    """Whether a metric's headline is of all questions: those of refusals, and published scorers, as published."""
    is_published = metric in FILE_METRICS or metric.partition("@")[0].endswith("_released")
    return metric in OF_REFUSALS or is_published


def answerable_rows(labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """The places of the questions whose label is not ``unanswerable``."""
    return np.flatnonzero(np.array(labels, dtype=object) != "unanswerable")
