"""Somebody mends an example by keyboard alone, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

from held_requests import held, held_back
from plain_examples import plain_example
from playwright.sync_api import Page, expect
from served_here import served_here

from ragassay.people.annotation.sheets import sheets_of
from ragassay.people.annotation.store import Round
from ragassay.records import Provenance, Span
from ragassay.web.annotate import annotation_app, link_of
from ragassay.web.serving import names_of

TEXT = "The Argo carries 40 cars. She was built in <b>1998</b>."


def test_a_long_passage_is_scrolled_to_its_mark(page: Page, tmp_path: Path) -> None:
    text = "She sails daily. " * 500 + TEXT
    reference = Span(document_id="d", start=len(text) - 38, end=len(text) - 31, text=text[-38:-31])
    example = plain_example(text, references=(reference,), requested_label="fact_single")
    round_ = Round.begin(tmp_path, "mend", sheets_of("mend", [example]), ["ana"], 1, seed=0)
    page.set_viewport_size({"width": 1280, "height": 900})
    with served_here(annotation_app(round_, names_of("127.0.0.1"))) as address:
        page.goto(link_of(address, round_, "ana"))
        for shown in (".passage .reference", "input[value=dropped]", "#next"):
            expect(page.locator(shown)).to_be_in_viewport(ratio=1)
        page.goto("about:blank")


def test_mended_by_keyboard(page: Page, tmp_path: Path) -> None:
    reference, open_ = (
        Span(document_id="d", start=17, end=24, text="40 cars"),
        Provenance(synthesizer="", model="", mending="open"),
    )
    examples = [
        plain_example(TEXT, id=f"q{number}", references=(reference,), requested_label="fact_single", provenance=open_)
        for number in range(2)
    ]
    round_ = Round.begin(tmp_path, "mend", sheets_of("mend", examples), ["ana"], 1, seed=0)
    with served_here(annotation_app(round_, names_of("127.0.0.1"))) as address:
        waiting = held_back(page, "**/items/0/mend")
        page.goto(link_of(address, round_, "ana"))
        marked = page.locator(".passage .reference")
        expect(marked).to_have_text("40 cars")
        page.keyboard.press("r")
        page.keyboard.press("Tab")  # past the end of the first sentence to the second, whose tags are text
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(marked).to_have_text("She was built in <b>1998</b>.")
        page.keyboard.press("a")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.press("Delete")
        page.keyboard.press("Escape")
        expect(page.locator("#trouble")).to_contain_text("Not saved yet: the answer is empty")
        held(page, waiting).continue_()  # what was saved before says nothing of what was typed since
        expect(page.locator("#count")).to_have_text("1 of 2 done; item 1")
        expect(page.locator("#trouble")).to_contain_text("Not saved yet: the answer is empty")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#count")).to_contain_text("item 1")  # what was typed is not left behind
        page.keyboard.press("a")
        page.keyboard.type("In 1998.")
        page.keyboard.press("Escape")
        expect(page.locator("#count")).to_have_text("1 of 2 done; item 1")
        expect(page.locator("input[value=mended]")).to_be_checked()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#count")).to_contain_text("item 2")
        page.keyboard.press("3")
        expect(page.locator("#count")).to_have_text("2 of 2 done; item 2")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#mend-answer")).to_have_value("In 1998.")
    said = {each.subject_id: json.loads(each.value) for each in round_.annotations()}
    assert sorted(each["decision"] for each in said.values()) == ["dropped", "mended"]
    (mended,) = [each for each in said.values() if each["decision"] == "mended"]
    assert (mended["question"], mended["answer"], mended["sentences"]) == (None, "In 1998.", [1])
