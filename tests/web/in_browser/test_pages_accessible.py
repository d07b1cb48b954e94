"""What people get of a page who do not see it, or see little: names, order, tables, contrast, as the browser tells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import ragassay
from ragassay.jobs.report.set_report import Beside, write_report
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import sweep
from ragassay.people.annotation.files import COLUMNS
from ragassay.rag.space import Space
from ragassay.records import LABELS, Example, Prediction, Score, write_jsonl

VESSELS = Path(__file__).parents[3] / "demo" / "knowledge_base" / "vessels"
INTERACTIVE = {
    "button",
    "link",
    "searchbox",
    "spinbutton",
    "checkbox",
    "combobox",
    "textbox",
    "option",
    "DisclosureTriangle",
    "region",
    "table",
    "navigation",
    "search",
    "graphics-symbol",
}
PAGES = ("run", "set", "agreement", "sweep", "experiment", "judge")


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run on real documents and pages of what comes after it: systems, people, a sweep, an experiment, a judge."""
    folder = tmp_path_factory.mktemp("pages")
    run = ragassay.run(VESSELS, folder / "run", n=12, processes=1)
    rag, bare = folder / "rag", folder / "bare"
    for place, shift in ((rag, 0), (bare, 3)):
        place.mkdir()
        write_jsonl(place / "examples.jsonl", run.examples)
        write_jsonl(place / "predictions.jsonl", predictions(run.examples, shift))
        write_jsonl(place / "scores.jsonl", scores(run.examples, shift))
    judged = folder / "judged.csv"
    judged.write_text("\n".join([",".join(COLUMNS), *annotations(run.examples)]), encoding="utf-8")
    space = Space(chunk_size=(256, 512), text_weight=(0.0, 1.0))
    sweep(SweepOptions(dataset=run.folder, out=folder / "sweep", space=space))
    systems = {"dense": "rag:retriever=dense", "lexical": "rag:retriever=bm25"}
    human = ragassay.run(VESSELS, folder / "human", n=8, seed=1, processes=1).folder
    ragassay.experiment("retrievers", systems, run.folder, human, folder / "experiment", metrics=["recall@5", "mrr@10"])
    ragassay.check_judge(quality="faithfulness", out=folder / "judge")
    beside = Beside(against=bare, system="one", against_system="one", baselines={"no retrieval": bare})
    return {
        "run": run.report,
        **{name: folder / name / "report.html" for name in ("sweep", "experiment", "judge")},
        "set": write_report(rag, beside=beside),
        "agreement": ragassay.agree(judged, against=run.folder).write_report(folder / "agreement.html"),
    }


def predictions(examples: tuple[Example, ...], shift: int) -> Iterator[Prediction]:
    for system, tokens in (("one", 100), ("two", 300)):
        for number, each in enumerate(examples):
            yield Prediction(
                example_id=each.id,
                system=system,
                chunks=(),
                answer=f"Answer {number + shift}.",
                input_tokens=tokens,
                output_tokens=number,
            )


def scores(examples: tuple[Example, ...], shift: int) -> Iterator[Score]:
    for system in ("one", "two"):
        for number, each in enumerate(examples):
            part = ((number + shift) % 5) / 8
            values = {
                "completeness": 1 - part,
                "hallucination": part / 2,
                "irrelevancy": part / 2,
                "truthfulness_and_relevance": 2 + (number * 3 + shift) % 9,
            }
            for metric, value in values.items():
                yield Score(example_id=each.id, system=system, metric=metric, value=value)


def annotations(examples: tuple[Example, ...]) -> Iterator[str]:
    for number, each in enumerate(examples):
        for place, who in enumerate(("ana", "ben", "cy")):
            label = LABELS[number % 4] if (number + place) % 4 == 0 else each.label
            yield f"{each.id},{who},label,{label},"
            yield f"{each.id},{who},critique:feasibility,{1 + (number + place) % 5},"


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest, browser: Browser, pages: dict[str, Path]) -> Iterator[Page]:
    """Each page with everything unfolded, and up to two items opened. Whoever changes it puts it back."""
    shown = browser.new_page(color_scheme="light")
    shown.goto(pages[request.param].as_uri())
    shown.evaluate("document.querySelectorAll('details').forEach(function (each) { each.open = true; })")
    items = shown.locator("#items-table tbody .open")
    for place in range(min(2, items.count())):  # drawn before the page has loaded
        items.nth(place).click()
        expect(shown.locator("#items-table .opened dl").nth(place)).to_be_visible()
    yield shown
    shown.close()


def tree(page: Page) -> list[dict[str, Any]]:
    """The nodes of the accessibility tree that are told to assistive technology."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node for node in nodes if not node.get("ignored")]


def told(node: dict[str, Any], what: str) -> str:
    return str((node.get(what) or {}).get("value") or "").strip()


def test_all_that_can_be_used_has_a_name(page: Page) -> None:
    nodes = tree(page)
    nameless = [(told(node, "role"), node.get("backendDOMNodeId")) for node in nodes if not told(node, "name")]
    assert [each for each in nameless if each[0] in INTERACTIVE] == []
    assert {"button", "link", "region", "table"} <= {told(node, "role") for node in nodes}


def test_every_figure_has_a_title_a_description_and_its_values_in_a_table(page: Page) -> None:
    drawn = [node for node in tree(page) if told(node, "role") == "image"]
    assert len(drawn) == page.locator("svg:not([aria-hidden])").count()
    assert drawn or {"rag", "judge", "agreement", "experiment"} & {*Path(page.url).parts, Path(page.url).stem}
    for node in drawn:
        assert told(node, "name")
        assert told(node, "description")
        assert told(node, "name") != told(node, "description")
    untold = page.evaluate(
        """() => [...document.querySelectorAll("svg:not([aria-hidden])")].filter(function (svg) {
          return !svg.closest("section").querySelector("table");
        }).map(function (svg) { return svg.querySelector("title").textContent; })"""
    )
    assert untold == []


def test_tables_have_a_caption_and_heads_with_a_scope(page: Page) -> None:
    faults = page.evaluate(
        """() => [...document.querySelectorAll("table")].filter(function (table) {
          var heads = [...table.querySelectorAll("th")];
          return !table.caption || !table.caption.textContent.trim() || !heads.length ||
            heads.some(function (head) { return !head.scope || !head.textContent.trim(); });
        }).map(function (table) { return table.outerHTML.slice(0, 300); })"""
    )
    assert faults == []
    captioned = [node for node in tree(page) if told(node, "role") == "table"]
    assert len(captioned) == page.locator("table").count() > 0


def test_a_page_is_no_wider_than_a_phone(page: Page) -> None:
    """What is wider is scrolled by itself."""
    page.set_viewport_size({"width": 390, "height": 844})
    widest = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 1280, "height": 720})
    assert widest == 390
