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
    expect(page.locator("#figures")).to_have_text("examples2answers2recall@51.000  proto  0.250")
    page.goto(served.url)
    expect(page.get_by_role("columnheader", name="proto")).to_be_visible()


def test_list_one_run_and_compare_two(served: SimpleNamespace, page: Page) -> None:
    write_run(served.runs / "first", ["one", "two", "three"])
    write_run(served.runs / "second", ["one", "two"])
    page.goto(served.url)
    expect(page.get_by_role("status")).to_have_text("2 of 2 runs")
    page.get_by_label("Compare first").check()
    page.get_by_label("Compare second").check()
    page.get_by_role("button", name="Compare 2 chosen runs").click()
    expect(page.locator("#found")).to_contain_text("2 examples in both")
    expect(page.locator("main > .wide tbody tr").first).to_contain_text("recall@5")
    page.get_by_role("link", name="All runs").click()
    page.get_by_role("link", name="first").click()
    expect(page.locator("#items-table").get_by_role("status")).to_have_text("3 of 3 items")
    page.locator("#items-table .open").first.click()
    expect(page.locator(".opened .chunks mark")).to_have_text("one")


def write_means(folder: Path, **means: float) -> None:
    found = {name: {"value": value, "low": value - 0.1, "high": value + 0.1} for name, value in means.items()}
    (folder / "metrics.json").write_text(json.dumps({"metrics": found}))


def test_runs_are_ranked_by_a_metric_and_a_link_opens_the_same_view(served: SimpleNamespace, page: Page) -> None:
    for number, value in enumerate((0.5, 0.9, 0.7)):
        write_run(served.runs / f"run{number}", ["one", "two"])
        write_means(served.runs / f"run{number}", correctness=value, token_f1=1 - value)
    write_run(served.runs / "other", ["three"])
    page.goto(served.url)
    page.get_by_role("button", name="correctness").click()
    page.get_by_label("Words").fill("run")
    names = page.locator("#runs tbody a")
    expect(names).to_have_text(["run1", "run2", "run0"])
    page.reload()
    expect(names).to_have_text(["run1", "run2", "run0"])
    expect(page.locator("#runs tbody tr").first).to_contain_text("0.900 0.80–1.00")
    expect(page.locator("#runs svg")).to_have_count(6)  # two metrics over time, in each run on the same set
    expect(page.get_by_role("columnheader", name="US dollars")).to_have_count(0)
    page.get_by_text("Metrics").click()
    page.get_by_label("token_f1").uncheck()
    page.reload()
    expect(page.get_by_role("columnheader", name="token f1")).to_have_count(0)
    page.get_by_label("Set").select_option(index=1)
    page.get_by_role("button", name="Compare 3 runs on this set").click()
    expect(page.locator("#matrix").get_by_role("status")).to_have_text("2 of 2 questions")


def test_questions_by_runs_with_pass_and_fail(served: SimpleNamespace, page: Page) -> None:
    """Of two questions the second scores 1/2, in a run of three the second 1/3 and the third 2/3."""
    write_run(served.runs / "first", ["one", "two"])
    write_run(served.runs / "second", ["one", "two", "three"])
    page.goto(f"{served.url}/compare?run=first&run=second")
    rows = page.locator("#matrix tbody tr")
    expect(rows).to_contain_text(["✗ 0.000✗ 0.000", "✓ 0.500✗ 0.333", "–✓ 0.667"])
    page.get_by_label("Passes from").fill("0.6")
    expect(rows.nth(1)).to_contain_text("✗ 0.500✗ 0.333")
    page.get_by_label("Passes from").fill("0.4")
    page.get_by_label("Show").select_option("those that differ")
    expect(rows).to_have_count(1)
    page.reload()
    expect(rows).to_have_count(1)
    page.locator("#matrix .open").click()
    expect(page.locator(".side section")).to_have_count(2)
    expect(page.locator(".side section").nth(1)).to_contain_text("second")


def test_items_are_above_the_fold_however_many_metrics_there_are(served: SimpleNamespace, page: Page) -> None:
    name = "n" * 250
    write_run(served.runs / name, ["one", "two"])
    write_means(served.runs / name, **{f"metric_{number}": 0.5 for number in range(30)})
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{served.url}/run?run={name}")
    expect(page.locator("#items-table tbody tr").first).to_be_in_viewport(ratio=1)


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
    page.goto(f"{served.url}/compare?run=second&run=second")
    expect(page.locator("main > .wide tbody tr").first).to_contain_text("recall@5")
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
    page.goto(f"{served.url}/compare?run=b&run=b")
    expect(page.locator("#matrix tbody .open").first).to_be_visible()
    page.locator("#matrix tbody .open").evaluate_all("each => each.forEach(one => one.click())")
    expect(page.locator("#matrix .side section").first).to_be_attached()
    expect(page.locator("main > .wide table")).to_be_attached()
    assert page.evaluate("document.documentElement.dataset.ran") is None
