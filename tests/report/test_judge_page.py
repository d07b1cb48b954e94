"""The page about a judge, on small tables."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from ragassay.agreement.check_statistics import QualityCheck, Row
from ragassay.agreement.repeatability import Repeated
from ragassay.evaluation.estimate import Estimate
from ragassay.report.judge_check_tables import check_lines
from ragassay.report.judge_page import JudgePage, check_tables, render_judge, repeat_table

HOSTILE = "</h3><script>alert(1)</script>\u202e<img src=x onerror=alert(2)>"


def share(value: float | None, n: int = 8) -> Estimate:
    return Estimate(
        value=value, low=None if value is None else 0.25, high=None if value is None else 0.95, n=n, total=8
    )


def check(**reasons: int) -> QualityCheck:
    rows = (
        Row(scorer="faithfulness", role="judge", measures={"accuracy": share(0.75, 6)}, reasons=reasons),
        Row(scorer="gpt_ranking", role="baseline", measures={"accuracy": share(0.5), "order_agreement": share(None)}),
    )
    return QualityCheck(quality="faithfulness", shape="pairs", items=8, rows=rows)


def rendered(*checks: QualityCheck, model: str = "embedded") -> LexborHTMLParser:
    page = JudgePage(
        title="A judge against people",
        model=model,
        data="pairs.jsonl",
        version="0.1.0",
        settings={"judge": model},
        tables=tuple(check_tables(checks)),
        lines=check_lines(checks),
    )
    return LexborHTMLParser(render_judge(page))


def test_every_scorer_has_its_measures_with_interval_coverage_or_reason() -> None:
    page = rendered(check())
    assert "faithfulness (8 pairs)" in page.css_first("caption").text()
    assert [head.text() for head in page.css("thead th")] == ["scorer", "role", "right", "both orders alike"]
    judge, baseline = (
        [" ".join(cell.text(separator=" ").split()) for cell in row.css("td")] for row in page.css("tbody tr")
    )
    assert judge == ["judge", "0.750 0.25–0.95 6 of 8", ""]  # a judge that does not rank has no two orders
    assert baseline[2] == "– no pair is decided"


def test_reasons_of_missing_values_are_listed() -> None:
    lines = [node.text() for node in rendered(check(unreadable=2)).css("#figures li")]
    assert lines[0] == "faithfulness: no value for 2: unreadable"


def test_two_runs_of_a_judge() -> None:
    measure = Repeated(
        quality="faithfulness",
        metric="faithfulness",
        aspect="",
        pearson=share(0.9),
        difference=share(0.1),
        same=share(0.5),
    )
    (row,) = repeat_table([measure]).rows
    assert row[0] == ["faithfulness", "faithfulness"]
    assert [cell.value for cell in row[1]] == ["0.900", "0.100", "0.500"]


def test_no_text_is_markup() -> None:
    page = rendered(check(**{HOSTILE: 1}), model=HOSTILE)
    assert len(page.css("script")) == 1
    assert page.css("img") == []
    assert "⟨U+202E⟩" in page.css_first("header p:last-of-type").text()
