"""A judge against people: what the tables say, and the tables of the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console

from ragassay.agreement.check_statistics import MeasureName, QualityCheck, Row
from ragassay.agreement.repeatability import Repeated
from ragassay.evaluation.estimate import Estimate
from ragassay.report.console import print_line, print_table
from ragassay.report.judged_summary import JudgingCost

NONE = "-"
REASONS_SHOWN = 5
MEASURE_WORDS: Mapping[MeasureName, str] = {
    "accuracy": "right",
    "order_agreement": "both orders alike",
    "auroc": "AUROC",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
}


def print_checks(checks: Sequence[QualityCheck], console: Console) -> None:
    """One table a quality, for comparisons one an aspect: who against people, what came out, on how many."""
    for each in checks:
        for rows in by_aspect(each):
            _print_rows(each, rows, console)
        for line in _reason_lines(each.rows):
            print_line(console, line)
    for line in _token_lines(checks):
        print_line(console, line)


def by_aspect(check: QualityCheck) -> list[list[Row]]:
    """The rows of each aspect; all in one where there are no aspects."""
    return [
        [row for row in check.rows if row.aspect == aspect]
        for aspect in dict.fromkeys(row.aspect for row in check.rows)
    ]


def print_repeated(measures: Sequence[Repeated], console: Console) -> None:
    """One row a metric: how far two runs of the same judge differ."""
    rows = [
        (
            _metric_of(each),
            _figure(each.pearson),
            _figure(each.difference),
            _figure(each.same),
            _counted(each.same),
        )
        for each in measures
    ]
    heads = ["metric", "Pearson", "mean absolute difference", "the same", "n"]
    print_table(console, "Two runs of the same judge, with 95 % intervals", heads, rows)


def _metric_of(measured: Repeated) -> str:
    """The quality and the metric, once where they are called the same."""
    name = measured.metric if measured.metric == measured.quality else f"{measured.quality}: {measured.metric}"
    return f"{name} ({measured.aspect})" if measured.aspect else name


def print_cost(cost: JudgingCost, console: Console) -> None:
    """What was asked and, on servers, what it took."""
    dollars = "unknown cost" if cost.unpriced else f"{cost.cost_usd:.4f} US dollars"
    sent = f", {cost.calls:,} calls sent, {cost.prompt_tokens + cost.completion_tokens:,} tokens, {dollars}"
    print_line(
        console,
        f"{cost.asked:,} questions to the judge, {cost.unanswered:,} unanswered{sent if cost.calls else ''}, "
        f"{cost.wall_s:.1f} s",
    )


def _print_rows(check: QualityCheck, rows: Sequence[Row], console: Console) -> None:
    names = measures_of(rows)
    cells = []
    for row in rows:
        found = [row.measures.get(name) for name in names]
        cells.append((row.scorer.replace("_", " "), row.role, *map(_value, found), _n(row)))
        cells.append(("", "", *map(_interval, found), ""))
    heads = ["", "role", *(MEASURE_WORDS[name] for name in names), "n"]
    print_table(console, check_title(check, rows), heads, cells)
    if ties := _without_ties(rows):
        print_line(console, ties)
        console.print()


def _without_ties(rows: Sequence[Row]) -> str:
    """On how many comparisons accuracy rests; empty for items that are no comparisons."""
    counts = {row.scorer: row.measures["accuracy"].n for row in rows if row.aspect and "accuracy" in row.measures}
    if not counts:
        return ""
    numbers = set(counts.values())
    each = ", ".join(f"{scorer.replace('_', ' ')} {number:,}" for scorer, number in counts.items())
    n = f"n {numbers.pop():,}" if len(numbers) == 1 else f"n: {each}"
    return f"right: of those that people did not call a tie, {n}"


def measures_of(rows: Sequence[Row]) -> list[MeasureName]:
    """What any of the rows was measured by, in the order of tables."""
    return [name for name in MEASURE_WORDS if any(name in row.measures for row in rows)]


def check_title(check: QualityCheck, rows: Sequence[Row]) -> str:
    """What was judged, and how many items. rows: those of one aspect."""
    title = check.quality.replace("_", " ")
    if rows and rows[0].aspect:
        title += f": {rows[0].aspect}"
    counted = f"{check.items:,} {check.shape}"
    if check.shape == "ratings":
        counted += f", mean {check.mean_rating:.3f}, {check.good:,} good and {check.bad:,} bad for AUROC"
    return f"{title} ({counted})"


def check_lines(checks: Sequence[QualityCheck]) -> tuple[str, ...]:
    """Why values are missing, and what the rated answers took."""
    return (*(line for check in checks for line in _reason_lines(check.rows)), *_token_lines(checks))


def _token_lines(checks: Sequence[QualityCheck]) -> dict[str, None]:
    """Once for ratings of the same answers."""
    return dict.fromkeys(
        f"Tokens of the {items:,} rated answers: {read:,} in, {written:,} out, {read + written:,} in total, "
        f"{(read + written) / items:,.0f} each"
        for items, (read, written) in ((each.items, each.tokens) for each in checks if each.tokens is not None)
    )


def _reason_lines(rows: Sequence[Row]) -> Iterator[str]:
    """The commonest first."""
    for row in rows:
        for reason, count in sorted(row.reasons.items(), key=lambda each: -each[1])[:REASONS_SHOWN]:
            yield f"{row.scorer.replace('_', ' ')}: no value for {count:,}: {reason}"
        for reason in dict.fromkeys(row.undefined.values()):
            names = ", ".join(MEASURE_WORDS[name] for name, why in row.undefined.items() if why == reason)
            yield f"{row.scorer.replace('_', ' ')}: {names} undefined: {reason}"


def _figure(found: Estimate) -> str:
    interval = _interval(found)
    return f"{_value(found)} ({interval})" if interval else _value(found)


def _value(found: Estimate | None) -> str:
    return NONE if found is None or found.value is None else f"{found.value:.3f}"


def _interval(found: Estimate | None) -> str:
    if found is None or found.low is None or found.high is None:
        return ""
    return f"{found.low:.2f}–{found.high:.2f}"


def _n(row: Row) -> str:
    """Items that have a value, of all: AUROC and accuracy leave out those that people left undecided."""
    found = max(row.measures.values(), key=lambda each: each.total)
    return _counted(found)


def _counted(found: Estimate) -> str:
    return f"{found.n:,}" if found.n == found.total else f"{found.n:,} of {found.total:,}"
