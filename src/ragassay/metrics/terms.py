"""What the author of a metric says of a function; the decorator writes it, ``own`` reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ATTRIBUTE = "__ragassay_metric__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """name: None for the function's own. low, high: least and greatest value.

    needs: names of the fields that have to be there; None for those that the function names without a default.
    """

    name: str | None = None
    low: float = 0.0
    high: float = 1.0
    needs: frozenset[str] | None = None
    higher_is_better: bool = True


def mark(function: Callable[..., Any], terms: Terms) -> None:
    """Notes the terms on the function, which stays what it is."""
    setattr(function, _ATTRIBUTE, terms)


def terms_of(function: Any) -> Terms | None:
    """What was noted on a function; None where nothing was."""
    try:
        found = getattr(function, _ATTRIBUTE, None)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return None
    return found if isinstance(found, Terms) else None
