"""What a gate found: one row a condition, and whether all of it is good enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ragassay.evaluation.gates import Condition, GateRow, Use, Verdict
from ragassay.report.blocks import Block, Headline, Style, Table, Text
from ragassay.report.notebook import Shown
from ragassay.report.safe_text import excerpt, visible
from ragassay.report.wording import count, decimal, interval, noun, places_beside

MARKDOWN_MARK = "<!-- ragassay gate -->"
"""The first line of a summary in Markdown, by which it is known again."""
JUNIT_MARK = '<testsuites name="ragassay gate"'
"""In the head of every such file, by which it is known again."""
_COLUMNS = ("condition", "found", "95 % interval", "questions", "verdict", "note")
_HEADLINES: dict[Verdict, str] = {"passed": "Gate passed", "failed": "Gate failed", "undecided": "Gate undecided"}
_STYLES: dict[Verdict, Style] = {"passed": "good", "failed": "bad", "undecided": "warning"}
_SIGNS: dict[Verdict, str] = {"passed": "✅", "failed": "❌", "undecided": "❔"}
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>&~@:$-])")
"""What Markdown of GitHub or GitLab may take for markup, a mention or a formula."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GateResult(Shown):
    """True if the run passes: ``if not ragassay.gate(...): ...``.

    run, baseline: their folders; baseline empty where there is none. use: what was held against the bounds. strict:
    whether uncertain results fail. coverage: least share of questions with a value. new: questions that the baseline
    lacks, missing: that the run lacks; no drop counts them.
    """

    run: str
    system: str
    baseline: str
    use: Use
    strict: bool
    coverage: float
    rows: tuple[GateRow, ...]
    new: int = 0
    missing: int = 0

    @property
    def passed(self) -> bool:
        """Whether no row failed; where the gate is strict, whether all passed."""
        return not self.failing

    @property
    def failing(self) -> tuple[GateRow, ...]:
        """The rows for which the run does not pass."""
        return tuple(
            each for each in self.rows if each.verdict == "failed" or (self.strict and each.verdict == "undecided")
        )

    def counted(self, verdict: Verdict) -> int:
        """Return how many rows have this verdict."""
        return sum(each.verdict == verdict for each in self.rows)

    def __bool__(self) -> bool:
        return self.passed

    def blocks(self) -> Iterator[Block]:
        return blocks_of_gate(self)


def blocks_of_gate(result: GateResult) -> Iterator[Block]:
    """Yield the headline and a row for each condition."""
    yield Headline(headline(result), [of_what(result)], _STYLES[overall(result)])
    yield Table("Conditions", _COLUMNS[:-1], [_cells(row)[:-1] for row in result.rows])
    for row in result.rows:
        lines = [*_worst_lines(row)]
        note = f"{condition_words(row.condition)}: {_note(row)}" if _note(row) else ""
        yield Text([*filter(None, [note]), *(["Worst questions:", *lines] if lines else ())])


def _worst_lines(row: GateRow) -> Iterator[str]:
    """Yield ``q12: 1.000 -> no value: How many ...`` for each of the worst questions."""
    for each in row.worst:
        before = "" if row.condition.kind != "max_drop" else f"{decimal(each.before or 0.0)} -> "
        value = "no value" if each.value is None else decimal(each.value)
        yield f"{each.id}: {before}{value}: {excerpt(each.question, 100)}"


def condition_words(condition: Condition) -> str:
    """Write ``recall@5 (summary) >= 0.7``, ``drop of recall@5 <= 0.02``."""
    of = f"{condition.metric} ({condition.group})" if condition.group else condition.metric
    if condition.kind == "max_drop":
        return f"drop of {of} <= {condition.bound:g}"
    return f"{of} {'>=' if condition.kind == 'fail_under' else '<='} {condition.bound:g}"


def row_words(row: GateRow) -> str:
    """Return what was found, in a line: ``0.912 (95 % interval 0.85–0.95), 60 of 60 questions``."""
    bounds = _interval(row)
    found = f"{_value(row)}{f' (95 % interval {bounds})' if bounds else ''}, {row.n} of {row.total} questions"
    return f"{found}, {origin}" if (origin := _origin(row)) else found


