"""Dates and amounts of Chinese text."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.reading.chinese import amounts, dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("收入30000万元", [("money", 300_000_000.0, "元")]),
        ("利润0.79亿元，增长9.2%", [("money", 79_000_000.0, "元"), ("percent", 9.2, "%")]),
        ("判处三年六个月", [("duration", 42.0, "个月")]),  # 3 x 12 + 6
        ("占百分之三十五", [("percent", 35.0, "%")]),
        ("一家公司和一次性用品", []),
        ("2021年3月的3月10日", []),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, float, str]]) -> None:
    assert [(amount.kind, amount.value, amount.unit) for amount in amounts(text)] == expected


_DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31))


def _written(day: datetime.date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


@given(_DAYS)
def test_every_day_is_read_back(day: datetime.date) -> None:
    (found,) = dates(f"会议在{_written(day)}举行")
    assert found.value == (day.year, day.month, day.day)
