"""Exact match: whether answer and reference are the same but for form."""

from __future__ import annotations

from ragassay.metrics.answer.declared import RAJPURKAR, compared, of_texts
from ragassay.metrics.answer.tokens import squad_tokens


def exact_match(answer: str, reference: str) -> float:
    """1 if both have the same tokens in the same order, else 0.

    Case, punctuation and English articles do not count (``squad_tokens``); two texts of nothing else are the same.
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1.
    """
    return float(squad_tokens(answer) == squad_tokens(reference))


METRICS = (compared("exact_match", exact_match, RAJPURKAR, of_texts(exact_match)),)
