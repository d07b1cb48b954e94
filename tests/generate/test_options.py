from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.errors import UsageError
from ragassay.generate.options import DEFAULT_MIX, SetPlan, counts_of, read_mix
from ragassay.records import LABELS


@pytest.mark.parametrize(
    ("n", "counts"),
    [
        (2, (1, 1, 0, 0)),  # .8 .4 .4 .4: equal remainders go in the order of the labels
        (3, (1, 1, 1, 0)),  # 1.2 .6 .6 .6: one is sure, two of the three .6 follow
        (7, (3, 2, 1, 1)),  # 2.8 1.4 1.4 1.4: 2 + 1 + 1 + 1, then .8 and the first .4
    ],
)
def test_largest_remainder(n: int, counts: tuple[int, ...]) -> None:
    assert tuple(counts_of(n, DEFAULT_MIX).values()) == counts


mixes = (
    st.lists(st.integers(0, 100), min_size=4, max_size=4)
    .filter(any)
    .map(lambda parts: {label: part / sum(parts) for label, part in zip(LABELS, parts, strict=True)})
)


@given(st.integers(1, 5000), mixes)
def test_counts_add_up_and_stay_within_one_of_the_share(n: int, mix: dict) -> None:
    counts = counts_of(n, mix)
    assert sum(counts.values()) == n
    for label in LABELS:
        assert abs(counts[label] - n * mix[label]) < 1 + 1e-6
        assert mix[label] or counts[label] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fact_single=.4,summary=.2", "--mix: shares must add up to 1, not 0.6"),
        ("fact_single=nan", "--mix: the share of fact_single must be between 0 and 1, not nan"),
        ("fact_single=half", "--mix: the share of fact_single must be a number, not 'half'"),
        ("fact_single=.5,fact_single=.5", "--mix: fact_single is given twice"),
        (
            "trivia=1",
            "--mix: unknown label 'trivia'; choose from fact_single, summary, reasoning, unanswerable",
        ),
        (
            "fact_single",
            "--mix: must be LABEL=SHARE, not 'fact_single'; the labels are "
            "fact_single, summary, reasoning, unanswerable",
        ),
    ],
)
def test_what_is_wrong_with_a_mix_is_said(text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_mix(text)
    assert str(raised.value) == said
    assert raised.value.exit_code == 2


def test_a_long_document_may_give_more() -> None:
    # two, and one more for each 8 000 characters in full
    options = SetPlan()
    assert [options.allowance(length) for length in (0, 7999, 8000, 50_000_000)] == [2, 2, 3, 6252]
