"""Cells of tables: the question that a row and a column ask together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis, Table
from ragassay.models.embedded.reading.grammar import noun_phrase, with_article
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.models.embedded.structure.drafts import Draft, capitalised
from ragassay.models.embedded.structure.framing import is_document, source_of
from ragassay.models.embedded.structure.record_keys import EMPTY_VALUE, is_attribute, with_size

_NO_ATTRIBUTE = frozenset(
    """
    description example notes name comment result meaning remarks alias aliases note detail details
""".split()
)


def table_facts(table: Table, theme: str) -> Iterator[Draft]:
    """'What is the <column> of <row>?' from tables whose first column names things."""
    if not 2 <= len(table.header) <= 7 or not 2 <= len(table.rows) <= 40:
        return
    labels = [row[0] for row in table.rows]
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    for row, quote in zip(table.rows, table.quotes, strict=True):
        for column in range(1, len(row)):
            header, cell = table.header[column], row[column]
            values = [other[column] for other in table.rows]
            if (
                not re.fullmatch(r"[A-Za-z][A-Za-z ()€$£%/-]{2,30}", header)
                or not 1 <= len(cell.split()) <= 6
                or EMPTY_VALUE.match(cell)
                or values.count(cell) > 1
            ):
                continue
            noun = column_noun(header, cell)
            if (
                noun.split()[-1] in {"may", "must"}
                or noun in {"start", "end", "date", "from", "to", "version", "type", "number", "code", "value"}
                or not is_attribute(noun)
            ):
                continue
            if noun_phrase(noun)[-1].tag not in {"NN", "NNP"} or noun in _NO_ATTRIBUTE:
                continue
            unit = re.search(r"\(([^)]*)\)", header)
            answer = f"{cell} {unit[1]}" if unit and re.fullmatch(r"[\d.,]+", cell) else cell
            # 'the schedule 2025' has to be named: another year has another value
            stands_alone = _is_full_name(row[0]) and is_document(theme) and re.search(r"\d", theme) is None
            named = stands_alone or theme.lower() in row[0].lower() or re.search(r"[_.]", row[0]) is not None
            row_name = with_article_free(row[0])
            is_person = bool(_ROLE.search(noun) and re.fullmatch(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}", cell))
            told = f"{noun} {of_row(noun)} {row_name}"
            yield Draft(
                pattern="table",
                question=within("" if named else theme, f"{'who' if is_person else 'what'} is the {told}?"),
                answer=answer,
                statement=f"The {told}{'' if named else f' in {theme}'} is {answer}.",
                quotes=(table.header_quote, quote),
                attribute=noun,
                stands_alone=stands_alone,
            )


def _is_full_name(label: str) -> bool:
    """Whether a row's label needs no table to say what it names, as 'MV Bluefin'."""
    words = label.split()
    return len(words) > 1 and all(word[:1].isupper() for word in words)


def names_a_thing(label: str) -> bool:
    """Whether a row's label is a name or identifier, so that 'the length of <label>' reads well: MV Bluefin, int8."""
    words = label.split()
    if label.startswith("“") and label.endswith("”"):
        return True
    return (
        1 <= len(words) <= 5
        and bool(re.match(r"[^\d]*[A-Za-z]{3}", label))
        and (
            bool(re.fullmatch(r"[\w.-]*[_\d.][\w.-]*|[a-z]+", label))
            or all(word[0].isupper() or word[0].isdigit() or word in {"of", "the", "and", "de"} for word in words)
        )
    )


_ROLE = re.compile(
    r"\b(?:manager|lead|owner|captain|director|head|chair|officer|editor|master|leader|supervisor|author|chief)$"
)
_MONEY = re.compile(
    r"price|cost|fee|fare|rate|budget|value|amount|salary|limit|charge|revenue|total|allowance|turnover|spend|"
    r"deposit|excess|reward|bonus|prize|grant|wage|income|profit|loss|balance|refund|premium|discount|funding|debt|loan|"
    r"payment|tax"
)


def column_noun(header: str, cell: str) -> str:
    """What a column gives, as a noun: 'Default' is a default value, 'Adult' over pounds an adult price."""
    name = re.sub(r" ?\([^)]*\)", "", header).strip()
    noun = name.lower() if not name.isupper() else name
    if noun == "default":
        return "default value"
    return f"{noun} price" if re.match(r"[$€£] ?\d", cell) and not _MONEY.search(noun) else with_size(noun, cell)


def of_row(noun: str) -> str:
    """What joins a column to its row: a budget is for something, most other things are of something."""
    return "for" if re.search(r"\b(?:budget|allowance|fee|charge|fare|rate|deposit|premium|limit)$", noun) else "of"


def within(theme: str, question: str) -> str:
    """A question that begins in lower case, with the document or the thing whose table it is asked of, if given."""
    if theme and is_document(theme):
        return f"According to {theme}, {question}"
    return capitalised(f"{question.rstrip('?')} in {theme}?" if theme else question)


def with_article_free(label: str) -> str:
    """A row's label as it stands in a question: plain nouns get an article, names and identifiers do not."""
    if label[:1].isupper() or label.startswith("“") or re.search(r"[_\d]", label) or len(label.split()) > 3:
        return label
    return with_article(label) if noun_phrase(label)[-1].tag == "NN" and " " in label else label


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
        if not re.fullmatch(r"[A-Za-z][A-Za-z, /-]{2,30}", name) or EMPTY_VALUE.match(value) or len(value.split()) > 10:
            continue
        tag = noun_phrase(noun)[-1].tag if noun else ""
        if "," in noun or tag not in {"NN", "NNS", "NNP"} or not is_attribute(noun):
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
    return last.islower() and noun_phrase(last)[-1].tag == "NN"
