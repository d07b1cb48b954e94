"""Several judges: their scores joined by hand-worked values, ties and silence, and what is kept of their agreement."""

from __future__ import annotations

import pytest

from ragassay.jobs.score.panel import DISPUTES, PanelScores
from ragassay.records import Score

JUDGES = ["a", "b", "c"]


def scores(*values: float | None, metric: str = "faithfulness") -> list[Score]:
    return [
        Score(
            example_id=f"q{place}",
            system="s",
            metric=metric,
            value=value,
            reason="refused" if value is None else None,
            evidence=("seen",),
        )
        for place, value in enumerate(values)
    ]


def test_the_mean_is_of_those_that_gave_a_value() -> None:
    panel = PanelScores(JUDGES, "mean")
    joined = panel.joined(scores(1.0, 0.5, None), [scores(0.0, 0.25, None), scores(0.5, None, None)])
    assert [each.value for each in joined] == [0.5, 0.375, None]  # (1 + 0 + .5) / 3, (.5 + .25) / 2
    assert joined[0].evidence == ("seen", "a: 1", "b: 0", "c: 0.5", "b: seen", "c: seen")
    assert joined[1].evidence[1:4] == ("a: 0.5", "b: 0.25", "c: no value: refused")
    assert joined[2].reason == "no judge gave a value: refused"


def test_a_majority_is_more_than_half_and_a_tie_is_no_value() -> None:
    panel = PanelScores(JUDGES, "majority")
    joined = panel.joined(scores(1.0, 1.0, 0.2), [scores(0.0, 0.0, 0.2), scores(1.0, None, 0.4)])
    assert [each.value for each in joined] == [1.0, None, 0.2]
    assert joined[1].reason == "no majority: the judges gave 1, 0"


def test_agreement_by_hand() -> None:
    """Krippendorff 2011, interval: values 0, 0 | 1, 1 | 0, 1. Do = 1/3, De = 18/30: alpha = 1 - 5/9."""
    panel = PanelScores(["a", "b"], "mean")
    panel.joined(scores(0.0, 1.0, 0.0), [scores(0.0, 1.0, 1.0)])
    (found,) = panel.agreement()
    assert (found.n, found.identical, found.reason) == (3, 2, None)
    assert found.alpha == pytest.approx(1 - (1 / 3) / (18 / 30))
    assert (found.judges["b"].mean, found.judges["b"].n, found.judges["b"].total) == (pytest.approx(2 / 3), 3, 3)


def test_agreement_without_two_values_is_unknown() -> None:
    panel = PanelScores(["a", "b"], "mean")
    panel.joined(scores(1.0, None), [scores(None, None)])
    (found,) = panel.agreement()
    assert (found.alpha, found.reason, found.identical) == (None, "no item was judged by two raters", 0)
    assert (found.judges["b"].mean, found.judges["b"].n, found.judges["b"].total) == (None, 0, 2)


def test_the_widest_disputes_come_first_and_those_as_wide_in_their_order() -> None:
    panel = PanelScores(["a", "b"], "mean")
    panel.joined(scores(0.0, 0.5, 0.5, 0.0), [scores(0.5, 0.5, 1.0, 1.0)])
    assert [each.example_id for each in panel.disputes()] == ["q3", "q0", "q2"]
    many = PanelScores(["a", "b"], "mean")
    many.joined(scores(*[0.0] * 30), [scores(*[1.0] * 30)])
    assert [each.example_id for each in many.disputes()] == [f"q{place}" for place in range(DISPUTES)]


def test_what_others_were_not_asked_stays_as_it_is() -> None:
    panel = PanelScores(["a", "b"], "mean")
    own = scores(0.25, metric="mine")
    assert panel.joined(own, [[]]) == own
    assert panel.agreement() == ()
