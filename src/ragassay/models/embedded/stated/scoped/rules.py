"""The facts of all scoped rules: what statement extraction asks for once the other rules have given all they can."""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.stated.drafts import Draft
from ragassay.models.embedded.stated.scoped.amounts import measured_facts
from ragassay.models.embedded.stated.scoped.clauses import clause_facts
from ragassay.models.embedded.stated.scoped.scope import scoped
from ragassay.models.embedded.stated.scoped.tables import scoped_table_facts
from ragassay.models.embedded.stated.scoped.terms import framed_terms


def scoped_facts(analysis: Analysis) -> Iterator[Draft]:
    """Single facts of anything that a document tells of."""
    for fact in measured_facts(analysis):
        yield from scoped(analysis, fact)
    for draft in clause_facts(analysis):
        yield from scoped(analysis, draft)
    yield from framed_terms(analysis)
    yield from scoped_table_facts(analysis)
