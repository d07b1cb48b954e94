"""Is the difference between two configurations on the same examples more than chance?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

DRAWS = 10_000
_ENUMERATED = 16  # pairs that differ: 65 536 assignments of signs are few enough to try them all
_SIGNS_AT_ONCE = 2_000_000
_COUNTED = 1_000  # pairs that differ by the same amount: their signs follow a binomial distribution, worked out exactly


def randomisation_p_value(differences: FloatArray, *, seed: int, draws: int = DRAWS) -> float:
    """Two-sided p-value of the paired randomisation test, in (0, 1].

    If both configurations were alike, each difference could as well have the other sign: the share of all assignments
    of signs whose sum is at least as far from 0 as the observed one. Pairs without a difference play no part.
    Exact for up to 16 differing pairs, and up to 1 000 where all differ by the same amount, as with values of 0 and 1
    (the exact McNemar test); otherwise (1 + hits) / (1 + draws) over random assignments, which is never 0 (Phipson and
    Smyth 2010).
    differences: (n,) float64, no NaN.
    Source: Fisher 1935, section 21; for retrieval Smucker et al. 2007.
    """
    return randomisation_p_values(differences[:, None], seed=seed, draws=draws)[0]


def randomisation_p_values(differences: FloatArray, *, seed: int, draws: int = DRAWS) -> list[float]:
    """``randomisation_p_value`` of every column; those that need chance share the random signs.

    differences: (n, n_columns) float64, NaN where there is no pair.
    """
    filled = np.nan_to_num(differences, nan=0.0)
    found = [_exact(column[column != 0]) for column in filled.T]
    drawn = [place for place, value in enumerate(found) if value is None]
    if drawn:
        some = filled[:, drawn]
        by_chance = _by_chance(some[some.any(axis=1)], seed, draws)
        found = [value if value is not None else next(by_chance) for value in found]
    return [value for value in found if value is not None]


def _reached(differences: FloatArray) -> FloatArray:
    """(n_columns,) How far from 0 a sum has to lie to count as at least as far as the observed one."""
    # Sums of the same numbers in another order differ in their last bits; those are ties.
    observed = np.abs(np.ascontiguousarray(differences.T).sum(axis=1))
    return np.asarray(observed - 1e-9 * np.abs(differences).sum(axis=0), dtype=np.float64)


def _exact(differing: FloatArray) -> float | None:
    """Over all assignments of signs, where they are few or known; None where there are too many."""
    if not len(differing):
        return 1.0
    sizes = np.abs(differing)
    if len(sizes) <= _ENUMERATED:
        signs = (np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes))) & 1
        return float((np.abs((2 * signs - 1) @ sizes) >= _reached(differing[:, None])).mean())
    if len(sizes) <= _COUNTED and np.allclose(sizes, sizes[0], rtol=1e-9, atol=0):
        return _sign_test(int((differing > 0).sum()), len(sizes))
    return None


def _by_chance(differences: FloatArray, seed: int, draws: int) -> Iterator[float]:
    """Over random assignments of signs, the same for every column."""
    n, columns = differences.shape
    sizes, reached = np.abs(differences), _reached(differences)
    totals = sizes.sum(axis=0)
    random = np.random.default_rng(seed)
    hits, left = np.zeros(columns, dtype=np.int64), draws
    while left:
        rows = min(left, max(1, _SIGNS_AT_ONCE // n))
        positive = np.unpackbits(random.integers(0, 256, size=(rows, (n + 7) // 8), dtype=np.uint8), axis=1, count=n)
        hits += (np.abs(2 * (positive.astype(np.float64) @ sizes) - totals) >= reached).sum(axis=0)
        left -= rows
    return iter(((1 + hits) / (1 + draws)).tolist())


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for being a family of tests, in their order: reject where the adjusted one is below the level.

    The i-th smallest of m is multiplied by m - i + 1, never falls below the ones before it, and is at most 1.
    Source: Holm 1979.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = highest
    return adjusted


def _sign_test(positive: int, n: int) -> float:
    """Chance that n fair coins fall at least as unevenly as observed."""
    few = min(positive, n - positive)
    chance: float = 2 * sum(comb(n, heads) for heads in range(few + 1)) / 2**n
    return min(1.0, chance)
