"""The scores of a test session: gathered from the reports of its tests, and summed up at its end.

Scores travel as properties of the tests, so that workers of pytest-xdist hand them over with their reports, and they
stand in pytest's JUnit XML.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import pytest

PROPERTY = "ragassay"
"""Name of a property that holds a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """One score of one test.

    bounds: of the metric, which the process that sums up need not know. document_id: of the example. is_met: whether
    the value was good enough.
    """

    metric: str
    bounds: tuple[float, float] | None
    example_id: str
    document_id: str
    value: float | None
    is_met: bool

    def to_text(self) -> str:
        """As a property holds it."""
        return json.dumps(asdict(self), ensure_ascii=False)


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
        from ragassay.testing.score_lines import score_lines

        terminalreporter.write_sep("=", "ragassay scores")
        for line in score_lines(rows):
            terminalreporter.write_line(line)
