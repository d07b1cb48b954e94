"""The pages in a real browser: list, one run, two runs; and runs whose every text is hostile."""

from __future__ import annotations

import fcntl
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from page_items import items_of
from payloads import PAYLOADS
from playwright.sync_api import Browser, Page, expect
from served_here import served_here
from works import WORKS, data_set

from ragassay.jobs.folders.progress import Silent
from ragassay.jobs.folders.run_folder import LOCK_FILE
from ragassay.records import write_jsonl
from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app

SENDABLE = [text for text in PAYLOADS if text.encode("utf-8", "replace").decode() == text]


def write_run(folder: Path, texts: list[str]) -> None:
    folder.mkdir(parents=True)
    settings = {text[:200]: text for text in texts}
    told = {"state": "finished", "command": texts[0], "settings": {"model": texts[0], "data": texts[-1], **settings}}
    (folder / "run.json").write_text(json.dumps(told))
    stopped = {"command": texts[0], "stage": texts[-1], "done": 0, "total": None, "stopped_by": texts[0]}
    (folder / "progress.json").write_text(json.dumps(stopped))
    items = items_of(texts)
    write_jsonl(folder / "examples.jsonl", items.examples)
    write_jsonl(folder / "predictions.jsonl", items.predictions)
    write_jsonl(folder / "scores.jsonl", items.scores)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[SimpleNamespace]:
    runs = tmp_path / "runs"
    runs.mkdir()
    with served_here(view_app(RunIndex(runs), names_of("127.0.0.1"))) as url:
        yield SimpleNamespace(runs=runs, url=url)


