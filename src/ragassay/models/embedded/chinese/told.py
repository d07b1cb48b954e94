"""Sentences of a Chinese passage as clauses whose subject is known: what facts and conclusions are made from.

Chinese leaves out what is understood: ``公司`` is the company that the document is about, and a clause without a
subject has that of the clause before. A clause is used only where its subject is the theme, or is named in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.models.embedded.chinese.clauses import (
    HAN,
    POINTING,
    balanced,
    clauses,
    starts_with_any,
    without_connective,
)
from ragassay.models.embedded.chinese.dates import Date, dates
from ragassay.models.embedded.chinese.page import Page
from ragassay.models.embedded.chinese.profile import Profile

_DATE_FRAME = re.compile(r"^(?:在|于|自|从|截至|到|至)?(?P<date>\d.*)$")
_AFTER_DATE = re.compile(r"^(?:份|间|期间|初|中|底|末|上旬|中旬|下旬|上午|下午|晚上?|凌晨|夜间|时|里|的)?[，,]?")
_OWN_SUBJECT = re.compile(rf"^(?P<subject>[{HAN}A-Za-z·（）]{{2,16}}?)(?:于|在)(?=(?:1[5-9]|20)\d{{2}}\s?年)")
_ADVERB = re.compile(r"^(?:还|又|也|先后|再次|正式|共同|共|都|并|并且|便|即|则|再|已经?)(?=.{2})")
_NO_SUBJECT_CHARS = re.compile(r"[的了是着与和及将被把使在于有由对从为并，。、]|^[0-9]|[后时前中]$")
_ELSEWHERE = re.compile(r"案例|类似案件|另案|同类案件|例如|比如|假设|假如")
"""Sentences that tell of another thing than the theme."""


class Told(NamedTuple):
    """A clause with its subject.

    subject: the theme, or another one that the clause names itself. says: what it says of it, without the subject and
    without the date. date: when, where it says so. quote: the sentence, verbatim. of_theme: the subject is the theme.
    opened: whether the clause opens its sentence; a later one may say something of the one before.
    """

    subject: str
    says: str
    date: Date | None
    quote: str
    of_theme: bool
    opened: bool
    place: int


def told_of(page: Page, profile: Profile) -> list[Told]:
    """Every clause of the passage that can be understood alone, in order."""
    return [told for sentence in page.sentences for told in _of_sentence(sentence.text, sentence.place, profile)]


def _of_sentence(sentence: str, place: int, profile: Profile) -> Iterator[Told]:
    if not balanced(sentence) or _ELSEWHERE.search(sentence):
        return
    subject, of_theme, opened = "", False, True
    date: Date | None = None
    for raw in clauses(plain_of(sentence)):
        clause = without_connective(raw) if opened else raw
        framed, clause = _leading_date(clause)
        date = framed or date
        if not clause:
            continue  # "首先，在2021年3月，": it ties and dates what follows
        alias = starts_with_any(clause, profile.aliases) or _noun_of(clause, profile)
        other = None if alias else _OWN_SUBJECT.match(clause)
        if alias:
            subject, of_theme = alias if profile.kind == "case" else profile.theme, True
            clause = _ADVERB.sub("", clause[len(alias) :])
            framed, clause = _leading_date(clause)
        elif other is not None:
            if _NO_SUBJECT_CHARS.search(other["subject"]) or POINTING.search(other["subject"]):
                return  # a frame that the rules do not read: what follows may be about anything
            subject, of_theme = other["subject"], False
            framed, clause = _leading_date(clause[other.end("subject") :])
        date = framed or date
        clause = _ADVERB.sub("", clause.lstrip("，, ")).rstrip("。！；; ")
        if POINTING.search(clause) or re.match(r"[而但则且却]", clause) or "分别" in clause:
            return  # what follows hangs on it
        ended = _DATE_AT_END.match(clause)
        if ended is not None and (at_end := dates(ended["date"])):
            # "成立于2005年7月": the date stands behind what happened, and belongs to nothing after it
            happened = _AS_EVENT.get(ended["verb"], ended["verb"])
            yield Told(subject, happened, at_end[0], sentence, of_theme, opened, place)
            date, opened = None, False
            continue
        if clause:
            if profile.kind == "case" and clause.startswith("判处"):
                clause = f"被{clause}"  # the subject left out is the court
            yield Told(subject, clause, date, sentence, of_theme, opened, place)
            opened = False


def _noun_of(clause: str, profile: Profile) -> str:
    """The noun for the theme, where a clause starts with it and not with a longer word (``大学生``)."""
    noun = profile.noun
    return noun if noun and clause.startswith(noun) and _AFTER_NOUN.match(clause[len(noun) :]) else ""


_AFTER_NOUN = re.compile(
    r"[的于在由是位总共始建成开完动停复投设占拥有可将已被每年面长高宽坝装主全曾还又也都，\d]|工程|采用|支持|提供|包括|发布|获"
)
_DATE_AT_END = re.compile(
    r"(?:是一?家[^，。]{0,20}?)?(?P<verb>成立|始建|创建|创立|创办|创刊|诞生|出生|生|逝世|去世|病逝|卒|建成|竣工|发布|出版|上映|开业|通车|建)于"
    r"(?P<date>(?:1[5-9]|20)\d{2}\s?年(?:\d{1,2}月)?(?:\d{1,2}日)?)$"
)
_AS_EVENT = {"始建": "开始修建", "建": "修建", "生": "出生", "卒": "去世"}


def plain_of(sentence: str) -> str:
    """A sentence without its number, and without the spaces that lost markup left between Han signs."""
    return _SPACE.sub("", _ARTICLE.sub("", sentence))


_SPACE = re.compile(rf"(?<=[{HAN}，、。；：])\s+(?=[{HAN}\d])|(?<=\d)\s+(?=[{HAN}])")
_ARTICLE = re.compile(r"^(?:第[一二三四五六七八九十百\d]+条|[（(]?[一二三四五六七八九十\d]{1,3}[)）、.．])\s*(?!\d)")


def _leading_date(clause: str) -> tuple[Date | None, str]:
    """The date that a clause starts with, and what follows it; (None, the clause) where it starts with none."""
    frame = _DATE_FRAME.match(clause)
    if frame is None:
        return None, clause
    first = next(iter(dates(clause)), None)
    if first is None or first.start != frame.start("date"):
        return None, clause
    rest = clause[first.end :]
    if re.match(r"[至到—–-]|以[来前后]|起|开始|之前|之后|前|后|度|和|、|及", rest):
        return None, clause  # a period, or two dates
    return first, _AFTER_DATE.sub("", rest, count=1)
