"""The scores of a test session, summed up at its end: properties of the tests, for pytest-xdist and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

_HEADS = ("metric", "mean", "95 % interval", "scored", "out of bounds")
PROPERTY = "ragassay"
"""Name of a property that holds a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """bounds: of the metric, which the process that sums up need not know. document_id: of the example."""

    metric: str
    bounds: tuple[float, float] | None
    example_id: str
    document_id: str
    value: float | None
    is_met: bool


class ScoreReport:
    """A plugin for one session."""

    def __init__(self) -> None:
        self._rows: dict[str, list[ScoreRow]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the scores of a test; where it is run again, those of the last time."""
        if report.when == "setup":
            self._rows.pop(report.nodeid, None)
        elif report.when == "call":
            told = [text for name, text in report.user_properties if name == PROPERTY]
            self._rows[report.nodeid] = [ScoreRow(**json.loads(str(text))) for text in told]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """A line for each metric: mean, interval, how many were scored and how many were out of bounds."""
        rows = [row for of_test in self._rows.values() for row in of_test]
        if not rows:
            return
        terminalreporter.write_sep("=", "ragassay scores")
        for line in _lines(rows):
            terminalreporter.write_line(line)


def _lines(rows: Sequence[ScoreRow]) -> list[str]:
    """A head and a line for each metric, in the order in which they were first asked for."""
    metrics = list(dict.fromkeys(each.metric for each in rows))
    cells = [_HEADS, *(_cells(name, [each for each in rows if each.metric == name]) for name in metrics)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in cells]


def _cells(metric: str, rows: Sequence[ScoreRow]) -> tuple[str, ...]:
    """Questions of one document hang together, as in every interval."""
    from ragassay.evaluation.aggregate import estimate
    from ragassay.evaluation.clusters import numbered
    from ragassay.report.safe_text import visible
    from ragassay.report.wording import decimal, interval

    clusters = numbered([each.document_id or None for each in rows])
    found = estimate([each.value for each in rows], bounds=rows[0].bounds, clusters=clusters)
    return (
        visible(metric),
        "none" if found.value is None else decimal(found.value),
        interval(found.low, found.high) or "none",
        f"{found.n} of {found.total}",
        str(sum(not each.is_met for each in rows)),
    )
