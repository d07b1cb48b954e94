"""Exact match: whether answer and reference are the same but for form."""

from __future__ import annotations

from ragassay.metrics.answer.declared import RAJPURKAR, compared, of_texts, with_unanswerable
from ragassay.metrics.answer.tokens import answer_tokens, squad_tokens


def exact_match(answer: str, reference: str) -> float:
    """1 if both have the same words, numbers and signs in the same order, else 0.

    Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35" (``answer_tokens``).
    Source: after Rajpurkar et al. 2016, whose rule is ``squad_exact_match``.
    """
    return float(answer_tokens(answer) == answer_tokens(reference))


def squad_exact_match(answer: str, reference: str) -> float:
    """Exact match by SQuAD's own rule: 1 if both are the same without case, ASCII punctuation and articles, else 0.

    So "3.5" and "35", "-5" and "5", "< 5" and "> 5" are the same, "12.0" and "12" are not (``squad_tokens``). Where the
    question has no answer, 1 if the system abstained, else 0, as in SQuAD 2.0.
    Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return float(squad_tokens(answer) == squad_tokens(reference))


METRICS = (
    compared("exact_match", exact_match, "ours, after Rajpurkar et al. 2016 (SQuAD)", of_texts(exact_match)),
    compared(
        "squad_exact_match", squad_exact_match, RAJPURKAR, with_unanswerable(of_texts(squad_exact_match)), ("answer",)
    ),
)
