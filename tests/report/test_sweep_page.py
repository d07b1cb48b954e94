"""The page of a sweep: complete, harmless whatever names hold, and the same for the same sweep."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from ragassay.metrics.catalogue import metric_named
from ragassay.report.sweep_page import apart, render_sweep
from ragassay.sweep.outcome import outcome
from ragassay.sweep.plan import PlanRow
from ragassay.sweep.search import Round
from ragassay.sweep.setting import Setting
from ragassay.sweep.swept import Planned, Swept
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues

LABELS = ["fact_single"] * 6 + ["summary"] * 6
HOSTILE = "<script>alert(1)</script>"


def swept(settings: list[Setting], *, missing: bool = False) -> Swept:
    recall, _ = metric_named("recall@5")
    random = np.random.default_rng(0)
    values = []
    for setting in settings:
        found = np.full(12, np.nan) if missing else random.integers(0, 2, 12).astype(float)
        columns = {"recall@5": found, TOKENS_IN: np.full(12, float(setting.chunk_size)), TOKENS_OUT: np.zeros(12)}
        values.append(SettingValues(setting, np.arange(12), columns, {}))
    return Swept(
        version="0",
        folder=Path("sweep"),
        planned=Planned(
            rows=(PlanRow(work=HOSTILE, alone=4, shared=2),),
            settings=tuple(settings),
            total=len(settings),
            rounds=(Round(np.arange(12), len(settings)),),
            questions=12,
            documents=3,
        ),
        outcome=outcome(values, LABELS, [recall], recall, seed=0),
        deciding="recall@5",
        reused=0,
        reasons={f"recall@5: {HOSTILE}": 3},
    )


def test_the_page_shows_every_part_and_is_harmless() -> None:
    settings = [
        Setting(chunk_size=size, text_weight=weight, encoder=HOSTILE) for size in (256, 512) for weight in (0, 0.5, 1)
    ]
    page = render_sweep(swept(settings), {"dataset": HOSTILE})
    for words in ("Best settings", "By text weight", "Quality and tokens", "Chunk size", "What was shared"):
        assert words in page
    assert HOSTILE not in page
    assert page.count("<script>") == 1  # the page's own
    assert not re.search(r'(?:src|href)="(?!#)', page)  # nothing is loaded
    assert page == render_sweep(swept(settings), {"dataset": HOSTILE})


def test_the_values_of_both_figures_stand_in_tables() -> None:
    settings = [Setting(chunk_size=size, text_weight=weight) for size in (256, 512) for weight in (0, 0.5, 1)]
    found = swept(settings)
    page = LexborHTMLParser(render_sweep(found, {}, {"numpy": "2.4.6"}))
    priced, curve = page.css("details.data table")
    rows = {row.css_first("th").text(): [cell.text() for cell in row.css("td")] for row in priced.css("tbody tr")}
    assert rows.keys() == {setting.name for setting in settings}
    on_the_front = {name for name, cells in rows.items() if cells[2] == "yes"}
    assert on_the_front == {point.setting.name for point in found.outcome.front}
    assert {cells[1] for cells in rows.values()} == {"256", "512"}
    assert [row.text() for row in curve.css("tbody th")] == ["256", "512"]
    assert "2.4.6" in page.css_first("#settings").text()


def test_a_sweep_without_values_says_so() -> None:
    page = render_sweep(swept([Setting()], missing=True), {})
    assert "No setting has a value of recall@5." in page
    assert "Quality and tokens" not in page
    stopped = render_sweep(replace(swept([Setting()]), budget_reached="--max-calls 3 reached"), {})
    assert "Stopped: --max-calls 3 reached" in stopped


def test_names_are_cut_to_what_sets_them_apart() -> None:
    assert apart(["512 dense top 5", "512 lexical top 5"]) == ["dense", "lexical"]
    assert apart(["256 dense top 5", "512 dense top 5"]) == ["256", "512"]
    assert apart(["512 dense", "512 dense late"]) == ["dense", "dense late"]
    assert apart(["512 dense"]) == ["512 dense"]
    assert apart([]) == []
