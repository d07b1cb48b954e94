"""A ranking metric at any depth, as its file declares it in ``FAMILY``."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Family(NamedTuple):
    """name: without the depth. one: of a single ranking; all: of many at once, (n_questions,), NaN where undefined."""

    name: str
    one: Callable[..., float | None]
    all: Callable[..., npt.NDArray[np.float64]]
    source: str
