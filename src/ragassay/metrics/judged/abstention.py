"""Abstention: saying that one does not know exactly where the context does not answer."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.records import Score

NAME = "abstention_accuracy"


def abstention_accuracy(answered: Sequence[Answered]) -> list[Score]:
    """1 where the system abstained on an unanswerable question or answered an answerable one, else 0.

    None where the system failed, or neither answered nor abstained.
    """
    return [
        each.score(NAME, None, each.missing)
        if each.missing and (each.prediction.error or not each.prediction.abstained)
        else each.score(NAME, float(each.prediction.abstained == (each.example.requested_label == "unanswerable")))
        for each in answered
    ]
