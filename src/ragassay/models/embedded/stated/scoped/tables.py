"""Cells of the tables of any document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis, Table
from ragassay.models.embedded.reading.grammar import tokens_of
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.models.embedded.stated.drafts import Draft
from ragassay.models.embedded.stated.record_keys import EMPTY_VALUE, is_attribute
from ragassay.models.embedded.stated.scoped.scope import source_of
from ragassay.models.embedded.stated.table_facts import column_noun, names_a_thing, table_facts

_LABEL = re.compile(r"[A-Z0-9][\w ,.'’/&+-]{1,40}")
_ATTRIBUTE_HEADS = frozenset("property attribute feature parameter characteristic specification item detail".split())
_VALUE_HEADS = frozenset({"value", "details", "specification", "data", "amount"})


def named_rows(table: Table) -> Table:
    """The table with labels in quotation marks that would not read as names in a sentence: “Country sourdough”."""
    rows = tuple(
        (row[0] if names_a_thing(row[0]) or not _is_label(row[0]) else f"“{row[0]}”", *row[1:]) for row in table.rows
    )
    return replace(table, rows=rows)


def _is_label(label: str) -> bool:
    return _LABEL.fullmatch(label) is not None and len(label.split()) <= 5 and find_dates(label) == []


def scoped_table_facts(analysis: Analysis) -> Iterator[Draft]:
    """Cells of tables, named by their row, their column and their document."""
    source = source_of(analysis)
    for table in analysis.tables if source else ():
        if is_of_attributes(table):
            yield from _attributes(analysis, table)
        elif not analysis.theme_is_a_name or any(not names_a_thing(row[0]) for row in table.rows):
            for draft in table_facts(named_rows(table), source):
                yield replace(draft, about=source.removeprefix("the ").strip("“”"))


def is_of_attributes(table: Table) -> bool:
    """Whether each row gives one attribute of the theme: property and value."""
    left, right = table.header[0].lower(), table.header[1].lower()
    return len(table.header) == 2 and (left in _ATTRIBUTE_HEADS or not left) and (right in _VALUE_HEADS or not right)


def _attributes(analysis: Analysis, table: Table) -> Iterator[Draft]:
    source, theme = source_of(analysis), analysis.profile.theme
    for (name, value), quote in zip(table.rows, table.quotes, strict=True):
        noun = column_noun(name, value)
        tag = tokens_of(f"the {noun}")[-1].tag
        if not re.fullmatch(r"[A-Za-z][A-Za-z, /-]{2,30}", name) or EMPTY_VALUE.match(value) or len(value.split()) > 10:
            continue
        if "," in noun or not is_attribute(noun) or tag not in {"NN", "NNS", "NNP"}:
            continue
        verb = "are" if tag == "NNS" else "is"
        of = f"the {theme}" if _is_product(theme) and not theme.startswith(("the ", "“")) else theme
        yield Draft(
            pattern="attribute_row",
            question=f"What {verb} the {noun} of {of if analysis.theme_is_a_name else source}?",
            answer=value,
            statement=f"The {noun} of {theme} {verb} {value}.",
            quotes=(quote,),
            attribute=noun,
            about=theme.strip("“”") if analysis.theme_is_a_name else source.removeprefix("the ").strip("“”"),
        )


def _is_product(theme: str) -> bool:
    """'Morven K40 electric kettle': a name that ends in a common noun wants an article."""
    last = theme.rsplit(maxsplit=1)[-1]
    return last.islower() and tokens_of(f"the {last}")[-1].tag == "NN"
