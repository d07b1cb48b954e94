"""The folder where this user keeps what is expensive to make again: the encoder's graph and sentence vectors."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "RAGASSAY_CACHE"


def cache_folder() -> Path:
    """The folder that RAGASSAY_CACHE names, otherwise the platform's place for caches. It need not exist yet."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("ragassay", appauthor=False))
