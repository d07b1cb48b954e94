"""Longest common subsequence of two token lists, many places at a time."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 50_000
"""Tokens of the shorter list up to which seconds are enough; time grows with the product of both lengths."""


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence: tokens that stand in both in the same order, gaps allowed.

    One column of the usual table is one integer, of which bit i says whether the table rises at row i; a token of the
    longer list costs a few operations on it.
    Raises ValueError where both lists have more than ``LONGEST`` tokens.
    Source: Hyyro 2004, Bit-parallel LCS-length computation revisited.
    """
    rows, columns = (first, second) if len(first) <= len(second) else (second, first)
    if len(rows) > LONGEST:
        raise ValueError(f"both sides have more than {LONGEST} words or calls, too many for a common subsequence")
    places: dict[str, int] = {}
    for place, token in enumerate(rows):
        places[token] = places.get(token, 0) | (1 << place)
    full = (1 << len(rows)) - 1
    level = full  # zeros are rises
    for rows_of_token in filter(None, map(places.get, columns)):
        if matches := level & rows_of_token:
            level = ((level + matches) | (level - matches)) & full
    return len(rows) - level.bit_count()
