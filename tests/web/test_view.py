"""The pages over a folder of runs: what they list, what they refuse, and that they lead nowhere else."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ragassay.errors import RunFolderError
from ragassay.pipeline import file_state
from ragassay.pipeline.file_state import FileState
from ragassay.pipeline.folder import LOCK_FILE, PART_FOLDER
from ragassay.pipeline.progress import PROGRESS_FILE
from ragassay.records import Document, Example, Prediction, Provenance, RankedChunk, Score, Span, write_jsonl
from ragassay.web import lone_pages
from ragassay.web.guard import key_of
from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app

TEXT = "The Argo carries 40 cars and 200 people."


def write_run(folder: Path, *, value: float = 1.0, state: str = "finished", n: int = 3) -> None:
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"state": state, "settings": {"model": "embedded"}}))
    (folder / "stages.json").write_text(json.dumps({"stages": [{"wall_s": 1.5, "cost_usd": 0.25}] * 2}))
    (folder / "report.html").write_text("<!doctype html><title>report</title>")
    write_jsonl(folder / "documents.jsonl", [Document(id="d", title="Argo", source="argo.md", text=TEXT)])
    span = Span(document_id="d", start=0, end=24, text=TEXT[:24])
    examples = [
        Example(
            id=f"q{number}",
            question=f"How many cars, case {number}?",
            answer="40",
            context=span,
            references=(span,),
            keypoints=(),
            requested_label="summary",
            verified_label="summary",
            provenance=Provenance(synthesizer="", model=""),
        )
        for number in range(n)
    ]
    write_jsonl(folder / "examples.jsonl", examples)
    chunk = RankedChunk(chunk_id="c", document_id="d", start=4, end=40, score=1.0)
    write_jsonl(
        folder / "predictions.jsonl",
        [Prediction(example_id=each.id, system="bm25", chunks=(chunk,), answer="40") for each in examples],
    )
    write_jsonl(
        folder / "scores.jsonl",
        [Score(example_id=each.id, system="bm25", metric="recall@5", value=value) for each in examples],
    )


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    write_run(folder / "first")
    write_run(folder / "below" / "second", value=0.0)
    return folder


@pytest.fixture
def client(runs: Path) -> TestClient:
    return TestClient(view_app(RunIndex(runs), names_of("127.0.0.1")), base_url="http://127.0.0.1")


def test_runs_are_listed_with_what_is_known_of_them(client: TestClient, runs: Path) -> None:
    os.utime(runs / "first" / "predictions.jsonl", (2e9, 2e9))
    first, second = client.get("/api/runs").json()["runs"]
    assert (first["name"], second["name"]) == ("first", "below/second")
    assert (first["state"], first["examples"]) == ("finished", 3)
    assert client.get("/api/run", params={"run": "first"}).json()["predictions"] == 3
    assert (first["wall_s"], first["cost_usd"], first["has_report"]) == (3.0, 0.5, True)
    assert first["settings"] == {"model": "embedded"}


def test_one_item_comes_with_its_marked_chunks(client: TestClient) -> None:
    table = client.get("/api/items", params={"run": "first"}).json()
    assert [row["values"] for row in table["rows"]] == [[[1.0]]] * 3
    item = client.get("/api/item", params={"run": "first", "place": 0}).json()
    assert item["answers"][0]["chunks"] == [["argo.md", ["Argo carries 40 cars", True], [" and 200 people.", False]]]
    assert client.get("/api/item", params={"run": "first", "place": 3}).status_code == 404


def test_two_runs_are_compared(client: TestClient) -> None:
    found = client.get("/api/compare", params={"a": "first", "b": "below/second"}).json()
    assert found["metrics"]["recall@5"]["difference"] == -1
    assert len(found["changed"]) == 3


def test_a_run_is_compared_with_those_that_share_examples_and_metrics(client: TestClient, runs: Path) -> None:
    write_run(runs / "fewer", n=1)
    write_run(runs / "others")
    examples = (runs / "others" / "examples.jsonl").read_text()
    (runs / "others" / "examples.jsonl").write_text(examples.replace('"id":"q', '"id":"p'))
    write_run(runs / "unscored")
    (runs / "unscored" / "scores.jsonl").unlink()
    assert set(client.get("/api/comparable", params={"run": "first"}).json()) == {"below/second", "fewer"}
    for name, metric in (("first", "recall@5"), ("fewer", "token_f1")):
        (runs / name / "metrics.json").write_text(json.dumps({"metrics": {metric: {"value": 1}}}))
    assert client.get("/api/comparable", params={"run": "first"}).json() == ["below/second"]


def test_a_set_without_a_report_gets_one_when_it_is_asked_for(client: TestClient, runs: Path) -> None:
    for name in ("report.html", "stages.json"):
        (runs / "first" / name).unlink()
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*")}
    assert client.get("/api/run", params={"run": "first"}).json()["has_report"]
    assert "<title>Ragassay report: first</title>" in client.get("/report", params={"run": "first"}).text
    assert {path: path.stat().st_mtime_ns for path in runs.rglob("*")} == before


def test_pages_beside_runs_are_listed_and_others_are_not(client: TestClient, runs: Path, tmp_path: Path) -> None:
    head = '<meta name="generator" content="ragassay 0.1.0">\n<title>Ragassay agreement: 2 &lt;b&gt; tasks</title>'
    (runs / "below" / "agreement.html").write_text(f"<!DOCTYPE html>{head}<p>page")
    (runs / "other.html").write_text("<!DOCTYPE html><title>Ragassay</title>")
    (tmp_path / "secret.html").write_text(head)
    (runs / "link.html").symlink_to(tmp_path / "secret.html")
    (page,) = client.get("/api/runs").json()["pages"]
    assert (page["id"], page["title"]) == ("below/agreement.html", "Ragassay agreement: 2 <b> tasks")
    reply = client.get("/page", params={"name": "below/agreement.html"})
    assert reply.text.endswith("<p>page")
    assert reply.headers["Content-Security-Policy"].startswith("sandbox allow-scripts; default-src 'none';")
    for name in ("other.html", "link.html", "../secret.html", "first/report.html", "/etc/passwd", "", "below"):
        assert client.get("/page", params={"name": name}).status_code == 404


_watching: list[list[str]] = []
"""Who wants to know which files this process opens."""


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        for each in _watching:
            each.append(str(arguments[0]))


@cache
def _watch() -> None:
    """For good: a hook cannot be taken away."""
    sys.addaudithook(_note_opened)


@contextmanager
def opened_below(folder: Path) -> Iterator[list[str]]:
    """The files below a folder that this process opens meanwhile, by their path there."""
    _watch()
    every: list[str] = []
    found: list[str] = []
    _watching.append(every)
    try:
        yield found
    finally:
        _watching.remove(every)
        found += [each.removeprefix(f"{folder}/") for each in every if each.startswith(f"{folder}/")]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read is kept at once, although its file has just been written."""
    monkeypatch.setattr(file_state, "_SETTLED_AFTER_S", 0)


