"""All values of compared settings as tables: one for each group of questions, with a row for each setting."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import Setting
from ragassay.report.compared import Compared
from ragassay.report.safe_text import visible
from ragassay.sweep.cells import PRICE, Cell
from ragassay.sweep.groups import By

Row = tuple[Setting, Sequence[Estimate | None]]
"""A setting and its estimate of each metric; None where it was not worked out."""


class GroupTable(NamedTuple):
    """by, group: which questions the rows are about."""

    by: By
    group: str
    metrics: Sequence[str]
    rows: Sequence[Row]


def group_tables(cells: Iterable[Cell], deciding: str) -> list[GroupTable]:
    """In the order of the cells: labels, the headline, then types, domains, languages. Settings: the best first.

    Best by the deciding metric in the group; those without a value of it come last, and equal ones as they were tried.
    """
    by_group: dict[tuple[By, str], dict[Setting, dict[str, Cell]]] = {}
    for cell in cells:
        by_group.setdefault((cell.by, cell.group), {}).setdefault(cell.setting, {})[cell.metric] = cell
    tables = []
    for (by, group), found in by_group.items():
        metrics = list(dict.fromkeys(metric for of_setting in found.values() for metric in of_setting))
        metrics.sort(key=lambda metric: (metric in PRICE, metric != deciding))
        rows = [
            (setting, [of[metric].estimate if metric in of else None for metric in metrics])
            for setting, of in found.items()
        ]
        tables.append(GroupTable(by, group, metrics, sorted(rows, key=_order(deciding, metrics))))
    return tables


def _order(deciding: str, metrics: Sequence[str]) -> Callable[[Row], tuple[bool, float]]:
    sign = -1 if metric_named(deciding)[0].higher_is_better else 1
    place = metrics.index(deciding) if deciding in metrics else None

    def order(row: Row) -> tuple[bool, float]:
        estimate = None if place is None else row[1][place]
        value = None if estimate is None else estimate.value
        return value is None, sign * (value or 0)

    return order


def packed_rows(compared: Compared) -> str:
    """The tables as JSON, deflated and in base64, for the table of the page that people sort and filter.

    Of each value [value, low, high, n, total].
    """
    tables = group_tables(compared.cells, compared.deciding)
    metrics = list(dict.fromkeys(metric for table in tables for metric in table.metrics))
    metrics.sort(key=lambda metric: metric in PRICE)
    numbers = {setting: number for number, setting in enumerate(dict.fromkeys(each.setting for each in compared.cells))}
    names = [setting.name for setting in numbers]
    data = {
        "metrics": [[visible(metric), metric in PRICE] for metric in metrics],
        "decides": visible(compared.deciding),
        "rising": not compared.higher_is_better,
        "settings": [[visible(name), visible(short)] for name, short in zip(names, apart(names), strict=True)],
        "groups": [
            [table.by, visible(table.group), (table.by, table.group) == (compared.by, compared.headline)]
            for table in tables
        ],
        "rows": [
            [numbers[setting], number, [_numbers(of_metric.get(metric)) for metric in metrics]]
            for number, table in enumerate(tables)
            for setting, estimates in table.rows
            for of_metric in [dict(zip(table.metrics, estimates, strict=True))]
        ],
    }
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(zlib.compress(written)).decode()


def apart(names: Sequence[str]) -> list[str]:
    """The names without the words that all of them begin and end with: what sets them apart."""
    words = [name.split() for name in names]
    if len(words) < 2:
        return list(names)
    first, last = 0, 0
    shortest = min(map(len, words))
    while first < shortest - 1 and len({each[first] for each in words}) == 1:
        first += 1
    while last < shortest - first - 1 and len({each[-1 - last] for each in words}) == 1:
        last += 1
    return [" ".join(each[first : len(each) - last]) for each in words]


def _numbers(estimate: Estimate | None) -> list[float | None] | None:
    if estimate is None:
        return None
    bounds = [None if each is None else float(f"{each:.6g}") for each in (estimate.value, estimate.low, estimate.high)]
    return [*bounds, estimate.n, estimate.total]
