"""The page of an experiment in a real browser: its script runs, and names are text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from ragassay.agreement.benchmarks import Scored, order_agreement
from ragassay.report.experiment import BenchmarkFacts, ExperimentSummary, SystemFacts, render_experiment

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"


def test_page_of_an_experiment(page: Page, tmp_path: Path) -> None:
    names = [HOSTILE, "dense", "hybrid"]
    human = Scored(np.tile([0.5, 0.1, 0.9], (20, 1)))
    scored = Scored(np.tile([0.1, 0.5, 0.9], (20, 1))), human
    none = Scored(np.full((20, 3), np.nan)), human
    summary = ExperimentSummary(
        version="0",
        kind="retrievers",
        synthetic=BenchmarkFacts(dataset="made", questions=20),
        human=BenchmarkFacts(dataset="people", questions=20),
        systems=tuple(
            SystemFacts(name=name, folders={}, failed={"synthetic": 0, "human": 1}, asked={}) for name in names
        ),
        orders=tuple(
            order_agreement(metric, names, *each, bounds=(0, 1)) for metric, each in (("m", scored), ("n", none))
        ),
        warnings=("Careful.",),
        reasons={"n": {"the system failed": 60}},
        settings={"kind": "retrievers"},
    )
    path = tmp_path / "report.html"
    path.write_text(render_experiment(summary), "utf-8")
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(path.as_uri())
    expect(page.locator("#agreement table").first.locator("tbody tr")).to_have_count(2)
    expect(page.locator("#agreement tbody tr").first).to_contain_text("0.33")  # one of three pairs swaps
    expect(page.locator("#orders svg polyline")).to_have_count(3)
    assert page.locator("img").count() == 0
    assert page.get_by_text(HOSTILE).count() >= 2
    expect(page.locator("#tools button")).to_have_count(1)
    assert troubles == []
