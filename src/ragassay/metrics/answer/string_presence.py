"""String presence: whether an answer holds its reference, word for word."""

from __future__ import annotations

from ragassay.metrics.answer.declared import compared, of_texts
from ragassay.metrics.answer.tokens import answer_tokens, stand_in


def string_presence(answer: str, reference: str) -> float:
    """1 if the tokens of the reference stand in the answer side by side, in their order, else 0.

    Tokens as in ``exact_match`` (``answer_tokens``); a number or word that is only a part of another one is not there:
    "5" is not in "15" nor in "-5".
    Source: RAGAS 0.2 (its documentation, string presence), which compares the texts sign by sign.
    """
    return float(stand_in(answer_tokens(reference), answer_tokens(answer)))


METRICS = (compared("string_presence", string_presence, "RAGAS 0.2, string presence", of_texts(string_presence)),)