HEAD = '<meta name="generator" content="ragassay 0.1.0">\n<title>Ragassay agreement</title>'


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("/api/runs", {"first/examples.jsonl", "page.html", "other.html"}),
        ("/api/items?run=first", {"first/examples.jsonl", "first/predictions.jsonl", "first/documents.jsonl"}),
        ("/api/comparable?run=first", {"first/examples.jsonl", "others/examples.jsonl"}),
        ("/report?run=first", {"first/examples.jsonl", "first/scores.jsonl"}),
    ],
)
def test_what_did_not_change_is_read_once(client: TestClient, runs: Path, path: str, read: set[str]) -> None:
    write_run(runs / "others")
    examples = runs / "others" / "examples.jsonl"
    examples.write_text(examples.read_text().replace('"id":"q', '"id":"p'))
    (runs / "first" / "report.html").unlink()
    (runs / "first" / "stages.json").unlink()
    (runs / "page.html").write_text(HEAD)
    (runs / "other.html").write_text("no page of ours")
    (runs / "below" / "second" / "scores.jsonl").unlink()
    with opened_below(runs) as opened:
        first = client.get(path)
    assert first.status_code == 200
    assert read <= set(opened)
    with opened_below(runs) as opened:
        assert client.get(path).content == first.content
    assert opened == []


REPLACED = {
    "/api/runs": ("stages.json", '"wall_s": 1.5', '"wall_s": 9.5', "19.0"),
    "/api/items?run=first": ("scores.jsonl", '"value":1.0', '"value":0.5', "0.5"),
    "/api/item?run=first&place=0": ("documents.jsonl", "argo.md", "ogra.md", "ogra.md"),
    "/api/comparable?run=first": ("examples.jsonl", '"id":"q', '"id":"p', "[]"),
    "/report?run=first": ("predictions.jsonl", '"answer":"40"', '"answer":"99"', '"answer":"99"'),
}
"""What is asked for, a file it is read from, and what is to be seen when that file holds other text of that length."""


