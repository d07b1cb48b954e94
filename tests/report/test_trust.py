"""Beside judged figures: how far their judge agrees with people, and which of them are circular."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.judged.faithfulness import CopiedAnswers
from ragassay.people.agreement.judge_agreement import Control, JudgeAgreement, TypeShare
from ragassay.records import Example
from ragassay.report.notebook import printed
from ragassay.report.run import render_report
from ragassay.report.scores import ScoreSummary, blocks_of_scores, score_object
from ragassay.report.summary import RunSummary, read_metrics, read_summary, write_metrics, write_summary
from ragassay.report.trust import (
    JudgeTrust,
    blocks_of_trust,
    circular_lines,
    judge_trust,
    rule_words,
    trust_object,
)

HOSTILE = "<script>alert(1)</script>"
CLAIMS = JudgeAgreement(
    metric="faithfulness",
    data="claims that it was not trained on",
    said_by="the claims' writers",
    statistic="AUROC",
    value=0.814,
    low=0.77,
    high=0.86,
    n=320,
    by_type=(TypeShare(type="not supported: date", right=0.231, n=13), TypeShare(type=HOSTILE, right=1.0, n=1)),
)
PAIRS = JudgeAgreement(
    metric="context_relevance",
    data="pairs of contexts of WikiEval",
    said_by="how they were made",
    statistic="accuracy on pairs",
    value=0.846,
    low=0.67,
    high=0.94,
    n=26,
    seen=True,
    control=Control(rule="the shorter one is better", value=1.0),
)
COPIED = CopiedAnswers(system="ours", metric="faithfulness", copied=38, scored=40)
TRUST = JudgeTrust(
    judge="embedded (x)",
    metrics=("faithfulness", "context_relevance", "hallucination"),
    agreement=(CLAIMS, PAIRS),
    copied=(COPIED,),
)
WARNING = (
    "38 of 40 answers are copied word for word from the retrieved chunks. Such answers are faithful by "
    "construction, so faithfulness carries no information about them."
)


def test_only_judged_metrics_have_something_to_say() -> None:
    assert judge_trust("m", ["recall@5", "token_f1", "abstention_accuracy", "of somebody else"]) is None
    found = judge_trust("m", ["token_f1", "faithfulness"], [COPIED], [PAIRS, CLAIMS])
    assert found == JudgeTrust(judge="m", metrics=("faithfulness",), agreement=(CLAIMS,), copied=(COPIED,))
    assert (blocks_of_trust(None), trust_object(None)) == ([], None)


@pytest.mark.parametrize(
    ("control", "words"), [(0.5, "x: 0.50"), (0.7, "x: 0.70, not clearly better"), (0.9, "x: 0.90, no better")]
)
def test_a_judge_that_does_not_beat_its_control_is_marked_in_words(control: float, words: str) -> None:
    assert rule_words(replace(PAIRS, control=Control(rule="x", value=control))) == words


def test_circular_figures_are_warned_of() -> None:
    half = CopiedAnswers(system="theirs", metric="faithfulness", copied=20, scored=40)
    precision = CopiedAnswers(system="theirs", metric="context_precision", copied=40, scored=40)
    hidden = CopiedAnswers(system="theirs", metric="faithfulness_inferred", copied=40, scored=40)
    found = replace(TRUST, metrics=(*TRUST.metrics, "context_precision"), copied=(COPIED, half, precision, hidden))
    assert circular_lines(found) == [
        f"ours: {WARNING}",
        "theirs: 40 of 40 answers are copied word for word from the retrieved chunks. Context precision counts the "
        "chunks of such answers as useful by construction, as no reference answer says what is.",
    ]


def test_a_judge_of_its_own_work_is_named_so() -> None:
    found = judge_trust("m", ["faithfulness"], own=("questions", "answers"))
    assert found is not None
    (line,) = circular_lines(found)
    assert "the questions and the answers" in line
    said = trust_object(found)
    assert said is not None
    assert (said["also_wrote"], said["warnings"]) == (("questions", "answers"), [line])


def test_every_statistic_has_a_row_and_so_has_what_was_not_measured() -> None:
    shown = " ".join(printed(blocks_of_trust(TRUST), width=200).split())
    for text in (
        "faithfulness AUROC 0.81 (0.77–0.86)",
        "context relevance accuracy on pairs * 0.85 (0.67–0.94) the shorter one is better: 1.00, no better",
        "its rules were tuned",
        "hallucination – not measured",
        WARNING,
    ):
        assert text in shown


def scored(trust: JudgeTrust | None) -> ScoreSummary:
    value = Estimate(value=0.9, low=0.8, high=1.0, n=40, total=40)
    return ScoreSummary(
        version="0",
        system="ours",
        judge="embedded (x)" if trust else "",
        settings={},
        examples=40,
        metrics={"faithfulness": value},
        labels={},
        types={},
        reasons={},
        trust=trust,
    )


def test_scores_in_the_terminal_and_as_an_object() -> None:
    said = printed(blocks_of_scores(scored(TRUST), None))
    assert "How far this judge agrees with people" in said
    assert said.index("many more such questions") < said.index(WARNING)
    assert score_object(scored(TRUST))["trust"] == trust_object(TRUST)
    assert score_object(scored(None))["trust"] is None
    assert "agrees with people" not in printed(blocks_of_scores(scored(None), None))


def test_what_is_said_of_the_judge_is_read_back(tmp_path: Path, summary: RunSummary) -> None:
    write_metrics(tmp_path, scored(TRUST), [])
    assert read_metrics(tmp_path) == scored(TRUST)
    write_summary(tmp_path, replace(summary, trust=TRUST))
    assert read_summary(tmp_path).trust == TRUST


def test_the_page_of_a_run_has_warning_table_and_types(summary: RunSummary, examples: list[Example]) -> None:
    page = render_report(replace(summary, trust=TRUST), examples)
    assert f'role="note">{WARNING}' in page
    assert "320 claims that it was not trained on, by the claims" in page
    assert HOSTILE not in page
    assert "agrees with people" not in render_report(summary, examples)
