"""Abstention: saying that one does not know exactly where the context does not answer."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.abstention import has_refused, how_it_answered
from ragassay.metrics.judged.answered import Answered
from ragassay.records import Score

NAME = "abstention_accuracy"


def abstention_accuracy(answered: Sequence[Answered]) -> list[Score]:
    """1 where the system abstained on an unanswerable question or answered an answerable one, else 0.

    None where the system failed or gave an empty answer, and where only the example's context is known to lack the
    answer: a system that searches the whole corpus may find it elsewhere and be right to answer.
    """
    return [_score(each) for each in answered]


def _score(each: Answered) -> Score:
    if each.missing is not None and not each.prediction.abstained:
        return each.score(NAME, None, each.missing)
    is_unanswerable = each.example.requested_label == "unanswerable"
    if is_unanswerable and each.example.provenance.unanswerable_in == "context":
        return each.score(NAME, None, "only the context is known to lack the answer; the corpus may hold it")
    value = float(has_refused(each.prediction) == is_unanswerable)
    return each.score(NAME, value, evidence=(how_it_answered(each.prediction),))
