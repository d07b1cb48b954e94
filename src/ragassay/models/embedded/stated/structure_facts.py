"""Single facts from structure: keys and values, parameters, tables, terms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    Analysis,
    is_self_contained,
)
from ragassay.models.embedded.stated.drafts import Draft, pick
from ragassay.models.embedded.stated.entry_lists import argument_facts
from ragassay.models.embedded.stated.parameters import OPTION, TYPE, parameter_facts, parameters_of
from ragassay.models.embedded.stated.record_keys import key_facts
from ragassay.models.embedded.stated.table_facts import table_facts
from ragassay.text import sentences


def structure_facts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts from each kind of structure in turn."""
    yield from key_facts(analysis)
    for parameter in parameters_of(analysis):
        yield from parameter_facts(parameter, analysis.profile.theme, analysis.passage.collection)
    yield from argument_facts(analysis)
    yield from _glossary_facts(analysis)
    for table in analysis.tables:
        if analysis.theme_is_a_name:
            yield from table_facts(table, analysis.profile.theme)


def _glossary_facts(analysis: Analysis) -> Iterator[Draft]:
    """Terms of a glossary. Elsewhere a term is clear within its document only ('Angle'): see ``scoped/terms.py``."""
    if re.search(
        r"glossary|terms|definitions|vocabulary", f"{analysis.passage.title} {analysis.passage.section}", re.IGNORECASE
    ):
        yield from defined_terms(analysis)


_SAYS_SOMETHING = re.compile(r"\b(?:I|[Yy]ou|[Ww]e|[Mm]y|[Yy]our|[Ii]ts?)\b|n['’]t\b")
"""What a term of a glossary does not hold, and a complaint in a list of answers does: 'I can't quit the program'."""


def defined_terms(analysis: Analysis) -> Iterator[Draft]:
    """Ordinary words or names with a definition of at least six words."""
    for entry in analysis.terms:
        if (
            not re.fullmatch(r"[A-Za-z][A-Za-z '’()-]{2,40}", entry.name)
            or OPTION.search(entry.name)
            or TYPE.match(entry.name)
            or entry.name.split()[0].islower()
            or entry.name.isupper()
            or _SAYS_SOMETHING.search(entry.name)
        ):
            continue
        first = re.sub(r"\s+", " ", next(iter(sentences(entry.text)), ""))
        if (
            not 6 <= len(first.split()) <= 32
            or not first.endswith(".")
            or not is_self_contained(first, subject_is_theme=False)
        ):
            continue
        term = re.sub(r" \([^)]*\)", "", entry.name)
        yield Draft(
            pattern="term",
            question=pick(
                (
                    f"What is meant by “{term}”?",
                    f"What does the term “{term}” mean?",
                    f"How is the term “{term}” defined?",
                ),
                term,
            ),
            answer=first.rstrip("."),
            statement=f"{term}: {first}",
            quotes=(entry.quote.split("\n")[0], first),
            attribute="definition",
        )