def headline(result: GateResult) -> str:
    """Write ``Gate failed: 1 of 3 conditions failed, 1 undecided``."""
    failed, open_rows = result.counted("failed"), result.counted("undecided")
    total = f"{len(result.rows)} {noun(len(result.rows), 'condition')}"
    told = [f"{failed} of {total} failed"] if failed else []
    strict = ", and --strict fails those" if result.strict else "" if failed else "; the build passes"
    told += [f"{open_rows}{'' if failed else f' of {total}'} undecided{strict}"] if open_rows else []
    return f"{_HEADLINES[overall(result)]}: {', '.join(told) or f'{total} met'}"


def overall(result: GateResult) -> Verdict:
    """Judge all conditions together: undecided where the run passes although something cannot be told."""
    if not result.passed:
        return "failed"
    return "undecided" if result.counted("undecided") else "passed"


def of_what(result: GateResult) -> str:
    """Return which run, against which, and what was held against the bounds."""
    against = f", against {result.baseline}" if result.baseline else ""
    against += f" without {count(result.new, 'question')} that it lacks" if result.new else ""
    against += f", {count(result.missing)} of its questions not in this run" if result.missing else ""
    held = "the mean" if result.use == "mean" else "the 95 % interval, for other questions on these documents"
    strict = "; uncertain results fail" if result.strict else ""
    return f"{result.run}, {result.system}{against}; decided by {held}{strict}"


def gate_object(result: GateResult) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    found = asdict(result)
    for row in found["rows"]:
        row |= row.pop("condition")
        row["worst"] = [each._asdict() for each in row["worst"]]
    return {"passed": result.passed, "verdict": overall(result), **found}


def gate_markdown(result: GateResult) -> str:
    """Return a heading, a table, and the reasons; nothing that users wrote is taken for markup."""
    rows = [[_markdown(each) for each in _cells(row)] for row in result.rows]
    for cells, row in zip(rows, result.rows, strict=True):
        cells[4] = f"{_SIGNS[row.verdict]} {cells[4]}"
    lines = [_table_line(_COLUMNS), _table_line(["---"] * len(_COLUMNS)), *map(_table_line, rows)]
    sign = _SIGNS[overall(result)]
    for row in result.rows:
        if row.worst:
            lines += ["", f"{_markdown(condition_words(row.condition))}, worst questions:", ""]
            lines += [f"- {_markdown(line)}" for line in _worst_lines(row)]
    return "\n".join([MARKDOWN_MARK, f"### {sign} {headline(result)}", "", _markdown(of_what(result)), "", *lines, ""])


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


def _origin(row: GateRow) -> str:
    """Return the means of baseline and run where they are compared, and who corrected a mean."""
    if row.is_corrected:
        return "corrected by people"
    return "" if row.mean is None or row.baseline is None else f"from {decimal(row.baseline)} to {decimal(row.mean)}"


def _note(row: GateRow) -> str:
    return "; ".join(each for each in (_origin(row), row.reason) if each)


def _markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(visible(text).split()))


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def gate_junit(result: GateResult) -> str:
    """One ``testcase`` a condition; what cannot be told is skipped, or a failure where the gate is strict."""
    failures = len(result.failing)
    skipped = len(result.rows) - result.counted("passed") - failures
    counts = {"tests": str(len(result.rows)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = Element("testsuites", {"name": "ragassay gate", **counts})
    suite = SubElement(root, "testsuite", {"name": visible(of_what(result)), **counts})
    for row in result.rows:
        case = SubElement(
            suite, "testcase", {"classname": "ragassay.gate", "name": visible(condition_words(row.condition))}
        )
        found = visible("\n".join((row_words(row), *_worst_lines(row))))
        if row in result.failing:
            SubElement(case, "failure", {"message": visible(row.reason), "type": row.verdict}).text = found
        elif row.verdict == "undecided":
            SubElement(case, "skipped", {"message": visible(row.reason)})
        SubElement(case, "system-out").text = found
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, "unicode")}\n'
