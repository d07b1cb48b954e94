"""Student's t distribution with any number of degrees of freedom, a whole one or not."""

from __future__ import annotations

from functools import lru_cache
from math import exp, isinf, lgamma, log
from statistics import NormalDist

_NORMAL_FROM = 1e7
"""Degrees of freedom from which the quantile is the normal one to seven digits."""
_TINY = 1e-300


def tail_probability(t: float, dof: float) -> float:
    """Chance that |T| is at least |t|, in [0, 1]: the two-sided p-value."""
    if isinf(t):
        return 0.0
    return _incomplete_beta(dof / 2, 0.5, dof / (dof + t * t), t * t / (dof + t * t))


@lru_cache(maxsize=10_000)
def two_sided_quantile(confidence: float, dof: float) -> float:
    """The t with |T| < t in a share ``confidence`` of the cases. dof: above 0."""
    if dof >= _NORMAL_FROM:
        return NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = 0.0, 2.0
    while tail_probability(high, dof) > 1 - confidence:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if tail_probability(middle, dof) > 1 - confidence else (low, middle)
    return high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Regularised incomplete beta function, from its continued fraction. rest: 1 - x, to its last digit.

    Source: DLMF 8.17.22 by Lentz's method, as in Press et al. 2007, section 6.4.
    """
    if not x or not rest:
        return x
    if x > (a + 1) / (a + b + 2):  # on this side of the mean the fraction converges fast for the other tail only
        return 1 - _incomplete_beta(b, a, rest, x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value, change, m = d, 0.0, 0
    while abs(change - 1) > 1e-15 and m < 10_000:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for coefficient in (even, odd):
            d = 1 / (1 + coefficient * d or _TINY)
            c = 1 + coefficient / c or _TINY
            change = c * d
            value *= change
    return front * value
