"""Dates and amounts of Chinese text."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.chinese.amounts import amounts, difference, numeral_value
from ragassay.models.embedded.chinese.dates import age_at, dates, interval


def test_dates_are_as_precise_as_they_are_written() -> None:
    found = dates("2021年3月5日签约，2021年3月完成，2019年成立，2022-11-02验收，2021年度报告，2021年2月30日")
    assert [(date.value, date.precision) for date in found] == [
        ((2021, 3, 5), "day"),
        ((2021, 3, 0), "month"),
        ((2019, 0, 0), "year"),
        ((2022, 11, 2), "day"),
    ]


def test_a_date_stands_where_it_says() -> None:
    text = "公司于2021年3月5日签约。"
    (date,) = dates(text)
    assert text[date.start : date.end] == date.text == "2021年3月5日"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("收入30000万元", [("money", 300_000_000.0, "元")]),
        ("利润0.79亿元，增长9.2%", [("money", 79_000_000.0, "元"), ("percent", 9.2, "%")]),
        ("募集2.5亿美元", [("money", 250_000_000.0, "美元")]),
        ("判处三年六个月", [("duration", 42.0, "个月")]),  # 3 x 12 + 6
        ("占百分之三十五", [("percent", 35.0, "%")]),
        ("员工1,208人", [("count", 1208.0, "人")]),
        ("体温36.8℃", [("measure", 36.8, "℃")]),
        ("每年10天年休假", [("duration", 10.0, "天")]),
        ("一家公司和一次性用品", []),
        ("2021年3月的3月10日", []),
        ("20世纪50年代", [("number", 20.0, "")]),
        ("蓝天街21号", []),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, float, str]]) -> None:
    assert [(amount.kind, amount.value, amount.unit) for amount in amounts(text)] == expected


def test_durations_of_different_units_compare_in_days() -> None:
    one, other = amounts("一年")[0], amounts("12个月")[0]
    assert one.size == pytest.approx(other.size)


@pytest.mark.parametrize(
    ("numeral", "value"), [("十五", 15), ("三百二十", 320), ("一百零五", 105), ("两千", 2000), ("二〇二一", 2021)]
)
def test_numerals(numeral: str, value: int) -> None:
    assert numeral_value(numeral) == value


@pytest.mark.parametrize(
    ("more", "less", "gap"),
    [
        ("13.86亿元", "7.55亿元", "6.31亿元"),
        ("5000万元", "1.2亿元", None),  # the smaller one first
        ("60%", "45.5%", "14.5个百分点"),
        ("23400吨", "21010吨", "2390吨"),
        ("3年", "6个月", None),  # other units
    ],
)
def test_differences(more: str, less: str, gap: str | None) -> None:
    assert difference(amounts(more)[0], amounts(less)[0]) == gap


@pytest.mark.parametrize(
    ("first", "last", "gap"),
    [
        ("2019年3月", "2019年8月", "5个月"),
        ("2019年3月", "2021年3月", "2年"),
        ("2005年", "2019年", "14年"),
        ("2021年3月5日", "2021年3月25日", "20天"),
        ("2019年3月", "2019年3月", None),
        ("2019年", "2019年8月", None),  # other precisions
        ("2015年3月", "2020年8月", None),  # 65 months are not said in months, nor whole years
    ],
)
def test_intervals(first: str, last: str, gap: str | None) -> None:
    assert interval(dates(first)[0], dates(last)[0]) == gap


def test_an_age_that_the_dates_leave_open_is_none() -> None:
    birth = dates("1980年6月15日")[0]
    assert age_at(birth, dates("2000年6月14日")[0]) == 19
    assert age_at(birth, dates("2000年6月15日")[0]) == 20
    assert age_at(birth, dates("2000年6月")[0]) is None
    assert age_at(birth, dates("2000年7月")[0]) == 20
    assert age_at(birth, dates("1979年7月")[0]) is None


_DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31))


def _written(day: datetime.date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


@given(_DAYS)
def test_every_day_is_read_back(day: datetime.date) -> None:
    (found,) = dates(f"会议在{_written(day)}举行")
    assert found.value == (day.year, day.month, day.day)


@given(_DAYS, _DAYS)
def test_an_interval_in_days_is_their_difference(one: datetime.date, other: datetime.date) -> None:
    first, last = sorted((one, other))
    gap = interval(dates(_written(first))[0], dates(_written(last))[0])
    if gap is not None and gap.endswith("天"):
        assert int(gap.removesuffix("天")) == (last - first).days


@given(_DAYS, _DAYS)
def test_an_age_is_that_of_the_calendar(birth: datetime.date, moment: datetime.date) -> None:
    age = age_at(dates(_written(birth))[0], dates(_written(moment))[0])
    if moment < birth:
        assert age is None
    else:
        assert age == moment.year - birth.year - ((moment.month, moment.day) < (birth.month, birth.day))


@given(st.integers(1, 99_999), st.integers(1, 99_999))
def test_a_difference_and_the_smaller_amount_make_the_larger_one(one: int, other: int) -> None:
    less, more = sorted((one, other))
    gap = difference(amounts(f"{more}万元")[0], amounts(f"{less}万元")[0])
    if less == more:
        assert gap is None
    else:
        assert gap is not None
        assert amounts(gap)[0].value + less * 10_000 == more * 10_000
