"""Cells of Chinese tables: what a row and a column ask together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.chinese.clauses import HAN, clauses
from ragassay.models.embedded.chinese.entry_facts import word_of
from ragassay.models.embedded.chinese.gates import is_empty_value
from ragassay.models.embedded.chinese.page import Page, Table
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.structure.drafts import Draft

_NO_ATTRIBUTE = re.compile(r"(?:说明|描述|备注|示例|例子|注释|#|序号|编号|No\.?)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rf"[{HAN}A-Za-z（）() /%℃]{{2,14}}")
_OF_THINGS = re.compile(r"(?:项目|参数|指标|属性|规格|内容|特性|性能|配置|参数名称?|指标名称)?")
"""Heads of a first column that holds attributes; the things then stand in the header row."""
_MOST_ROWS, _LONGEST_CELL = 60, 24


def table_facts(page: Page, profile: Profile) -> Iterator[Draft]:
    """One question for each cell that nothing else in its row or column equals."""
    for table in page.tables:
        labels = [row[0] for row in table.rows]
        if 2 <= len(table.rows) <= _MOST_ROWS and len(set(labels)) == len(labels):
            yield from _cells(table, profile)


def attributes_in_rows(table: Table) -> bool:
    """Whether the first column names attributes, and the header row the things that have them."""
    return _OF_THINGS.fullmatch(table.header[0]) is not None


def owner_of_cell(thing: str, profile: Profile) -> str:
    """How a question names the thing that a row or column is about."""
    return thing if profile.theme in thing else f"{profile.cited}中，{thing}"


def _cells(table: Table, profile: Profile) -> Iterator[Draft]:
    turned = attributes_in_rows(table)
    for row, quote in zip(table.rows, table.quotes, strict=True):
        for column in range(1, len(row)):
            cell = row[column]
            thing, attribute = (table.header[column], row[0]) if turned else (row[0], table.header[column])
            beside = row[1:] if turned else tuple(other[column] for other in table.rows)
            if beside.count(cell) > 1 or not _is_asked(thing, attribute, cell):
                continue
            owner = owner_of_cell(thing, profile)
            yield Draft(
                pattern="table",
                question=f"{owner}的{attribute}是{word_of(attribute, cell)}？",
                answer=cell,
                statement=f"{owner}的{attribute}是{cell}。",
                quotes=(quote,),
                attribute=attribute,
            )


def _is_asked(thing: str, attribute: str, cell: str) -> bool:
    return (
        _ATTRIBUTE.fullmatch(attribute) is not None
        and not _NO_ATTRIBUTE.fullmatch(attribute)
        and re.search(f"[{HAN}A-Za-z]{{2}}", thing) is not None
        and 1 <= len(cell) <= _LONGEST_CELL
        and not is_empty_value(cell)
        and len(clauses(cell)) <= 1
    )
