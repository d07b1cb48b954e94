"""An experiment for the terminal: agreement by metric, both orders, and the pairs on which the benchmarks differ."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from ragassay.agreement.benchmarks import OrderAgreement, PairOrder, SystemPlace
from ragassay.evaluation.paired import PairedTest
from ragassay.report.console import print_line, print_table
from ragassay.report.experiment_summary import ExperimentSummary
from ragassay.report.wording import count, decimal, interval, noun

FIRMNESS_WORDS = {
    "both": "on both",
    "synthetic only": "synthetic only",
    "human only": "human only",
    "neither": "on neither",
}
_MOST_REASONS = 3
_MOST_PAIRS = 12


def print_experiment(found: ExperimentSummary, folder: str, console: Console) -> None:
    """The agreement, both orders, and the pairs on which the benchmarks differ; all pairs are in pairs.csv.

    folder: where the files are; empty where that is not to be said.
    """
    print_line(console, f"{len(found.systems)} {found.kind}, on", "bold")
    print_line(console, f"synthetic: {found.synthetic.dataset}, {count(found.synthetic.questions, 'question')}")
    print_line(console, f"human: {found.human.dataset}, {count(found.human.questions, 'question')}")
    print_line(console, f"judge: {found.settings['judge']}")
    asked = sum(sum(system.asked.values()) for system in found.systems)
    reused = (found.synthetic.questions + found.human.questions) * len(found.systems) - asked
    if reused:
        print_line(console, f"{count(reused, 'earlier answer')} reused; --overwrite asks again")
    console.print()
    for warning in found.warnings:
        print_line(console, f"Note: {warning}", "yellow")
    if found.warnings:
        console.print()
    heads = ("metric", "tau-b", "95 %", "ceiling", "chance")
    print_table(console, "Agreement of the two orders", heads, map(agreement_row, found.orders))
    kinds = ("metric", "pairs", "same", "swapped", "tied", "confirmed", "contradicted")
    print_table(console, "Pairs of systems", kinds, map(pairs_row, found.orders))
    for order in found.orders:
        _print_order(order, console)
    for line in reason_lines(found):
        print_line(console, line)
    print_line(console, "tau-b: 1 the same order, 0 none, -1 the reverse; interval over the questions of both sets.")
    print_line(
        console, "ceiling: tau of as many human questions with the other human ones. chance: share of all orders"
    )
    print_line(console, "that agree as well. firm: p < 0.05 after Holm, paired; confirmed: same order, firm on both;")
    print_line(console, "contradicted: swapped, firm on both.")
    if folder:
        print_line(console, f"{folder}: report.html, results.csv, pairs.csv, summary.json")


def agreement_row(order: OrderAgreement) -> tuple[str, ...]:
    """Metric, tau, its interval, ceiling and chance."""
    if order.tau.value is None:
        return (order.metric, "none", "", "", "")
    return (
        order.metric,
        decimal(order.tau.value, 2),
        interval(order.tau.low, order.tau.high),
        "" if order.ceiling is None else decimal(order.ceiling, 2),
        "" if order.chance is None else decimal(order.chance, 3),
    )


def pairs_row(order: OrderAgreement) -> tuple[str, ...]:
    """Metric, and pairs by what becomes of them from one benchmark to the other."""
    orders = [pair.order for pair in order.pairs]
    return (
        order.metric,
        str(len(orders)),
        *(str(orders.count(kind)) for kind in ("same", "swapped", "tied")),
        str(len(order.confirmed)),
        str(len(order.contradicted)),
    )


def _print_order(order: OrderAgreement, console: Console) -> None:
    if not order.systems:
        print_line(console, f"{order.metric}: no order, {order.reason}")
        console.print()
        return
    better = "" if order.higher_is_better else ", less is better"
    coverage = ", ".join(
        f"{each.n} of {each.total} {name} {noun(each.total, 'question')}"
        for name, each in (("synthetic", order.systems[0].synthetic), ("human", order.systems[0].human))
    )
    heads = ("system", "synthetic", "95 %", "rank", "human", "95 %", "rank")
    print_table(console, f"{order.metric}{better} ({coverage})", heads, map(_place_row, by_rank(order)))
    differing = noteworthy(order)
    if differing:
        heads = ("pair", "synthetic", "p", "human", "p", "order", "firm")
        title = "Pairs that swap, or are firm on one benchmark alone; second less first"
        print_table(console, title, heads, map(pair_row, differing[:_MOST_PAIRS]))
        if len(differing) > _MOST_PAIRS:
            print_line(console, f"and {len(differing) - _MOST_PAIRS} more, in pairs.csv")


def by_rank(order: OrderAgreement) -> list[SystemPlace]:
    """The systems as the human benchmark ranks them."""
    return sorted(order.systems, key=lambda place: place.human_rank)


def noteworthy(order: OrderAgreement) -> list[PairOrder]:
    """Pairs on which a reader of the synthetic benchmark alone would be wrong, or surer than with people, or less.

    Those whose difference is firm somewhere first.
    """
    found = [pair for pair in order.pairs if pair.order == "swapped" or pair.firmness.endswith("only")]
    return sorted(found, key=lambda pair: pair.firmness == "neither")


def _place_row(place: SystemPlace) -> tuple[str, ...]:
    found = [place.system]
    for mean, rank in ((place.synthetic, place.synthetic_rank), (place.human, place.human_rank)):
        found += [_number(mean.value), interval(mean.low, mean.high), f"{rank:g}"]
    return tuple(found)


def pair_row(pair: PairOrder) -> tuple[str, ...]:
    return (
        f"{pair.first} / {pair.second}",
        *_test_cells(pair.synthetic),
        *_test_cells(pair.human),
        pair.order,
        FIRMNESS_WORDS[pair.firmness],
    )


def _test_cells(test: PairedTest) -> tuple[str, str]:
    shown = "<.001" if test.p_adjusted < 0.001 else f"{test.p_adjusted:.3f}"
    return f"{test.difference:+.3f}", shown


def _number(value: float | None) -> str:
    return "none" if value is None else decimal(value)


def reason_lines(found: ExperimentSummary) -> Iterator[str]:
    """Why values are missing, the commonest reasons of each metric."""
    for metric, reasons in found.reasons.items():
        shown = [f"{count(number)} x {reason}" for reason, number in list(reasons.items())[:_MOST_REASONS]]
        left = len(reasons) - _MOST_REASONS
        more = f", and {left} other {noun(left, 'reason')}" if left > 0 else ""
        yield f"{metric}, values that are missing: {'; '.join(shown)}{more}"
