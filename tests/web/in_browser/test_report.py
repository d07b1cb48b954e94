"""The report as a reader opens it: from disk, in a browser, with texts that would rather be scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page_items import items_of
from payloads import PAYLOADS
from playwright.sync_api import Browser, Page, expect

from ragassay.report.blocks import Column, Table
from ragassay.report.html import render_page
from ragassay.report.items import Items
from ragassay.report.run import render_report
from ragassay.report.summary import CompositionFigures, CorpusFigures, MissingExamples, RunSummary

N = 120


def summary_of(text: str) -> RunSummary:
    return RunSummary(
        version="0.1.0",
        model=text,
        settings={text: text},
        corpus=CorpusFigures(
            documents=1, characters=10, words=2, formats={text: 1}, languages={text: 1}, chunks={}, skipped=(), notes=()
        ),
        composition=CompositionFigures(
            requested={"summary": 1},
            delivered={"summary": 1},
            matrix={},
            dropped={},
            patterns={},
            missing=(MissingExamples(label="summary", missing=7, reason=f"all documents were read: {text}"),),
            documents_used=1,
            most_per_document=1,
        ),
        results=(),
        best=(),
        worst=(),
        stages=(),
    )


@pytest.fixture
def faults() -> list[str]:
    return []


def opened(
    page: Page, tmp_path: Path, items: Items, faults: list[str], text: str = "plain", unfolded: bool = True
) -> None:
    file = tmp_path / "report.html"
    file.write_text(render_report(summary_of(text), items.examples, items), encoding="utf-8")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append("dialog"))
    page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(file.as_uri())
    if unfolded:
        page.evaluate("document.querySelectorAll('.folded > details').forEach(function (each) { each.open = true; })")


def test_the_first_screen_holds_tiles_and_the_beginning_of_examples(
    browser: Browser, tmp_path: Path, faults: list[str]
) -> None:
    """Without JavaScript, too; the rest is folded, and unfolded where it is printed."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    opened(page, tmp_path, items_of([f"item number {number}" for number in range(N)]), faults, unfolded=False)
    for name in ("Questions made", "Failures and warnings", "item number 0"):
        expect(page.get_by_text(name).first).to_be_in_viewport(ratio=1)
    expect(page.locator(".case mark").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#items-table")).not_to_be_visible()
    assert page.locator("nav a").count() <= 8
    assert (page.locator("body").bounding_box() or {})["height"] < 4_000
    page.emulate_media(media="print")
    assert page.locator("#settings dt").first.is_visible()
    context.close()
    assert faults == []


def test_filter_sort_and_expand(page: Page, tmp_path: Path, faults: list[str]) -> None:
    items = items_of([f"item number {number}" for number in range(N)])
    opened(page, tmp_path, items, faults)
    table = page.locator("#items-table")
    rows = table.locator("tbody tr")
    expect(table.get_by_role("status")).to_have_text(f"{N} of {N} items")
    expect(rows).to_have_count(50)
    table.get_by_role("button", name="Next").click()
    expect(table.locator(".turning")).to_contain_text("page 2 of 3")
    table.get_by_label("Words").fill("number 11")
    expect(table.get_by_role("status")).to_have_text(f"11 of {N} items")  # 11 and 110 to 119
    table.get_by_role("button", name="recall@5").click()
    expect(rows.first).to_contain_text("item number 11 ")
    table.get_by_role("button", name="recall@5").click()
    expect(rows.first).to_contain_text("item number 119")
    table.get_by_label("Label").select_option("reasoning")
    expect(table.get_by_role("status")).to_have_text(f"3 of {N} items")  # 110, 114, 118
    table.get_by_label("With").select_option("recall@5")
    table.get_by_label("at most").fill("0.92")
    expect(table.get_by_role("status")).to_have_text(f"1 of {N} items")  # 110 / 120
    rows.first.get_by_role("button").press("Enter")
    expect(table.locator(".opened")).to_contain_text("asked for fact_single, labelled reasoning")
    expect(table.locator(".opened .chunks mark")).to_have_text("item number 110")
    rows.first.get_by_role("button").press("Enter")
    expect(table.locator(".opened")).to_have_count(0)
    assert faults == []


def ran(page: Page) -> Any:
    return page.evaluate("document.documentElement.dataset.ran")


IMAGE_FAILED = """() => new Promise(function (resolve) {
  var image = new Image();
  image.onerror = resolve;
  image.src = "data:,no image";
})"""
"""Ends when an image that was made now has failed, after all that the page had made before it."""


def test_no_text_runs_or_loads_anything(page: Page, tmp_path: Path, faults: list[str]) -> None:
    opened(page, tmp_path, items_of(PAYLOADS), faults, text=" ".join(PAYLOADS[:50]))
    table = page.locator("#items-table")
    while True:
        buttons = table.locator("tbody .open").all()
        for button in buttons:
            button.click()
        expect(table.locator(".opened dl")).to_have_count(2 * len(buttons))  # each item and its answer
        following = table.get_by_role("button", name="Next")
        if not following.count() or following.is_disabled():
            break
        following.click()
    page.evaluate("document.querySelectorAll('details').forEach(function (each) { each.open = true; })")
    page.mouse.move(200, 200)
    page.evaluate(IMAGE_FAILED)
    assert ran(page) is None
    assert faults == []
    assert page.locator("#items-table :is(script, img, svg, iframe, style, object, embed, a, form, video)").count() == 0


def test_without_a_text_that_runs_the_probe_would_be_seen(page: Page) -> None:
    page.set_content(PAYLOADS[6])
    expect(page.locator("html")).to_have_attribute("data-ran", "1")


def test_a_table_of_results_is_sorted_and_filtered(page: Page, tmp_path: Path, faults: list[str]) -> None:
    rows = [(f"{size} dense", label, value) for size, value in ((128, 0.2), (1280, None)) for label in ("a", "<b>")]
    table = Table("All results", ["setting", "questions", Column("mrr", "decimal")], rows, searched=True)
    file = tmp_path / "table.html"
    file.write_text(render_page("sweep", [table], version="0", title="x"), encoding="utf-8")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    found = page.locator(".searched")
    expect(found.get_by_role("status")).to_have_text("4 of 4 rows")
    found.get_by_role("button", name="mrr").click()
    expect(found.locator("tbody tr").first).to_contain_text("0.200")
    found.get_by_role("button", name="mrr").click()
    expect(found.locator("tbody tr").last).not_to_contain_text("0.200")  # what has no value comes last either way
    found.get_by_label("Words").fill("128")
    expect(found.get_by_role("status")).to_have_text("2 of 4 rows")
    found.get_by_label("questions").select_option("<b>")
    expect(found.get_by_role("status")).to_have_text("1 of 4 rows")
    assert faults == []


def test_a_thousand_items_are_page_at_once_in_less_than_3_mb(page: Page, tmp_path: Path, faults: list[str]) -> None:
    n = 1_000
    opened(page, tmp_path, items_of([f"item {number} of many" for number in range(n)]), faults)
    page.locator("#items-table").get_by_label("Words").fill(f"item {n - 1} of")
    expect(page.locator("#items-table").get_by_role("status")).to_have_text(f"1 of {n} items")
    assert (tmp_path / "report.html").stat().st_size < 3_000_000
    assert faults == []
