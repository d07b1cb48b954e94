"""Tables of any document: the largest and smallest of a column, what belongs to that row, and rows compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis, Table
from ragassay.models.embedded.reading.grammar import noun_phrase
from ragassay.models.embedded.reading.reckoning import Amount, whole_amount
from ragassay.models.embedded.reasoning.table_comparisons import table_comparisons
from ragassay.models.embedded.reasoning.table_selections import table_selections
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.models.embedded.structure.framing import scoped, source_of
from ragassay.models.embedded.structure.record_keys import EMPTY_VALUE, is_attribute
from ragassay.models.embedded.structure.table_facts import (
    column_noun,
    is_of_attributes,
    named_rows,
    names_a_thing,
    with_article_free,
)

_FEWEST_ROWS, _MOST_ROWS = 3, 20
_ORDINAL = re.compile(
    r"^(?:rank|year|no|number|id|code|page|order|version|date|position|phone|telephone)\b", re.IGNORECASE
)


def scoped_table_reasoning(analysis: Analysis) -> Iterator[Draft]:
    """Rows compared: larger of two, sums and counts by kind, extremes, and what belongs to an extreme."""
    source = source_of(analysis)
    about = source.removeprefix("the ").strip("“”")
    for table in analysis.tables if source else ():
        if is_of_attributes(table):
            continue
        named = named_rows(table)
        yield from (replace(draft, about=about) for draft in _extremes(analysis, named, source))
        if named != table or not analysis.theme_is_a_name:
            for draft in (
                *table_comparisons(named, source),
                *table_selections(named, source, analysis.passage.text),
            ):
                yield replace(draft, about=about)


def _extremes(analysis: Analysis, table: Table, source: str) -> Iterator[Draft]:
    """'Which item in the price list has the highest weight?' and 'What is the price of the item with the ...?'"""
    if not _FEWEST_ROWS <= len(table.rows) <= _MOST_ROWS:
        return
    labels = [row[0] for row in table.rows]
    thing = table.header[0].lower()
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    if not re.fullmatch(r"[a-z]{3,}(?: [a-z]{3,})?", thing) or noun_phrase(thing)[-1].tag != "NN":
        return
    for column in range(1, len(table.header)):
        noun = column_noun(table.header[column], table.rows[0][column])
        amounts = [whole_amount(row[column]) for row in table.rows]
        if not _is_measure(noun, table.header[column]) or any(amount is None for amount in amounts):
            continue
        found = [amount for amount in amounts if amount is not None]
        for how, place in _outermost(found):
            yield from _of_extreme(table, thing, (column, noun, how, place), found, source, analysis)


def _is_measure(noun: str, header: str) -> bool:
    return (
        re.fullmatch(r"[A-Za-z][A-Za-z ()€$£%/-]{2,30}", header) is not None
        and not _ORDINAL.match(noun)
        and is_attribute(noun)
        and noun_phrase(noun)[-1].tag in {"NN", "NNS"}
    )


def _outermost(amounts: list[Amount]) -> Iterator[tuple[str, int]]:
    """The places of the only largest and the only smallest of amounts in one unit."""
    values = [amount.value for amount in amounts]
    if len({amount.unit for amount in amounts}) > 1 or not amounts[0].unit:
        return
    for how, value in (("highest", max(values)), ("lowest", min(values))):
        if values.count(value) == 1:
            yield how, values.index(value)


def _of_extreme(
    table: Table,
    thing: str,
    extreme: tuple[int, str, str, int],
    amounts: list[Amount],
    source: str,
    analysis: Analysis,
) -> Iterator[Draft]:
    column, noun, how, place = extreme
    label, value = with_article_free(table.rows[place][0]).strip("“”"), table.rows[place][column]
    told = ", ".join(f"{row[0].strip('“”')} {row[column]}" for row in table.rows)
    quotes = (table.header_quote, *table.quotes)
    yield from scoped(
        analysis,
        Draft(
            pattern="extreme_row",
            question=f"which {thing} has the {how} {noun}?",
            answer=f"{label} ({value})",
            statement=f"The {noun} in {source}: {told}.",
            quotes=quotes,
            attribute=noun,
        ),
        of_all=True,
    )
    for other in range(1, len(table.header)):
        asked = column_noun(table.header[other], table.rows[place][other])
        cell = table.rows[place][other]
        if other == column or not is_attribute(asked) or EMPTY_VALUE.match(cell) or len(cell.split()) > 6:
            continue
        if noun_phrase(asked)[-1].tag != "NN" or _ORDINAL.match(asked) or asked in noun or noun in asked:
            continue
        yield from scoped(
            analysis,
            Draft(
                pattern="of_extreme_row",
                question=f"what is the {asked} of the {thing} with the {how} {noun}?",
                answer=f"{cell} ({label})",
                statement=f"The {noun} in {source}: {told}. The {asked} of {label} is {cell}.",
                quotes=quotes,
                attribute=asked,
            ),
            of_all=True,
        )
