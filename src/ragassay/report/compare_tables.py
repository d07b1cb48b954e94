"""Two runs compared, for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ragassay.evaluation.paired import PairedTest
from ragassay.evaluation.run_comparison import ChangedExample, RunComparison, Tests
from ragassay.report.console import print_line, text
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import methods_words, noun

LEVEL = 0.05
"""An adjusted p-value below it is marked."""
QUESTION_CHARS = 100
_HEADS = ("metric", "A", "B", "B - A", "low", "high", "p", "Holm", "n")


def print_comparison(found: RunComparison, name_a: str, name_b: str, console: Console) -> None:
    """Differences of all metrics, within labels and types, and the questions that changed most."""
    print_line(console, f"A: {name_a}", "bold")
    print_line(console, f"B: {name_b}", "bold")
    print_line(console, _covered(found))
    console.print()
    _table(
        console,
        "Answerable examples; those of abstention: all" if "unanswerable" in found.labels else "All examples",
        found.metrics,
    )
    for title, groups in (("label", found.labels), ("question type", found.types)):
        if groups:
            for group, tests in groups.items():
                _table(console, f"{title} {excerpt(group, 40)}", tests)
    for name in found.unpaired:
        print_line(console, f"{name}: no example has a value in both runs")
    if found.judged_apart:
        print_line(
            console, f"Decided by different judges, which may be the difference: {', '.join(found.judged_apart)}"
        )
    if found.not_in_both:
        print_line(console, f"In one run only, so not compared: {', '.join(found.not_in_both)}")
    partly = [f"{name} {test.n:,}" for name, test in found.metrics.items() if test.n < test.total]
    if partly:
        print_line(console, f"Of {found.examples:,} examples not all have a value in both runs: {', '.join(partly)}")
    print_line(console, f"low, high: 95 % interval of B - A. {methods_words(found.metrics.values())}")
    print_line(console, "p: of the same paired test, two-sided; below 0.05 exactly where the interval leaves 0 out.")
    print_line(
        console, f"Holm: p corrected for the number of tests; * where it is below {LEVEL:g}. n: examples in both."
    )
    if found.changed:
        console.print()
        print_line(console, "Changed most", "bold")
        for each in found.changed:
            question = excerpt(each.question, QUESTION_CHARS)
            print_line(console, f"{question} ({each.label}, {each.example_id}): {_changes(each)}")


def comparison_object(found: RunComparison, a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, Any]:
    """What ``--json`` prints. a, b: what is said of the runs."""
    return {
        "a": dict(a),
        "b": dict(b),
        "examples": {"both": found.examples, "only_a": found.only_a, "only_b": found.only_b},
        "metrics": _described(found.metrics),
        "labels": {label: _described(tests) for label, tests in found.labels.items()},
        "types": {kind: _described(tests) for kind, tests in found.types.items()},
        "unpaired": list(found.unpaired),
        "not_in_both": list(found.not_in_both),
        "judged_apart": list(found.judged_apart),
        "changed": [asdict(each) for each in found.changed],
    }


def _described(tests: Tests) -> dict[str, dict[str, Any]]:
    return {name: asdict(test) for name, test in tests.items()}


def _covered(found: RunComparison) -> str:
    apart = found.only_a + found.only_b
    words = f"{found.examples:,} {noun(found.examples, 'example')} in both runs"
    return words if not apart else f"{words}; {found.only_a:,} only in A and {found.only_b:,} only in B are left out"


def _table(console: Console, title: str, tests: Tests) -> None:
    """One row a metric; narrow, so that it fits a terminal."""
    print_line(console, title, "bold")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), collapse_padding=True)
    for place, head in enumerate(_HEADS):
        table.add_column(text(console, head), justify="right" if place else "left", no_wrap=True)
    for name, test in tests.items():
        table.add_row(*(text(console, cell) for cell in _row(name, test)))
    console.print(table)
    console.print()


def _row(name: str, test: PairedTest) -> tuple[str, ...]:
    mark = " *" if test.p_adjusted < LEVEL else ""
    return (
        f"{name}{mark}",
        f"{test.a:.3f}",
        f"{test.b:.3f}",
        f"{test.difference:+.3f}",
        f"{test.low:+.3f}",
        f"{test.high:+.3f}",
        _p(test.p_value),
        _p(test.p_adjusted),
        f"{test.n:,}",
    )


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}"


def _changes(each: ChangedExample) -> str:
    moved = {name: pair for name, pair in each.values.items() if pair[0] != pair[1]}
    return ", ".join(f"{name} {_number(a)} -> {_number(b)}" for name, (a, b) in moved.items())


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3g}"
