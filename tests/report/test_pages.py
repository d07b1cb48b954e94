"""Pages: self-contained, escaped, with the figures that people look for; and what the terminal and programs get."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ragassay.records import Example, Prediction, Score
from ragassay.report.comparison import blocks_of_sets, render_sets, set_figures_of
from ragassay.report.html import asset
from ragassay.report.items import Items
from ragassay.report.notebook import printed
from ragassay.report.run import blocks_of_run, render_report, run_object
from ragassay.report.set import SetPage, render_set
from ragassay.report.summary import RunSummary

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr", "path", "rect", "polyline", "circle"}


class Reader(HTMLParser):
    """What is in a page: tags that are left open, ids, links, scripts, text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.events: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")
            if name.startswith("on"):
                self.events.append(name)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def pages(summary: RunSummary, examples: list[Example]) -> dict[str, str]:
    answered = Items(
        examples,
        [Prediction(example_id=each.id, system=each.id[:9], chunks=(), answer=each.answer) for each in examples],
        [Score(example_id=each.id, system=each.id[:9], metric="faithfulness", value=0.5) for each in examples],
    )
    return {
        "run": render_report(summary, examples, answered, {"ragassay": "1"}),
        "set": render_set(
            SetPage(name=summary.version, items=answered, version=summary.version, doubts=[summary.model])
        ),
        "sets": render_sets([set_figures_of(summary.version, examples), set_figures_of("other", examples)]),
    }


@pytest.fixture(scope="module")
def made(
    summary: RunSummary, examples: list[Example], hostile: tuple[RunSummary, list[Example]]
) -> dict[str, dict[str, str]]:
    return {"plausible": pages(summary, examples), "hostile": pages(*hostile)}


@pytest.mark.parametrize("kind", ["run", "set", "sets"])
@pytest.mark.parametrize("content", ["plausible", "hostile"])
def test_a_page_is_whole_and_nothing_leads_out_of_it(made: dict[str, dict[str, str]], content: str, kind: str) -> None:
    page = made[content][kind]
    found = Reader(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.links)
    assert found.events == []
    for absent in ("\x00", "\x1b", "\u202e", "\ufeff", "<script>alert", "<img"):
        assert absent not in page
    page.encode("utf-8")


def test_only_its_own_style_and_script_run(made: dict[str, dict[str, str]]) -> None:
    page = made["plausible"]["run"]
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[-1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in html.unescape(page)
    assert "default-src 'none'" in html.unescape(page)


def test_the_page_of_a_run_has_headline_tables_pictures_and_items(made: dict[str, dict[str, str]]) -> None:
    page = made["plausible"]["run"]
    assert "<h1" in page
    for heading in ("The set", "Best settings", "By text weight", "By chunk size", "Answers", "Single items", "Cost"):
        assert f">{heading}</h2>" in page
    assert page.count('<svg role="img"') > 5
    assert "1 missing" in page
    assert 'id="items-data"' in page
    assert page.count('class="case"') == 10


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(theme: int) -> None:
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", asset("items.css") + asset("page.css"))
    palette = {name: _luminance(colours[theme]) for name, *colours in found}
    on_paper = [(front, "paper") for front in ("ink", "muted", "link", "s0", "s2", "s3", "s4", "s5")]
    on_bars = [("paper", back) for back in ("s2", "s3", "s4", "s5")]
    on_cells = [("ink", back) for back in ("shade", "g1", "g2", "g3", "g4")]
    for front, back in [*on_paper, *on_bars, *on_cells, ("mark-ink", "mark"), ("muted", "shade"), ("link", "shade")]:
        low, high = sorted((palette[front], palette[back]))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (front, back)


def test_the_same_run_gives_the_same_bytes(summary: RunSummary, examples: list[Example]) -> None:
    assert render_report(summary, examples) == render_report(summary, examples)


def test_the_terminal_says_what_was_made_what_is_best_and_where_the_page_is(summary: RunSummary) -> None:
    shown = printed(blocks_of_run(replace(summary, stopped_by="--max-cost 1"), report=Path("runs/x/report.html")))
    for text in (
        "39 questions from 21 of 34 documents, at most 4 from one",
        "--max-cost 1",
        "reasoning: 1 missing",
        "Best setting of each label by recall@5",
        "2 sources were not used",
        "whole run",
        "Report: runs/x/report.html",
    ):
        assert text in shown


def test_hostile_text_steers_no_terminal(hostile: tuple[RunSummary, list[Example]]) -> None:
    shown = printed(blocks_of_run(hostile[0]))
    assert not set("\x1b\x00\x07\u202e\u2066\ud800\ufeff") & set(shown)
    assert "[red]markup[/red]" in shown


def test_programs_get_counts_the_best_of_each_label_and_what_models_took(summary: RunSummary) -> None:
    found = run_object(summary, "report.html")
    assert found["examples"] == 39
    assert found["missing"] == {"fact_single": 0, "summary": 0, "reasoning": 1, "unanswerable": 0}
    assert found["best"]["answerable"]["setting"] == summary.best[-1].setting.name
    assert found["models"]["cost_usd"] == 0
    json.dumps(found)


def test_sets_stand_side_by_side(examples: list[Example]) -> None:
    shown = printed(blocks_of_sets([set_figures_of("mine", examples), set_figures_of("yours", examples[:20])]))
    for text in ("mine", "yours", "fact_single", "16 (41 %)", "16 (80 %)", "feasibility", "3.000"):
        assert text in shown.replace("\u202f", " ")
