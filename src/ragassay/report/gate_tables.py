"""What a gate found, for the terminal, ``--json``, notebooks, and Markdown as GitHub and GitLab show it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ragassay.evaluation.gates import Condition, GateRow, Verdict
from ragassay.report.console import print_line, print_table
from ragassay.report.gate_result import GateResult
from ragassay.report.safe_text import visible
from ragassay.report.wording import decimal, interval, noun, places_beside

if TYPE_CHECKING:
    from rich.console import Console

MARKDOWN_MARK = "<!-- ragassay gate -->"
"""The first line of a summary in Markdown, by which it is known again."""
_COLUMNS = ("condition", "found", "95 % interval", "questions", "verdict", "note")
_HEADLINES: dict[Verdict, str] = {"passed": "Gate passed", "failed": "Gate failed", "undecided": "Gate undecided"}
_SIGNS: dict[Verdict, str] = {"passed": "✅", "failed": "❌", "undecided": "❔"}
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>&~@:$-])")
"""What Markdown of GitHub or GitLab may take for markup, a mention or a formula."""


def condition_words(condition: Condition) -> str:
    """``recall@5 (summary) >= 0.7``, ``drop of recall@5 <= 0.02``."""
    of = f"{condition.metric} ({condition.group})" if condition.group else condition.metric
    if condition.kind == "max_drop":
        return f"drop of {of} <= {condition.bound:g}"
    return f"{of} {'>=' if condition.kind == 'fail_under' else '<='} {condition.bound:g}"


def row_words(row: GateRow) -> str:
    """What was found, in a line: ``0.912 (95 % interval 0.85–0.95), 60 of 60 questions``."""
    bounds = _interval(row)
    found = f"{_value(row)}{f' (95 % interval {bounds})' if bounds else ''}, {row.n} of {row.total} questions"
    return f"{found}, {means}" if (means := _means(row)) else found


def headline(result: GateResult) -> str:
    """``Gate failed: 1 of 3 conditions failed, 1 cannot be told``."""
    failed, open_rows = result.counted("failed"), result.counted("undecided")
    total = f"{len(result.rows)} {noun(len(result.rows), 'condition')}"
    told = [f"{failed} of {total} failed"] if failed else []
    told += [f"{open_rows}{'' if failed else f' of {total}'} cannot be told"] if open_rows else []
    return f"{_HEADLINES[overall(result)]}: {', '.join(told) or f'{total} met'}"


def overall(result: GateResult) -> Verdict:
    """Of all conditions together: undecided where the run passes although something cannot be told."""
    if not result.passed:
        return "failed"
    return "undecided" if result.counted("undecided") else "passed"


def of_what(result: GateResult) -> str:
    """Which run, against which, and what was held against the bounds."""
    against = f", against {result.baseline}" if result.baseline else ""
    held = "the mean" if result.use == "mean" else "the 95 % interval"
    strict = "; uncertain results fail" if result.strict else ""
    return f"{result.run}, {result.system}{against}; decided by {held}{strict}"


def print_gate(result: GateResult, console: Console) -> None:
    """The headline, a row for each condition, and a line for what needs a word more."""
    styles = {"passed": "bold green", "failed": "bold red", "undecided": "bold yellow"}
    print_line(console, headline(result), styles[overall(result)])
    print_line(console, of_what(result))
    console.print()
    print_table(console, "Conditions", _COLUMNS[:-1], [_cells(row)[:-1] for row in result.rows])
    for row in result.rows:
        if note := _note(row):
            print_line(console, f"{condition_words(row.condition)}: {note}")


def gate_text(result: GateResult) -> str:
    """The same as plain text."""
    from ragassay.report.notebook import printed

    return printed(lambda console: print_gate(result, console), width=110)


def gate_object(result: GateResult) -> dict[str, Any]:
    """What ``--json`` prints."""
    found = asdict(result)
    for row in found["rows"]:
        row |= row.pop("condition")
    return {"passed": result.passed, "verdict": overall(result), **found}


def gate_markdown(result: GateResult) -> str:
    """A heading, a table, and the reasons; nothing that users wrote is taken for markup."""
    rows = [[_markdown(each) for each in _cells(row)] for row in result.rows]
    for cells, row in zip(rows, result.rows, strict=True):
        cells[4] = f"{_SIGNS[row.verdict]} {cells[4]}"
    lines = [_table_line(_COLUMNS), _table_line(["---"] * len(_COLUMNS)), *map(_table_line, rows)]
    sign = _SIGNS[overall(result)]
    return "\n".join([MARKDOWN_MARK, f"### {sign} {headline(result)}", "", _markdown(of_what(result)), "", *lines, ""])


def gate_html(result: GateResult) -> str:
    """For notebooks."""
    heads = "".join(f"<th>{each}</th>" for each in _COLUMNS)
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(visible(cell))}</td>' for cell in _cells(row))}</tr>" for row in result.rows
    )
    return (
        f"<p><strong>{html.escape(headline(result))}</strong><br>{html.escape(visible(of_what(result)))}</p>"
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _cells(row: GateRow) -> Sequence[str]:
    return (
        condition_words(row.condition),
        _value(row),
        _interval(row),
        str(row.n) if row.n == row.total else f"{row.n} of {row.total}",
        row.verdict,
        _note(row),
    )


def _value(row: GateRow) -> str:
    if row.value is None:
        return "no value"
    return decimal(row.value, places_beside(row.condition.bound, [row.value], 3))


def _interval(row: GateRow) -> str:
    ends = row.low, row.high
    return interval(*ends, places_beside(row.condition.bound, ends, 2))


def _means(row: GateRow) -> str:
    """Of the baseline and of the run, where they are compared."""
    return "" if row.mean is None or row.baseline is None else f"from {decimal(row.baseline)} to {decimal(row.mean)}"


def _note(row: GateRow) -> str:
    return "; ".join(each for each in (_means(row), row.reason) if each)


def _markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(visible(text).split()))


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
