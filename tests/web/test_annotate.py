"""The pages' server: who may do what, and that texts stay texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from plain_examples import plain_example

from ragassay.people.annotation.sheets import sheets_of
from ragassay.people.annotation.store import Round
from ragassay.web.annotate import annotation_app, link_of, overseer_link
from ragassay.web.guard import KEY_HEADER, MOST_BODY_BYTES
from ragassay.web.serving import names_of

HOSTILE = "<script>document.title='x'</script>\u202eevil"


@pytest.fixture
def round_(tmp_path: Path) -> Round:
    sheets = sheets_of("label", [plain_example(HOSTILE, question=HOSTILE), plain_example(id="q1")])
    return Round.begin(tmp_path, "label", sheets, ["ana", "ben"], 2, seed=0)


@pytest.fixture
def client(round_: Round) -> Iterator[TestClient]:
    with TestClient(annotation_app(round_, names_of("127.0.0.1")), base_url="http://127.0.0.1:8765") as client:
        yield client


def key_in(link: str) -> dict[str, str]:
    return {KEY_HEADER: urlsplit(link).fragment.rpartition("/")[2]}


@pytest.fixture
def ana(round_: Round) -> dict[str, str]:
    return key_in(link_of("http://x", round_, "ana"))


def test_an_answer_is_kept_before_the_reply(client: TestClient, round_: Round, ana: dict[str, str]) -> None:
    reply = client.put("/api/annotators/ana/items/0/label", json={"value": "summary", "note": "why"}, headers=ana)
    assert reply.json() == {"done": 1, "total": 2}
    assert [(each.annotator, each.value, each.note) for each in round_.annotations()] == [("ana", "summary", "why")]
    item = client.get("/api/annotators/ana/items/0", headers=ana).json()
    assert item["asked"][0]["value"] == "summary"
    assert item["done"] is True
    assert client.get("/api/annotators/ana", headers=ana).json()["undone"] == [1]


def test_what_reorders_text_is_spelt_out_and_nothing_else_changed(client: TestClient, ana: dict[str, str]) -> None:
    texts = [
        each["text"]
        for turn in (0, 1)
        for each in client.get(f"/api/annotators/ana/items/{turn}", headers=ana).json()["shown"]
    ]
    assert "<script>document.title='x'</script>⟨U+202E⟩evil" in texts
    page = client.get("/annotate").text
    assert page.count("<script") == page.count('<script src="/file/') > 0  # the page itself holds no text of anybody


@pytest.mark.parametrize("path", ["", "/items/0"])
def test_only_the_own_key_opens_an_annotators_items(client: TestClient, round_: Round, path: str) -> None:
    ben = key_in(link_of("http://x", round_, "ben"))
    for headers in ({}, {KEY_HEADER: "0" * 32}, {KEY_HEADER: ""}, ben):
        assert client.get(f"/api/annotators/ana{path}", headers=headers).status_code == 403
    put = client.put("/api/annotators/ana/items/0/label", json={"value": "summary", "note": ""}, headers=ben)
    assert put.status_code == client.post("/api/annotators/ana/undo", headers=ben).status_code == 403
    assert round_.annotations() == []


def test_all_see_how_far_everybody_is_each_with_their_own_key(
    client: TestClient, round_: Round, ana: dict[str, str]
) -> None:
    assert client.get("/api/progress", headers=ana).status_code == 403
    own = client.get("/api/annotators/ana", headers=ana).json()
    assert [each["name"] for each in own["annotators"]] == round_.annotators
    found = client.get("/api/progress", headers=key_in(overseer_link("http://x", round_))).json()
    assert found["annotators"] == [{"name": "ana", "done": 0, "total": 2}, {"name": "ben", "done": 0, "total": 2}]


def test_another_name_another_site_and_long_requests_are_refused(
    client: TestClient, round_: Round, ana: dict[str, str]
) -> None:
    put = "/api/annotators/ana/items/0/label"
    body = {"value": "summary", "note": ""}
    assert client.get("/annotate", headers={"Host": "evil.example"}).status_code == 421
    assert client.put(put, json=body, headers={**ana, "Sec-Fetch-Site": "cross-site"}).status_code == 403
    long = {"value": "summary", "note": "x" * MOST_BODY_BYTES}
    assert client.put(put, json=long, headers=ana).status_code == 413
    assert client.put(put, content=iter([b"{}"]), headers=ana).status_code == 411
    both = {**ana, "Content-Length": "2", "Transfer-Encoding": "chunked"}  # the second rules, and has no end
    assert client.put(put, content=iter([b"{}"]), headers=both).status_code == 411
    assert client.put(put, content=b"{}", headers={**ana, "Content-Length": "9" * 5000}).status_code == 413
    assert client.put(put, json={"value": "summary", "note": "x" * 10_001}, headers=ana).status_code == 422
    assert round_.annotations() == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('{"value": "summary", "note": "half \\ud83d"}', "note: "),
        ('{"value": "\\udc00", "note": ""}', "value: "),
        ('{"value": ["summary"], "note": ""}', "value: "),
        ('{"\\ud83d": 1', "1"),
    ],
)
def test_what_is_no_text_is_refused_with_a_sentence_and_stops_no_other(
    client: TestClient, round_: Round, ana: dict[str, str], body: str, place: str
) -> None:
    put = "/api/annotators/ana/items/0/label"
    reply = client.put(put, content=body, headers={**ana, "Content-Type": "application/json"})
    assert reply.status_code == 422
    assert place in reply.json()["error"]
    assert client.put(put, json={"value": "summary", "note": "whole"}, headers=ana).status_code == 200
    assert [each.note for each in round_.annotations()] == ["whole"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_may_lead_to_a_page_but_ask_for_nothing(client: TestClient, site: str) -> None:
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": "document"}
    assert client.get("/annotate", headers=link).status_code == 200
    for dest in ("iframe", "script", "image", "empty"):
        assert client.get("/annotate", headers={**link, "Sec-Fetch-Dest": dest}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/annotate", "/file/annotate.js", "/file/nothing", "/api/progress"])
def test_every_reply_forbids_what_the_pages_do_not_need(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_wrong_answer_is_refused_in_words(client: TestClient, ana: dict[str, str]) -> None:
    reply = client.put("/api/annotators/ana/items/0/label", json={"value": "sum", "note": ""}, headers=ana)
    assert reply.status_code == 404
    assert reply.json() == {"error": "invalid answer 'sum' to 'label'"}
    assert client.get("/api/annotators/ana/items/7", headers=ana).json() == {"error": "ana has no item number 8"}
