"""Settings that the questions do not tell apart."""

from __future__ import annotations

import numpy as np

from ragassay.rag.setting import Setting
from ragassay.report.wording import count, ties_words
from ragassay.sweep.best import ties_of

DENSE = Setting(chunk_size=512, fusion="raw_linear", text_weight=0.0)
LEXICAL = Setting(chunk_size=256, fusion="raw_linear", text_weight=1.0)
HYBRID = Setting(chunk_size=256, fusion="raw_linear", text_weight=0.3)
TOKENS = {DENSE: 900.0, LEXICAL: 400.0, HYBRID: 401.0}


def test_equal_values_are_ties_and_no_number_of_questions_would_tell() -> None:
    ones = np.ones(40)
    ties = ties_of(DENSE, {DENSE: ones, HYBRID: ones, LEXICAL: ones}, TOKENS)
    assert (ties.tied, ties.others, ties.questions, ties.needed, ties.cheapest) == (2, 2, 40, None, LEXICAL)
    assert "2 of the 2 other settings cannot be distinguished" in ties_words(ties)


def test_what_is_clearly_worse_is_no_tie() -> None:
    best = np.ones(60)
    close = best.copy()
    close[:2] = 0
    worse = best.copy()
    worse[:30] = 0
    ties = ties_of(HYBRID, {HYBRID: best, DENSE: close, LEXICAL: worse}, TOKENS)
    assert (ties.tied, ties.others, ties.cheapest) == (1, 2, HYBRID)
    spread = float(np.std(close - best, ddof=1))
    assert ties.needed == int(np.ceil(((2.2414 + 0.8416) * spread / 0.05) ** 2))
    assert f"Detecting a difference of five points would take about {count(ties.needed, 'question')}." in ties_words(
        ties
    )


def test_what_few_questions_do_not_tell_apart_is_not_recommended_far_below_the_best() -> None:
    best = np.array([1.0, 1, 1, 1, 0])
    near, far = best.copy(), best.copy()
    near[3], near[4] = 0.9, 0.1  # the same mean
    far[0] = 0  # 20 points lower
    ties = ties_of(DENSE, {DENSE: best, HYBRID: near, LEXICAL: far}, TOKENS)
    assert (ties.tied, ties.cheapest) == (2, HYBRID)  # lexical search costs less
    dear = ties_of(DENSE, {DENSE: best, HYBRID: near}, {DENSE: 400.0, HYBRID: 400.0})
    assert dear.cheapest == DENSE  # of the same tokens and mean the smaller weight