@pytest.fixture(autouse=True)
def no_faults(served: SimpleNamespace, page: Page) -> Iterator[None]:
    """After ``served``, so that the page is left before its server goes."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append("dialog"))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield
    page.goto("about:blank")
    assert faults == []


def test_a_metric_of_any_name_is_shown(served: SimpleNamespace, page: Page) -> None:
    write_run(served.runs / "first", ["one", "two"])
    metrics = {"__proto__": {"value": 0.25}, "recall@5": {"value": 1.0}}
    (served.runs / "first" / "metrics.json").write_text(json.dumps({"metrics": metrics}))
    page.goto(f"{served.url}/run?run=first")
    expect(page.locator("#figures")).to_have_text("examples2answers2  proto  0.250recall@51.000")


def test_list_one_run_and_compare_two(served: SimpleNamespace, page: Page) -> None:
    write_run(served.runs / "first", ["one", "two", "three"])
    write_run(served.runs / "second", ["one", "two"])
    page.goto(served.url)
    expect(page.get_by_role("status")).to_have_text("2 of 2 runs")
    page.get_by_label("Compare first").check()
    page.get_by_label("Compare second").check()
    page.get_by_role("button", name="Compare the two").click()
    expect(page.locator("#found")).to_contain_text("2 examples in both")
    expect(page.locator("#found tbody tr").first).to_contain_text("recall@5")
    page.get_by_role("link", name="All runs").click()
    page.get_by_role("link", name="first").click()
    expect(page.locator("#items-table").get_by_role("status")).to_have_text("3 of 3 items")
    page.locator("#items-table .open").first.click()
    expect(page.locator(".opened .chunks mark")).to_have_text("one")


def test_who_chooses_or_sorts_by_keyboard_stays_where_they_are(served: SimpleNamespace, page: Page) -> None:
    write_run(served.runs / "first", ["one", "two"])
    write_run(served.runs / "second", ["one", "two"])
    page.goto(served.url)
    box = page.get_by_label("Compare first")
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    box.evaluate("box => { box.dataset.mine = '1'; }")
    write_run(served.runs / "third", ["one"])
    expect(page.get_by_role("status")).to_have_text("3 of 3 runs")
    expect(box).to_have_attribute("data-mine", "1")  # not drawn anew: it would be taken away below a click
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    write_run(served.runs / "other", ["two", "three"])
    (served.runs / "first" / "predictions.jsonl").touch()
    expect(page.get_by_role("row").nth(1)).to_contain_text("first")  # drawn anew: it has changed, and comes first now
    expect(page.get_by_role("row")).to_have_count(5)
    expect(box).not_to_have_attribute("data-mine", "1")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    page.get_by_role("link", name="first").focus()
    page.keyboard.press("Enter")
    head = page.get_by_role("columnheader", name="question").get_by_role("button")
    head.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="question")).to_have_attribute("aria-sort", "ascending")
    expect(head).to_be_focused()


def test_pages_are_no_wider_than_a_phone(served: SimpleNamespace, page: Page) -> None:
    """What is wider is scrolled by itself."""
    long = ["wide" * 60, "several words " * 30]
    for name in ("a-run-of-which-the-name-is-long-" * 3, "second"):
        write_run(served.runs / name, long)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(served.url)
    expect(page.get_by_role("status")).to_have_text("2 of 2 runs")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("link", name="a-run-of").click()
    page.locator("#items-table .open").first.click()
    expect(page.locator(".opened dl").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.goto(f"{served.url}/compare?a=second&b=second")
    expect(page.locator("#found tbody tr").first).to_contain_text("recall@5")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_command_is_followed_until_it_is_done(
    served: SimpleNamespace, page: Page, browser: Browser, tmp_path: Path
) -> None:
    reached, looked = threading.Event(), threading.Event()

    class Waiting(Silent):
        def start(self, stage: str, total: int | None, done: int = 0) -> None:
            if stage == "labelling examples":
                reached.set()
                assert looked.wait(300)

    data = data_set(tmp_path / "set")
    at_work = threading.Thread(target=WORKS["label"], args=(data, served.runs, Waiting()), daemon=True)
    at_work.start()
    try:
        assert reached.wait(300)
        page.goto(served.url)
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name="one.label"))
        expect(row).to_contain_text("running: labelling examples, 0 of 12")
        other = browser.new_page()
        other.goto(f"{served.url}/run?run=one.label")
        expect(other.get_by_role("progressbar")).to_have_attribute("max", "12")
    finally:
        looked.set()
        at_work.join(300)
    expect(row).to_contain_text("finished")
    expect(other.get_by_role("status").first).to_have_text("finished")
    expect(other.get_by_role("progressbar")).to_be_hidden()
    expect(other.locator("#items-table").get_by_role("status")).to_have_text("12 of 12 items")
    other.close()


@pytest.fixture
def at_work(served: SimpleNamespace) -> Iterator[Path]:
    """A run of 60 items, of which four have an answer yet."""
    folder: Path = served.runs / "one"
    write_run(folder, [f"case {number}" for number in range(60)])
    for name in ("scores.jsonl", "progress.json"):
        (folder / name).unlink()
    answers = (folder / "predictions.jsonl").read_text().splitlines(keepends=True)
    (folder / "predictions.jsonl").rename(folder / "later.jsonl")
    (folder / "predictions.part.jsonl").write_text("".join(answers[:4]))
    with (folder / LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def test_no_text_runs_on_any_page(served: SimpleNamespace, page: Page) -> None:
    write_run(served.runs / "a <img src=x onerror=document.documentElement.dataset.ran=1>", SENDABLE)
    write_run(served.runs / "b", SENDABLE[::-1])
    page.goto(served.url)
    expect(page.get_by_role("status")).to_have_text("2 of 2 runs")
    page.get_by_role("link", name="a <img").click()
    table = page.locator("#items-table")
    expect(table.get_by_role("status")).to_have_text(f"{len(SENDABLE)} of {len(SENDABLE)} items")
    while True:
        # All at once: a click by Playwright takes a hundred times as long as what the page does then.
        clicked = table.locator("tbody .open").evaluate_all("each => (each.forEach(one => one.click()), each.length)")
        expect(table.locator(".opened dl")).to_have_count(2 * clicked)  # each item and its answer
        following = table.get_by_role("button", name="Next")
        if not following.count() or following.is_disabled():
            break
        following.click()
    assert page.locator("main :is(script, img, svg, iframe, style, object, embed, form, video)").count() == 0
    assert page.evaluate("document.documentElement.dataset.ran") is None
    page.goto(f"{served.url}/compare?a=b&b=b")
    expect(page.locator("#found table").first).to_be_attached()
    assert page.evaluate("document.documentElement.dataset.ran") is None
