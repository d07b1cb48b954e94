"""Token F1: how many words answer and reference share."""

from __future__ import annotations

from ragassay.metrics.answer.declared import RAJPURKAR, compared, of_overlap
from ragassay.metrics.answer.overlap import Overlap, shared_count
from ragassay.metrics.answer.tokens import squad_tokens


def token_f1(answer: str, reference: str) -> Overlap:
    """F1 of the tokens that both have, each as often as it stands in both, in [0, 1].

    Returned with its counts. Tokens without case, punctuation and English articles (``squad_tokens``); Chinese by
    characters. Where either text has no token, 1 if neither has, else 0, as in SQuAD 2.0.
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1.
    """
    said, wanted = squad_tokens(answer), squad_tokens(reference)
    return Overlap(shared_count(said, wanted), len(said), len(wanted))


METRICS = (compared("token_f1", token_f1, RAJPURKAR, of_overlap(token_f1, "token")),)
