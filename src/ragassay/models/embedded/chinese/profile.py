"""What a Chinese document is about: the name that its questions use, and the words that stand for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.tasks.statements import Passage

Kind = Literal["company", "patient", "case", "thing"]

_ORGANISATION = (
    r"(?:公司|集团|银行|医院|大学|学院|研究院|研究所|协会|基金会|中心|出版社|俱乐部|事务所|合作社|学校|博物馆|图书馆)"
)
_NAME = rf"(?:[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{2,4}}|[{HAN}]{{1,8}}·[{HAN}·]{{1,16}})"
_PATIENT = re.compile(rf"(?:患者姓名|姓\s*名|患者|就诊人)\**\s*[：:]\s*\**\s*(?P<name>{_NAME})(?=[\s，,。；;]|$)")
_PATIENT_IN_PROSE = re.compile(rf"(?:^|\n)(?P<name>[{HAN}]{{1,2}}某{{1,2}})，[男女]性?，")
_HOSPITAL = re.compile(rf"(?P<name>[{HAN}]{{2,16}}(?:医院|保健院|卫生院))")
_MEDICAL = re.compile(r"病历|主诉|入院|出院小结|现病史")
_JUDGMENT = re.compile(r"判\s*决\s*书|裁\s*定\s*书")
_DEFENDANT = re.compile(rf"被告人?\**\s*[：:]?\s*\**\s*(?:姓名[：:])?(?P<name>[{HAN}]{{1,2}}某{{1,2}}(?!某))")
_DEFENDANT_IN_TITLE = re.compile(rf"(?P<name>{_NAME})案")
_COURT = re.compile(rf"(?P<name>[{HAN}]{{2,16}}?人民法院)")
_COMPANY = re.compile(
    rf"^(?P<name>(?:(?![是的于在为了，。])[{HAN}A-Za-z0-9（）()·&.-]){{2,30}}?{_ORGANISATION}(?!的|{_ORGANISATION}))"
    r"(?=是|成立|于|位于|为|，|,|（|\(|\d|[^\S\n]*$)",
    re.MULTILINE,
)
_COMPANY_BY_KIND = re.compile(
    rf"^(?P<name>(?:(?![是的于在为了])[{HAN}A-Za-z0-9]){{2,16}})是(?:中国|国内)?一?家[^。]{{0,60}}?(?:公司|企业|集团|机构|银行)",
    re.MULTILINE,
)
_SUBJECT = re.compile(
    rf"^(?P<name>[{HAN}A-Za-z0-9·\-+.＋《》 ]{{2,24}}?)(?:（[^（）]*）|\([^()]*\))?"
    r"(?:是一|是指|是中国|是世界|是位于|（)"
)
_GENERIC = re.compile(
    r"(?:文档|简介|介绍|概述|概览|说明|目录|首页|前言|导言|引言|附录|索引|README|readme|病历|住院病历|判决书|刑事判决书|总结|报告|常见问题|FAQ)"
)
_NUMBERED = re.compile(r"^(?:第\s?[\d一二三四五六七八九十百]+\s?[章节篇部卷]|附录\s?[A-Z\d]*|\d+(?:\.\d+)*)[.、:：\s]*")
_REPORT = re.compile(r"(?:\d{4}\s?年?(?:度|第.季度)?)?\s?(?:年度报告|年报|报告|简介|概况|公告)$")
_LATIN_THEME = re.compile(r"[A-Za-z][\w.+#-]*(?: [\w.+#-]+){0,3}\Z")


@dataclass(frozen=True, slots=True)
class Profile:
    """theme: as questions name it. name: of the person or organisation without what qualifies it.

    title: of the document, for questions about what it says of something else.
    """

    theme: str
    kind: Kind
    name: str
    title: str = ""

    @property
    def cited(self) -> str:
        """《title》, or the theme where the document has no title."""
        return f"《{self.title or self.theme}》"


def profile_of(passage: Passage) -> Profile | None:
    """Reads title and first lines of the document; None where they name nothing."""
    opening = f"{passage.title}\n{passage.opening or passage.text}"
    found = _patient(opening) or _case(passage, opening) or _company(passage)
    return found or _manual(passage) or _titled(passage) or _subject(passage)


def of_theme(passage: Passage, theme: str) -> Profile:
    """The profile for a theme that was found, or chosen, before."""
    found = profile_of(passage)
    return found if found is not None and found.theme == theme else Profile(theme, "thing", theme, theme)


def _patient(opening: str) -> Profile | None:
    if not _MEDICAL.search(opening):
        return None
    named = _PATIENT.search(opening) or _PATIENT_IN_PROSE.search(opening) or _DISCHARGED.match(opening)
    if named is None:
        return None
    name = named["name"]
    hospital = _HOSPITAL.search(re.sub(r"医院名称|就诊医院|由|日|住进|送至|送往|转入|转至", " ", opening))
    theme = f"{hospital['name']}的患者{name}" if hospital else f"患者{name}"
    return Profile(theme, "patient", name)


_DISCHARGED = re.compile(rf"(?P<name>[{HAN}]{{2,4}}?)(?:出院小结|出院记录|住院病历|病历)")


def _case(passage: Passage, opening: str) -> Profile | None:
    if not _JUDGMENT.search(opening):
        return None
    named = _DEFENDANT.search(opening) or _DEFENDANT_IN_TITLE.match(passage.title)
    if named is None:
        return None
    name, court = named["name"], _COURT.search(re.sub(r"中华人民共和国|由|[\[\]*#]", " ", opening))
    theme = f"{court['name']}审理的{name}案" if court else f"{name}案"
    return Profile(theme, "case", name)


def _company(passage: Passage) -> Profile | None:
    title = _REPORT.sub("", passage.title).strip()
    text = passage.opening or passage.text
    named = _COMPANY.search(title) or _COMPANY_BY_KIND.search(text) or _COMPANY.search(text)
    if named is None or len(named["name"]) < _SHORTEST_NAME:
        return None
    name = named["name"]
    by_kind = named.re is _COMPANY_BY_KIND
    if not by_kind and not re.search(r"(?:公司|集团|银行|中心)$", name):
        return Profile(name, "thing", name, name)
    return Profile(name, "company", name)


_SHORTEST_NAME = 4


_MANUAL = re.compile(r"(?:名称|名字|NAME)\s*\n+\s*(?P<name>[A-Za-z][\w.+-]*)(?:, ?[\w.+-]+)*\s+(?:-|—|–|--)\s")


def _manual(passage: Passage) -> Profile | None:
    """A manual page names its command in its first section."""
    named = _MANUAL.search(passage.opening or passage.text)
    return Profile(f"{named['name']} 命令", "thing", named["name"], f"{named['name']} 命令") if named else None


def _titled(passage: Passage) -> Profile | None:
    title = _NUMBERED.sub("", passage.title.strip(" #*【】《》")).strip()
    title = re.sub(r"[（(][^（）()]*[)）]$", "", title).strip() or title
    if not 2 <= len(title) <= _LONGEST_THEME or _GENERIC.fullmatch(title):
        return None
    has_han = re.search(f"[{HAN}]", title) is not None
    if not has_han and not (_LATIN_THEME.match(title) and title in (passage.opening or passage.text)):
        return None  # a file name rather than a title
    if passage.collection and passage.collection.lower() not in title.lower() and len(title) <= _SHORT_TITLE:
        return Profile(f"{passage.collection} {title}", "thing", title, title)
    name = _PAPERS.sub("", title)
    return Profile(name, "thing", name, title)


_PAPERS = re.compile(
    r"(?<=[A-Za-z0-9\u4e00-\u9fff]{3})(?:产品)?(?:使用说明书?|说明书|用户手册|操作手册|用户指南|使用指南|使用手册)$"
)


_LONGEST_THEME = 30
_SHORT_TITLE = 6


def _subject(passage: Passage) -> Profile | None:
    named = _SUBJECT.match((passage.opening or passage.text).lstrip("#* \n"))
    if named is None or re.search(r"[的了在和与这该其此有]", named["name"]):
        return None
    name = named["name"].strip("《》 ")
    return Profile(name, "thing", name, name) if len(name) > 1 else None
