"""Token F1: how many words answer and reference share."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.declared import RAJPURKAR, compared, of_overlap, with_unanswerable
from ragassay.metrics.answer.overlap import Overlap, shared_count
from ragassay.metrics.answer.tokens import answer_tokens, squad_tokens


def token_f1(answer: str, reference: str) -> Overlap:
    """F1 of the words, numbers and signs that both have, each as often as it stands in both, in [0, 1].

    Returned with its counts. Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35"
    (``answer_tokens``); Chinese by characters.
    Source: after Rajpurkar et al. 2016, whose rule is ``squad_f1``.
    """
    return _overlap(answer_tokens(answer), answer_tokens(reference))


def squad_f1(answer: str, reference: str) -> Overlap:
    """Token F1 by SQuAD's own rule: of tokens without case, ASCII punctuation and articles, in [0, 1].

    Returned with its counts. So "3.5" and "35" are the same, and Chinese is cut at spaces only (``squad_tokens``).
    Where either text has no token, 1 if neither has, else 0, as in SQuAD 2.0; where the question has no answer, 1 if
    the system abstained, else 0.
    Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return _overlap(squad_tokens(answer), squad_tokens(reference))


def _overlap(said: Sequence[str], wanted: Sequence[str]) -> Overlap:
    return Overlap(shared_count(said, wanted), len(said), len(wanted))


METRICS = (
    compared("token_f1", token_f1, "ours, after Rajpurkar et al. 2016 (SQuAD)", of_overlap(token_f1, "token")),
    compared("squad_f1", squad_f1, RAJPURKAR, with_unanswerable(of_overlap(squad_f1, "token")), ("answer",)),
)
