"""The pages over a folder of runs: what they list, what they refuse, and that they lead nowhere else."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from view_runs import write_run

from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.run_folder import LOCK_FILE, PART_FOLDER
from ragassay.web.guard import key_of
from ragassay.web.run_index import RunIndex
from ragassay.web.serving import address_of, listening
from ragassay.web.view import view_app


def test_runs_are_listed_with_what_is_known_of_them(client: TestClient, runs: Path) -> None:
    os.utime(runs / "first" / "predictions.jsonl", (2e9, 2e9))
    first, second = client.get("/api/runs").json()["runs"]
    assert (first["name"], second["name"]) == ("first", "below/second")
    assert (first["state"], first["examples"]) == ("finished", 3)
    assert client.get("/api/run", params={"run": "first"}).json()["predictions"] == 3
    assert (first["wall_s"], first["cost_usd"], first["has_report"]) == (3.0, 0.5, True)
    assert first["settings"] == {"model": "embedded"}


def test_runs_on_the_same_set_are_told_and_their_means_come_with_intervals(client: TestClient, runs: Path) -> None:
    mean = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 3, "total": 3}
    (runs / "first" / "metrics.json").write_text(json.dumps({"metrics": {"recall@5": mean}}))
    answerable = {"label": "answerable", "recall_at_5": mean, "generation": {"faithfulness": {"value": 1}}}
    best = [{"label": "summary"}, answerable]
    (runs / "below" / "second" / "summary.json").write_text(json.dumps({"best": best}))
    write_run(runs / "other", n=2)
    found = {each["name"]: each for each in client.get("/api/runs").json()["runs"]}
    assert found["first"]["metrics"] == {"recall@5": [0.5, 0.25, 0.75]}
    assert found["below/second"]["metrics"] == {"recall@5": [0.5, 0.25, 0.75], "faithfulness": [1, None, None]}
    assert found["first"]["examples_id"] == found["below/second"]["examples_id"] != found["other"]["examples_id"]


def test_one_item_comes_with_its_marked_chunks(client: TestClient) -> None:
    table = client.get("/api/items", params={"run": "first"}).json()
    assert [row["values"] for row in table["rows"]] == [[[1.0]]] * 3
    item = client.get("/api/item", params={"run": "first", "place": 0}).json()
    assert item["answers"][0]["chunks"] == [["argo.md", ["Argo carries 40 cars", True], [" and 200 people.", False]]]
    assert client.get("/api/item", params={"run": "first", "place": 3}).status_code == 404


def test_two_runs_are_compared(client: TestClient) -> None:
    found = client.get("/api/compare", params={"a": "first", "b": "below/second"}).text
    assert "\u22121.000" in found
    assert found.count("How many cars, case") == 3
    assert client.get("/api/compare", params={"a": "first", "b": "none"}).status_code == 404


def test_a_set_without_a_report_gets_one_when_it_is_asked_for(client: TestClient, runs: Path) -> None:
    for name in ("report.html", "stages.json"):
        (runs / "first" / name).unlink()
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*")}
    assert client.get("/api/run", params={"run": "first"}).json()["has_report"]
    assert "<title>Ragassay report: first</title>" in client.get("/report/framed", params={"run": "first"}).text
    assert {path: path.stat().st_mtime_ns for path in runs.rglob("*")} == before


def test_a_run_at_work_is_followed_and_one_that_was_killed_is_told_apart(runs: Path, client: TestClient) -> None:
    folder = runs / "third"
    write_run(folder / PART_FOLDER, state="running")
    (folder / PART_FOLDER / PROGRESS_FILE).write_text('{"stage": "making examples", "done": 3, "total": 9}')
    with (folder / "examples.jsonl").open("w"):  # of an earlier run: not what is at work
        pass
    with (folder / PART_FOLDER / "examples.jsonl").open("a") as file:
        file.write('{"id": "half a li')
    assert client.get("/api/run", params={"run": "third"}).json()["state"] == "stopped"
    with (folder / LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = client.get("/api/run", params={"run": "third"}).json()
    assert found["state"] == "running"
    told = {name: found["progress"][name] for name in ("stage", "done", "total", "cost_usd")}
    assert told == {"stage": "making examples", "done": 3, "total": 9, "cost_usd": None}
    assert len(client.get("/api/items", params={"run": "third"}).json()["rows"]) == 3


@pytest.mark.parametrize("name", ["../secret", "/etc", "first/../../secret", ".", "", "first/.part", "\x00", "link"])
@pytest.mark.parametrize("path", ["/api/run", "/api/items", "/report", "/api/item"])
def test_names_lead_to_no_other_folder(client: TestClient, runs: Path, tmp_path: Path, path: str, name: str) -> None:
    write_run(tmp_path / "secret")
    (runs / "link").symlink_to(tmp_path / "secret")
    reply = client.get(path, params={"run": name, "place": 0})
    assert reply.status_code == 404
    assert "error" in reply.json()


def test_broken_files_are_said_and_stop_no_other(client: TestClient, runs: Path) -> None:
    (runs / "first" / "stages.json").write_text("[1, 2")
    (runs / "first" / "run.json").write_text("null")
    (runs / "first" / "examples.jsonl").write_text('{"id": 3}\n')
    assert len(client.get("/api/runs").json()["runs"]) == 2
    reply = client.get("/api/items", params={"run": "first"})
    assert reply.status_code == 409
    assert "examples.jsonl line 1" in reply.json()["error"]


HOSTILE_FILES = {
    "stages.json": [
        '{"stages": [1, null, {"wall_s": "long", "cost_usd": NaN}]}',
        '{"stages": [{"wall_s": 1e999, "cost_usd": ' + "9" * 400 + "}]}",
        "[" * 100_000,
    ],
    "metrics.json": ['{"metrics": {"recall@5": {"value": Infinity}}}', '{"metrics": [1]}', '{"metrics": {"x": 3}}'],
    "run.json": [
        '{"command": [1], "identity": {"system": [1]}, "kind": {}, "settings": [1]}',
        '{"settings": {"model": [[1, NaN]], "n": null}}',
        "\x00",
    ],
    "experiment.json": ['{"settings": {"synthetic": 1, "human": [1]}}', "null"],
    "scenario.json": ['{"schema": [1]}'],
    "progress.json": [
        '{"stage": "x", "done": 1, "replies": "y", "stopped_by": 1, "command": [1], "total": "y"}',
        '{"stage": 1, "done": NaN}',
    ],
}


@pytest.mark.parametrize(("name", "content"), [(name, each) for name, all_ in HOSTILE_FILES.items() for each in all_])
def test_a_hostile_file_keeps_no_run_from_being_listed(client: TestClient, runs: Path, name: str, content: str) -> None:
    (runs / "first" / name).write_text(content)
    with (runs / "first" / LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        reply = client.get("/api/runs")
        one = client.get("/api/run", params={"run": "first"})
    assert reply.status_code == one.status_code == 200
    assert {each["name"] for each in reply.json()["runs"]} == {"first", "below/second"}
    if name == "stages.json":
        assert one.json()["wall_s"] is one.json()["cost_usd"] is None
    if name == "metrics.json":
        assert all(each == [None] * 3 for each in one.json()["metrics"].values())


@pytest.mark.parametrize("name", ["report.html", "examples.jsonl", "run.json", "progress.json", PART_FOLDER])
def test_a_run_with_a_file_that_leads_elsewhere_is_none(
    client: TestClient, runs: Path, tmp_path: Path, name: str
) -> None:
    write_run(tmp_path / "secret")
    link = runs / "first" / name
    link.unlink(missing_ok=True)
    link.symlink_to(tmp_path / "secret" / ("" if name == PART_FOLDER else name))
    assert client.get("/report", params={"run": "first"}).status_code == 404
    assert [each["name"] for each in client.get("/api/runs").json()["runs"]] == ["below/second"]


def test_a_report_gets_no_access_to_the_pages_nor_to_the_network(client: TestClient, runs: Path) -> None:
    around = client.get("/report", params={"run": "below/second"})
    assert "frame-src 'self'" in around.headers["Content-Security-Policy"]
    assert '<iframe src="/report/framed?run=below%2Fsecond" sandbox="allow-scripts"' in around.text
    hostile = (
        b"\xff\xfe<title>report</title><META http-equiv=refresh content='0;url=//x'><p>a <metal> b<iframe/src=//x>"
    )
    (runs / "first" / "report.html").write_bytes(hostile)
    reply = client.get("/report/framed", params={"run": "first"})
    policy = reply.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; script-src 'sha256-")
    assert "allow-same-origin" not in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert reply.text == (
        "<title>report</title><!META http-equiv=refresh content='0;url=//x'><p>a <metal> b<!iframe/src=//x>"
    )


def test_a_report_is_never_opened_without_its_frame(client: TestClient) -> None:
    asked = {"params": {"run": "first"}, "follow_redirects": False}
    assert client.get("/report/framed", headers={"Sec-Fetch-Dest": "iframe"}, **asked).status_code == 200
    reply = client.get("/report/framed", headers={"Sec-Fetch-Dest": "document"}, **asked)
    assert (reply.status_code, reply.headers["Location"]) == (303, "/report?run=first")


def test_scripts_of_our_own_reports_run(client: TestClient, runs: Path) -> None:
    for name in ("report.html", "stages.json"):
        (runs / "first" / name).unlink()
    reply = client.get("/report/framed", params={"run": "first"})
    (script,) = re.findall(r"<script>(.*?)</script>", reply.text, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in reply.headers["Content-Security-Policy"]


def test_others_need_the_key_that_was_printed(runs: Path) -> None:
    app = view_app(RunIndex(runs), [], secret="s3cret")
    with TestClient(app, base_url="http://10.0.0.1:9000", follow_redirects=False) as client:
        for path in ("/", "/api/runs", "/file/runs.js", "/?key=wrong"):
            assert client.get(path).status_code == 403
        entered = client.get("/", params={"key": key_of("s3cret", "view")})
        assert entered.status_code == 303
        assert "httponly" in entered.headers["set-cookie"].lower()
        assert "samesite=lax" in entered.headers["set-cookie"].lower()
        assert client.get("/api/runs").status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/run", "/compare", "/file/items.js", "/file/pages.css", "/file/run.js", "/file/state.js"]
)
def test_pages_and_their_files_are_there_and_forbid_the_rest(client: TestClient, path: str) -> None:
    reply = client.get(path)
    assert reply.status_code == 200
    assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")


@pytest.mark.parametrize(
    ("host", "name"),
    [("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("0.0.0.0", "198.51.100.7"), ("", "198.51.100.7")],
)
def test_the_address_that_is_printed_can_be_opened(host: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page on all addresses was said to be at 0.0.0.0, which is no place to go to."""
    monkeypatch.setattr("ragassay.web.serving._seen_from_outside", lambda: "198.51.100.7")
    with listening(host or "0.0.0.0", 0) as bound:
        assert address_of(bound, host) == f"http://{name}:{bound.getsockname()[1]}"
