"""Values that say several things at once: a person with sex, birth and address, a lawyer with the firm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.synthesis.scenario.inference.alignment import Seen
from ragassay.synthesis.scenario.inference.values import dates_in, is_organisation, is_person

_PARTS_ZH = (
    ("性别", re.compile(r"^(?:性别[：:]?)?([男女])性?$")),
    ("出生日期", re.compile(r"^(?:出生于|生于)?(.*\d日)(?:出生|生)?$")),
    ("民族", re.compile(r"^([\u4e00-\u9fff]{1,4}族)$")),
    ("文化程度", re.compile(r"^((?:文盲|小学|初中|高中|中专|大专|大学|本科|硕士|博士)[\u4e00-\u9fff]{0,4})$")),
    ("职业", re.compile(r"^(?:职业[为是：:]|系|任)(.{2,20})$")),
    ("住址", re.compile(r"^(?:住址?[：:]?|现住|居住(?:于|在)|户籍地[：:]?)?(.{2,30}?[号室街路村区])(?:居民)?$")),
)
_FIRM = re.compile(r"^(.{2,30}?事务所)(?:的)?(?:执业)?律师?$")


def split_values(seen: Sequence[Seen], language: str) -> list[Seen]:
    """The fields, with those that say several things made into one each."""
    found: dict[str, Seen] = {}
    for each in seen:
        for part in _parts(each) if language == "zh" else [each]:
            kept = found.setdefault(part.label, part)
            if kept is not part:
                kept.values = part.values | kept.values
                kept.sections += part.sections
    return list(found.values())


def _parts(seen: Seen) -> Iterator[Seen]:
    split = {place: re.split(r"[，,、。；]", value.rstrip("。. ")) for place, value in seen.values.items()}
    people = [place for place, parts in split.items() if len(parts) > 1 and is_person(seen.label, parts[0])]
    if len(people) * 2 < len(split):
        yield seen
        return
    yield Seen(seen.label, {place: split[place][0] for place in people}, seen.sections)
    more: dict[str, Seen] = {}
    for place in people:
        for text in split[place][1:]:
            label, value = _part(text.strip())
            if label:
                more.setdefault(label, Seen(label, {}, seen.sections)).values.setdefault(place, value)
    yield from more.values()


def _part(text: str) -> tuple[str, str]:
    firm = _FIRM.match(text)
    if firm and is_organisation(firm[1]):
        return "律师事务所", firm[1]
    for label, pattern in _PARTS_ZH:
        match = pattern.match(text)
        if match and (label != "出生日期" or dates_in(text)):
            return label, match[1]
    return "", ""
