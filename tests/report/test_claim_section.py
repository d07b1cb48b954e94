"""What the page about a judge shows of claims."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from ragassay.agreement.claim_files import Claim
from ragassay.agreement.claim_judging import ClaimJudgement, wrong_first
from ragassay.agreement.claim_statistics import checked_claims
from ragassay.report import claim_section as section
from ragassay.report.claim_tables import claim_reason_lines
from ragassay.report.judge_page import JudgePage, render_judge

HOSTILE = "</td><script>alert(1)</script>\u202e<img src=x onerror=alert(2)>"


def judgement(score: float, supported: bool, passage: str, text: str = "It is so.") -> ClaimJudgement:
    claim = Claim(where="c.jsonl line 1, claim 1", text=text, supported=supported, type="two_sentences")
    return ClaimJudgement(
        passage=passage,
        source="guides",
        claim=claim,
        verdict=score > 0.5,
        score=score,
        reason=f"said {score}",
        evidence="It stands there.",
    )


FOUR = [judgement(0.9, True, "a"), judgement(0.8, True, "a"), judgement(0.7, False, "b"), judgement(0.1, False, "b")]


def rendered(*judgements: ClaimJudgement) -> LexborHTMLParser:
    check = checked_claims(judgements)
    page = JudgePage(
        title="A judge against people",
        model="embedded",
        data="c.jsonl",
        version="0.1.0",
        settings={},
        tables=(),
        claims=section.claim_section(check, wrong_first(judgements)),
        lines=claim_reason_lines(check),
    )
    return LexborHTMLParser(render_judge(page))


def cells(page: LexborHTMLParser, table: str) -> list[list[str]]:
    return [
        [" ".join(cell.text(separator=" ").split()) for cell in row.css("th, td")]
        for row in page.css(f"{table} tbody tr")
    ]


def test_figures_stand_by_type_with_what_people_say() -> None:
    page = rendered(*FOUR)
    assert "4 claims about 2 passages, 2 supported" in page.css_first("#figures caption").text()
    rows = cells(page, "#figures")
    # AUROC: both supported ones are above both others.
    assert rows[0] == ["all", "4", "2", "0.750", "0.750", "1.000"]
    assert rows[1:] == [
        ["two sentences", "supported", "2", "1.000"],
        ["two sentences", "not supported", "2", "0.500"],
    ]
    assert "all, right: no interval" in page.css_first("#figures li").text()


def test_the_curve_has_a_point_for_each_bin_that_holds_claims() -> None:
    page = rendered(*FOUR)
    drawing = page.css_first("#calibration svg")
    points = [tip.text() for tip in drawing.css("path.mk title")]
    means = [f"mean score {mean}" for mean in ("0.100", "0.700", "0.800", "0.900")]
    assert [tip.partition(",")[0] for tip in points] == means
    # From 52 at 0 to 430 at 1, and from 294 at 0 up to 14 at 1.
    assert drawing.css_first("polyline").attributes["points"] == "89.8,294 316.6,294 354.4,14 392.2,14"
    assert len(drawing.css("rect.bar")) == 4
    assert "scores 0.2 to 0.3: no claim" in drawing.css_first("desc").text()
    rows = cells(page, "#calibration")
    assert len(rows) == 10
    assert rows[7][:3] == ["0.7–0.8", "1", "0.700"]
    assert rows[7][3].startswith("0.000 0.00–")
    assert rows[0][:3] == ["0.0–0.1", "0", "–"]
    # (0.1 + 0.2 + 0.7 + 0.1) / 4
    assert "expected error 0.275" in page.css_first("#calibration figcaption").text()


def test_wrong_judgements_come_first_with_what_they_rest_on() -> None:
    page = rendered(*FOUR)
    groups = page.css("#judgements details")
    assert [group.css_first("summary").text() for group in groups] == ["Wrong: 1", "Right: 3"]
    assert ["open" in group.attributes for group in groups] == [True, False]
    (wrong,) = cells(page, "#judgements details[open]")
    assert wrong == [
        "It is so. c.jsonl line 1, claim 1",
        "not supported two sentences",
        "supported",
        "0.70",
        "It stands there. said 0.7",
    ]


def test_a_judge_without_scores_has_no_curve_and_no_probabilities() -> None:
    page = rendered(*(replace(each, score=float(each.verdict is True)) for each in FOUR))
    assert page.css_first("#calibration") is None
    assert cells(page, "#judgements details[open]")[0][3] == "–"
    assert "the judge says supported or not, without a score between" in page.css_first("#figures").text()


def test_many_judgements_are_counted_and_not_all_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "MOST_SHOWN", 2)
    right = rendered(*FOUR).css("#judgements details")[1]
    assert len(right.css("tbody tr")) == 2
    assert "1 more are in values.jsonl" in right.css_first("caption").text()


def test_no_claim_is_markup() -> None:
    hostile = replace(judgement(0.7, False, HOSTILE, HOSTILE), reason=HOSTILE, evidence=HOSTILE, source=HOSTILE)
    page = rendered(hostile, *FOUR)
    assert len(page.css("script")) == 1
    assert page.css("img") == []
    assert "⟨U+202E⟩" in page.css_first("#judgements td").text()
