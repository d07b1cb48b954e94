"""Chinese text as the rules compare it: its dates and amounts, and pairs of neighbouring signs."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from ragassay.models.embedded.reading.units import Unit, units

_DATE = re.compile(
    r"""(?<![\d.])(?P<year>(?:1[5-9]|20)\d{2})\s?年(?!度|级|期|前|后|间|来|内|多|以|之|的时间)
        (?:\s?(?P<month>1[0-2]|0?[1-9])\s?月(?!份?度)份?(?:\s?(?P<day>3[01]|[12]\d|0?[1-9])\s?[日号])?)?
    | (?<![\d.-])(?P<iso_year>(?:1[5-9]|20)\d{2})[-/.](?P<iso_month>1[0-2]|0?[1-9])
        [-/.](?P<iso_day>3[01]|[12]\d|0?[1-9])(?![\d.-])""",
    re.VERBOSE,
)


class Date(NamedTuple):
    """A date as it stands in a text. month, day: 0 where it does not say. start, end: offsets."""

    year: int
    month: int
    day: int
    start: int
    end: int
    text: str

    @property
    def value(self) -> tuple[int, int, int]:
        """What two dates are compared by."""
        return self.year, self.month, self.day


def dates(text: str) -> Iterator[Date]:
    """Yield the dates of a text in order: ``2021年3月5日``, ``2021年3月``, ``2021年``, ``2021-03-05``.

    A day that the calendar lacks is none, and ``2021年度`` is a period. Dates without a year are left out.
    """
    for match in _DATE.finditer(text):
        year = int(match["year"] or match["iso_year"])
        month = int(match["month"] or match["iso_month"] or 0)
        day = int(match["day"] or match["iso_day"] or 0)
        try:
            datetime.date(year, month or 1, day or 1)
        except ValueError:
            continue
        yield Date(year, month, day, match.start(), match.end(), match.group())


AmountKind = Literal["money", "percent", "duration", "measure", "count", "number"]

_SCALES = {"千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "万亿": 1e12, "十亿": 1e9, "百亿": 1e10}
_MONEY = "人民币元|元人民币|美元|欧元|港元|港币|日元|英镑|人民币|元"
_DURATION = {
    "年": 365.25,
    "个月": 30.4375,
    "周": 7.0,
    "星期": 7.0,
    "个星期": 7.0,
    "天": 1.0,
    "日": 1.0,
    "个小时": 1 / 24,
    "小时": 1 / 24,
    "个工作日": 1.0,
    "工作日": 1.0,
    "分钟": 1 / 1440,
    "秒": 1 / 86400,
}
_MEASURES = (
    "平方公里|平方千米|平方米|立方米|公里|千米|厘米|毫米汞柱|毫米|公顷|公斤|千克|毫克|微克|吨标煤|吨标准煤|吨|毫升|升|千瓦时|兆瓦|千瓦|摄氏度"
    "|米|克|亩|度|℃|°C|mmHg|MB|GB|TB|KB|kg|km|cm|mm|mg|ml|mL|g/L|Hz|W|V|次/分"
)
_COUNTS = (
    "个百分点|百分点|人|名|位|家|个|项|次|件|座|台|辆|架|艘|本|部|册|篇|条|种|款|张"
    "|只|头|棵|株|所|间|层|岁|倍|股|票|分|门|级|户|起|例"
)
_KINDS: dict[str, AmountKind] = {
    **dict.fromkeys("%％", "percent"),
    **dict.fromkeys(_MONEY.split("|"), "money"),
    **dict.fromkeys(_DURATION, "duration"),
    **dict.fromkeys(_COUNTS.split("|"), "count"),
}
_DIGITS = r"\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_NUMERAL = "[零〇一二两三四五六七八九十百千]+"
_AMOUNT = re.compile(
    rf"""(?<![\d.A-Za-z-])(?P<number>{_DIGITS})\s?(?P<scale>万亿|百万|千万|十亿|百亿|亿|万|千)?(?P<more>余|多)?\s?
        (?:(?P<unit>%|％|{_MONEY}|{"|".join(sorted(_DURATION, key=len, reverse=True))}|{_MEASURES}|{_COUNTS})
            (?!\d|(?<=年)代)|(?![\d年月日号]))
    | 百分之(?P<share>{_NUMERAL})
    | (?<![第初星期周{_NUMERAL[1:-2]}])(?P<numeral>{_NUMERAL})(?P<numeral_scale>万|亿)?
        (?P<numeral_unit>{_MONEY}|个月|年|个小时|小时|天|周|日|岁|名|位|家|项|次|人|个|座|件|种|条|级|倍)(?![{_NUMERAL[1:-2]}]{{1,3}}月|级)""",
    re.VERBOSE,
)
_CHINESE_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}


class Amount(NamedTuple):
    """value: in its unit, 万 and 亿 worked out. unit: as written, without 万 and 亿; empty for a bare number."""

    kind: AmountKind
    value: float
    unit: str
    start: int
    end: int
    text: str

    @property
    def size(self) -> float:
        """The value; of a duration in days, so that ``一年`` and ``12个月`` can be compared."""
        return self.value * _DURATION.get(self.unit, 1.0) if self.kind == "duration" else self.value


def amounts(text: str) -> list[Amount]:
    """The amounts of a text in order; dates, ordinals and "一家公司" are none, and ``三年六个月`` is one."""
    in_dates = [(date.start, date.end) for date in dates(text)]
    found: list[Amount] = []
    for amount in _amounts(text):
        if any(start < amount.end and amount.start < end for start, end in in_dates) or _is_no_amount(text, amount):
            continue
        last = found[-1] if found else None
        if last and last.end == amount.start and last.unit == "年" and amount.unit in ("个月", "月"):
            months = last.value * 12 + amount.value
            found[-1] = Amount("duration", months, "个月", last.start, amount.end, last.text + amount.text)
        else:
            found.append(amount)
    return found


def _amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        if match["share"]:
            number, unit = float(numeral_value(match["share"])), "%"
        elif match["numeral"]:
            scale = _SCALES.get(match["numeral_scale"] or "", 1.0)
            number, unit = numeral_value(match["numeral"]) * scale, match["numeral_unit"]
        else:
            scale = _SCALES.get(match["scale"] or "", 1.0)
            number, unit = float(re.sub("[,，]", "", match["number"])) * scale, match["unit"] or ""
        kind = _KINDS.get(unit, "measure" if unit else "number")
        plain = "元" if kind == "money" and "人民币" in unit else unit
        yield Amount(kind, round(number, 6), plain, match.start(), match.end(), match.group().rstrip())


def _is_no_amount(text: str, amount: Amount) -> bool:
    """Whether it is a part of a date without a year (``3月10日``), a year (``1999年``), or an article (``一家``)."""
    if amount.unit == "日":
        return re.search(r"[月份]\s?\Z", text[: amount.start]) is not None
    if amount.unit == "年" and amount.text[:1].isdigit():
        return amount.value >= 1000
    return amount.kind == "count" and amount.text[0] == "一"


def numeral_value(numeral: str) -> int:
    """``三百二十`` to 320, ``十五`` to 15, ``二〇二一`` to 2021. Raises KeyError for another sign."""
    if not any(sign in _CHINESE_UNITS for sign in numeral):
        return int("".join(str(_CHINESE_DIGITS[sign]) for sign in numeral))
    total = digit = 0
    for sign in numeral:
        if sign in _CHINESE_UNITS:
            total += (digit or 1) * _CHINESE_UNITS[sign]
            digit = 0
        else:
            digit = _CHINESE_DIGITS[sign]
    return total + digit


HAN = "\u3400-\u4dbf\u4e00-\u9fff"
# What a pair is worth to a unit when it stands in the heading above, in the sentence before, or in the title.
HEADING_SHARE, BEFORE_SHARE, TITLE_SHARE = 0.9, 0.7, 0.6
# What it is worth where both its signs stand apart; half of that where one does: words are cut short and put the other
# way round.
LOOSE_SHARE = 0.5
# A pair that many units have tells little: this is the least it counts for.
COMMON_WEIGHT = 0.4

_ASKING = re.compile(
    r"检查结果如何|在什么时候|是?什么时候|什么时间|于?哪年哪月|于?何时|在?哪一?[年天日月]|哪个?月|何年|何月|百分之多少|百分之几|多长时间|多少周岁|多少岁|多少[年月天日元钱]?"
    r"|多[大长久高远深宽重快]|几(?=[个名位次家种项岁年天月倍人座条分点])|什么地方|什么样|是什么|为什么|什么|哪里|哪儿|何处|在哪|哪一?[家个种位名些项款部]|哪[些几]?"
    r"|谁|是?怎样的?|如何|怎么样?|是否|有没有|是不是|还是|吗|呢|请问|请|概述|总结|列出|说明|介绍|一下|分别|叫做?|哪"
)
_NAME = re.compile(
    rf"^在?(?:[{HAN}A-Za-z0-9（）()·]{{2,30}}?(?:有限公司|集团|公司|中心|银行|医院|保健院|法院)(?:审理)?)"
    rf"|患者[{HAN}]{{1,2}}某{{1,2}}|被告人[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{1,2}}某{{1,2}}案?|[{HAN}]{{2,4}}案(?=[中的，])"
    r"|20\d\d年(?:度|财年)|《[^》]*》"
)
_FRAME = re.compile(r"^(?:在|根据)?(?P<frame>.{2,40}?)(?:中，|(?<=》)，)")
_FUNCTION = frozenset("的了是在和与及或也都就而被把对从到于以为其之这那有吗呢吧着地得中")


class Said(NamedTuple):
    """wanted: pairs of signs, numbers and Latin words, each once, in order. about: those of names, which may lack."""

    wanted: tuple[str, ...]
    about: frozenset[str]


@lru_cache(maxsize=4096)
def read(question: str) -> Said:
    """What a question or a statement says, and of whom."""
    rest = question
    about: list[str] = []
    if frame := _FRAME.match(rest):
        about += pairs(frame["frame"])
        rest = rest[frame.end() :]
    for name in _NAME.findall(rest):
        about += pairs(name)
    found = dict.fromkeys(pairs(_ASKING.sub(" ", _NAME.sub(" ", rest))))
    telling = [pair for pair in found if len(pair) > 1]  # "犯什么罪" leaves two signs that say nothing by themselves
    return Said(tuple(telling or [*dict.fromkeys(about), *found]), frozenset(about))


def pairs(text: str) -> list[str]:
    """What Chinese texts are compared by: pairs of neighbouring Han signs, Latin words, numbers, dates."""
    found: list[str] = []
    last = 0
    for date in dates(text):
        found += _plain_pairs(text[last : date.start])
        found.append("-".join(str(part) for part in date.value if part))
        last = date.end
    return found + _plain_pairs(text[last:])


def _plain_pairs(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text):
        if not _HAN_RUN.match(run):
            found.append(run.lower().replace(",", ""))
        elif len(run) == 1:
            found += [run] if run not in _FUNCTION and run not in _SINGLE else []
        else:
            found += [pair for pair in map("".join, pairwise(run)) if _FUNCTION.isdisjoint(pair)]
    return found


_RUN = re.compile(rf"[{HAN}]+|[A-Za-z][A-Za-z0-9_.+#-]*|\d+(?:[.,]\d+)*")
_HAN_RUN = re.compile(f"[{HAN}]")
_SINGLE = frozenset("年月日号一元人个名次多少何谁哪我你他她它不无未")


class Text:
    """A context, read once for many questions."""

    __slots__ = ("counts", "every", "held", "inherited", "signs", "title", "units")

    def __init__(self, text: str) -> None:
        self.units: list[Unit] = units(text)
        self.held: list[frozenset[str]] = [frozenset(pairs(unit.text)) for unit in self.units]
        self.signs: list[frozenset[str]] = [frozenset(unit.text) for unit in self.units]
        self.inherited: list[tuple[frozenset[str], frozenset[str]]] = []
        self.counts: dict[str, int] = {}
        for held in self.held:
            for pair in held:
                self.counts[pair] = self.counts.get(pair, 0) + 1
        self.every = frozenset(self.counts)
        self.title = self.held[0] if self.held else frozenset[str]()
        heading = before = header = frozenset[str]()
        kind_before = ""
        for unit, held in zip(self.units, self.held, strict=True):
            if unit.kind == "row" and kind_before != "row":
                header = held
            elif unit.kind != "row":
                header = frozenset()
            self.inherited.append((heading | header, before))
            kind_before = unit.kind
            if unit.kind == "heading":
                heading, before = held, frozenset()
            elif unit.kind != "item":
                before = held

    def weight(self, pair: str) -> float:
        """1 for a pair that one unit has or none; less, the more of them have it."""
        return max(COMMON_WEIGHT, 1.0 / math.sqrt(max(1, self.counts.get(pair, 0))))

    def share(self, wanted: Sequence[str], place: int) -> float:
        """Weighted share of the pairs that a unit has or inherits."""
        total = sum(self.weight(pair) for pair in wanted)
        gained: float = sum(self.weight(pair) * self._worth(pair, place) for pair in wanted)
        return gained / total if total else 0.0

    def _worth(self, pair: str, place: int) -> float:
        heading, before = self.inherited[place]
        if pair in self.held[place]:
            return 1.0
        if pair in heading:
            return HEADING_SHARE
        if pair in before:
            return BEFORE_SHARE
        if pair in self.title:
            return TITLE_SHARE
        if len(pair) == _PAIR and not pair.isascii():
            return LOOSE_SHARE * sum(sign in self.signs[place] for sign in pair) / _PAIR
        return 0.0


_PAIR = 2


@lru_cache(maxsize=1024)
def read_text(text: str) -> Text:
    """A context, read; remembered, since many statements are held against the same one."""
    return Text(text)
