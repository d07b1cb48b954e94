"""All values of a sweep as tables: one for each group of questions, with a row for each setting."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import Setting
from ragassay.report.safe_text import visible
from ragassay.sweep.cells import PRICE, Cell
from ragassay.sweep.groups import By
from ragassay.sweep.swept import Swept


def higher_is_better(swept: Swept) -> bool:
    """Of the deciding metric."""
    return metric_named(swept.deciding)[0].higher_is_better


Row = tuple[Setting, Sequence[Estimate | None]]
"""A setting and its estimate of each metric; None where it was not worked out."""


class GroupTable(NamedTuple):
    """by, group: which questions the rows are about."""

    by: By
    group: str
    metrics: Sequence[str]
    rows: Sequence[Row]


def group_tables(swept: Swept) -> list[GroupTable]:
    """In the order of the cells: labels, the headline, then types, domains, languages. Settings: the best first.

    Best by the deciding metric in the group; those without a value of it come last, and equal ones as they were tried.
    """
    cells: dict[tuple[By, str], dict[Setting, dict[str, Cell]]] = {}
    for cell in swept.outcome.cells:
        cells.setdefault((cell.by, cell.group), {}).setdefault(cell.setting, {})[cell.metric] = cell
    tables = []
    for (by, group), found in cells.items():
        metrics = list(dict.fromkeys(metric for of_setting in found.values() for metric in of_setting))
        metrics.sort(key=lambda metric: (metric in PRICE, metric != swept.deciding))
        rows = [
            (setting, [of[metric].estimate if metric in of else None for metric in metrics])
            for setting, of in found.items()
        ]
        tables.append(GroupTable(by, group, metrics, sorted(rows, key=_order(swept, metrics))))
    return tables


def _order(swept: Swept, metrics: Sequence[str]) -> Callable[[Row], tuple[bool, float]]:
    sign = -1 if higher_is_better(swept) else 1
    place = metrics.index(swept.deciding) if swept.deciding in metrics else None

    def order(row: Row) -> tuple[bool, float]:
        estimate = None if place is None else row[1][place]
        value = None if estimate is None else estimate.value
        return value is None, sign * (value or 0)

    return order


def packed_rows(swept: Swept, names: Sequence[str]) -> str:
    """The tables as JSON, deflated and in base64, for the table of the page that people sort and filter.

    names: of the settings planned, in their order, as the page calls them. Of each value [value, low, high, n, total].
    """
    tables, found = group_tables(swept), swept.outcome
    metrics = list(dict.fromkeys(metric for table in tables for metric in table.metrics))
    metrics.sort(key=lambda metric: metric in PRICE)
    numbers = {setting: number for number, setting in enumerate(swept.planned.settings)}
    data = {
        "metrics": [[visible(metric), metric in PRICE] for metric in metrics],
        "decides": visible(swept.deciding),
        "rising": not higher_is_better(swept),
        "settings": [[visible(setting.name), visible(name)] for setting, name in zip(numbers, names, strict=True)],
        "groups": [
            [table.by, visible(table.group), (table.by, table.group) == (found.by, found.headline)] for table in tables
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


def _numbers(estimate: Estimate | None) -> list[float | None] | None:
    if estimate is None:
        return None
    bounds = [None if each is None else float(f"{each:.6g}") for each in (estimate.value, estimate.low, estimate.high)]
    return [*bounds, estimate.n, estimate.total]
