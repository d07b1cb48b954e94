"""What kind of value a text is: date, amount with unit, person, organisation, place, number of a file."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

Precision = Literal["day", "month"]

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "(?P<month>" + "|".join(name.capitalize() for name in _MONTHS) + ")"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<year>\d{4})年(?P<number>\d{1,2})月(?P<day>\d{1,2})日",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of|,)? {_MONTH},? (?P<year>\d{{4}})",
        rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})",
        rf"{_MONTH},? (?:of )?(?P<year>\d{{4}})",
        r"(?P<year>\d{4})年(?P<number>\d{1,2})月",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of|,)? {_MONTH}",
        rf"{_MONTH},? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)",
        r"(?P<number>\d{1,2})月(?P<day>\d{1,2})日",
    )
)
_YEAR_UNSAID = 2023
"""Stands for the year of dates that are written without one."""
_CLOCK = re.compile(r"[\s,]*(?:at )?\d{1,2}(?::\d{2}|时\d{0,2}分?)(?:\s*[AaPp]\.?[Mm]\.?)?$")
_AMOUNT = re.compile(
    r"(?P<before>[$€£¥]|人民币|RMB |USD )?\s*(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<unit> ?(?:million|billion|thousand|万|亿|百万|千万)?[^\d.,;:，。；：/(（]{0,16})"
)
_SCALES = {"million": 6, "billion": 9, "thousand": 3, "万": 4, "百万": 6, "千万": 7, "亿": 8}
_SCALE = re.compile(r"^ ?(million|billion|thousand|百万|千万|万|亿)")

ORGANISATION_EN = re.compile(
    r"\b(?:Court|Procuratorate|Prosecutor(?:'s|s|’s)? Office|Hospital|Clinic|University|College|School|Bank|"
    r"Office|Firm|Associates|Partners|LLP|LLC|Inc|Ltd|Limited|Corp|Corporation|Company|Co|Group|Holdings?|Solutions|Services|"
    r"Institute|Agency|Authority|Ministry|Department|Bureau|Committee|Council|Airlines|Enterprises|Foundation|plc|"
    r"Medical (?:Center|Centre))\b\.?"
)
ORGANISATION_ZH = re.compile(
    r"(?:人民|中心|附属|中医|妇幼保健)*(?:医院|法院|检察院)|(?:律师)?事务所|(?:股份|集团)*(?:有限)?公司|集团|大学|学院|银行|委员会|公安局"
)
_ADDRESS_EN = re.compile(
    r"\b(?:Street|Road|Avenue|Lane|Drive|Boulevard|Terrace|Square|Court|Close|Way|St\.|Rd\.|Ave\.)", re.IGNORECASE
)
_PLACE_ZH = re.compile(r"^[\u4e00-\u9fff]{1,8}[省市区县镇村](?:[\u4e00-\u9fff\d]{0,14}[街路巷道里号室])*(?:居民)?$")
_PERSON_EN = re.compile(
    r"(?:(?:Dr|Mr|Ms|Mrs|Prof|Judge)\.? )?(?:[A-Z]\. ?){0,2}[A-Z][\w'’-]+(?: (?:[A-Z]\.|[A-Z][\w'’-]+)){0,2}"
)
_TITLE = re.compile(r"^(?:Dr|Mr|Ms|Mrs|Prof|Judge|Justice)\.? |(?<=[\u4e00-\u9fff])(?:医生|医师|主任|护士|法官)$")
_INITIAL = re.compile(r"^(?:Dr\.? |Mr\.? |Ms\.? )?[A-Z]\. ?[A-Z]")
_PERSON_LABEL = re.compile(
    r"\b(?:name|judge|lawyer|attorney|counsel|clerk|defendant|plaintiff|prosecutor|physician|doctor|signature|patient|"
    r"author|witness|surgeon|nurse|chair(?:man|woman)?|director)\b|姓名|医师|医生|法官|书记员|审判长|审判员|辩护人|被告人|原告人?|检察员"
    r"|签名|代理人|患者|公诉人",
    re.IGNORECASE,
)
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方"
    "邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞"
    "左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季成霍苗裴舍喻窦茅昌蓝华傅房路柴费解应岑穆萧"
)
_PERSON_ZH = re.compile(
    rf"(?:[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]某{{1,2}})(?:医生|医师|主任|护士|法官)?"
)
_PLACE_LABEL = re.compile(
    r"\b(?:birth ?place|residence|address|location|city|place|home ?town|registered office)\b"
    r"|住址|地址|出生地|居[留住]地|籍贯|注册地|住所",
    re.IGNORECASE,
)
_FILE_LABEL = re.compile(
    r"\b(?:number|no|id|code|reference|file|ref|docket)\b|号$|编号|案号|号码|代码|身份证", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as a text writes it. number: without scale; scale: power of ten; unit: what is left around it."""

    number: Decimal
    scale: int
    pattern: str
    unit: str

    @property
    def value(self) -> Decimal:
        """The number with its scale."""
        return self.number.scaleb(self.scale)


