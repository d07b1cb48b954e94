"""The file of what pages say of the embedded judge: which lines it keeps, and that it is read back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import judge_file
import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.people.agreement.claims import Claim, ClaimJudgement, checked_claims
from ragassay.people.agreement.judge_agreement import AgreementFile, Control, TypeShare
from ragassay.records import from_json


@dataclass(frozen=True)
class Line:
    name: str
    found: Estimate
    longer: float | None = None


def line(name: str, value: float | None, n: int = 26, longer: float | None = None) -> Line:
    low, high = (None, None) if value is None else (value - 0.02, value + 0.01)
    return Line(name, Estimate(value=value, low=low, high=high, n=n, total=n), longer)


def judgements() -> list[ClaimJudgement]:
    return [
        ClaimJudgement(
            passage=str(number),
            source="",
            claim=Claim(where="", text="", supported=number % 2 == 0, type="date"),
            verdict=number % 2 == 0,
            score=0.9 if number % 2 == 0 else 0.123456789,
            reason="",
        )
        for number in range(20)
    ]


def test_lines_of_metrics_are_kept_with_their_controls_and_others_are_not() -> None:
    lines = [
        line("faithfulness, pairs, words alone", 1.0),
        line("context relevance, pairs", 0.85, longer=1.0),
        line("faithfulness, pairs", 0.9, longer=0.35),
        line("useful chunks", None),
    ]
    faithfulness, relevance = judge_file.kept_rows(lines, None)
    assert (faithfulness.metric, faithfulness.value, faithfulness.seen) == ("faithfulness", 0.9, True)
    assert faithfulness.control == Control(rule="the longer one is better", value=0.35)
    assert relevance.control == Control(rule="the shorter one is better", value=1.0)
    assert (relevance.data, relevance.lead) == ("pairs of contexts of WikiEval", "none")


def test_keypoints_give_a_balanced_accuracy_with_their_types() -> None:
    lines = [
        line("keypoints rejected, true", 0.1, 100),
        line("keypoints rejected, number", 0.9, 30),
        line("keypoints rejected, negation", 0.6, 10),
    ]
    (row,) = judge_file.kept_rows(lines, None)
    # unchanged 1 - 0.1; changed (0.9 * 30 + 0.6 * 10) / 40 = 0.825; the mean of both
    assert (row.metric, row.statistic, row.n) == ("completeness", "balanced accuracy", 140)
    assert row.value == pytest.approx((0.9 + 0.825) / 2)
    # rejected between 0.08 and 0.11, so passed between 0.89 and 0.92; changed between 0.805 and 0.835
    assert (row.low, row.high) == pytest.approx(((0.89 + 0.805) / 2, (0.92 + 0.835) / 2))
    assert [(each.type, each.right, each.n) for each in row.by_type] == [
        ("unchanged", pytest.approx(0.9), 100),
        ("number changed", 0.9, 30),
        ("negated", 0.6, 10),
    ]
    assert judge_file.kept_rows(lines[:1], None) == judge_file.kept_rows(lines[1:], None) == ()


def test_the_file_is_read_back_with_figures_to_four_places(tmp_path: Path) -> None:
    rows = judge_file.kept_rows([line("truthfulness", 0.123456, longer=0.98765)], checked_claims(judgements()))
    file = tmp_path / "judge_agreement.json"
    judge_file.write(file, "embedded (x)", rows)
    found = from_json(AgreementFile, file.read_bytes())
    assert found.judge == "embedded (x)"
    assert [(each.metric, each.statistic) for each in found.rows] == [
        ("faithfulness", "AUROC"),
        ("faithfulness", "balanced accuracy"),
        ("truthfulness", "AUROC"),
    ]
    assert (found.rows[0].said_by, found.rows[0].seen) == ("the claims' writers", False)
    assert found.rows[0].by_type == (
        TypeShare(type="supported: date", right=1.0, n=10),
        TypeShare(type="not supported: date", right=1.0, n=10),
    )
    assert (found.rows[2].value, found.rows[2].control) == (
        0.1235,
        Control(rule="the longer one is better", value=0.9877),
    )
