"""Sets side by side as rows of finished text, for the page and the terminal: a column for each set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rich.console import Console

from ragassay.report.console import print_table
from ragassay.report.set_beside import Counts, MakingCost, SetFigures, names_of_critiques
from ragassay.report.wording import count, duration, interval, label_order, share

NOT_SAID = "-"
MOST_REASONS = 20
"""Reasons of rejection in the table, the most frequent of all sets together."""


class SetsTable(NamedTuple):
    """heads: what the rows are, then the sets. rows: name, then a cell for each set."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def sets_tables(sets: Sequence[SetFigures]) -> dict[str, SetsTable]:
    """By name; what no set has anything of is left out."""
    found = {
        "made": _table("Sets", "", sets, _made(sets)),
        "labels": _table("Labels", "label", sets, _shares(sets, lambda each: each.labels, label_order)),
        "words": _table("Question words", "question word", sets, _shares(sets, lambda each: each.question_words)),
        "critiques": _table("Critiques: mean rating, 1 to 5, with its 95 % interval", "critique", sets, _means(sets)),
        "rejected": _table("Rejected candidates", "reason", sets, _rejected(sets)),
        "cost": _table("Cost of making the sets", "", sets, _cost(sets)),
    }
    return {name: table for name, table in found.items() if table.rows}


def print_sets(sets: Sequence[SetFigures], console: Console) -> None:
    """All tables."""
    for table in sets_tables(sets).values():
        print_table(console, table.title, table.heads, table.rows)


def _table(title: str, corner: str, sets: Sequence[SetFigures], rows: Iterable[Sequence[str]]) -> SetsTable:
    return SetsTable(title, (corner, *(each.name for each in sets)), list(rows))


def _made(sets: Sequence[SetFigures]) -> Iterable[Sequence[str]]:
    yield "examples", *(count(each.examples) for each in sets)
    yield "documents", *(count(each.documents) for each in sets)
    yield "made by", *(", ".join(each.synthesizers) for each in sets)


def _shares(
    sets: Sequence[SetFigures],
    counts_of: Callable[[SetFigures], Counts],
    order: Callable[[Iterable[str]], list[str]] | None = None,
) -> Iterable[Sequence[str]]:
    """Names of all sets, in their order or the most frequent first."""
    total: dict[str, float] = {}
    for each in sets:
        for name, number in counts_of(each).items():
            total[name] = total.get(name, 0.0) + number / each.examples
    names = order(total) if order else sorted(total, key=lambda name: (-total[name], name))
    for name in names:
        numbers = [(counts_of(each).get(name, 0), each.examples) for each in sets]
        yield name, *(f"{count(number)} ({share(number, whole)})" for number, whole in numbers)


def _means(sets: Sequence[SetFigures]) -> Iterable[Sequence[str]]:
    for name in names_of_critiques(sets):
        cells = []
        for each in sets:
            rated = each.critiques.get(name)
            mean = None if rated is None else rated.mean
            if mean is None or mean.value is None:
                cells.append(NOT_SAID)
            else:
                n = f"n = {count(mean.n)}" + (f" of {count(mean.total)}" if mean.n < mean.total else "")
                cells.append(f"{mean.value:.2f} [{interval(mean.low, mean.high)}] {n}")
        yield name.replace("_", " "), *cells


def _rejected(sets: Sequence[SetFigures]) -> Iterable[Sequence[str]]:
    total: dict[str, int] = {}
    for each in sets:
        for reason, number in (each.rejected or {}).items():
            total[reason] = total.get(reason, 0) + number
    reasons = sorted(total, key=lambda reason: (-total[reason], reason))
    for reason in reasons[:MOST_REASONS]:
        cells = (NOT_SAID if each.rejected is None else count(each.rejected.get(reason, 0)) for each in sets)
        yield reason.replace("_", " "), *cells
    if left := reasons[MOST_REASONS:]:
        sums = (
            NOT_SAID if each.rejected is None else count(sum(each.rejected.get(reason, 0) for reason in left))
            for each in sets
        )
        yield f"{count(len(left), 'other reason')}", *sums
    if reasons:
        yield "all", *(NOT_SAID if each.rejected is None else count(sum(each.rejected.values())) for each in sets)


_COSTS: tuple[tuple[str, Callable[[MakingCost, int], str]], ...] = (
    ("wall time", lambda cost, n: duration(cost.wall_s)),
    ("processor time", lambda cost, n: duration(cost.cpu_s)),
    ("seconds per example", lambda cost, n: f"{cost.wall_s / n:.3g}"),
    ("calls to models", lambda cost, n: count(cost.calls)),
    ("prompt tokens", lambda cost, n: count(cost.prompt_tokens)),
    ("reply tokens", lambda cost, n: count(cost.completion_tokens)),
    ("US dollars", lambda cost, n: "unknown price" if cost.cost_usd is None else f"{cost.cost_usd:.4f}"),
)


def _cost(sets: Sequence[SetFigures]) -> Iterable[Sequence[str]]:
    if any(each.cost for each in sets):
        for name, shown in _COSTS:
            yield name, *(NOT_SAID if each.cost is None else shown(each.cost, each.examples) for each in sets)
