"""A sweep for the terminal: its plan, then the best setting of each label, and quality against tokens and size."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ragassay.evaluation.estimate import Estimate
from ragassay.report.console import print_line, print_table
from ragassay.report.judge_trust_tables import circular_lines, trust_lines
from ragassay.report.sweep_row_tables import print_all_rows, print_deciding_rows
from ragassay.report.sweep_trust import trust_of_sweep
from ragassay.report.token_front import tokens_words, total_of
from ragassay.report.wording import (
    best_words,
    count,
    coverage,
    decimal,
    estimate_words,
    interval,
    methods_words,
)
from ragassay.sweep.best import BestSetting
from ragassay.sweep.outcome import Point, WeightTable
from ragassay.sweep.plan import PlanRow
from ragassay.sweep.swept import Planned, Swept

_SHOWN = 15
"""Points of the front and reasons, at most."""


def print_plan(planned: Planned, console: Console) -> None:
    """What will be done, once for all settings and if each were worked out alone, and what it costs."""
    grid = f" of {count(planned.total)} in the grid" if planned.total != len(planned.settings) else ""
    settings, questions = count(len(planned.settings), "setting"), count(planned.questions, "question")
    print_line(console, f"{settings}{grid}, {questions}, {count(planned.documents, 'document')}", "bold")
    if len(planned.rounds) > 1:
        steps = (f"{count(each.settings)} on {count(len(each.questions), 'question')}" for each in planned.rounds)
        print_line(console, f"Halving: {', then '.join(steps)}")
    console.print()
    rows = [(row.work, count(row.alone), count(row.shared), *_price(row)) for row in planned.rows]
    print_table(console, "Plan", ("work", "each setting alone", "shared", "tokens", "US dollars"), rows)
    if any(row.model for row in planned.rows):
        total = planned.cost_usd
        cost = "not known: a price is missing" if total is None else f"{total:.4f} US dollars"
        print_line(console, f"Estimated cost, at most: {cost}")
        console.print()


def _price(row: PlanRow) -> tuple[str, str]:
    if not row.model:
        return "", ""
    return count(row.tokens), "not known" if row.cost_usd is None else f"{row.cost_usd:.4f}"


def print_sweep(swept: Swept, console: Console, *, all_rows: bool = False) -> None:
    """The results; what is not in the tables is in the files that are named at the end.

    all_rows: every metric of every setting on every group of questions, too.
    """
    found = swept.outcome
    for doubt in swept.doubts:
        print_line(console, doubt, "bold yellow")
    if not found.best:
        print_line(console, swept.why_no_best, "bold yellow")
    else:
        print_table(
            console,
            f"Best setting of each label by {swept.deciding}",
            ("label", "mean", "95 %", "n", "tied", "setting"),
            map(_best_row, found.best),
        )
        print_line(console, methods_words(each.estimate for each in found.best))
        top = found.top
        if top is not None and top.ties.others:
            print_line(console, best_words(top.label, top.setting, top.ties))
        if found.unanswerable is not None:
            refused = estimate_words(found.unanswerable)
            print_line(console, f"Unanswerable questions with the best setting: right abstentions {refused}")
        _print_trust(swept, console)
    for table in found.tables:
        _print_weights(table, console, swept.deciding)
    if any(point.tokens.value is not None for point in found.front):
        _print_points(
            f"Not surpassed: {swept.deciding} against {tokens_words(each.setting for each in found.front)}",
            found.front,
            console,
            swept.deciding,
        )
    if len(found.curve) > 1:
        what = f"Chunk size and {tokens_words(each.setting for each in found.curve)}, all else as in the best setting"
        _print_points(what, found.curve, console, swept.deciding)
    if all_rows:
        print_all_rows(swept, console)
    else:
        print_deciding_rows(swept, console)
    _print_uncovered(swept, console)
    for each in swept.unanswered[:_SHOWN]:
        print_line(console, f"Servers left something unanswered for {count(each.n)} of "
                   f"{count(each.questions, 'question')}: {each.setting.name}", "bold yellow")  # fmt: skip
    if len(swept.unanswered) > _SHOWN:
        print_line(console, f"And for questions of {count(len(swept.unanswered) - _SHOWN, 'more setting')}")
    for reason, n in list(swept.reasons.items())[:_SHOWN]:
        print_line(console, f"No value, {count(n, 'time')}: {reason}")
    if swept.reused:
        were = "was" if swept.reused == 1 else "were"
        print_line(console, f"{count(swept.reused, 'setting')} {were} worked out before")
    if swept.budget_reached:
        print_line(console, f"Stopped: {swept.budget_reached}", "bold yellow")
    files = "report.html, results.csv, comparisons.csv, summary.json" + (", results.parquet" if swept.parquet else "")
    print_line(console, f"Written to {swept.folder}: {files}", "bold")


def _print_trust(swept: Swept, console: Console) -> None:
    trust = trust_of_sweep(swept)
    for line in trust_lines(trust):
        print_line(console, line)
    for line in circular_lines(trust, named=len(swept.copied) > 1):
        print_line(console, line, "bold yellow")
    if trust is not None:
        console.print()


def _print_uncovered(swept: Swept, console: Console) -> None:
    found = swept.outcome.uncovered
    if not found:
        return
    least = f"{100 * swept.outcome.coverage:g} %"
    print_table(
        console,
        f"Not eligible as best: they have {swept.deciding} for less than {least} of the questions",
        ("label", "setting", "n", "why there is no value"),
        [(each.label, each.setting.name, f"{count(each.n)} of {count(each.total)}", each.why)
         for each in found[:_SHOWN]],
    )  # fmt: skip
    if len(found) > _SHOWN:
        print_line(console, f"{count(len(found) - _SHOWN)} more in summary.json")


def _best_row(best: BestSetting) -> Sequence[str]:
    return (
        best.label,
        *_estimate(best.estimate),
        coverage(best.estimate) or count(best.estimate.n),
        f"{count(len(best.not_worse))} of {count(len(best.comparisons))}",
        best.setting.name,
    )


def _print_weights(table: WeightTable, console: Console, deciding: str) -> None:
    reranked = "" if table.reranker == "none" else f", re-ranked by {table.reranker}"
    rows = [
        (
            row.label,
            _value(row.dense),
            _value(row.lexical),
            _value(row.best),
            f"{row.setting.text_weight:g}",
            row.setting.name,
        )
        for row in table.rows
    ]
    spread = "" if table.spread is None else f"; spread over the labels {100 * table.spread:.1f} % of the lowest"
    columns = ("label", "dense", "lexical", "best", "text weight", "setting")
    print_table(console, f"{deciding} by text weight, vectors by {table.encoder}{reranked}{spread}", columns, rows)


def _print_points(title: str, points: Sequence[Point], console: Console, deciding: str) -> None:
    rows = [(point.setting.name, *_estimate(point.quality), *_tokens(point.tokens)) for point in points[:_SHOWN]]
    print_table(console, title, ("setting", deciding, "95 %", "tokens", "in total"), rows)
    if len(points) > _SHOWN:
        print_line(console, f"{count(len(points) - _SHOWN)} more in results.csv")


def _estimate(estimate: Estimate) -> tuple[str, str]:
    return _value(estimate), interval(estimate.low, estimate.high) or ""


def _value(estimate: Estimate | None) -> str:
    return "" if estimate is None or estimate.value is None else decimal(estimate.value)


def _tokens(estimate: Estimate) -> tuple[str, str]:
    """Of a question, and of all."""
    return ("", "") if estimate.value is None else (count(round(estimate.value)), count(round(total_of(estimate))))
