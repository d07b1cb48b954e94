"""The package's own verifier and writer, loaded once a process where they are first needed, or switched off.

With RAGASSAY_SMALL_MODEL=off the embedded model works with rules and sentence vectors alone: faster, and worse at
writing and judging (``docs/judges.md`` has the figures).
"""

from __future__ import annotations

import os
from functools import cache

from ragassay.errors import UsageError
from ragassay.models.small.verifier import Verifier
from ragassay.models.small.writer import Writer

SWITCH = "RAGASSAY_SMALL_MODEL"


def is_on() -> bool:
    """Whether the small language model takes part. Raises UsageError for a switch that says neither."""
    value = os.environ.get(SWITCH, "on").strip().lower()
    if value not in ("on", "off"):
        raise UsageError(f"{SWITCH}={value!r}: choose on or off")
    return value == "on"


def verifier() -> Verifier | None:
    """The verifier; None where the small language model is off. Raises ModelError where its weights are missing."""
    return _verifier() if is_on() else None


def writer() -> Writer | None:
    """The writer; None where the small language model is off. Raises ModelError where its weights are missing."""
    return _writer() if is_on() else None


@cache
def _verifier() -> Verifier:
    return Verifier.load()


@cache
def _writer() -> Writer:
    return Writer.load()
