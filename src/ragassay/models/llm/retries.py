"""How long to wait before a call is tried again."""

from __future__ import annotations

import email.utils
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


def spread_s(seed: object) -> float:
    """Up to a tenth of a second, to be added to a wait that a server asks of many calls at once."""
    return random.Random(f"spread:{seed}").uniform(0.0, 0.1)


def retry_after_s(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds that a server asks to wait, 0 or more, or None where it does not say.

    headers: case-insensitive. ``Retry-After`` is seconds or a date (RFC 9110, section 10.2.3); ``retry-after-ms`` is
    what OpenAI and Azure add. now: seconds since 1970, for the date.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) * unit_s
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - (time.time() if now is None else now))
    except (TypeError, ValueError, OverflowError):
        return None
