"""Rows of a table picked out by one column and compared, counted or added up: two steps over several rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ragassay.models.embedded.reading.analysis import Table
from ragassay.models.embedded.reading.grammar import noun_phrase
from ragassay.models.embedded.reading.reckoning import Amount, find_dates, format_number, whole_amount
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.models.embedded.structure.table_facts import column_noun, names_a_thing, of_row, within

_FEWEST_ROWS, _MOST_ROWS = 4, 20
"""A smaller table shows everything at a glance, and every row of a larger one would be a reference."""
_FEWEST_CHOSEN = 2
_TOTAL_ROW = re.compile(r"\b(?:total|sum|all|overall|average)\b", re.IGNORECASE)
_KIND_COLUMN = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}")
_ADDED_UP = re.compile(
    r"\b(?:budget|cost|staff|crew|capacity|passengers|cars|seats|beds|rooms|employees|berths|vehicles)$"
)
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def table_selections(table: Table, theme: str, text: str) -> Iterator[Draft]:
    """Drafts of every kind. text: of the passage, which must not say itself what is counted."""
    if not _FEWEST_ROWS <= len(table.rows) <= _MOST_ROWS or any(_TOTAL_ROW.search(row[0]) for row in table.rows):
        return
    labels = [row[0] for row in table.rows]
    thing = table.header[0].lower()
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    if not re.fullmatch(r"[a-z]{3,}", thing) or noun_phrase(thing)[-1].tag != "NN":
        return
    things = f"{thing.removesuffix('y')}ies" if re.search(r"[^aeiou]y$", thing) else f"{thing}s"
    kinds = [column for column in range(1, len(table.header)) if _tells_kinds(table, column)]
    for column in kinds:
        yield from _counts(table, column, things, theme, text)
        for other in range(1, len(table.header)):
            if other != column:
                yield from _largest(table, column, other, things, theme)
    for column in range(1, len(table.header)):
        yield from _sums(table, column, theme)


def _tells_kinds(table: Table, column: int) -> bool:
    """Whether a column sorts the rows: few values, in words, some of them in several rows."""
    values = [row[column] for row in table.rows]
    return (
        _KIND_COLUMN.fullmatch(table.header[column]) is not None
        and noun_phrase(table.header[column].lower())[-1].tag == "NN"
        and 2 <= len(set(values)) <= len(values) / 2
        and all(re.fullmatch(r"[A-Z][\w .'’-]{2,30}", value) and not find_dates(value) for value in values)
    )


def _chosen(table: Table, column: int) -> Iterator[tuple[str, list[int]]]:
    for value, count in Counter(row[column] for row in table.rows).items():
        if _FEWEST_CHOSEN <= count < len(table.rows):
            yield value, [place for place, row in enumerate(table.rows) if row[column] == value]


def _counts(table: Table, column: int, things: str, theme: str, text: str) -> Iterator[Draft]:
    """'According to T, how many vessels are listed with Kirkvoe as the home port?'"""
    noun = table.header[column].lower()
    for value, places in _chosen(table, column):
        count = len(places)
        number = _NUMBER_WORDS[count] if count < len(_NUMBER_WORDS) else str(count)
        told = rf"\b(?:{number}|{count})\b[^.|\n]*{re.escape(value)}|{re.escape(value)}[^.|\n]*\b(?:{number}|{count})\b"
        if re.search(told, text, re.IGNORECASE):
            continue  # the text counts itself
        names = ", ".join(table.rows[place][0] for place in places)
        yield Draft(
            pattern="count_of_kind",
            question=within(theme, f"how many {things} are listed with {value} as the {noun}?"),
            answer=f"{count} ({names})",
            statement=f"Of the {len(table.rows)} {things} in {theme}, {count} have {value} as {noun}: {names}.",
            quotes=(table.header_quote, *table.quotes),
            attribute="count",
        )


def _largest(table: Table, column: int, other: int, things: str, theme: str) -> Iterator[Draft]:
    """'Of the vessels for which T gives Kirkvoe as the home port, which has the largest crew?'"""
    measured = column_noun(table.header[other], table.rows[0][other])
    for value, places in _chosen(table, column):
        amounts = [whole_amount(table.rows[place][other]) for place in places]
        found = [amount for amount in amounts if amount is not None]
        if len(found) < len(places) or not _comparable(found):
            continue
        values = [amount.value for amount in found]
        best = values.index(max(values))
        noun = table.header[column].lower()
        rest = ", ".join(f"{table.rows[place][0]} {table.rows[place][other]}" for place in places)
        yield Draft(
            pattern="largest_of_kind",
            question=f"Of the {things} for which {theme} gives {value} as the {noun}, "
            f"which has the highest {measured}?",
            answer=f"{table.rows[places[best]][0]} ({table.rows[places[best]][other]})",
            statement=f"The {things} with {value} as {noun} in {theme}: {rest}.",
            quotes=(table.header_quote, *(table.quotes[place] for place in places)),
            attribute=measured,
        )


def _comparable(amounts: Sequence[Amount]) -> bool:
    """Whether all have one unit, and one is larger than all others."""
    values = sorted((amount.value for amount in amounts), reverse=True)
    return len({amount.unit for amount in amounts}) == 1 and bool(amounts[0].unit) and values[0] > values[1]


def _sums(table: Table, column: int, theme: str) -> Iterator[Draft]:
    """'According to T, what is the combined budget for A and B?'"""
    noun = column_noun(table.header[column], table.rows[0][column])
    if not _ADDED_UP.search(noun):
        return
    rows = [(row, quote, whole_amount(row[column])) for row, quote in zip(table.rows, table.quotes, strict=True)]
    told = [(row, quote, amount) for row, quote, amount in rows if amount is not None]
    for (row1, quote1, amount1), (row2, quote2, amount2) in zip(told[::2], told[1::2], strict=False):
        if amount1.unit != amount2.unit:
            continue
        combined = f"number of {noun}" if noun_phrase(noun)[-1].tag == "NNS" else noun
        total = _with_currency(amount1.value + amount2.value, amount1.unit)
        yield Draft(
            pattern="sum",
            question=within(theme, f"what is the combined {combined} {of_row(noun)} {row1[0]} and {row2[0]}?"),
            answer=f"{total} ({amount1.text} and {amount2.text})",
            statement=f"The {noun} of {row1[0]} {'is' if combined == noun else 'are'} {amount1.text}, "
            f"{'that' if combined == noun else 'those'} of {row2[0]} {amount2.text}: {total} in all.",
            quotes=(table.header_quote, quote1, quote2),
            attribute=noun,
        )


def _with_currency(value: Decimal, unit: str) -> str:
    number = format_number(value)
    return f"{unit}{number}" if unit in {"$", "€", "£", "¥", "US$"} else number
