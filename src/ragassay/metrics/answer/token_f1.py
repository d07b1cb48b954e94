"""Token F1: how many words answer and reference share."""

from __future__ import annotations

from collections import Counter

from ragassay.metrics.answer.overlap import Overlap
from ragassay.metrics.answer.tokens import squad_tokens


def token_f1(answer: str, reference: str) -> Overlap:
    """Tokens that both have, each as often as it stands in both; its ``f1`` is the metric, in [0, 1].

    Tokens without case, punctuation and English articles (``squad_tokens``); Chinese by characters. Where either text
    has no token, 1 if neither has, else 0, as in SQuAD 2.0.
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1.
    """
    said, wanted = squad_tokens(answer), squad_tokens(reference)
    shared = (Counter(said) & Counter(wanted)).total()
    return Overlap(shared, len(said), len(wanted))
