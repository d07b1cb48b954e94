"""Conclusions that are computed: how many items a list has, and the larger of two cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ragassay.models.embedded.chinese.amounts import amounts
from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.page import Page, Table
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.summaries import list_name
from ragassay.models.embedded.chinese.table_facts import attributes_in_rows
from ragassay.models.embedded.structure.drafts import Draft


def conclusion_drafts(page: Page, profile: Profile) -> Iterator[Draft]:
    """All of them; no answer is stated by one sentence, but for the counted lists."""
    yield from _counts(page, profile)
    for table in page.tables:
        yield from _rows(table, profile)


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
