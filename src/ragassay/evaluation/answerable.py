"""What headline figures are of: the questions that have an answer; the others have a row of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ANSWERABLE = "answerable"
"""All questions together but the unanswerable: these have no passage to find and no answer to give."""


def answerable_rows(labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """The places of the questions whose label is not ``unanswerable``."""
    return np.flatnonzero(np.array(labels, dtype=object) != "unanswerable")
