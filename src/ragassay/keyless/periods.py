"""Time between two dated keys of a record: 'How many years after being built was MV Elm refitted?'"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ragassay.keyless.layout import Entry
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import DONE_TO, HAPPENS, evidence, key_question, owned
from ragassay.models.embedded.reading.grammar import ing, lemma
from ragassay.models.embedded.reading.reckoning import DateSpan, find_dates, years_between

_MOST_DAYS = 800
"""Longer times are counted in years."""
_MOST_DATED = 12
"""Dated keys of one record that are put together in pairs."""


def period_drafts(page: Page) -> Iterator[Draft]:
    """Ask for the time between the dates of a record, two at a time."""
    dated: dict[tuple[int, str], list[tuple[Entry, DateSpan]]] = defaultdict(list)
    for entry, owner in owned(page):
        dates, question = find_dates(entry.text), key_question(entry.name, entry.text, owner)
        if len(dates) == 1 and question is not None and question.startswith("When "):
            dated[entry.group, owner].append((entry, dates[0]))
    for (group, owner), entries in dated.items():
        for pair in combinations(entries[:_MOST_DATED], 2):
            (first, start), (second, end) = sorted(pair, key=lambda each: each[1].first_day)
            count, unit = _time(start, end)
            if count > 1 and (asked := _asked(first.name.lower(), second.name.lower(), owner, unit)):
                yield Draft(
                    label="reasoning",
                    form="period",
                    question=asked,
                    answer=f"{count} {unit.removeprefix('full ')}",
                    spans=tuple(sorted({*evidence(first, owner), *evidence(second, owner)})),
                    source=f"record {group} {owner}",
                    worth=0.65,
                    is_certain=True,
                )


def _time(start: DateSpan, end: DateSpan) -> tuple[int, str]:
    """(how many, of which unit) between two days or two years; 0 between months, which may be one more or less."""
    if start.precision == end.precision == "year":
        return end.first_day.year - start.first_day.year, "years"
    if start.precision != "day" or end.precision != "day":
        return 0, ""
    days = (end.first_day - start.first_day).days
    return (years_between(start.first_day, end.first_day), "full years") if days > _MOST_DAYS else (days, "days")


def _asked(first: str, second: str, owner: str, unit: str) -> str:
    """The question about the time between two dated keys, in a unit; empty for keys of other kinds."""
    if (first.removesuffix(" date"), second.removesuffix(" date")) == ("start", "end"):
        return f"How many {unit} passed between the start and the end of {owner}?"
    verbs = [re.sub(r" on$", "", key) for key in (first, second)]
    bases = [lemma(verb) for verb in verbs]
    if bases == ["bear", "die"]:
        return f"At what age did {owner} die?" if unit == "full years" else ""
    if "bear" in bases or not all(
        base != verb and base in DONE_TO | HAPPENS for base, verb in zip(bases, verbs, strict=True)
    ):
        return ""
    after = ing(bases[0]) if bases[0] in HAPPENS else f"being {verbs[0]}"
    then = f"did {owner} {bases[1]}" if bases[1] in HAPPENS else f"was {owner} {verbs[1]}"
    return f"How many {unit} after {after} {then}?"
