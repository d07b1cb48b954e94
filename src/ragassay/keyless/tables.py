"""Tables of things: what a cell says, which rows a value selects, and rows compared, counted and added up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from ragassay.keyless.framing import framed
from ragassay.keyless.layout import Stretch, Table, tables
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import ATTRIBUTE_HEADS, asks_plainly, evidence, key_question, owned, preposition_of
from ragassay.keyless.wording import EMPTY, attribute_of, is_full_name, is_plural, of_label, unit_of, with_unit
from ragassay.models.embedded.reading.parser import is_english, noun_phrase, singular, tokens_of
from ragassay.models.embedded.reading.reckoning import Amount, find_dates, format_number, whole_amount

_MOST_ROWS, _MOST_COLUMNS = 40, 9
_FEWEST_ROWS = 4
"""Of a table whose rows are selected: a smaller one shows everything at a glance."""
_LABEL = re.compile(r"(?=.*[^\W\d_])[\w“][\w ,.'’/&+()–—“”-]{0,50}")
_TOTAL = re.compile(r"\b(?:total|sum|all|overall|average|mean|subtotal|others?)\b", re.IGNORECASE)
_NO_MEASURE = re.compile(r"\b(?:year|date|score|class|target|zone|since|grade|level)\b")
_COUNTED = re.compile(r"staff|crew|population|capacity|headcount")
_ADDED_UP = re.compile(r"\b(?:budget|cost|staff|crew size|capacity|population|headcount|revenue|turnover|spend)$")
_COMPARED = {
    "length": ("longer", "longest", "shortest"),
    "height": ("taller", "tallest", "shortest"),
    "weight": ("heavier", "heaviest", "lightest"),
    "mass": ("heavier", "heaviest", "lightest"),
    "width": ("wider", "widest", "narrowest"),
    "age": ("older", "oldest", "youngest"),
}
_PROFILES = re.compile(r"\b(?:overview|list|register|directory|catalogue|catalog|specification|particulars|facts)$")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_CURRENCIES = frozenset({"$", "€", "£", "¥", "US$"})


class Cell(NamedTuple):
    """What a column says of a row. label: of the row, as it stands in a question."""

    label: str
    text: str
    spans: tuple[Stretch, ...]


class _Measured(NamedTuple):
    cell: Cell
    amount: Amount


def table_drafts(page: Page) -> Iterator[Draft]:
    """Drafts of every table of things."""
    found = tables(page)
    heads = Counter((table.header[0], name) for table in found for name in table.header[1:])
    for table in found:
        labels = [row.cells[0] for row in table.rows]
        is_plain = len(set(labels)) == len(labels) and all(_LABEL.fullmatch(label) for label in labels)
        if not is_plain or len(table.rows) > _MOST_ROWS or len(table.header) > _MOST_COLUMNS:
            continue
        yield from _cells(page, table)
        is_whole = table.is_whole and all(heads[table.header[0], name] == 1 for name in table.header[1:])
        is_named = all(_row_name(table, label) and not _TOTAL.search(label) for label in labels)
        if _is_of_attributes(table) or not is_whole or not is_named:
            continue
        for number in range(1, len(table.header)):
            describes = _describes(page, table.header[number])
            for draft in _of_column(table, number, describes=describes):
                asked = [label for label in labels if label in draft.question]
                stands_alone = describes and draft.form in _OF_TWO and all(map(is_full_name, asked))
                if question := draft.question if stands_alone else framed(page, draft.question):
                    yield replace(draft, question=question)


def _describes(page: Page, name: str) -> bool:
    """Whether a column gives attributes of its rows' things: a docking schedule has budgets of dockings."""
    return _PROFILES.search(page.name) is not None or (not page.name and name.lower() in page.collection.known_keys)


