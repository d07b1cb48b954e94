"""Two people annotate at the same time, the server is killed midway and started again: nothing is lost."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from held_requests import held, held_back
from payloads import PAYLOADS
from plain_examples import plain_example
from playwright.sync_api import Browser, Page, expect
from served_here import served_here

from ragassay.people.agreement.agree import agree
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round
from ragassay.people.annotation.store import Round
from ragassay.records import LABELS, Example, Prediction, Span, write_jsonl
from ragassay.web.annotate import annotation_app, link_of
from ragassay.web.serving import names_of

N_ITEMS = 8
KILLED_AFTER = 3


def example(number: int) -> Example:
    asked = f"Question {number}?"
    return plain_example(
        f"Text {number}.", id=f"q{number:02}", question=asked, answer="", verified_label=LABELS[number % 4]
    )


class Server:
    """``ragassay annotate`` in a process of its own, always on the same port.

    That is bound here too and never listened to, so that nobody else gets it before the server starts or starts again.
    """

    def __init__(self, *arguments: str) -> None:
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        self._port = str(self._place.getsockname()[1])
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> dict[str, Any]:
        command = [sys.executable, "-m", "ragassay", "annotate", *self._arguments, "--port", self._port, "--json"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said: dict[str, Any] = json.loads(self._process.stdout.readline())
        return said

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def close(self) -> None:
        self.kill()
        self._place.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "round"


@pytest.fixture
def server(tmp_path: Path, folder: Path) -> Iterator[Server]:
    write_jsonl(tmp_path / "examples.jsonl", [example(number) for number in range(N_ITEMS)])
    found = Server(str(tmp_path / "examples.jsonl"), "--annotators", "ana,ben", "--out", str(folder))
    yield found
    found.close()


@contextmanager
def asked(folder: Path, examples: list[Example], **options: Any) -> Iterator[str]:
    """Ana's link, of pages that are served from here."""
    write_jsonl(folder.with_suffix(".jsonl"), examples)
    round_ = begin_round(folder, RoundOptions(data=folder.with_suffix(".jsonl"), annotators=("ana", "ben"), **options))
    with served_here(annotation_app(round_, names_of("127.0.0.1"))) as address:
        yield link_of(address, round_, "ana")


@pytest.fixture
def link(folder: Path) -> Iterator[str]:
    with asked(folder, [example(number) for number in range(N_ITEMS)], task="label") as found:
        yield found


def label_of(page: Page) -> str:
    """Which label the item on the page gets: the number in its text decides."""
    text = page.locator("#texts .words").nth(1).inner_text()
    return LABELS[int(text.removeprefix("Text ").rstrip(".")) % 4]


def answer(page: Page, key: Callable[[str], str]) -> None:
    """Answers the item on the page by key, after which the next one comes by itself."""
    page.keyboard.press(key(label_of(page)))


def arrived(page: Page, turn: int) -> None:
    expect(page.locator("#count")).to_contain_text(f"item {turn + 1}")
    expect(page.locator("input:checked")).to_have_count(0)


def right(label: str) -> str:
    return str(LABELS.index(label) + 1)  # type: ignore[arg-type]


def always_first(label: str) -> str:
    return "1"


def test_two_people_a_killed_server_and_nothing_lost(browser: Browser, server: Server, folder: Path) -> None:
    links = server.start()["links"]
    pages = {name: browser.new_page() for name in ("ana", "ben")}  # each in a context of its own
    faults: list[str] = []
    for name, page in pages.items():
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(links[name])
        expect(page.locator("#count")).to_contain_text(f"0 of {N_ITEMS} done")
    habits = {"ana": right, "ben": always_first}
    for turn in range(N_ITEMS):
        for name, page in pages.items():
            if turn:
                arrived(page, turn)
            if turn == KILLED_AFTER and name == "ana":
                server.kill()
            answer(page, habits[name])
            if turn == KILLED_AFTER and name == "ana":
                expect(page.locator("#trouble")).to_contain_text("1 answer is not saved yet")
                assert server.start()["links"] == links
            expect(page.locator("#count")).to_contain_text(f"{turn + 1} of {N_ITEMS} done")
            expect(page.locator("#trouble")).to_be_hidden()
    kept = Round(folder).annotations()
    assert len(kept) == 2 * N_ITEMS
    said = {(each.annotator, each.subject_id): each.value for each in kept}
    for number in range(N_ITEMS):
        assert said["ana", f"q{number:02}"] == LABELS[number % 4]
        assert said["ben", f"q{number:02}"] == "fact_single"
    assert faults == []
    # The two agree on 2 of 8. Of all values 10 of 16 are fact_single, 2 each of the others: chance .625**2 +
    # 3 x .125**2 = .4375, so (.25 - .4375) / .5625 = -1/3.
    assert agree(kept)["label"].people.fleiss.value == pytest.approx(-1 / 3)
    for page in pages.values():
        page.close()


def test_a_key_that_is_pressed_before_the_item_is_there_answers_nothing(page: Page, link: str, folder: Path) -> None:
    waiting = held_back(page, "**/items/1")
    page.goto(link)
    expect(page.locator("#count")).to_contain_text("0 of 8 done")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")  # meant for what is seen, which is no longer asked about
    expect(page.locator("#main")).to_have_attribute("aria-busy", "true")
    expect(page.locator("#main")).to_have_js_property("inert", True)
    expect(page.locator("#count")).to_contain_text("item 1")  # what is still seen
    held(page, waiting).continue_()
    expect(page.locator("#count")).to_contain_text("item 2")
    assert page.locator("input:checked").count() == 0
    page.keyboard.press("3")
    expect(page.locator("#count")).to_contain_text("1 of 8 done")
    (kept,) = Round(folder).annotations()
    assert (kept.subject_id, kept.value) == (Round(folder).turn("ana", 1).sheet.subject_id, "reasoning")


