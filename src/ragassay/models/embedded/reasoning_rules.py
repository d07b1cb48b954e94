"""Questions whose answer is stated nowhere and is computed from rows of tables and keys of records."""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.models.embedded.analysis import Analysis
from ragassay.models.embedded.drafts import Draft
from ragassay.models.embedded.table_comparisons import record_comparisons, table_comparisons
from ragassay.models.embedded.table_selections import table_selections


def reasoning_drafts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts of every rule for computed answers."""
    for table in analysis.tables if analysis.theme_is_a_name else ():
        yield from table_comparisons(table, analysis.theme)
        yield from table_selections(table, analysis.theme, analysis.passage.text)
    yield from record_comparisons(analysis)
