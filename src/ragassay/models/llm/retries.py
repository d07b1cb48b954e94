"""How long to wait before a call is tried again."""

from __future__ import annotations

import email.utils
import math
import random
import time
from collections.abc import Mapping

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0


def backoff_s(failures: int, seed: object) -> float:
    """Seconds to wait after so many failures in a row: doubling from half a second up to 30, times 0.5 to 1.

    seed: decides about the share of chance, which keeps calls that failed together from returning together.
    """
    longest = min(FIRST_DELAY_S * 2.0 ** min(failures - 1, 16), LONGEST_DELAY_S)
    return longest * random.Random(f"{seed}:{failures}").uniform(0.5, 1.0)


def retry_after_s(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds that a server asks to wait, 0 or more, or None where it does not say.

    headers: case-insensitive. ``Retry-After`` is seconds or a date (RFC 9110, section 10.2.3). now: seconds since 1970,
    for the date.
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return seconds if 0 <= seconds < math.inf else None
    try:
        date = email.utils.parsedate_to_datetime(value)
        return max(0.0, date.timestamp() - (time.time() if now is None else now))
    except (TypeError, ValueError, OverflowError):
        return None
