"""The mean of the ratings that a judge might have given, in the place of the one that it gave (G-Eval, EMNLP 2023)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ragassay.models.base import Reply


class Rated(NamedTuple):
    """A rating, with the line of evidence that says where it is a mean."""

    value: float
    evidence: tuple[str, ...] = ()


def expected_rating(reply: Reply[Any], name: str, given: float) -> Rated:
    """The mean, where the judge's server gave probabilities as it was asked to; else what the judge gave.

    name: of the number in the reply of a language model.
    """
    mean = reply.expected.get(name)
    if mean is None:
        return Rated(float(given))
    return Rated(mean, (f"{name}: {mean:.2f} on average over the ratings' probabilities, {given:g} in the reply",))
