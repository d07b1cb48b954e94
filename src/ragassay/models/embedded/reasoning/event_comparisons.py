"""Dated events of one theme compared: whether two fall into one year."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reasoning.events import pronoun_of
from ragassay.models.embedded.reasoning.time_rules import sources
from ragassay.models.embedded.structure.drafts import Draft, Event, capitalised

_NEAR_YEARS = 3
"""Nobody asks whether two things forty years apart were in one year."""
Dated = tuple[Draft, Event]


def same_years(analysis: Analysis, dated: Sequence[Dated]) -> Iterator[Draft]:
    """'Did X receive a law degree in the same year in which he entered private practice?'"""
    theme = analysis.profile.theme
    if len(dated) > 2 and len({event.date.first_day.year for _, event in dated}) == 1:
        return  # a report of one year
    for (fact1, event1), (fact2, event2) in pairwise(dated):
        first, second = event1.date.first_day.year, event2.date.first_day.year
        if fact1.quotes == fact2.quotes or abs(first - second) > _NEAR_YEARS:
            continue
        if not (event1.subject_is_theme and event2.subject_is_theme) or re.search(r" was born| died", event1.told):
            continue
        asked = re.sub(r"^(?:When|In wh\w+ \w+(?: and year)?|On wh\w+ date) ", "", fact1.question).rstrip("?")
        after = event2.told.removeprefix(theme).strip()
        if not re.match(r"(?:did|was|were|had) ", asked) or re.search(r"\b[12]\d{3}\b", asked + after):
            continue
        yield Draft(
            pattern="same_year",
            question=f"{capitalised(asked)} in the same year in which {pronoun_of(analysis, after)} {after}?",
            answer=f"Yes, both were in {first}" if first == second else f"No, {first} against {second}",
            statement=f"{capitalised(event1.told)} in {first}; {event2.told} in {second}.",
            quotes=sources(fact1, fact2),
            attribute="year",
        )
