"""Settings that the questions do not tell apart."""

from __future__ import annotations

import numpy as np

from ragassay.rag.setting import Setting
from ragassay.report.wording import ties_words
from ragassay.sweep.ties import ties_of

DENSE = Setting(chunk_size=512, fusion="raw_linear", text_weight=0.0)
LEXICAL = Setting(chunk_size=256, fusion="raw_linear", text_weight=1.0)
HYBRID = Setting(chunk_size=256, fusion="raw_linear", text_weight=0.3)


def test_equal_values_are_ties_and_no_number_of_questions_would_tell() -> None:
    ones = np.ones(40)
    ties = ties_of(DENSE, {DENSE: ones, HYBRID: ones, LEXICAL: ones})
    assert (ties.tied, ties.others, ties.questions, ties.needed, ties.cheapest) == (2, 2, 40, None, LEXICAL)
    assert ties_words(ties, DENSE) == (
        "With these 40 questions, none of the 2 other settings can be distinguished from it; the cheapest of "
        "these is lexical retrieval alone, chunks of 256 characters. All of them have the same values."
    )


def test_what_is_clearly_worse_is_no_tie() -> None:
    best = np.ones(60)
    close = best.copy()
    close[:2] = 0
    worse = best.copy()
    worse[:30] = 0
    ties = ties_of(HYBRID, {HYBRID: best, DENSE: close, LEXICAL: worse})
    assert (ties.tied, ties.others, ties.cheapest) == (1, 2, HYBRID)
    spread = float(np.std(close - best, ddof=1))
    assert ties.needed == int(np.ceil(((2.2414 + 0.8416) * spread / 0.05) ** 2))
    assert ties_words(ties, HYBRID).endswith(
        f"Detecting a difference of five points would take about {ties.needed} questions."
    )


def test_one_setting_alone_has_no_ties() -> None:
    ties = ties_of(DENSE, {DENSE: np.ones(5)})
    assert (ties.tied, ties.others, ties.cheapest, ties.needed) == (0, 0, DENSE, None)
