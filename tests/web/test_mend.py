"""The page that examples are mended on: what it is told, what it may change, and that texts stay texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from plain_examples import plain_example

from ragassay.people.annotation.sheets import sheets_of
from ragassay.people.annotation.store import Round
from ragassay.records import Critique, Provenance, Span
from ragassay.web.annotate import annotation_app, link_of
from ragassay.web.guard import KEY_HEADER
from ragassay.web.serving import names_of

HOSTILE = "<img src=x onerror=alert(1)>\u202e"
TEXT = f"The Argo carries 40 cars. {HOSTILE} is written on her side."


@pytest.fixture
def round_(tmp_path: Path) -> Round:
    example = plain_example(
        TEXT,
        question=f"How many cars {HOSTILE}?",
        references=(Span(document_id="d", start=17, end=24, text="40 cars"),),
        keypoints=("a keypoint",),
        requested_label="fact_single",
        verified_label="fact_single",
        provenance=Provenance(synthesizer="statements", model="a model", mending="open"),
        critiques=(Critique(name="tautology", value=1, reason="a critique"),),
    )
    return Round.begin(tmp_path, "mend", sheets_of("mend", [example]), ["ana"], 1, seed=0)


@pytest.fixture
def client(round_: Round) -> Iterator[TestClient]:
    with TestClient(annotation_app(round_, names_of("127.0.0.1")), base_url="http://127.0.0.1:8765") as client:
        client.headers[KEY_HEADER] = urlsplit(link_of("http://x", round_, "ana")).fragment.rpartition("/")[2]
        yield client


def put(client: TestClient, **said: Any) -> Any:
    return client.put("/api/annotators/ana/items/0/mend", json={"value": json.dumps(said), "note": ""})


def test_the_page_is_told_the_texts_and_nothing_that_a_model_said(client: TestClient) -> None:
    reply = client.get("/api/annotators/ana/items/0")
    (asked,) = reply.json()["asked"]
    example = asked["example"]
    assert example["question"] == "How many cars <img src=x onerror=alert(1)>⟨U+202E⟩?"
    assert [(each["text"], each["sentence"], each["is_reference"]) for each in example["passage"]] == [
        ("The Argo carries ", 0, False),
        ("40 cars", 0, True),
        (".", 0, False),
        (" ", None, False),
        ("<img src=x onerror=alert(1)>⟨U+202E⟩ is written on her side.", 1, False),
    ]
    for hidden in ("a keypoint", "a critique", "a model", "open"):
        assert hidden not in reply.text


def test_an_edit_is_on_disk_before_the_reply_and_comes_back(client: TestClient, round_: Round) -> None:
    reply = put(client, decision="mended", question=f"What {HOSTILE}?", sentences=[1])
    assert reply.json() == {"done": 1, "total": 1}
    (kept,) = round_.annotations()
    assert json.loads(kept.value)["question"] == f"What {HOSTILE}?"
    again = client.get("/api/annotators/ana/items/0").json()["asked"][0]["value"]
    assert (json.loads(again)["decision"], json.loads(again)["sentences"]) == ("mended", [1])


def test_what_cannot_be_kept_is_refused_in_words_and_keeps_nothing(client: TestClient, round_: Round) -> None:
    assert put(client, decision="mended", answer="").json() == {
        "error": "the answer is empty; write one, or choose the label unanswerable"
    }
    assert put(client, decision="mended", question="x" * 601).status_code == 404
    assert put(client, decision="mended", question="x" * 50_000).status_code == 422
    assert client.put("/api/annotators/ana/items/0/mend", json={"value": "kept", "note": ""}).status_code == 404
    assert round_.annotations() == []