def _cells(page: Page, table: Table) -> Iterator[Draft]:
    """'What is the length of MV Elm?'; of a table that compares things column by column, "Elm" and "Elm Pro", too."""
    is_turned = _is_of_attributes(table) and len(table.header) > 2
    if _is_of_attributes(table) and not (is_turned and all(map(is_full_name, table.header[1:]))):
        return
    columns = len(table.header) - 1
    for shift in range(columns):
        for place, row in enumerate(table.rows):
            number = 1 + (place + shift) % columns  # the first drafts are of many rows and columns
            label, name, value = row.cells[0], table.header[number], row.cells[number]
            if is_turned:
                label, name = name, label
            elif _is_odd(table, number, value):
                continue
            asked = label if is_turned else _row_name(table, label)
            question = _cell_question(page, name, value, label, asked) if asked and asks_plainly(value) else None
            if question:
                yield Draft(
                    label="fact_single",
                    form="table_cell",
                    question=question,
                    answer=with_unit(value, name),
                    spans=table.spans(row),
                    source=f"table {table.number} {label}",
                    worth=0.6,
                    is_certain=True,
                )


def _is_of_attributes(table: Table) -> bool:
    """Whether rows are attributes. Items and parameters with several columns beside them are things."""
    head = table.header[0].lower()
    return head in ATTRIBUTE_HEADS and not (head in {"item", "parameter"} and len(table.header) > 2)


def _row_name(table: Table, label: str) -> str:
    """A row as a question names it; codes, values and ordinary words by what they are: "the option top_k", or not."""
    is_word_alone = label.isalpha() and label[0].isupper() and not is_english(label.lower())
    if is_word_alone or (" " in label and is_full_name(label)):
        return label
    thing = _thing(table)
    return f"the {thing} {of_label(label)}" if thing and thing not in {"name", "title"} and "," not in label else ""


def _thing(table: Table) -> str:
    """What one row is, by the head of the first column; empty where that is no noun."""
    head = table.header[0].lower()
    is_noun = re.fullmatch(r"[a-z]{3,}(?: [a-z]{3,})?", head) and noun_phrase(head)[-1].tag in {"NN", "NNS"}
    return singular(head) if is_noun else ""


def _cell_question(page: Page, name: str, value: str, label: str, asked: str) -> str | None:
    """asked: the label as the question has it."""
    describes, noun = _describes(page, name), _noun_of(name, value)
    question = key_question(name, value, asked)
    unread = r"W\w+ (?:is|are) the |How many " if not noun else "What are " if describes else "What are |When "
    if question is None or re.match(unread, question):
        return None  # few plurals read well, "When is the start for it?" does not say of what
    if is_full_name(label) and (describes or (question.startswith("Who ") and not page.name)):
        return question
    if not describes and noun:
        asks, of = ("Who", "of") if question.startswith("Who ") else ("What", "for")
        lead = f"How many {noun} are listed" if question.startswith("How many ") else f"{asks} is the {noun}"
        question = f"{lead} {of} {asked}?"
    return framed(page, question) if describes or noun else None


def _noun_of(name: str, value: str) -> str:
    """A column as a noun; empty for "lost", "sizes compared by it", "question to us", of which no question reads."""
    noun = attribute_of(name, value)
    tags = " ".join(word.tag for word in (noun_phrase if " " in noun else tokens_of)(noun) if word.lower != "of")
    return "" if re.search(r"\b(?:IN|TO|DT|RP)\b|^VB[DN]$| VB", tags) else noun


def _is_odd(table: Table, number: int, value: str) -> bool:
    """'free' and 'not carried' in a column of prices."""
    amounts = sum(whole_amount(row.cells[number]) is not None for row in table.rows)
    return amounts * 2 >= len(table.rows) and whole_amount(value) is None


def _of_column(table: Table, number: int, *, describes: bool) -> Iterator[Draft]:
    thing = _thing(table)
    cells = [
        Cell(of_label(row.cells[0]), with_unit(row.cells[number], table.header[number]), table.spans(row))
        for row in table.rows
    ]
    noun = _noun_of(table.header[number], cells[0].text)
    if not noun:
        return
    source = f"table {table.number}"
    has_unit = bool(unit_of(table.header[number]))
    yield from comparisons(noun, cells, source, has_unit=has_unit, describes=describes)
    if not thing or len(cells) < _FEWEST_ROWS:
        return
    if _tells_kinds([cell.text for cell in cells]) and not is_plural(noun):
        yield from _selections(table, number, thing, noun)
    measured = _measured(noun, cells, has_unit=has_unit)
    nothings = sum(re.fullmatch(r"[-–—]|none|nil", cell.text, re.IGNORECASE) is not None for cell in cells)
    blanks = sum(EMPTY.match(cell.text) is not None for cell in cells)
    for is_most, best in _extremes(measured if len(measured) + blanks == len(cells) else []):
        if blanks > nothings or (blanks and not is_most):
            continue  # what is not known may be more
        most = _most(noun, best.amount, is_most=is_most)
        is_shape = noun in _COMPARED
        which = f"Which {thing} is the {most}?" if is_shape else f"Which {thing} has the {most} {noun}?"
        extreme = f"the {most} {thing}" if is_shape else f"the {thing} with the {most} {noun}"
        yield _draft("extreme", which, _bare(best.cell.label), _whole(table), source)
        yield from _of_extreme(table, number, cells.index(best.cell), extreme)


