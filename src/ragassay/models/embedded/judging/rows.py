"""Claims about a table: whether the cells that a claim names stand in one row, under the column that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from ragassay.models.embedded.reading.lexicon import NEGATIONS
from ragassay.models.embedded.reading.quantities import Quantity, quantities, same_value
from ragassay.models.embedded.reading.terms import terms, tokens
from ragassay.models.embedded.reading.units import units

InTable = Literal["row", "other", ""]
"""A claim is what one row says; it takes a cell of another row or column; or there is no telling."""

_NAMED = 0.5  # share of a header's words from which on a claim speaks of its column


class _Table(NamedTuple):
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def in_table(claim: str, question: str, text: str) -> InTable:
    """How a claim, made in answer to a question, stands in the first table of a text that has two of its cells."""
    said = claim if claim.startswith(question.rstrip(" ?")) else f"{question} {claim}"
    if ("|" not in text and "\t" not in text) or any(word.lower() in NEGATIONS for word in tokens(said)):
        return ""
    asked = claim.removeprefix(question.rstrip(" ?")) if question else claim
    return next(
        (found for table in _tables(text) if (found := _in_table(table, said, asked, set(terms(question))))), ""
    )


def _tables(text: str) -> Iterator[_Table]:
    for kind, group in groupby(units(text), key=lambda unit: unit.kind):
        texts = [unit.text.strip().strip("|") for unit in group] if kind == "row" else []
        lines = [tuple(map(str.strip, text.split("|" if "|" in text else "\t"))) for text in texts]
        rows = [row for row in lines[1:] if len(row) == len(lines[0])]
        if len(rows) > 1:
            yield _Table(lines[0], rows)


def _in_table(table: _Table, said: str, answer: str, asked: set[str]) -> InTable:
    words, given = set(terms(said)), set(terms(answer))
    named = [
        {row[place] for row in table.rows if _names(row[place], table.header[place], said, words)}
        for place in range(len(table.header))
    ]
    found = [place for place, cells in enumerate(named) if cells]
    if len(found) < 2 or any(len(named[place]) > 1 for place in found):
        return ""
    if not any(all(row[place] in named[place] for place in found) for row in table.rows):
        return "other"
    column = max(found, key=lambda place: (_share(next(iter(named[place])), given - asked), place))
    shares = [_share(head, words) for head in table.header]
    best = max(range(len(shares)), key=lambda place: shares[place])
    if best not in found and shares[best] >= _NAMED and shares[column] < shares[best]:
        return "other"
    held = {term for text in (*table.header, *(cell for cells in named for cell in cells)) for term in terms(text)}
    return "row" if given <= held | asked else ""


def _names(cell: str, head: str, said: str, words: set[str]) -> bool:
    """Whether a text has a cell: a name in its words, an amount by its value, a bare number with the column's head."""
    amounts = quantities(cell)
    if not amounts:
        plain = set(terms(cell))
        return bool(plain) and plain <= words
    if not all(one.unit or one.measure or one.kind != "number" for one in amounts):
        if any(sign.isalpha() or sign in ":.,-" for sign in cell):
            return f" {' '.join(tokens(cell))} ".lower() in f" {' '.join(tokens(said))} ".lower()
        if words.isdisjoint(terms(head)):
            return False
    stated = quantities(said)
    return all(any(_is_of_kind(one, other) and same_value(one, other) for other in stated) for one in amounts)


def _is_of_kind(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and (one.unit == other.unit or not one.unit or bool(one.measure and other.measure))


def _share(text: str, words: set[str]) -> float:
    wanted = set(terms(text))
    return len(wanted & words) / len(wanted) if wanted else 0.0
