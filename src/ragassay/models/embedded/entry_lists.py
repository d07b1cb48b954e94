"""Entries of a reference page told together: the parameters of a command, the columns of a catalog."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.models.embedded.analysis import Analysis, Entry
from ragassay.models.embedded.drafts import Draft, pick
from ragassay.models.embedded.signatures import columns_of, table_name

_COUNTED_SECTIONS = {
    "parameters": "parameters",
    "arguments": "arguments",
    "options": "options",
    "parameter": "parameters",
}
_FEWEST, _MOST = 3, 12
"""Entries that one would count or name in an answer."""


class Counted(NamedTuple):
    """All entries of a section, with what they are called."""

    noun: str
    entries: list[Entry]


def counted_entries(analysis: Analysis) -> Iterator[Counted]:
    """The sections whose heading says what their entries are, where the passage holds them whole."""
    sections: dict[str, list[Entry]] = defaultdict(list)
    for entry in analysis.terms:
        sections[entry.section].append(entry)
    for section, entries in sections.items():
        noun = _COUNTED_SECTIONS.get(section.lower().strip())
        if noun is None or not _FEWEST <= len(entries) <= _MOST or len({entry.group for entry in entries}) != 1:
            continue
        if _may_go_on(analysis, entries[-1]):
            continue
        if all(entry.names == 1 for entry in entries):  # where several names share an entry, what counts as one is open
            yield Counted(noun, entries)


def _may_go_on(analysis: Analysis, last: Entry) -> bool:
    """Whether the passage ends with a list, which may go on in the next one."""
    return analysis.passage.text.rstrip().endswith(last.text[-40:].rstrip())


def entry_lists(analysis: Analysis) -> Iterator[Draft]:
    """'Which parameters are described for DROP VIEW?', 'What are the columns of the view pg_rules?'"""
    theme = analysis.profile.theme
    for noun, entries in counted_entries(analysis) if theme else ():
        names = ", ".join(_plain(entry.name) for entry in entries)
        yield Draft(
            pattern="entry_names",
            question=pick(("Which {} are described for {}?", "What are the {} of {}?"), theme).format(noun, theme),
            answer=names,
            statement=f"The {noun} of {theme} are {names}.",
            quotes=tuple(entry.name_quote for entry in entries),
            attribute=noun,
        )
    yield from _columns(analysis)


def _plain(name: str) -> str:
    """'const char * command' as it stands, 'name=value' without what the user fills in."""
    return re.sub(r"=.*", "", name)


def _columns(analysis: Analysis) -> Iterator[Draft]:
    table = table_name(analysis)
    for columns in columns_of(analysis) if table else ():
        if _FEWEST <= len(columns) <= _MOST and not _may_go_on(analysis, analysis.terms[-1]):
            names = ", ".join(column.name for column in columns)
            yield Draft(
                pattern="column_names",
                question=f"What are the columns of {table}?",
                answer=names,
                statement=f"The columns of {table} are {names}.",
                quotes=tuple(column.quote for column in columns),
                attribute="columns",
            )
        targets: dict[str, list[str]] = defaultdict(list)
        for column in columns:
            if column.refers_to:
                targets[column.refers_to].append(column.name)
        for target, names_to in targets.items():
            if 2 <= len(names_to) <= _MOST and not _may_go_on(analysis, analysis.terms[-1]):
                yield Draft(
                    pattern="columns_to",
                    question=f"What are the columns of {table} that refer to {target}?",
                    answer=", ".join(names_to),
                    statement=f"The columns of {table} that refer to {target} are {', '.join(names_to)}.",
                    quotes=tuple(column.quote for column in columns if column.refers_to == target),
                    attribute="columns",
                )
