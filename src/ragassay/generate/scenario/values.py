"""What kind of value a text is: date, amount with unit, person, organisation, place, number of a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from ragassay.models.embedded.reading.terms import MONTHS, NUMBER_WORDS, SCALES

Precision = Literal["day", "month"]
Kind = Literal["date", "file", "person", "organisation", "place", "number", "option", "text"]

_MOST = 0.6
"""Share of the values that decide what a field is."""
MOST_OPTION_CHARS = 60
_MONTH = "(?P<month>" + "|".join(name.capitalize() for name in MONTHS) + r")\b"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR, _NUMBER = r"(?P<year>\d{4})", r"(?P<number>\d{1,2})"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}-{_NUMBER}-(?P<day>\d{{1,2}})",
        rf"{_YEAR}年{_NUMBER}月(?P<day>\d{{1,2}})日",
        rf"{_DAY}(?: of|,)? {_MONTH},? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_MONTH},? (?:of )?{_YEAR}",
        rf"{_YEAR}年{_NUMBER}月",
    )
)
_AMOUNT = re.compile(
    r"(?P<before>[$€£¥]|人民币|RMB |USD )?\s*(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<unit> ?(?:million|billion|thousand|万|亿|百万|千万)?[^\d.,;:，。；：/(（]{0,16})"
)
_SCALES = {"百万": 1e6, "千万": 1e7} | SCALES
_SCALED = re.compile(r"(?<![\dA-Za-z])(\d+(?:,\d{3})*(?:\.\d+)?)(?:[ -]?(thousand|[mb]illion|百万|千万|[万亿]))?")
_WORDS = {"one": 1} | NUMBER_WORDS | MONTHS
_DIGITS = str.maketrans("零〇一二三四五六七八九", "00123456789")
_NUMERAL = re.compile(r"([一二三四五六七八九]?)十([一二三四五六七八九]?)|([零〇一二三四五六七八九]+)")
ORGANISATION_EN = re.compile(
    r"\b(?:Court|Procuratorate|Prosecutor(?:'s|s|’s)? Office|Hospital|Clinic|University|College|School|Bank|Office|"
    r"Firm|Associates|Partners|LLP|LLC|Inc|Ltd|Limited|Corp|Corporation|Company|Co|Group|Holdings?|Institute|Agency|"
    r"Authority|Ministry|Department|Bureau|Committee|Council|Foundation|plc)\b\.?"
)
ORGANISATION_ZH = re.compile(
    r"(?:人民|中心|附属|中医|妇幼保健)*(?:医院|法院|检察院)|(?:律师)?事务所|(?:股份|集团)*(?:有限)?公司|集团|大学|学院|银行|委员会|公安局"
)
_PERSON_LABEL = re.compile(
    r"\b(?:name|judge|lawyer|attorney|counsel|clerk|defendant|plaintiff|prosecutor|physician|doctor|signature|patient|"
    r"author|witness|surgeon|nurse|chair(?:man|woman)?|director)\b|姓名|医师|医生|法官|书记员|审判长|审判员|辩护人|被告人|原告人?|检察员"
    r"|签名|代理人|患者|公诉人",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*){1,3}|[\u4e00-\u9fff]{2,5}|[\u4e00-\u9fff]某{1,2}")
_PLACE_LABEL = re.compile(
    r"\b(?:birth ?place|residence|address|location|city|place|home ?town|registered office)\b"
    r"|住址|地址|出生地|居[留住]地|籍贯|注册地|住所",
    re.IGNORECASE,
)
_FILE_LABEL = re.compile(
    r"\b(?:number|no|id|code|reference|file|ref|docket)\b|号$|编号|案号|号码|代码|身份证", re.IGNORECASE
)
_SENTENCE_STOP = re.compile(r"[。；;!?]|\. [A-Z][a-z]+ [a-z]")
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方"
    "邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞"
)
_NAME_ZH = re.compile(
    r"[\u4e00-\u9fff]某|[\u4e00-\u9fffA-Za-z]{2,}(?:公司|医院|法院|检察院|事务所)|[\u4e00-\u9fff]{2,4}(?:省|自治区)|"
    rf"[\u4e00-\u9fff]{{2}}市(?!场|盈|值|政)|[\u4e00-\u9fff]{{2,}}[街路]\d+号|[《“][^》”]+[》”]|"
    rf"[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}(?:医生|医师|主任|护士|法官|先生|女士|教授)|"
    rf"(?:被告人|医师|患者|经理|董事长|总裁|先生|女士|签名|签字|姓名)[：:]? ?[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}"
)
_QUOTED = re.compile(r"[‘“][A-Z][^’”]*[’”]")


class Amount(NamedTuple):
    """A number as a text writes it. pattern: all around it, with ``{}``."""

    number: Decimal
    pattern: str


def dates_in(text: str) -> list[tuple[int, int, date, Precision]]:
    """(start, end, date, precision) of the dates in a text, in order, none inside another."""
    found: list[tuple[int, int, date, Precision]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end, _, _ in found):
                continue
            groups = match.groupdict()
            try:
                month = int(groups["number"]) if "number" in groups else MONTHS[groups["month"].lower()]
                each = date(int(groups["year"]), month, int(groups.get("day") or 1))
            except ValueError:
                continue
            found.append((match.start(), match.end(), each, "day" if groups.get("day") else "month"))
    return sorted(found)


def amount(text: str) -> Amount | None:
    """The amount that a text is, None where it says more."""
    match = _AMOUNT.fullmatch(text.strip().rstrip("。.；;"))
    if match is None or re.search("[{}]", text):
        return None
    unit = match["unit"].rstrip()
    return Amount(Decimal(match["number"].replace(",", "")), f"{match['before'] or ''}{{}}{unit}")


def numbers_in(text: str) -> list[Decimal]:
    """The numbers that a text has in digits, "1.2 million" as 1 200 000."""
    found = _SCALED.findall(text.lower())
    return [Decimal(digits.replace(",", "")) * int(_SCALES.get(scale, 1)) for digits, scale in found]


@lru_cache(maxsize=256)
def readings_in(text: str) -> Counter[Decimal]:
    """Count all numbers that a text may state: with the scales that it names and without, in words, as months."""
    found = _SCALED.findall(text.lower())
    scales = {1, *(int(_SCALES.get(scale, 1)) for _, scale in found)}
    numbers = Counter(Decimal(digits.replace(",", "")) * scale for digits, _ in found for scale in scales)
    numbers.update(Decimal(_WORDS[word]) for word in re.findall("[a-z]+", text.lower()) if word in _WORDS)
    for tens, ones, digits in _NUMERAL.findall(text):
        numbers[Decimal((digits or f"{tens or '一'}{ones or '〇'}").translate(_DIGITS))] += 1
    return numbers


def states(text: str, value: str) -> bool:
    """Whether a text has a value, its dates and numbers written in any way, else whatever its case and spacing."""
    dates = [(day.year, day.month, day.day)[: 3 if by == "day" else 2] for _, _, day, by in dates_in(value)]
    if wanted := [Decimal(part) for parts in dates for part in parts] or numbers_in(value):
        return Counter(wanted) <= readings_in(text)
    return "".join(value.split()).casefold() in "".join(text.split()).casefold()


def is_telling(value: str) -> bool:
    """Whether a value is a name, number or date, which cannot be said in another sense as words can."""
    return re.search(rf"\d|^[A-Z]|^[{_SURNAMES}]|{ORGANISATION_ZH.pattern}|[省市区县镇街路]", value) is not None


def kind_of(label: str, values: Sequence[str]) -> Kind:
    """What most of the values of a field are."""
    for kind, test in _TESTS.items():
        if sum(bool(test(label, value)) for value in values) >= _MOST * len(values):
            return kind
    return "option" if max(map(len, values)) <= MOST_OPTION_CHARS else "text"


def _is_date(_: str, text: str) -> bool:
    left = text
    for start, end, _day, _precision in reversed(dates_in(text)):
        left = left[:start] + left[end:]
    return left != text and len(left.strip()) < len("between  and ")


def _is_file_number(label: str, text: str) -> bool:
    short = len(text) <= 32 and sum(sign.isdigit() for sign in text) >= 3
    return short and bool(_FILE_LABEL.search(label)) and amount(text) is None


def _is_person(label: str, text: str) -> bool:
    is_name = _PERSON.fullmatch(re.split(r"(?:,| of | at |，|（|\()", text, maxsplit=1)[0].strip(" .。")) is not None
    return is_name and ("某" in text or bool(_PERSON_LABEL.search(label))) and not _is_organisation(label, text)


def _is_organisation(_: str, text: str) -> bool:
    if len(text) > 80 or _SENTENCE_STOP.search(text) or ORGANISATION_ZH.fullmatch(text):
        return False
    chinese = re.search(f"(?:{ORGANISATION_ZH.pattern})$", text)
    return bool(chinese or (ORGANISATION_EN.search(text) and text[:1].isupper()))


def _is_place(label: str, text: str) -> bool:
    return len(text) < MOST_OPTION_CHARS and not _SENTENCE_STOP.search(text) and bool(_PLACE_LABEL.search(label))


_TESTS: dict[Kind, Callable[[str, str], object]] = {
    "date": _is_date,
    "file": _is_file_number,
    "person": _is_person,
    "place": _is_place,
    "organisation": _is_organisation,
    "number": lambda _, text: amount(text),
}


def names_in(text: str, common: Collection[str]) -> list[str]:
    """What in a text may name somebody or something. common: lower-case words that are no names."""
    found = [match.group() for pattern in (_NAME_ZH, _QUOTED) for match in pattern.finditer(text)]
    for match in re.finditer(r"(?<!\w)[A-Z][\w'’-]+", text):
        before = text[: match.start()].rstrip()
        titled = re.search(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St)|\b[A-Z])\.$", before)
        begins = not titled and (not before or before[-1] in '.!?:;—-•"“(' or before.endswith(("\n", "1")))
        followed = re.match(r" [A-Z]", text[match.end() :])
        if match.group().lower() not in common and (followed or not begins):
            found.append(match.group())
    return found
