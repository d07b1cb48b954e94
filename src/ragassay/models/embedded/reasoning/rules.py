"""Questions whose answer is stated nowhere and can be computed: durations, ages, order, differences, counts, joins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.reading.analysis import Analysis, Entry
from ragassay.models.embedded.reasoning.event_comparisons import same_years
from ragassay.models.embedded.reasoning.table_comparisons import record_comparisons, table_comparisons
from ragassay.models.embedded.reasoning.table_selections import table_selections
from ragassay.models.embedded.reasoning.time_rules import (
    ages,
    distinct_events,
    durations,
    key_periods,
    orders,
    terms_of_office,
)
from ragassay.models.embedded.stated.drafts import Draft
from ragassay.models.embedded.stated.entry_lists import counted_entries


def reasoning_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """Drafts of every rule for computed answers; facts: the single facts that they reckon with."""
    dated = distinct_events(facts)
    yield from ages(analysis, dated)
    yield from durations(dated)
    yield from orders(analysis, dated)
    yield from same_years(analysis, dated)
    yield from terms_of_office(facts)
    yield from key_periods(analysis)
    for table in analysis.tables if analysis.theme_is_a_name else ():
        yield from table_comparisons(table, analysis.profile.theme)
        yield from table_selections(table, analysis.profile.theme, analysis.passage.text)
    yield from record_comparisons(analysis)
    yield from _term_counts(analysis)
    yield from _list_counts(analysis)


def _term_counts(analysis: Analysis) -> Iterator[Draft]:
    """'How many arguments does X take?': entries under a heading that says what they are."""
    theme = analysis.profile.theme
    for noun, entries in counted_entries(analysis) if theme else ():
        if any(_are_several(entry) for entry in entries):
            continue  # 'Width, Height' in one line are two
        names = ", ".join(entry.name for entry in entries)
        yield Draft(
            pattern="count",
            question=f"How many {noun} are described for {theme}?",
            answer=f"{len(entries)} ({names})" if len(names) < 120 else str(len(entries)),
            statement=f"The {noun} described for {theme} are {names}: {len(entries)} in all.",
            quotes=tuple(entry.opening for entry in entries),
            attribute="count",
        )


def _are_several(entry: Entry) -> bool:
    """Whether the names of an entry are several things, and not the short and the long form of one option."""
    names = [name.strip() for name in entry.name.split(",")]
    short = [name for name in names if not name.startswith("--")]
    return len(names) > 1 and len(short) > 1


_COUNTABLE = frozenset(
    (
        "responsibilities, follow-up actions, steps, procedure, process, instructions, members, departments, "
        "awards, exceptions, common mistakes, corrective actions, recommendations, albums, singles, "
        "destinations, branches, locations"
    ).split(", ")
)
"""Headings that name what the items below them are, so that counting the items counts those."""


def _list_counts(analysis: Analysis) -> Iterator[Draft]:
    """'How many follow-up actions are listed for X?'"""
    theme = analysis.profile.theme
    for listed in analysis.lists:
        heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :").lower()
        if not theme or not 3 <= len(listed.items) <= 15 or heading not in _COUNTABLE:
            continue
        if sum(1 for other in analysis.lists if other.section == listed.section) != 1:
            continue
        noun = "steps" if heading in {"procedure", "steps", "process", "instructions"} else heading
        where = (f"in {theme}" if theme.endswith(("policy", "procedure")) else f"for {theme}").replace(
            "for the guide to ", "for "
        )
        yield Draft(
            pattern="count",
            question=f"How many {noun} are listed {where}?",
            answer=str(len(listed.items)),
            statement=f"{len(listed.items)} {noun} are listed {where}.",
            quotes=tuple(listed.items),
            attribute="count",
        )
