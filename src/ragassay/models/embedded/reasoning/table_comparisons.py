"""Two rows of a table compared: which is larger, and by how much."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ragassay.models.embedded.reading.analysis import Analysis, Entry, Table
from ragassay.models.embedded.reading.grammar import (
    noun_phrase,
)
from ragassay.models.embedded.reading.reckoning import (
    Amount,
    format_number,
    whole_amount,
)
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.models.embedded.structure.record_keys import is_attribute, plain_keys, quotes_of
from ragassay.models.embedded.structure.table_facts import column_noun, names_a_thing, with_article_free, within

_FEWEST_AMOUNTS = 0.6
"""Share of a column's cells that are amounts, below which it is no column of amounts."""


def record_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """The same for records of one page: 'Which is longer, MV Lady Isobel or MV Juniper?'."""
    theme = analysis.profile.theme
    values: dict[str, dict[str, Entry]] = defaultdict(dict)
    for entry, owner in plain_keys(analysis):
        if owner != theme:
            values[entry.name].setdefault(owner, entry)
    for key, entries in values.items():
        told = [(owner, entry) for owner, entry in entries.items() if whole_amount(entry.text) is not None]
        if len(told) < len(entries) * _FEWEST_AMOUNTS:
            continue
        for pair in pairwise(told):
            table = Table(
                section="",
                header=("", key),
                header_quote="",  # each record names its key
                rows=tuple((owner, entry.text) for owner, entry in pair),
                quotes=tuple(entry.quote for _, entry in pair),
            )
            quotes = tuple(quote for owner, entry in pair for quote in quotes_of(analysis, owner, entry))
            yield from (replace(draft, quotes=quotes) for draft in table_comparisons(table, ""))


def table_comparisons(table: Table, theme: str) -> Iterator[Draft]:
    """Larger of two, and by how much, from a column of amounts in one unit.

    theme: what the table is found in, where its rows need that to be told apart; may be empty.
    """
    labels = [row[0] for row in table.rows]
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    for column in range(1, len(table.header)):
        header = table.header[column]
        name = re.sub(r" ?\([^)]*\)", "", header).strip()
        unit_in_header = re.search(r"\(([^)]*)\)", header)
        cells: list[tuple[str, Amount, str]] = []
        for row, quote in zip(table.rows, table.quotes, strict=True):
            amount = whole_amount(row[column])
            if amount is not None and not re.search(r"\b(?:total|sum|all|overall|average)\b", row[0], re.IGNORECASE):
                cells.append((row[0], amount, quote))
        if (
            len(cells) < 2
            or len(cells) < len(table.rows) * _FEWEST_AMOUNTS
            or not re.fullmatch(r"[A-Za-z][A-Za-z -]{2,30}", name)
        ):
            continue
        noun = column_noun(header, cells[0][1].text)
        if not is_attribute(noun):
            continue
        if not cells[0][1].unit and not unit_in_header and not _COUNTED.search(noun):
            continue  # bare numbers may count unlike things
        if noun_phrase(noun)[-1].tag not in {"NN", "NNS"} or re.search(
            r"\b(?:year|number|no|id|code|rank|date|oid|version|page|size class|goal|target|result|score|status)\b",
            noun,
        ):
            continue
        for (label1, amount1, quote1), (label2, amount2, quote2) in pairwise(cells):
            if amount1.unit != amount2.unit or amount1.value == amount2.value:
                continue
            larger, smaller = (
                ((label1, amount1), (label2, amount2))
                if amount1.value > amount2.value
                else ((label2, amount2), (label1, amount1))
            )
            unit = _unit_text(amount1) or (unit_in_header[1] if unit_in_header else "")
            a, b = with_article_free(label1), with_article_free(label2)
            where = "" if theme.lower() in f"{label1} {label2}".lower() else theme
            facts = (
                f"{a} has {_told(amount1, unit)} {noun}; {b} has {_told(amount2, unit)}"
                if _is_plural(noun) and not unit
                else f"The {noun} of {a} is {_told(amount1, unit)}; that of {b} is {_told(amount2, unit)}"
            )
            difference = _with_unit(format_number(abs(amount1.value - amount2.value)), unit)
            of_what = f"the number of {noun}" if _is_plural(noun) else noun
            if sum(label1.encode("utf-8", "replace")) % 2:
                yield Draft(
                    pattern="difference",
                    question=within(where, f"what is the difference in {of_what} between {a} and {b}?"),
                    answer=difference,
                    statement=f"{facts}; the difference is {difference}.",
                    quotes=tuple(filter(None, (table.header_quote, quote1, quote2))),
                    attribute=noun,
                    about="" if theme else a,
                )
            else:
                yield Draft(
                    pattern="larger",
                    question=within(where, f"which {has_more(noun, amount1.unit)}, {a} or {b}?"),
                    answer=f"{larger[0]} ({larger[1].text} against {smaller[1].text})",
                    statement=f"{facts}.",
                    quotes=tuple(filter(None, (table.header_quote, quote1, quote2))),
                    attribute=noun,
                    about="" if theme else a,
                )


_COUNTED = re.compile(
    r"staff|crew|employees|passengers|population|capacity|seats|vehicles|cars|members|students|headcount|rooms|"
    r"beds|goals|points|matches|votes"
)
_MORE = {
    "length": "is longer",
    "height": "is taller",
    "weight": "is heavier",
    "mass": "is heavier",
    "speed": "is faster",
    "price": "costs more",
    "service speed": "has the higher service speed",
    "distance": "is the longer distance",
    "duration": "lasts longer",
    "width": "is wider",
}


def _told(amount: Amount, unit: str) -> str:
    """An amount with the unit of its column where it has none of its own."""
    return amount.text if amount.unit or not unit else f"{amount.text} {unit}"


def _is_plural(noun: str) -> bool:
    return noun_phrase(noun)[-1].tag == "NNS"


def has_more(noun: str, unit: str) -> str:
    """What the larger of two has or is, after 'which': 'is longer', 'has the higher fare'."""
    if not unit and _is_plural(noun):
        return f"has more {noun}"
    if re.fullmatch(r"(?:year|month|week|day|hour|minute|second|min|ms|h|s)s?", unit):
        return f"has the longer {noun}"
    if noun in _MORE:
        return _MORE[noun]
    high = unit in {"$", "€", "£", "%"} or re.search(
        r"price|cost|fee|fare|speed|rate|salary|budget|limit|temperature|pressure", noun
    )
    return f"has the {'higher' if high else 'larger'} {noun}"


def _unit_text(amount: Amount) -> str:
    """The unit as it is written, so that a difference is in knots and not in 'knot'."""
    if amount.unit in {"$", "€", "£", "¥", "US$", "%", ""}:
        return amount.unit
    return re.sub(r"^[\d.,]+(?: (?:hundred|thousand|million|billion|trillion))?[ -]?", "", amount.text) or amount.unit


def _with_unit(number: str, unit: str) -> str:
    if unit in {"$", "€", "£", "¥", "US$"}:
        return f"{unit}{number}0" if re.search(r"\.\d$", number) else f"{unit}{number}"
    if number == "1" and re.fullmatch(r"[a-z]{3,}s", unit):
        unit = unit.removesuffix("s")
    return f"{number}%" if unit == "%" else f"{number} {unit}".strip()
