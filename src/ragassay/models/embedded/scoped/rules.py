"""All scoped rules together: what statement extraction asks for once the other rules have given all they can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragassay.models.embedded.analysis import Analysis
from ragassay.models.embedded.drafts import Draft
from ragassay.models.embedded.scoped.amounts import measured_facts
from ragassay.models.embedded.scoped.clauses import clause_facts
from ragassay.models.embedded.scoped.comparisons import (
    amount_comparisons,
    event_orders,
    step_comparisons,
    timelines,
)
from ragassay.models.embedded.scoped.contrasts import contrasts
from ragassay.models.embedded.scoped.scope import scoped
from ragassay.models.embedded.scoped.sections import asked_heading_facts, asked_headings, listed_topics, section_drafts
from ragassay.models.embedded.scoped.tables import scoped_table_facts, scoped_table_reasoning
from ragassay.models.embedded.scoped.terms import framed_terms


def scoped_facts(analysis: Analysis) -> Iterator[Draft]:
    """Single facts of anything that a document tells of."""
    for fact in measured_facts(analysis):
        yield from scoped(analysis, fact.draft)
    for draft in clause_facts(analysis):
        yield from scoped(analysis, draft)
    yield from framed_terms(analysis)
    yield from asked_heading_facts(analysis)
    yield from scoped_table_facts(analysis)


def scoped_summaries(analysis: Analysis) -> Iterator[Draft]:
    """What several sentences or items say together."""
    yield from section_drafts(analysis)
    yield from asked_headings(analysis)
    yield from listed_topics(analysis)


def scoped_reasoning(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """What follows from two statements; facts: all single facts of the passage."""
    yield from amount_comparisons(analysis)
    yield from event_orders(analysis, facts)
    yield from step_comparisons(analysis)
    yield from timelines(analysis)
    yield from contrasts(analysis, facts)
    yield from scoped_table_reasoning(analysis)
