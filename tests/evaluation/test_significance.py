from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.evaluation.aggregate import holm


def test_holm_by_hand() -> None:
    # sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1: 0.04, 0.06, 0.06 (not below the one before), 0.06
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8), st.randoms())
def test_holm_laws(p_values: list[float], random: np.random.Generator) -> None:
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    assert all(a <= min(1, len(p_values) * p) + 1e-12 for p, a in zip(p_values, adjusted, strict=True))  # Bonferroni
    order = list(range(len(p_values)))
    random.shuffle(order)
    assert sorted(holm([p_values[number] for number in order])) == sorted(adjusted)
