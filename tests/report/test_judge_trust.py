"""Beside judged figures: how far their judge agrees with people, and which of them are circular."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from page_items import items_of
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragassay.agreement.judge_agreement import Control, JudgeAgreement, TypeShare
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import metric_named
from ragassay.metrics.judged.copied import CopiedAnswers
from ragassay.rag.setting import Setting
from ragassay.records import Example
from ragassay.report.html import render_report
from ragassay.report.judge_trust import JudgeTrust, judge_trust
from ragassay.report.judge_trust_tables import (
    agreement_lines,
    circular_lines,
    lead_words,
    trust_lines,
    trust_object,
    types_of_data,
    unmeasured_words,
)
from ragassay.report.score_summary import ScoreSummary
from ragassay.report.score_tables import print_scores, score_object
from ragassay.report.set_page import SetPage, render_set
from ragassay.report.store import read_metrics, read_summary, write_metrics, write_summary
from ragassay.report.summary import RunSummary
from ragassay.report.sweep_page import render_sweep
from ragassay.report.sweep_tables import print_sweep
from ragassay.report.sweep_trust import sweep_object
from ragassay.sweep.outcome import outcome
from ragassay.sweep.search import Round
from ragassay.sweep.swept import Planned, Swept
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues

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


def text_of(node: LexborNode) -> str:
    return " ".join(node.text().split())


def test_only_judged_metrics_have_something_to_say() -> None:
    assert judge_trust("m", ["recall@5", "token_f1", "abstention_accuracy", "of somebody else"]) is None
    found = judge_trust("m", ["token_f1", "faithfulness"], [COPIED], [PAIRS, CLAIMS])
    assert found == JudgeTrust(judge="m", metrics=("faithfulness",), agreement=(CLAIMS,), copied=(COPIED,))
    assert (trust_lines(None), circular_lines(None), trust_object(None)) == ([], [], None)


def test_a_line_for_each_metric() -> None:
    assert trust_lines(TRUST) == [
        "faithfulness: this judge has an AUROC of 0.81 (0.77–0.86) on 320 claims that it was not trained on, judged by "
        "the claims' writers",
        "context_relevance: this judge has an accuracy of 0.85 (0.67–0.94) on 26 pairs of contexts of WikiEval, judged "
        "by how they were made; its rules were tuned on these items, so this value is optimistic; no better than 'the "
        "shorter one is better' (1.00)",
        "hallucination: this judge's agreement with people has not been measured",
    ]
    without = replace(CLAIMS, low=None, high=None, statistic="Pearson correlation")
    (line,) = trust_lines(JudgeTrust(judge="m", metrics=("faithfulness",), agreement=(without,)))
    assert line.startswith("faithfulness: this judge has a Pearson correlation of 0.81 on 320 claims")


@pytest.mark.parametrize(
    ("control", "words"),
    [(0.5, ""), (0.7, "not clearly better than 'x' (0.70)"), (0.9, "no better than 'x' (0.90)")],
)
def test_a_judge_that_does_not_beat_its_control_is_marked_in_words(control: float, words: str) -> None:
    assert lead_words(replace(PAIRS, control=Control(rule="x", value=control))) == words


@pytest.mark.parametrize(
    ("judge", "model"),
    [
        ("openai:gpt-4o-mini", "openai:gpt-4o-mini"),
        ("http://localhost:8000/v1#llama", "http://localhost:8000/v1#llama"),
        ("embedded (x)", "embedded"),
        ("house:small (my-package 1.2)", "house:small"),
        ("embedded, words alone", "lexical"),
    ],
)
def test_a_judge_that_was_not_measured_has_the_command_for_it(judge: str, model: str) -> None:
    found = judge_trust(judge, ["faithfulness", "completeness"])
    assert found is not None
    assert trust_lines(found) == [unmeasured_words(found)]
    assert unmeasured_words(found) == (
        "This judge's agreement with people has not been measured. To measure it, run "
        f"`ragassay judge check --model {model}`."
    )


def test_a_model_object_is_measured_by_a_function() -> None:
    found = judge_trust("own:notebook:answer@7c2d29ef", ["faithfulness"])
    assert found is not None
    assert unmeasured_words(found).endswith("To measure it, give the same model to `ragassay.check_judge`.")


def test_a_command_that_would_not_measure_the_metric_is_not_named() -> None:
    found = judge_trust("openai:gpt-4o-mini", ["completeness"])
    assert found is not None
    assert unmeasured_words(found) == "This judge's agreement with people has not been measured."


def test_circular_figures_are_warned_of() -> None:
    half = CopiedAnswers(system="theirs", metric="faithfulness", copied=20, scored=40)
    precision = CopiedAnswers(system="theirs", metric="context_precision", copied=40, scored=40)
    hidden = CopiedAnswers(system="theirs", metric="faithfulness_inferred", copied=40, scored=40)
    found = replace(TRUST, metrics=(*TRUST.metrics, "context_precision"), copied=(COPIED, half, precision, hidden))
    assert circular_lines(found) == [
        WARNING,
        "40 of 40 answers are copied word for word from the retrieved chunks. Context precision counts the chunks of "
        "such answers as useful by construction.",
    ]
    assert [line.partition(": ")[0] for line in circular_lines(found, named=True)] == ["ours", "theirs"]


def test_the_table_has_a_row_for_each_statistic_and_for_what_was_not_measured() -> None:
    rows = agreement_lines(TRUST)
    assert [(row.metric, row.said_by, row.data, row.statistic, row.control, row.remark) for row in rows] == [
        ("faithfulness", "the claims' writers", "320 claims that it was not trained on", "AUROC", "", ""),
        (
            "context relevance",
            "how they were made",
            "26 pairs of contexts of WikiEval",
            "accuracy on pairs",
            "1.00: the shorter one is better",
            "no better than 'the shorter one is better' (1.00); its rules were tuned on these items, so this value is "
            "optimistic",
        ),
        ("hallucination", "", "", "", "", ""),
    ]
    assert [(row.value.value, row.value.interval, row.value.missing) for row in rows] == [
        ("0.81", "0.77–0.86", ""),
        ("0.85", "0.67–0.94", ""),
        ("", "", "not measured"),
    ]
    (types,) = types_of_data(TRUST)
    assert types.title == "faithfulness, 320 claims that it was not trained on, by type"
    assert types.rows == [("not supported: date", "0.23", "13"), (HOSTILE, "1.00", "1")]


def test_the_object_has_all_of_it() -> None:
    found = json.loads(json.dumps(trust_object(TRUST)))
    assert list(found) == ["judge", "agreement", "not_measured", "copied_answers", "warnings"]
    assert found["agreement"]["faithfulness"][0]["by_type"][0] == {
        "type": "not supported: date",
        "right": 0.231,
        "n": 13,
    }
    assert found["agreement"]["context_relevance"][0]["lead"] == "none"
    assert (found["agreement"]["hallucination"], found["not_measured"], found["warnings"]) == ([], None, [WARNING])
    assert found["copied_answers"] == [
        {"system": "ours", "metric": "faithfulness", "copied": 38, "scored": 40, "is_circular": True}
    ]


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


def printed(summary: ScoreSummary) -> str:
    stream = StringIO()
    print_scores(summary, None, Console(file=stream, width=300))
    return stream.getvalue()


def test_scores_in_the_terminal_and_as_an_object() -> None:
    said = printed(scored(TRUST)).splitlines()
    start = next(place for place, line in enumerate(said) if line.startswith("For other questions of the same kind"))
    assert said[start + 2 : start + 6] == [*trust_lines(TRUST), WARNING]
    assert score_object(scored(TRUST))["trust"] == trust_object(TRUST)
    assert score_object(scored(None))["trust"] is None
    assert "agreement with people" not in printed(scored(None))


def test_nothing_is_said_of_intervals_where_there_are_none() -> None:
    none = Estimate(value=None, low=None, high=None, n=0, total=40)
    assert "For other questions" not in printed(replace(scored(None), metrics={"faithfulness": none}))


def test_what_is_said_of_the_judge_is_read_back(tmp_path: Path, summary: RunSummary) -> None:
    write_metrics(tmp_path, scored(TRUST), [])
    assert read_metrics(tmp_path) == scored(TRUST)
    write_summary(tmp_path, replace(summary, trust=TRUST))
    assert read_summary(tmp_path).trust == TRUST


def check_section(part: LexborNode, *, warnings: Sequence[str]) -> None:
    """The warnings, then the table, then the types, and nothing that would run."""
    assert [text_of(node) for node in part.css("p.alarm")] == list(warnings)
    (table,) = part.css("table.trust")
    assert len(table.css("tbody tr")) == 3
    assert "no better than 'the shorter one is better' (1.00)" in text_of(table.css("tbody tr")[1])
    assert text_of(table.css("tbody tr")[2]).startswith("hallucination")
    assert "not measured" in text_of(table.css("tbody tr")[2])
    details = next(node for node in part.css("details.data") if "by type" in text_of(node.css_first("summary")))
    assert [[text_of(cell) for cell in row.css("th, td")] for row in details.css("tbody tr")] == [
        ["not supported: date", "0.23", "13"],
        [HOSTILE, "1.00", "1"],
    ]


def test_the_page_of_a_run(summary: RunSummary, examples: list[Example]) -> None:
    page = LexborHTMLParser(render_report(replace(summary, trust=TRUST), examples))
    check_section(page.css_first("#answers"), warnings=[WARNING])
    for table in page.css("#answers table"):
        assert table.css("caption")
        assert len({len(row.css("th, td")) for row in table.css("tr")}) == 1
    without = LexborHTMLParser(render_report(summary, examples))
    assert not without.css("table.trust")
    unmeasured = judge_trust("openai:gpt-4o-mini", ["faithfulness"], [COPIED, replace(COPIED, system="theirs")])
    text = text_of(LexborHTMLParser(render_report(replace(summary, trust=unmeasured), examples)).css_first("#answers"))
    assert "To measure it, run `ragassay judge check --model openai:gpt-4o-mini`" in text
    assert f"ours: {WARNING}" in text
    assert f"theirs: {WARNING}" in text


def test_the_page_of_a_set() -> None:
    page = LexborHTMLParser(render_set(SetPage(name="run", items=items_of(["one"]), version="0", trust=TRUST)))
    check_section(page.css_first("#scores"), warnings=[WARNING])
    assert not page.css("table script")


def swept(deciding: str) -> Swept:
    metric, _ = metric_named(deciding)
    settings = [Setting(chunk_size=size, generator="embedded") for size in (256, 512)]
    values = [
        SettingValues(
            setting,
            np.arange(4),
            {deciding: np.array([1.0, 1, 0, place]), TOKENS_IN: np.ones(4), TOKENS_OUT: np.zeros(4)},
            {},
        )
        for place, setting in enumerate(settings)
    ]
    labels = ["fact_single"] * 4
    return Swept(
        version="0",
        folder=Path("sweep"),
        planned=Planned(
            rows=(),
            settings=tuple(settings),
            total=2,
            rounds=(Round(np.arange(4), 2),),
            questions=4,
            documents=1,
        ),
        outcome=outcome(values, labels, [metric], metric),
        deciding=deciding,
        reused=0,
        reasons={},
        judge="openai:gpt-4o-mini" if metric.judge is not None else "",
        copied=(COPIED,) if metric.judge is not None else (),
    )


def test_the_page_the_terminal_and_the_object_of_a_sweep() -> None:
    found = swept("faithfulness")
    said = "This judge's agreement with people has not been measured."
    best = text_of(LexborHTMLParser(render_sweep(found, {})).css_first("#best"))
    console = Console(record=True, width=300, file=StringIO())
    print_sweep(found, console)
    lines = console.export_text()
    assert said in best
    assert WARNING in best
    assert lines.index(said) < lines.index(WARNING)
    assert sweep_object(found)["trust"]["warnings"] == [WARNING]
    assert sweep_object(swept("recall@5"))["trust"] is None
    assert said not in render_sweep(swept("recall@5"), {})