@pytest.mark.parametrize("path", REPLACED)
@pytest.mark.parametrize("is_coarse", [False, True])
def test_a_change_shows_though_size_and_time_of_the_file_are_as_before(
    client: TestClient, runs: Path, monkeypatch: pytest.MonkeyPatch, path: str, is_coarse: bool
) -> None:
    """is_coarse: the clock of the file system ticks every 2 s, so that even the time of the change is as before."""
    (runs / "first" / "report.html").unlink()
    if path.startswith("/report"):
        (runs / "first" / "stages.json").unlink()
    name, old, new, shown = REPLACED[path]
    if is_coarse:
        monkeypatch.setattr(file_state, "FileState", ticking_slowly)
    else:
        monkeypatch.setattr(file_state, "_SETTLED_AFTER_S", 0)
    assert shown not in client.get(path).text
    file = runs / "first" / name
    before, text = file.stat(), file.read_text()
    assert old in text
    while not is_coarse and clock_ns(runs) == before.st_ctime_ns:
        pass
    file.write_text(text.replace(old, new))  # in place
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_ino) == (before.st_size, before.st_ino)
    assert shown in client.get(path).text


def ticking_slowly(mtime_ns: int, ctime_ns: int, size: int, inode: int) -> FileState:
    tick_ns = 2_000_000_000
    return FileState(mtime_ns // tick_ns * tick_ns, ctime_ns // tick_ns * tick_ns, size, inode)


def clock_ns(folder: Path) -> int:
    """What the clock of the file system says, in nanoseconds: it may stand still for some milliseconds."""
    (folder / "clock").write_text("")
    return (folder / "clock").stat().st_ctime_ns


def test_a_report_that_is_written_later_is_shown(client: TestClient, runs: Path) -> None:
    (runs / "first" / "report.html").unlink()
    (runs / "first" / "examples.jsonl").write_text("")
    assert client.get("/report", params={"run": "first"}).status_code == 404
    (runs / "first" / "report.html").write_text("written later")
    assert client.get("/report", params={"run": "first"}).text == "written later"


@pytest.mark.usefixtures("at_once")
def test_only_the_heads_of_the_newest_pages_are_read(
    client: TestClient, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lone_pages, "MOST_PAGES", 2)
    monkeypatch.setattr(lone_pages, "MOST_READ", 3)
    for number in range(6):
        page = runs / f"{number}.html"
        page.write_text(HEAD if number < 5 else "no page of ours")
        os.utime(page, (number, number))

    def listed() -> tuple[list[str], list[str]]:
        with opened_below(runs) as opened:
            pages = [each["id"] for each in client.get("/api/runs").json()["pages"]]
        return pages, [each for each in opened if each.endswith(".html")]

    assert listed() == (["4.html", "3.html"], ["5.html", "4.html", "3.html"])
    assert listed() == (["4.html", "3.html"], [])
    (runs / "4.html").unlink()
    assert listed() == (["3.html", "2.html"], ["2.html"])
    (runs / "5.html").write_text(HEAD)
    assert listed() == (["5.html", "3.html"], ["5.html"])


def test_lines_are_counted_over_blocks_and_a_half_one_is_none(client: TestClient, runs: Path) -> None:
    file = runs / "first" / "examples.jsonl"
    file.write_text("\n" * 131_071 + "a" * 131_073 + "\n\nhalf a li")
    assert client.get("/api/run", params={"run": "first"}).json()["examples"] == 131_073


def test_a_run_at_work_shows_no_report_of_an_earlier_one(client: TestClient, runs: Path) -> None:
    with (runs / "first" / LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert client.get("/report", params={"run": "first"}).status_code == 404
    assert client.get("/report", params={"run": "first"}).status_code == 200


@pytest.mark.parametrize("name", ["sweep", "experiment"])
def test_results_that_were_not_finished_are_told_apart(client: TestClient, runs: Path, name: str) -> None:
    (runs / "third").mkdir()
    told = {"settings": {"dataset": "a set", "only": {}, "metrics": ["recall@5"]}}
    (runs / "third" / f"{name}.json").write_text(json.dumps(told))
    found = client.get("/api/run", params={"run": "third"}).json()
    assert (found["command"], found["about"], found["state"]) == (name, "a set", "stopped")
    assert found["settings"] == {"dataset": "a set", "only": "", "metrics": '["recall@5"]'}
    assert (found["examples"], found["predictions"], found["has_report"]) == (None, None, False)
    (runs / "third" / "summary.json").write_text("{}")
    assert client.get("/api/run", params={"run": "third"}).json()["state"] == "finished"


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
    assert found["progress"] == {
        "stage": "making examples",
        "done": 3,
        "total": 9,
        "replies": 0,
        "stopped_by": "",
    }
    assert len(client.get("/api/items", params={"run": "third"}).json()["rows"]) == 3


def test_what_changes_is_read_again(client: TestClient, runs: Path) -> None:
    assert client.get("/api/items", params={"run": "first"}).json()["metrics"] == ["recall@5"]
    scores = [Score(example_id="q0", system="bm25", metric="mrr@10", value=0.5)]
    write_jsonl(runs / "first" / "scores.jsonl", scores)
    assert client.get("/api/items", params={"run": "first"}).json()["metrics"] == ["mrr@10"]


@pytest.mark.parametrize("name", ["../secret", "/etc", "first/../../secret", ".", "", "first/.part", "\x00", "link"])
@pytest.mark.parametrize("path", ["/api/run", "/api/items", "/api/comparable", "/report", "/api/item"])
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
        '{"stages": {"wall_s": 1}}',
        '{"stages": [{"wall_s": 1e999, "cost_usd": ' + "9" * 400 + "}]}",
        "[" * 100_000,
    ],
    "metrics.json": [
        '{"metrics": {"recall@5": 3}}',
        '{"metrics": {"recall@5": {"value": Infinity}}}',
        '{"metrics": [1]}',
        '{"metrics": {"recall@5": {"value": "x"}}}',
        '{"metrics": {"recall@5": {}}}',
        '{"metrics": {"recall@5": {"value": true}}}',
    ],
    "run.json": [
        '{"command": [1], "identity": [1], "kind": {}}',
        '{"identity": {"system": [1]}}',
        '{"settings": [1]}',
        '{"settings": {"model": [[1, NaN]], "n": null}}',
        "[" * 100_000,
        "\x00",
    ],
    "sweep.json": ["[]", '{"settings": 1}'],
    "experiment.json": ['{"settings": {"synthetic": 1, "human": [1]}}', "null"],
    "scenario.json": ['{"schema": [1]}'],
    "progress.json": [
        '{"stage": "x", "done": 1, "replies": "y", "stopped_by": 1, "command": [1]}',
        '{"stage": 1}',
        '{"stage": "x", "done": NaN}',
        '{"stage": "x", "done": 1, "total": "y"}',
        "[1]",
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
        assert set(one.json()["metrics"].values()) <= {None}


def test_a_score_that_is_no_number_is_said(client: TestClient, runs: Path) -> None:
    line = '{"example_id": "q0", "system": "bm25", "metric": "recall@5", "value": 1e999}\n'
    (runs / "first" / "scores.jsonl").write_text(line)
    reply = client.get("/api/items", params={"run": "first"})
    assert reply.status_code == 409
    assert "scores.jsonl line 1: value: Input should be a finite number" in reply.json()["error"]


@pytest.mark.parametrize(
    "name",
    [
        "report.html",
        "examples.jsonl",
        "documents.jsonl",
        "run.json",
        "sweep.json",
        "progress.json",
        "summary.json",
        "synthesis.json",
        PART_FOLDER,
    ],
)
def test_a_run_with_a_file_that_leads_elsewhere_is_none(
    client: TestClient, runs: Path, tmp_path: Path, name: str
) -> None:
    write_run(tmp_path / "secret")
    link = runs / "first" / name
    link.unlink(missing_ok=True)
    link.symlink_to(tmp_path / "secret" / ("" if name == PART_FOLDER else name))
    assert client.get("/report", params={"run": "first"}).status_code == 404
    assert [each["name"] for each in client.get("/api/runs").json()["runs"]] == ["below/second"]


def test_a_report_gets_no_access_to_the_pages_nor_to_the_network(client: TestClient) -> None:
    reply = client.get("/report", params={"run": "first"})
    policy = reply.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none';")
    assert "allow-same-origin" not in policy
    assert "<title>report</title>" in reply.text


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


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="is no folder"):
        RunIndex(tmp_path / "nowhere")
