"""What a gate found: one row a condition, and whether all of it is good enough."""

from __future__ import annotations

from dataclasses import dataclass

from ragassay.evaluation.gates import GateRow, Use, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """True if the run passes: ``if not ragassay.gate(...): ...``.

    run, baseline: their folders; baseline empty where there is none. use: what was held against the bounds. strict:
    whether uncertain results fail. coverage: least share of questions with a value.
    """

    run: str
    system: str
    baseline: str
    use: Use
    strict: bool
    coverage: float
    rows: tuple[GateRow, ...]

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
        """How many rows have this verdict."""
        return sum(each.verdict == verdict for each in self.rows)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        from ragassay.report.gate_tables import gate_text

        return gate_text(self)

    def _repr_html_(self) -> str:
        from ragassay.report.gate_tables import gate_html

        return gate_html(self)
