"""Waits between tries: numbers worked by hand."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from ragassay.models.llm.retries import backoff_s, retry_after_s, spread_s


def test_backoff_doubles_up_to_a_limit_and_repeats_with_its_seed() -> None:
    for failures, longest in [(1, 0.5), (2, 1.0), (3, 2.0), (6, 16.0), (7, 30.0), (1000, 30.0)]:
        waits = {backoff_s(failures, seed) for seed in range(50)}
        assert longest / 2 <= min(waits) < max(waits) <= longest
        assert len(waits) == 50
    assert backoff_s(3, "a") == backoff_s(3, "a")
    assert 0 <= spread_s("a") <= 0.1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": formatdate(1_000_060, usegmt=True)}, 60.0),
        ({"retry-after": formatdate(999_000, usegmt=True)}, 0.0),  # a clock that is behind
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=1_000_000.0) == seconds