def _of_extreme(table: Table, number: int, place: int, extreme: str) -> Iterator[Draft]:
    """'What is the home port of the longest vessel?'"""
    for other in range(1, len(table.header)):
        value, name = table.rows[place].cells[other], table.header[other]
        noun = _noun_of(name, value)
        is_asked = other != number and noun and asks_plainly(value) and not _is_odd(table, other, value)
        if is_asked and (question := key_question(name, value, extreme)) and " is the " + noun in question:
            yield _draft("of_extreme", question, with_unit(value, name), _whole(table), f"table {table.number}")


def _selections(table: Table, number: int, thing: str, noun: str) -> Iterator[Draft]:
    """'How many vessels have Kirk as their home port?', 'Which vessels ...?'"""
    if re.search(r"(?:s|x|z|ch|sh|person|man|child)$", thing):
        return  # what is more than one of them is no matter of an "s"
    things = f"{thing[:-1]}ies" if re.search(r"[^aeiou]y$", thing) else f"{thing}s"
    source = f"table {table.number}"
    for value, count in Counter(row.cells[number] for row in table.rows).items():
        if not 1 < count < len(table.rows) or EMPTY.match(value):
            continue
        names = [row.cells[0] for row in table.rows if row.cells[number] == value]
        chosen = f"have {value} as their {noun}"
        yield _draft("count", f"How many {things} {chosen}?", str(count), _whole(table), source)
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        draft = _draft("rows", f"Which {things} {chosen}?", listed, _whole(table), source)
        yield replace(draft, label="summary", keypoints=tuple(f"{name} has {value} as its {noun}." for name in names))


def _tells_kinds(values: Sequence[str]) -> bool:
    """Whether a column sorts the rows: few values, in words, some of them in several rows."""
    return 2 <= len(set(values)) <= len(values) / 2 and all(
        re.fullmatch(r"[A-Z][\w .'’-]{2,30}", value)
        and not find_dates(value)
        and not re.search(r"\b(?:and|or)\b", value)
        and not any(other != value and other in value for other in set(values))
        for value in values
    )


def record_comparisons(page: Page) -> Iterator[Draft]:
    """The records of one page compared, as the rows of a table are."""
    columns: dict[str, dict[str, Cell]] = {}
    for entry, owner in owned(page):
        if owner != page.name:
            cell = Cell(owner, with_unit(entry.text, entry.name), evidence(entry, owner))
            columns.setdefault(entry.name, {}).setdefault(owner, cell)
    for name, cells in columns.items():
        noun = attribute_of(name, next(iter(cells.values())).text)
        if noun and len(cells) > 1:
            is_named = all(map(is_full_name, cells))
            for draft in comparisons(noun, list(cells.values()), f"key {name}", has_unit=bool(unit_of(name))):
                if question := draft.question if is_named else framed(page, draft.question):
                    yield replace(draft, question=question)


