"""The package's own verifier: loaded once a process, or off (RAGASSAY_SMALL_MODEL), see ``docs/judges.md``."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from ragassay.errors import ModelError, UsageError
from ragassay.models.small import weights
from ragassay.models.small.verifier import ADAPTER as VERIFIER
from ragassay.models.small.verifier import Verifier

SWITCH = "RAGASSAY_SMALL_MODEL"


def is_on() -> bool:
    """Whether the small language model takes part. Raises UsageError for a switch that says neither."""
    value = os.environ.get(SWITCH, "on").strip().lower()
    if value not in ("on", "off"):
        raise UsageError(f"{SWITCH}: must be on or off, not {value!r}")
    return value == "on"


def verifier() -> Verifier | None:
    """The verifier; None where the small language model is off. Raises ModelError where its weights are missing."""
    return _loaded() if is_on() else None


@cache
def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read ({error.strerror}); install Ragassay again, or set {SWITCH}=off"
        ) from error


def identity() -> str:
    """What tells results of one language model and its adapter from those of another; empty where it is off."""
    return f"{weights.BASE_NAME} with verifier {_digest(VERIFIER)}" if is_on() else ""


_loaded = cache(Verifier.load)