TROUBLED = """() => {
  const real = window.fetch;
  window.replies = null;
  window.fetch = (path, given) => given.method === "PUT" && window.replies
    ? Promise.resolve(new Response(JSON.stringify({ error: window.replies[1] }), { status: window.replies[0] }))
    : real(path, given);
}"""
"""From then on the server replies to judgements what stands in ``window.replies``: status and reason."""


def test_a_server_in_trouble_gets_the_answer_again_and_a_wrong_one_stops_no_other(
    page: Page, link: str, folder: Path
) -> None:
    page.goto(link)
    expect(page.locator("#count")).to_contain_text("0 of 8 done")
    page.evaluate(TROUBLED)
    page.evaluate("window.replies = [500, 'the disk is full']")
    page.keyboard.press("1")
    expect(page.locator("#trouble")).to_contain_text("1 answer is not saved yet")
    page.evaluate("window.replies = null")
    expect(page.locator("#count")).to_contain_text("1 of 8 done")
    page.evaluate("window.replies = [404, 'no such answer']")
    page.keyboard.press("2")
    expect(page.locator("#trouble")).to_contain_text("Not saved: no such answer")
    expect(page.locator("#count")).to_contain_text("item 2")
    expect(page.locator("input:checked")).to_have_count(0)
    page.evaluate("window.replies = null")
    page.keyboard.press("3")
    expect(page.locator("#count")).not_to_contain_text("saving")
    assert sorted(each.value for each in Round(folder).annotations()) == ["fact_single", "reasoning"]


def test_the_last_answer_is_taken_back(page: Page, link: str, folder: Path) -> None:
    page.goto(link)
    expect(page.locator("#count")).to_contain_text("item 1")
    for turn in range(2):
        page.keyboard.press("2")
        arrived(page, turn + 1)
    expect(page.locator("#count")).to_have_text("2 of 8 done; item 3")
    page.keyboard.press("z")
    expect(page.locator("#count")).to_have_text("1 of 8 done; item 2")
    assert len(Round(folder).annotations()) == 1
    page.keyboard.press("1")
    expect(page.locator("#count")).to_have_text("2 of 8 done; item 3")


def test_everything_for_one_item_is_on_one_screen(page: Page, tmp_path: Path) -> None:
    """However long its context is, and also the eight questions of a critique."""
    page.set_viewport_size({"width": 1280, "height": 900})
    long = replace(example(0), context=Span(document_id="d", start=0, end=1, text="Long. " * 5000))
    for task in ("label", "critique"):
        with asked(tmp_path / task, [long], task=task) as link:
            page.goto(link)
            for shown in ("fieldset >> nth=0", "fieldset >> nth=-1", "#note", "#next", "#people"):
                expect(page.locator(shown)).to_be_in_viewport(ratio=1)
            expect(page.locator("#people")).to_contain_text("ben 0 of 1")
            assert page.evaluate("document.documentElement.scrollHeight") == 900


def test_a_note_waits_for_the_answer_and_can_be_taken_back(page: Page, link: str, folder: Path) -> None:
    page.goto(link)
    expect(page.locator("#count")).to_contain_text("item 1")
    page.locator("#note").fill("odd")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_contain_text("item 2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#note")).to_have_value("odd")
    page.keyboard.press("1")
    expect(page.locator("#count")).to_contain_text("1 of 8 done; item 2")
    assert [each.note for each in Round(folder).annotations()] == ["odd"]
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#note")).to_have_value("odd")
    page.locator("#note").fill("")
    page.keyboard.press("Escape")
    expect(page.locator("#count")).not_to_contain_text("saving")
    page.reload()
    expect(page.locator("#count")).to_contain_text("item 2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#count")).to_contain_text("item 1")
    expect(page.locator("#note")).to_have_value("")
    assert [each.note for each in Round(folder).annotations()] == [""]


SENDABLE = [text for text in PAYLOADS if text.encode("utf-8", "replace").decode() == text]


def test_no_text_runs_on_the_page(page: Page, tmp_path: Path) -> None:
    every, note = "\n".join(SENDABLE), "\n".join(SENDABLE[:40])
    hostile = replace(
        example(0), question=every, answer=every, context=Span(document_id="d", start=0, end=1, text=every)
    )
    hostile = replace(
        hostile, keypoints=tuple("\n".join(SENDABLE[n::8]) for n in range(8))
    )  # each is drawn again by each key
    answers = [Prediction(example_id="q00", system=each, chunks=(), answer=every) for each in (note, "b")]
    write_jsonl(tmp_path / "answers.jsonl", answers)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append("dialog"))
    for task, systems in (("label", ()), ("critique", ()), ("keypoints", ("b",)), ("preference", (note, "b"))):
        predictions = (tmp_path / "answers.jsonl",) if systems else ()
        with asked(tmp_path / task, [hostile], task=task, systems=systems, predictions=predictions) as link:
            page.goto(link)
            expect(page.locator("fieldset").first).to_be_visible()
            page.locator("#note").fill(note)
            page.keyboard.press("Escape")
            for _ in range(page.locator("fieldset").count()):
                page.keyboard.press("1")
            expect(page.locator("#count")).to_contain_text("1 of 1 done")
            page.reload()
            expect(page.locator("#note")).to_have_value(note)
            page.mouse.move(200, 200)
        assert page.locator("main :is(script, img, svg, iframe, style, object, embed, a, video)").count() == 0
        assert page.evaluate("document.documentElement.dataset.ran") is None
        assert faults == []