def comparisons(
    noun: str, cells: Sequence[Cell], source: str, *, has_unit: bool, describes: bool = True
) -> Iterator[Draft]:
    """Neighbours in a column of amounts compared, and added up. describes: a row may be said to "have" them."""
    is_number = is_plural(noun)
    for first, second in pairwise(_measured(noun, cells, has_unit=has_unit)):
        if first.amount.unit != second.amount.unit or first.amount.value == second.amount.value:
            continue
        more, less = (first, second) if first.amount.value > second.amount.value else (second, first)
        spans = tuple(sorted({*first.cell.spans, *second.cell.spans}))
        both = f"{first.cell.label} and {second.cell.label}"
        which = f"Which {_more(noun, first.amount)}, {first.cell.label} or {second.cell.label}?"
        difference = f"What is the difference in {noun} between {both}?"
        together = f"What is the combined {noun} {preposition_of(noun)} {both}?"
        if is_number and not describes:
            which = f"For which are more {noun} listed, {first.cell.label} or {second.cell.label}?"
            difference = f"How many more {noun} are listed for {more.cell.label} than for {less.cell.label}?"
            together = f"How many {noun} are listed for {both} together?"
        elif is_number:
            difference = f"How many more {noun} does {more.cell.label} have than {less.cell.label}?"
            together = f"How many {noun} do {both} have together?"
        elif noun in _COMPARED:
            difference = f"How much {_COMPARED[noun][0]} is {more.cell.label} than {less.cell.label}?"
        yield _draft("larger", which, _bare(more.cell.label), spans, source)
        value = _written(abs(first.amount.value - second.amount.value), first.amount)
        yield _draft("difference", difference, value, spans, source)
        if (is_number and not first.amount.unit) or _ADDED_UP.search(noun):
            value = _written(first.amount.value + second.amount.value, first.amount)
            yield _draft("sum", together, value, spans, source)


_OF_TWO = frozenset({"table_larger", "table_difference", "table_sum"})


def _measured(noun: str, cells: Sequence[Cell], *, has_unit: bool) -> list[_Measured]:
    """The cells that are amounts, where these can be compared: with a unit, or of things that are counted."""
    found = [_Measured(cell, amount) for cell in cells if (amount := whole_amount(cell.text)) is not None]
    units = {measured.amount.unit for measured in found}
    is_known = has_unit or units != {""} or is_plural(noun) or _COUNTED.search(noun) is not None
    is_column = len(found) > 1 and len(found) * 5 >= len(cells) * 3 and len(units) == 1
    return found if is_column and is_known and not _NO_MEASURE.search(noun) else []


def _extremes(measured: Sequence[_Measured]) -> Iterator[tuple[bool, _Measured]]:
    """(whether it is the largest, it) of the only largest and the only smallest."""
    values = [each.amount.value for each in measured]
    for is_most, value in ((True, max(values)), (False, min(values))) if values else ():
        if values.count(value) == 1:
            yield is_most, measured[values.index(value)]


def _most(noun: str, amount: Amount, *, is_most: bool) -> str:
    if noun in _COMPARED:
        return _COMPARED[noun][1 if is_most else 2]
    if is_plural(noun) and not amount.unit:
        return "most" if is_most else "fewest"
    if _takes_time(amount):
        return "longest" if is_most else "shortest"
    return "highest" if is_most else "lowest"


def _more(noun: str, amount: Amount) -> str:
    if noun in _COMPARED:
        return f"is {_COMPARED[noun][0]}"
    if is_plural(noun) and not amount.unit:
        return f"has more {noun}"
    return f"has the {'longer' if _takes_time(amount) else 'higher'} {noun}"


def _takes_time(amount: Amount) -> bool:
    return re.fullmatch(r"(?:year|month|week|day|hour|minute|second|min|ms|h|s)s?", amount.unit) is not None


def _written(value: Decimal, like: Amount) -> str:
    """A computed value with the unit as the text writes it."""
    scale = next((word for word in _SCALES if f" {word}" in like.text), "")
    number = f"{format_number(value / _SCALES[scale])} {scale}" if scale else format_number(value)
    if like.unit in _CURRENCIES:
        return f"{like.unit}{number}{'0' if re.search(r'[.][0-9]$', number) else ''}"
    unit = re.sub(r"^[\d.,]+(?: (?:hundred|thousand|million|billion|trillion))?[ -]?", "", like.text)
    unit = unit.removesuffix("s") if number == "1" and re.fullmatch(r"[a-z]{3,}s", unit) else unit
    return f"{number}%" if unit == "%" else f"{number} {unit}".strip()


def _bare(label: str) -> str:
    """A label without what it got to stand in a question."""
    return label.removeprefix("the ").strip("“”")


def _whole(table: Table) -> tuple[Stretch, ...]:
    return ((table.head[0], table.rows[-1].end),)


def _draft(form: str, question: str, answer: str, spans: tuple[Stretch, ...], source: str) -> Draft:
    return Draft(
        label="reasoning",
        form=f"table_{form}",
        question=question,
        answer=answer,
        spans=spans,
        source=source,
        worth=0.65,
        is_certain=True,
    )
