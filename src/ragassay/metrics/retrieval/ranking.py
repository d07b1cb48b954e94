"""Rankings from scores, and of documents from chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan


def ranked_by_score(scores: Mapping[str, float]) -> list[str]:
    """Ids by falling score; of equal scores the greater id comes first, as in trec_eval.

    The rule says nothing of quality: it makes a ranking with ties the same for everyone. Scores are compared as given,
    where trec_eval rounds them to 32 bits first. Raises ValueError where a score is NaN: it has no place.
    """
    for name, score in scores.items():
        if isnan(score):
            raise ValueError(f"the score of {name} is NaN, so that it has no place in a ranking; drop it or score it")
    return sorted(sorted(scores, reverse=True), key=scores.__getitem__, reverse=True)


def without_repeats(ids: Iterable[str]) -> list[str]:
    """Each id at its first place: a ranking of documents from the documents of ranked chunks."""
    return list(dict.fromkeys(ids))
