from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import tail_probability, two_sided_quantile


def test_by_hand() -> None:
    # one degree of freedom is Cauchy's distribution: P(|T| >= 1) = 1/2; with two, P(|T| >= t) = 1 - t / sqrt(2 + t^2)
    assert tail_probability(1, 1) == pytest.approx(0.5, rel=1e-13)
    assert tail_probability(1, 2) == pytest.approx(1 - 1 / 3**0.5, rel=1e-13)
    assert tail_probability(0, 5) == 1
    assert tail_probability(float("inf"), 5) == 0
    assert two_sided_quantile(0.95, 1) == pytest.approx(12.7062, abs=5e-5)
    assert two_sided_quantile(0.95, 1e8) == pytest.approx(1.959964, abs=5e-7)


@given(st.floats(0, 1e4), st.floats(1, 1e5))
def test_agrees_with_scipy(t: float, dof: float) -> None:
    assert tail_probability(t, dof) == pytest.approx(2 * stats.t.sf(t, dof), rel=1e-9, abs=1e-14)
    assert tail_probability(-t, dof) == tail_probability(t, dof)
