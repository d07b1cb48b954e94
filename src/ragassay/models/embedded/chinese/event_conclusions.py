"""Conclusions from dated events: their order, the time between them, what else happened then, how old somebody was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from ragassay.models.embedded.chinese.clause_facts import is_event
from ragassay.models.embedded.chinese.dates import Date, age_at, dates, interval
from ragassay.models.embedded.chinese.page import Page
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.told import Told
from ragassay.models.embedded.structure.drafts import Draft

_LONGEST_TOLD = 22
"""Of each of two events in one question, in characters."""
_MOST_EVENTS = 8


def event_conclusions(page: Page, profile: Profile, told: Sequence[Told]) -> Iterator[Draft]:
    """All of them; each needs two statements of the passage."""
    events = _events(told, profile)
    for first, last in combinations(events, 2):
        if first.quote != last.quote:
            earlier, later = sorted((first, last), key=lambda each: _date(each).value)
            yield from _of_two_events(earlier, later, profile)
    yield from _same_month(events, told, profile)
    yield from _ages(page, events, profile)


def _date(told: Told) -> Date:
    assert told.date is not None
    return told.date


def _events(told: Sequence[Told], profile: Profile) -> list[Told]:
    """Dated events that can be told in a few words, each of which happened once."""
    found = [
        each
        for each in told
        if each.date
        and each.opened
        and is_event(each)
        and len(each.says) <= _LONGEST_TOLD
        and (each.of_theme or (profile.kind == "case" and not _OTHERS.search(each.subject + each.says)))
    ]
    once = [each for each in found if sum(other.says == each.says for other in found) == 1]
    step = max(1, len(once) // _MOST_EVENTS)
    return once[::step][:_MOST_EVENTS]


_OTHERS = re.compile(r"^经|辩护人|被害人|证人|^由")
"""Events of a judgment that are told from somewhere else than its course."""


def _of_two_events(first: Told, last: Told, profile: Profile) -> Iterator[Draft]:
    if _date(first).precision != _date(last).precision or _date(first).value == _date(last).value:
        return
    owner = f"在{profile.theme}中，" if profile.kind == "case" else profile.theme
    one, other = (_named(first), _named(last)) if profile.kind == "case" else (_plain(first), _plain(last))
    if (profile.kind != "case" and first.subject != last.subject) or one in other or other in one:
        return
    quotes = tuple(dict.fromkeys((first.quote, last.quote)))
    stated = f"{owner}于{_date(first).text}{first.says}，于{_date(last).text}{last.says}。"
    shown = (one, other) if sum(first.says.encode()) % 2 else (other, one)
    if first.subject == last.subject and not _has_known_order(first, last, profile):
        yield _order(owner, shown, (first, one), (last, other), stated)
    gap = interval(_date(first), _date(last))
    if gap is not None:
        unit = next(unit for unit in ("个月", "年", "天") if gap.endswith(unit))
        yield Draft(
            pattern="interval",
            question=f"{owner}从{one}到{other}，相隔多少{unit}？",
            answer=f"{gap}（从{_date(first).text}到{_date(last).text}）。",
            statement=stated,
            quotes=quotes,
        )


def _has_known_order(first: Told, last: Told, profile: Profile) -> bool:
    """Whether anybody knows the order: the steps of a trial, a stay in hospital, and what begins or ends everything."""
    if profile.kind == "patient" or (profile.kind == "case" and not first.of_theme):
        return True
    return _BEGINS.match(first.says) is not None or _ENDS.search(last.says) is not None


_BEGINS = re.compile(r"(?:在.{2,6})?(?:正式)?(?:成立|出生|诞生|开始修建|动工|开工|奠基|创刊|创立|创建|创办)(?!了)")
_ENDS = re.compile(r"(?:去世|逝世|病逝|解散|停刊|拆除)$")


def _order(owner: str, shown: tuple[str, str], first: tuple[Told, str], last: tuple[Told, str], stated: str) -> Draft:
    """first, last: an event and how the question tells it. shown: both as the question puts them."""
    return Draft(
        pattern="order",
        question=f"{owner}是先{shown[0]}，还是先{shown[1]}？",
        answer=f"先{first[1]}（{_date(first[0]).text}），后{last[1]}（{_date(last[0]).text}）。",
        statement=stated,
        quotes=tuple(dict.fromkeys((first[0].quote, last[0].quote))),
    )


def _plain(told: Told) -> str:
    """What happened, without the mark of the past, which cannot follow "first" in a question."""
    return re.sub(r"^由(?=.{2,12}收治$)", "被", told.says.replace("了", "", 1))


def _named(told: Told) -> str:
    """What happened in a case, with who did it."""
    return f"{told.subject}{_plain(told)}"


def _same_month(events: Sequence[Told], told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """What else happened in the month of an event: a join of two statements by their date."""
    for one, other in combinations(events, 2):
        if _date(one).value != _date(other).value or _date(one).precision != "month" or one.quote == other.quote:
            continue
        here = [each for each in told if each.date and each.date.value[:2] == _date(one).value[:2] and each.opened]
        if len(here) != _PAIR or not one.of_theme:
            continue
        yield Draft(
            pattern="same_time",
            question=f"{profile.theme}在{_plain(one)}的同一个月还做了什么？",
            answer=f"{_plain(other)}（{_date(other).text}）。",
            statement=f"{profile.theme}于{_date(one).text}{one.says}，同月{other.says}。",
            quotes=(one.quote, other.quote),
        )


_PAIR = 2


def _ages(page: Page, events: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """How old the person whom the document is about was when something happened to them."""
    if profile.kind not in ("case", "patient", "thing"):
        return
    born = _birth(page, profile)
    if born is None:
        return
    date, quote = born
    for event in events:
        age = age_at(date, _date(event))
        if age is None or event.quote == quote or not _FEWEST_YEARS <= age <= _MOST_YEARS:
            continue
        owner = f"在{profile.theme}中，" if profile.kind == "case" else ""
        yield Draft(
            pattern="age_at",
            question=f"{owner}{_plain(event)}时，{_person(profile)}多少周岁？",
            answer=f"{age}周岁（{date.text}出生，{_date(event).text}{event.says}）。",
            statement=f"{_person(profile)}于{date.text}出生，{_date(event).text}{event.says}。",
            quotes=(quote, event.quote),
            about=profile.name,
        )


_FEWEST_YEARS, _MOST_YEARS = 1, 110


def _person(profile: Profile) -> str:
    return f"被告人{profile.name}" if profile.kind == "case" else profile.theme


def _birth(page: Page, profile: Profile) -> tuple[Date, str] | None:
    """The birth date of that person, with its quote: from a key, or from a clause that ends in ``出生``."""
    for entry in page.entries:
        found = dates(entry.value)
        if found and (entry.key in ("出生日期", "出生年月日") or _is_born_value(entry.key, entry.value, profile)):
            return found[0], entry.quote
    for sentence in page.sentences:
        match = re.search(
            rf"{re.escape(profile.name)}，[^。]{{0,20}}?(?P<date>(?:19|20)\d\d年[^，。]{{2,8}}?)(?:出生|生)",
            sentence.text,
        )
        found = dates(match["date"]) if match else []
        if found:
            return found[0], sentence.text
    return None


def _is_born_value(key: str, value: str, profile: Profile) -> bool:
    return key == "被告人" and profile.name in value and bool(re.search(r"\d日(?:出生|生)", value))
