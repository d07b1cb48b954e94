"""Precision and recall of abstaining: whether exactly the unanswerable questions are refused."""

from __future__ import annotations

from ragassay.datasets.foreign import RECORDED
from ragassay.models.embedded.refusals import is_refusal
from ragassay.records import Prediction


def how_it_answered(prediction: Prediction) -> str:
    """In words, for the evidence of a score."""
    if prediction.abstained:
        return "the system abstained"
    return "the answer opens by declining" if has_refused(prediction) else "the system answered"


def has_refused(prediction: Prediction) -> bool:
    """Whether the system abstained, by its own account.

    Predictions that came with a set of other people have no account of it: there, whether the answer opens by declining
    or by saying that the information is missing (rules, in English and Chinese).
    """
    return prediction.abstained or (prediction.system == RECORDED and is_refusal(prediction.answer or ""))


def abstention_precision(*, abstained: bool, is_unanswerable: bool) -> float | None:
    """1 if the refused question is unanswerable, else 0; its mean is the precision of refusing.

    None where the system answered. Source: precision over refusals, as in SQuAD 2.0 (Rajpurkar et al. 2018).
    """
    return float(is_unanswerable) if abstained else None


def abstention_recall(*, abstained: bool, is_unanswerable: bool) -> float | None:
    """1 if the unanswerable question is refused, else 0; its mean is the recall of refusing.

    None where the question is answerable. Source: as ``abstention_precision``.
    """
    return float(abstained) if is_unanswerable else None
