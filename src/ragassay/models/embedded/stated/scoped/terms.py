"""Terms that a page defines, outside glossaries: what they mean there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.grammar import clause_of
from ragassay.models.embedded.stated.drafts import Draft
from ragassay.models.embedded.stated.scoped.scope import scoped
from ragassay.models.embedded.stated.structure_facts import defined_terms


def framed_terms(analysis: Analysis) -> Iterator[Draft]:
    """'What is meant by “row of a grid”?': of definitions that are noun phrases, no instructions."""
    for draft in defined_terms(analysis):
        is_phrase = re.match(r"(?:An?|The|Any) (?!\w+er the )", draft.answer) and clause_of(f"{draft.answer}.") is None
        if is_phrase:
            yield from scoped(analysis, replace(draft, question=draft.question[:1].lower() + draft.question[1:]))
