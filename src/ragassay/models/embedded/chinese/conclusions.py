"""Conclusions that are computed: those from events, and differences, changes, counts and the larger of two cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from ragassay.models.embedded.chinese.amounts import Amount, amounts, difference
from ragassay.models.embedded.chinese.clause_facts import attribute_of
from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.event_conclusions import event_conclusions
from ragassay.models.embedded.chinese.page import Page, Table
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.summaries import list_name
from ragassay.models.embedded.chinese.table_facts import attributes_in_rows
from ragassay.models.embedded.chinese.told import Told
from ragassay.models.embedded.structure.drafts import Draft


def conclusion_drafts(page: Page, profile: Profile, told: Sequence[Told]) -> Iterator[Draft]:
    """All of them; no answer is stated by one sentence, but for the counted lists and the changes."""
    yield from event_conclusions(page, profile, told)
    yield from _differences(told, profile)
    yield from _changes(told, profile)
    yield from _counts(page, profile)
    for table in page.tables:
        yield from _rows(table, profile)


_WHOLES = re.compile(r"(?:总资产|总负债|股东权益|净资产)$")
_FLOWS = re.compile(r"(?:营业收入|净利润|营业利润|利润总额|毛利润|研发费用|研发投入|营业成本)$")


def _differences(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """By how much one amount of the theme is larger than another that may be compared with it."""
    if profile.kind == "thing":
        yield from _differences_of_rules(told, profile)
    if profile.kind != "company":
        return
    found: dict[str, tuple[Told, Amount]] = {}
    for each in told:
        measured = attribute_of(each.says)
        if measured and (each.of_theme or not each.subject) and not each.date:
            if measured[0] in found and found[measured[0]][1].value != measured[1].value:
                return  # two values of one name: two years, or two companies
            found.setdefault(measured[0], (each, measured[1]))
    for one, other in combinations(found, 2):
        kinds = [
            sum(bool(kind.search(name)) for name in (one, other)) == len((one, other)) for kind in (_WHOLES, _FLOWS)
        ]
        more, less = sorted((one, other), key=lambda name: -found[name][1].value)
        gap = difference(found[more][1], found[less][1])
        if not any(kinds) or gap is None:
            continue
        (first, amount), (second, smaller) = found[more], found[less]
        yield Draft(
            pattern="difference",
            question=f"{profile.theme}{profile.period}的{more}比{less}多多少？",
            answer=f"多{gap}（{more}{amount.text}，{less}{smaller.text}）。",
            statement=f"{profile.theme}{profile.period}的{more}为{amount.text}，{less}为{smaller.text}。",
            quotes=tuple(dict.fromkeys((first.quote, second.quote))),
        )


_SETS = re.compile(rf"(?P<name>[{HAN}]{{2,10}}?)(?:为|是)(?P<amount>.+)")


def _differences_of_rules(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """By how much one value that a rule sets is larger than one of the same kind: two kinds of leave, two fees."""
    found: dict[str, tuple[Told, Amount]] = {}
    for each in told:
        match = _SETS.fullmatch(each.says) if each.opened and not each.of_theme and not each.subject else None
        values = amounts(match["amount"]) if match else []
        if match and len(values) == 1 and values[0].text == match["amount"]:
            found.setdefault(match["name"], (each, values[0]))
    for one, other in combinations(found, 2):
        more, less = sorted((one, other), key=lambda name: -found[name][1].value)
        gap = difference(found[more][1], found[less][1])
        if one[-1] != other[-1] or gap is None or found[one][0].quote == found[other][0].quote:
            continue
        unit = found[more][1].unit
        yield Draft(
            pattern="difference",
            question=f"根据{profile.cited}，{more}比{less}多多少{unit if unit != '%' else ''}？",
            answer=f"多{gap}（{more}{found[more][1].text}，{less}{found[less][1].text}）。",
            statement=f"{more}为{found[more][1].text}，{less}为{found[less][1].text}。",
            quotes=(found[more][0].quote, found[less][0].quote),
        )


_CHANGE = re.compile(
    rf"^的?(?P<name>[{HAN}]{{2,12}}?)(?:从|由)[{HAN}]{{0,6}}?的?(?P<old>\d[\d.,]*\S{{0,5}}?)(?P<verb>增至|增加到|增长到|升至|上升到|降至|下降到|减少到)(?P<new>\d[\d.,]*\S{{0,5}})$"
)


def _changes(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """By how much a value changed, where a clause gives the old one and the new one."""
    for each in told:
        match = _CHANGE.match(each.says)
        if match is None or not (each.of_theme or (not each.subject and profile.kind == "company")):
            continue
        old, new = amounts(match["old"]), amounts(match["new"])
        if len(old) != 1 or len(new) != 1:
            continue
        more, less = sorted((old[0], new[0]), key=lambda amount: -amount.value)
        gap = difference(more, less)
        if gap is None:
            continue
        fell = more is old[0]
        yield Draft(
            pattern="change",
            question=f"{profile.theme}{profile.period}的{match['name']}{'减少' if fell else '增加'}了多少？",
            answer=f"{'减少' if fell else '增加'}了{gap}（从{old[0].text}到{new[0].text}）。",
            statement=f"{profile.theme}的{each.says.lstrip('的')}。",
            quotes=(each.quote,),
        )


def _counts(page: Page, profile: Profile) -> Iterator[Draft]:
    """How many items a list has."""
    names = Counter(list_name(listing) for listing in page.lists)
    for listing in page.lists:
        named = list_name(listing)
        if names[named] > 1 or named is None or named[1] or not _FEWEST_COUNTED <= len(listing.items) <= _MOST_COUNTED:
            continue
        name = named[0] if profile.theme in named[0] else f"{profile.theme}的{named[0]}"
        yield Draft(
            pattern="count",
            question=f"{name}一共列出了几项？",
            answer=f"{len(listing.items)}项。",
            statement=f"{name}共{len(listing.items)}项。",
            quotes=listing.items,
        )


_FEWEST_COUNTED, _MOST_COUNTED = 3, 15


def _rows(table: Table, profile: Profile) -> Iterator[Draft]:
    """Which of two neighbouring things of a table has the larger amount of an attribute."""
    if attributes_in_rows(table):
        for row, quote in zip(table.rows, table.quotes, strict=True):
            for left, right in pairwise(range(1, len(row))):
                yield from _larger(
                    row[0], (table.header[left], row[left]), (table.header[right], row[right]), (quote,), profile
                )
        return
    for column in range(1, len(table.header)):
        for (one, first), (other, second) in pairwise(zip(table.rows, table.quotes, strict=True)):
            yield from _larger(
                table.header[column], (one[0], one[column]), (other[0], other[column]), (first, second), profile
            )


def _larger(
    attribute: str, one: tuple[str, str], other: tuple[str, str], quotes: tuple[str, ...], profile: Profile
) -> Iterator[Draft]:
    """one, other: thing and cell."""
    both = [amounts(cell) for _, cell in (one, other)]
    if not re.fullmatch(rf"[{HAN}]{{2,10}}(?:（[^（）]{{1,6}}）)?", attribute) or any(
        len(found) != 1 for found in both
    ):
        return
    (left,), (right,) = both
    if left.kind != right.kind or left.unit != right.unit or left.value == right.value:
        return
    larger = one[0] if left.value > right.value else other[0]
    word = "长" if left.kind == "duration" else "高" if re.search(r"[价率温]|费用?$", attribute) else "大"
    owner = "" if profile.theme in one[0] and profile.theme in other[0] else f"{profile.cited}中，"
    yield Draft(
        pattern="larger" if len(quotes) > 1 else "larger_in_row",
        question=f"{owner}{one[0]}和{other[0]}哪一个的{attribute}更{word}？",
        answer=f"{larger}（{one[0]}为{one[1]}，{other[0]}为{other[1]}）。",
        statement=f"{one[0]}的{attribute}为{one[1]}，{other[0]}的{attribute}为{other[1]}。",
        quotes=quotes,
    )