def dates_in(text: str) -> list[tuple[int, int, date, Precision]]:
    """(start, end, date, precision) of the dates in a text, in order, none inside another."""
    found: list[tuple[int, int, date, Precision]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end, _, _ in found):
                continue
            groups = match.groupdict()
            try:
                month = int(groups["number"]) if "number" in groups else _MONTHS.index(groups["month"].lower()) + 1
                day = int(groups.get("day") or 1)
                each = date(int(groups.get("year") or _YEAR_UNSAID), month, day)
            except ValueError:
                continue
            found.append((match.start(), match.end(), each, "day" if groups.get("day") else "month"))
    return sorted(found)


def is_date(text: str) -> bool:
    """Whether a text is a date or a stretch between two, and nothing else."""
    left = text
    for start, end, _, _ in reversed(dates_in(text)):
        left = left[:start] + left[end:]
    left = _CLOCK.sub("", left)
    return left != text and not re.sub(
        r"\b(?:on|from|to|until|between|and|early|mid|late)\b|[\s,，。.\-–—~至到和左右上中下旬初底日晚午约]", "", left
    )


def amount(text: str) -> Amount | None:
    """The amount that a text is, None where it says more."""
    match = _AMOUNT.fullmatch(text.strip().rstrip("。.；;"))
    if match is None or re.search("[{}]", text):
        return None
    unit = match["unit"].rstrip()
    scale = _SCALE.match(unit)
    before = match["before"] or ""
    rest = unit[scale.end() :] if scale else unit
    return Amount(
        Decimal(match["number"].replace(",", "")),
        _SCALES[scale[1]] if scale else 0,
        f"{before}{{}}{unit}",
        f"{before.strip()}|{rest.strip()}",
    )


def is_organisation(text: str) -> bool:
    """Whether a text is the name of an organisation, by the word for its kind."""
    if len(text) > 80 or _SENTENCE_STOP.search(text):
        return False
    if ORGANISATION_ZH.fullmatch(text):
        return False  # the word for a kind alone
    chinese = re.search(f"(?:{ORGANISATION_ZH.pattern})$", text)
    return bool(chinese or (ORGANISATION_EN.search(text) and text[:1].isupper()))


_SENTENCE_STOP = re.compile(r"[。；;!?]|\. [A-Z][a-z]+ [a-z]")


def is_address(text: str) -> bool:
    """Whether a text is an address, with a street."""
    return len(text) < 80 and bool(
        (re.search(r"\d", text) and _ADDRESS_EN.search(text))
        or re.fullmatch(r"[\u4e00-\u9fff]{2,12}[街路巷道里]\d+号?.{0,8}", text)
    )


def is_place(label: str, text: str) -> bool:
    """Whether a text is a place: by its form, or by what it is called."""
    short = len(text) < 60 and not _SENTENCE_STOP.search(text)
    return bool(_PLACE_ZH.match(text)) or bool(short and _PLACE_LABEL.search(label))


def person_of(text: str) -> str:
    """A name without title, and without what follows it: of a firm, a degree."""
    return _TITLE.sub("", re.split(r"(?:,| of | at |，|（|\()", text, maxsplit=1)[0]).strip(" .。")


def is_person(label: str, text: str) -> bool:
    """Whether a text is the name of a person: by initials, or by its form and what it is called."""
    text = person_of(text)
    if _PERSON_ZH.fullmatch(text):
        return "某" in text or bool(_PERSON_LABEL.search(label))
    if not _PERSON_EN.fullmatch(text) or is_organisation(text):
        return False
    return bool(_INITIAL.match(text)) or bool(_PERSON_LABEL.search(label) and " " in text)


def is_file_number(label: str, text: str) -> bool:
    """Whether a text is the number of a file, a case or a person."""
    short = len(text) <= 32 and sum(sign.isdigit() for sign in text) >= 3
    return short and bool(_FILE_LABEL.search(label)) and amount(text) is None


def names_in(text: str, common: Collection[str]) -> list[str]:
    """What in a text may name somebody or something. common: lower-case words that are no names."""
    found = [match.group() for pattern in (_NAME_ZH, _QUOTED) for match in pattern.finditer(text)]
    for match in re.finditer(r"(?<!\w)[A-Z][\w'’-]+", text):
        word = match.group()
        before = text[: match.start()].rstrip()
        titled = re.search(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St)|\b[A-Z])\.$", before)
        begins = not titled and (not before or before[-1] in '.!?:;—-•"“(' or before.endswith(("\n", "1")))
        followed = re.match(r" [A-Z]", text[match.end() :])
        if word.lower() not in common and (followed or not begins):
            found.append(word)
    return found


_NAME_ZH = re.compile(
    r"[\u4e00-\u9fff]某|[\u4e00-\u9fffA-Za-z]{2,}(?:有限公司|股份公司|集团公司|医院|法院|检察院|事务所)|[\u4e00-\u9fff]{2,4}(?:省|自治区)|"
    rf"[\u4e00-\u9fff]{{2}}市(?!场|盈|值|政)|[\u4e00-\u9fff]{{2,}}[街路]\d+号|[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}(?:医生|医师|主任|护士|法官|先生|女士|教授)|"
    rf"(?:被告人|医师|患者|经理|董事长|总裁|先生|女士)[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[《“][^》”]+[》”]|"
    rf"(?:签名|签字|姓名)[：:]? ?[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|"
    r"[\u4e00-\u9fff]氏[\u4e00-\u9fff]{0,6}(?:公司|集团|企业|商行|工厂)"
)
_QUOTED = re.compile(r"[‘“][A-Z][^’”]*[’”]")
