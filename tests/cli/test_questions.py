"""``ragassay questions`` and ``synthesize --like`` as a user would: what is asked, what is private, what is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.jobs.make import log
from ragassay.records import Example, read_jsonl

PAGES = {
    "leave.md": "# Parental leave\n\nEmployees get 16 weeks of parental leave. Apply six weeks before it begins.",
    "travel.md": "# Travel\n\nTrains are booked in second class. A hotel costs at most 120 euros a night.",
}
RULES = " ".join(f"Rule {n} of the canteen says that table {n} is for guests of floor {n}." for n in range(12))
SECRETS = ("anna.k@firma.example", "+49 170 1234567", "ghp_k3Jd82hsLq0ZmX7vRt5WbN1cYp4", "Kowalska")
LOG = f"""question
How many weeks of parental leave do employees get?
how many weeks of parental leave do employees get
"What may a hotel cost a night? Write to {SECRETS[0]}"
"how do i reset the root password of the mail server, {SECRETS[1]}"
"my name is Anna {SECRETS[3]}, token {SECRETS[2]}, where is the zebra"
...
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    path = tmp_path / "questions.csv"
    path.write_text(LOG, "utf-8")
    return path


@pytest.mark.usefixtures("small_model_on")
def test_what_people_ask(docs: Path, asked: Path, tmp_path: Path, cli: Any) -> None:
    (docs / "canteen.md").write_text(f"# Canteen\n\n{RULES}", "utf-8")
    (docs / "copy.md").write_text(f"# Copy\n\nAs it was. {RULES}", "utf-8")
    out = tmp_path / "out"
    found = cli("questions", docs, "--log", asked, "--out", out, "--json")
    assert found.code == 0
    summary = json.loads(found.out)
    assert summary["different_questions"] == 4
    assert summary["removed"] == {"email": 1, "number": 1, "key": 1, "name": 1}
    assert summary["left_out"] == {"longer than 1000 characters, or without a word": 1}
    (duplicate,) = summary["findings"]
    assert len(duplicate["places"]) == 2
    questions = {each["question"]: each for each in map(json.loads, (out / "questions.jsonl").open())}
    leave = questions["How many weeks of parental leave do employees get?"]
    assert (leave["times"], leave["said"]["state"], leave["said"]["label"]) == (2, "answered", "fact_single")
    assert questions["how do i reset the root password of the mail server, [number]"]["said"]["state"] == "no page"
    made = {each.question: each for each in read_jsonl(out / "examples.jsonl", Example)}
    (reference,) = made[leave["question"]].references
    assert reference.text == "Employees get 16 weeks of parental leave."
    everything = b"".join(path.read_bytes() for path in out.iterdir())
    assert not [secret for secret in SECRETS if secret.encode() in everything or secret in found.out + found.err]
    page = (out / "report.html").read_text("utf-8")
    assert "Pages that say the same" in page
    assert "root password" in page
    kept = {path.name: path.read_bytes() for path in out.glob("*.jsonl")}
    again = cli("questions", docs, "--log", asked, "--out", out, "--overwrite")
    assert "No page answers" in again.out
    assert {path.name: path.read_bytes() for path in out.glob("*.jsonl")} == kept


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"question\n", "--map question=COLUMN"),
        (b"frage,n\nhow many weeks,1\n", "questions ... --map"),
        (b"question\ncaf\xe9 price\n", "save the file as UTF-8"),
        (b"\xff\xfe\x00\x01", "not UTF-8"),
    ],
)
def test_logs_that_cannot_be_read(content: bytes, said: str, docs: Path, tmp_path: Path, cli: Any) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(content)
    found = cli("questions", docs, "--log", path, "--out", tmp_path / "out")
    assert found.code != 0
    assert "log.csv" in found.err
    assert said in found.err
    assert not (tmp_path / "out" / "examples.jsonl").exists()


def test_rows_that_cannot_be_read_are_counted(docs: Path, tmp_path: Path, cli: Any) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"question": "hotel price"}\n{"question": "secret anna\n', "utf-8")
    found = cli("questions", docs, "--log", path, "--out", tmp_path / "out", "--json")  # the field is known by its name
    assert json.loads(found.out)["left_out"] == {"a row that cannot be read, the first is log.jsonl line 2": 1}
    assert "anna" not in found.out


def test_a_long_log_is_bounded(docs: Path, tmp_path: Path, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_MOST_WORDINGS", 3)
    monkeypatch.setattr(log, "_MOST_COUNTED", 6)
    rows = [f"thing {'abcdefghij'[n % 10] * 3}" for n in range(20)] + ["hotel price"] * 5
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["question", *rows]), "utf-8")
    found = cli("questions", docs, "--log", path, "--out", tmp_path / "out", "--json", "--n", "1")
    summary = json.loads(found.out)
    assert sum(summary["times_asked"].values()) + sum(summary["left_out"].values()) == 25  # nothing is lost from sight
    questions = [json.loads(line) for line in (tmp_path / "out" / "questions.jsonl").open()]
    assert max(questions, key=lambda each: each["times"])["question"] == "hotel price"
    assert len(questions) <= 3


def test_a_set_like_a_log(documents: Path, asked: Path, tmp_path: Path, cli: Any) -> None:
    found = cli("synthesize", documents, "--like", asked, "--n", "4", "--out", tmp_path / "set", "--json")
    assert found.code == 0, found.err
    of_log, of_set = json.loads(found.out)["like"]
    assert set(of_log) == {"style", "kind", "words"}
    assert sum(of_log["kind"].values()) == pytest.approx(1)
    assert sum(of_set["kind"].values()) == pytest.approx(1)
    shown = cli("synthesize", documents, "--like", asked, "--n", "4", "--out", tmp_path / "again")
    assert "Total variation distance" in shown.out
    (tmp_path / "none.csv").write_text("question\n", "utf-8")
    refused = cli("synthesize", documents, "--like", tmp_path / "none.csv", "--out", tmp_path / "no")
    assert (refused.code != 0, "no questions" in refused.err) == (True, True)
