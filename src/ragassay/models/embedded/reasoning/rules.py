"""Questions whose answer is stated nowhere and can be computed: durations, ages, differences, counts, joins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reasoning.events import dated_events
from ragassay.models.embedded.reasoning.table_comparisons import record_comparisons, table_comparisons
from ragassay.models.embedded.reasoning.table_selections import table_selections
from ragassay.models.embedded.reasoning.time_rules import (
    ages,
    distinct_events,
    durations,
    key_periods,
)
from ragassay.models.embedded.structure.drafts import Draft


def reasoning_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """Drafts of every rule for computed answers; facts: the single facts that they reckon with."""
    dated = distinct_events([*facts, *dated_events(analysis)])
    yield from ages(analysis, dated)
    yield from durations(dated)
    yield from key_periods(analysis)
    for table in analysis.tables if analysis.theme_is_a_name else ():
        yield from table_comparisons(table, analysis.profile.theme)
        yield from table_selections(table, analysis.profile.theme, analysis.passage.text)
    yield from record_comparisons(analysis)
    yield from _list_counts(analysis)


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
