"""ROUGE: which words, pairs of words and sequences of a reference an answer has."""

from __future__ import annotations

from itertools import pairwise

from ragassay.metrics.answer.declared import LIN, compared, of_overlap
from ragassay.metrics.answer.lcs import lcs_length
from ragassay.metrics.answer.overlap import Overlap, shared_count
from ragassay.metrics.answer.tokens import rouge_tokens


def rouge_1(answer: str, reference: str) -> Overlap | None:
    """F1 of the words that both have, each as often as it stands in both, in [0, 1].

    Returned with its counts. Words in lower case without punctuation and signs, not stemmed (``rouge_tokens``): "-5" is
    "5". Chinese by characters. None where the reference has no word.
    Source: Lin 2004, section 2, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return Overlap(shared_count(said, wanted), len(said), len(wanted)) if wanted else None


def rouge_2(answer: str, reference: str) -> Overlap | None:
    """F1 of the pairs of neighbouring words that both have, in [0, 1].

    Otherwise as ``rouge_1``. None where the reference has fewer than two words.
    Source: Lin 2004, section 2.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    if len(wanted) < 2:
        return None
    shared = shared_count(pairwise(said), pairwise(wanted))
    return Overlap(shared, max(0, len(said) - 1), len(wanted) - 1)


def rouge_l(answer: str, reference: str) -> Overlap | None:
    """F1 of the words in the longest common subsequence of both texts, in [0, 1].

    Over the two whole texts, whatever their sentences; words as in ``rouge_1``. The published DragonBall figure is
    another: ``released_rouge_l``. Raises ValueError where both have more than 50 000 words.
    Source: Lin 2004, section 3.1, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return Overlap(lcs_length(said, wanted), len(said), len(wanted)) if wanted else None


METRICS = (
    compared("rouge_1", rouge_1, LIN, of_overlap(rouge_1, "word")),
    compared("rouge_2", rouge_2, LIN, of_overlap(rouge_2, "word pair")),
    compared("rouge_l", rouge_l, LIN, of_overlap(rouge_l, "word")),
)
