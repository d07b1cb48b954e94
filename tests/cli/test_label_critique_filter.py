"""``ragassay label``, ``critique`` and ``filter`` one after the other, as a user would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from stub_server import RunningStub

from ragassay.cli import judging
from ragassay.pipeline.label import pair_contexts

CONTEXT = "Gannet Bridge was opened on 4 May 1998. The bridge was designed by Ines Halvorsen. It is 412 m long."
QUESTIONS = {"Who designed Gannet Bridge?": "Ines Halvorsen", "What does a ticket to Elm cost?": "12 pounds"}


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    path = tmp_path / "squad.json"
    answers = {question: CONTEXT.find(answer) for question, answer in QUESTIONS.items()}
    asked = [
        {
            "id": f"q{n}",
            "question": question,
            "answers": [{"text": QUESTIONS[question], "answer_start": start}] if start >= 0 else [],
            "is_impossible": start < 0,
        }
        for n, (question, start) in enumerate(answers.items())
    ]
    path.write_text(json.dumps({"data": [{"title": "B", "paragraphs": [{"context": CONTEXT, "qas": asked}]}]}), "utf-8")
    return path


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with plausible_server.running() as stub:
        yield stub


def test_the_longest_context_is_that_of_the_pipeline() -> None:
    assert judging.MOST_CONTEXT_CHARS == pair_contexts.MOST_CONTEXT_CHARS  # written twice: --help loads no pipeline


def test_label_then_critique_then_filter(cli: Any, squad: Path, tmp_path: Path) -> None:
    labelled = cli("label", squad, "--out", tmp_path / "labelled.jsonl")
    assert labelled.code == 0, labelled.err
    assert "2 of 2 examples labelled (100.0 %)" in labelled.out
    assert "requested label in rows, verified label in columns" in labelled.out
    assert re.search(r"all +1 +0 +0 +1 +2", labelled.out)
    rated = cli(
        "critique", tmp_path / "labelled.jsonl", "--out", tmp_path / "rated.parquet", "--critiques", "stand_alone"
    )
    assert rated.code == 0, rated.err
    assert "Critiques, 1 to 5" in rated.out
    filtered = cli(
        "filter", tmp_path / "rated.parquet", "--min", "standalone=2", "--labels", "fact_single", "--out",
        tmp_path / "good.csv", "--json",
    )  # fmt: skip
    assert filtered.code == 0, filtered.err
    found = filtered.json
    assert (found["examples"], found["kept"]) == (2, 1)
    assert found["reasons"] == {"the label is unanswerable": 1}
    assert Path(found["dropped"]).read_text("utf-8").count("\n") == 1
    shown = cli("filter", tmp_path / "rated.parquet", "--labels", "fact_single", "--out", tmp_path / "again.csv")
    assert "1 of 2 examples kept" in shown.out
    assert "the label is unanswerable" in shown.out


def test_a_page_about_a_labelling(cli: Any, squad: Path, tmp_path: Path) -> None:
    assert cli("label", squad, "--out", tmp_path / "labelled.jsonl").code == 0
    for _ in range(2):  # the second replaces the first
        done = cli("report", tmp_path / "labelled.label")
        assert done.code == 0, done.err
    page = tmp_path / "labelled.label" / "report.html"
    assert "labelled.label: 2 questions" in page.read_text("utf-8")
    assert cli("label", squad, "--out", tmp_path / "labelled.jsonl", "--overwrite").code == 0
    assert not page.exists()  # it was about the labels that were replaced


def test_the_object_of_a_labelling(cli: Any, squad: Path, tmp_path: Path) -> None:
    found = cli("label", squad, "--out", tmp_path / "labelled.jsonl", "--json").json
    assert found["matrix"] == {"unlabelled": {"fact_single": 1}, "unanswerable": {"unanswerable": 1}}
    assert (found["coverage"], found["agreement"]["n"]) == (1.0, 1)
    assert found["cost"]["calls"] == 0
    assert Path(found["verdicts"]).is_file()


def test_a_server_labels_and_its_calls_can_be_looked_at(
    cli: Any, squad: Path, tmp_path: Path, server: RunningStub
) -> None:
    model = ("--model", f"{server.url}#plausible")
    estimate = cli("label", squad, "--out", tmp_path / "l.jsonl", *model, "--dry-run", "--json").json
    assert (estimate["all"]["calls"], server.stats.requests) == (2, 0)
    limited = cli("label", squad, "--out", tmp_path / "l.jsonl", *model, "--max-calls", "1")
    assert limited.code == 7
    assert "--max-calls 1 reached: 1 of 2 examples are done; run the same command with" in limited.err
    done = cli("label", squad, "--out", tmp_path / "l.jsonl", *model, "--overwrite", "--json")
    assert (done.code, done.json["cost"]["calls"], server.stats.requests) == (0, 1, 2)
    assert "label" in cli("calls", tmp_path / "l.label").out


def test_too_little_coverage_has_an_exit_code(cli: Any, squad: Path, tmp_path: Path) -> None:
    outcome = cli("label", squad, "--out", tmp_path / "l.jsonl", "--max-context-chars", "10")
    assert outcome.code == 8
    assert "--coverage: 0.0 % of the examples are done" in outcome.err
    assert cli("label", squad, "--out", tmp_path / "m.jsonl", "--max-context-chars", "10", "--coverage", "0").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("label", "SET", "--out", "x.beir"), 2, "the format of"),
        (("critique", "SET", "--out", "x.csv"), 2, "the format csv cannot hold critiques"),
        (("critique", "SET", "--out", "x.jsonl", "--critiques", "charm"), 2, "unknown critique 'charm'; choose from"),
        (("filter", "SET", "--out", "x.jsonl"), 2, "no condition given; give one with"),
        (
            ("filter", "SET", "--out", "x.jsonl", "--min", "tautology"),
            2,
            "must be CRITIQUE=RATING, such as stand_alone=4, not",
        ),
        (("filter", "SET", "--out", "x.jsonl", "--min", "tautology=3"), 2, "and `ragassay critique` adds ratings"),
        (("label", "none.jsonl", "--out", "x.jsonl"), 3, "does not exist"),
        (
            ("label", "SET", "--out", "x.jsonl", "--dry-run"),
            2,
            "a model on a server",
        ),
        (
            ("label", "SET", "--out", "x.jsonl", "--max-calls", "3"),
            2,
            "a model on a server",
        ),
    ],
)
def test_bad_input_is_one_sentence(
    cli: Any, squad: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(squad.parent)
    outcome = cli(*(str(squad) if each == "SET" else each for each in arguments))
    assert outcome.code == code
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert {path.name for path in squad.parent.iterdir()} == {"squad.json"}
