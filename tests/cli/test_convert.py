"""``ragassay convert``: what it writes, what it says is lost, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
ROWS = [
    {"user_input": "Which colour has the lamp?", "reference": "Red", "reference_contexts": ["The lamp is red."]},
    {"user_input": "Where is it?", "reference": "In the harbour", "reference_contexts": ["It is in the harbour."]},
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def test_a_set_goes_through_every_format_that_holds_it(cli: Cli, rows: Path, tmp_path: Path) -> None:
    steps = [("set", ()), ("set.csv", ()), ("last.jsonl", ())]
    source: Path = rows
    for name, options in steps:
        outcome = cli("convert", source, tmp_path / name, *options)
        assert outcome.code == 0, outcome.err
        assert "2 examples" in outcome.out
        source = tmp_path / name
    examples = [json.loads(line) for line in (tmp_path / "last.jsonl").read_text("utf-8").splitlines()]
    assert (examples[0]["question"], examples[0]["answer"]) == ("Which colour has the lamp?", "Red")
    assert [span["text"] for each in examples for span in each["references"]] == [
        "The lamp is red.",
        "It is in the harbour.",
    ]


def test_losses_are_listed(cli: Cli, rows: Path, tmp_path: Path) -> None:
    outcome = cli("convert", rows, tmp_path / "beir", "--to", "beir")
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["not", "held:", "answers", "2"] in lines
    assert ["not", "held:", "places", "of", "references", "2"] in lines
    assert sorted(path.name for path in (tmp_path / "beir").iterdir()) == ["corpus.jsonl", "qrels", "queries.jsonl"]


def test_documents_are_a_folder_of_files_as_for_evaluate(cli: Cli, rows: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamp.md").write_text("# Lamp\n\nThe lamp is **red**. It is in the harbour.", "utf-8")
    (tmp_path / "docs" / "empty.md").write_text("", "utf-8")
    outcome = cli("convert", rows, tmp_path / "set", "--documents", tmp_path / "docs")
    assert "2 examples, 1 document" in outcome.out
    assert "Not read" in outcome.out
    lines = (tmp_path / "set" / "examples.jsonl").read_text("utf-8").splitlines()
    spans = [json.loads(line)["references"][0] for line in lines]
    assert [(span["start"], span["end"]) for span in spans] == [(6, 22), (23, 44)]  # "Lamp\n\n" is in front
    assert "2 examples, 1 document" in cli("convert", rows, "--documents", tmp_path / "docs").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere", "x.csv"), 3, "nowhere does not exist; give a file or folder with a data set"),
        (("rows.jsonl", "x.txt"), 2, "is not clear from '.txt'; give it with --to jsonl, beir"),
        (
            ("rows.jsonl", "x.csv", "--to", "beir"),
            2,
            "--to beir: x.csv is not a valid output; name a folder, without suffix",
        ),
        (("rows.jsonl", "x.csv", "--from", "xml"), 2, "--from: unknown format 'xml'; choose one of jsonl, beir"),
        (
            ("rows.jsonl", "rows.jsonl"),
            4,
            "rows.jsonl already exists; name another file, or replace it with --overwrite",
        ),
        (("bad.jsonl", "x.csv"), 3, "bad.jsonl line 2: not valid JSON"),
        (("empty.jsonl", "x.csv", "--from", "ragas"), 3, "empty.jsonl holds no question in the form of ragas"),
        (
            ("rows.jsonl", "x.csv", "--documents", "gone.jsonl"),
            3,
            "gone.jsonl does not exist; name the file of documents",
        ),
    ],
)
def test_what_is_refused(
    cli: Cli,
    rows: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps(ROWS[0]) + "\n{oops\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    outcome = cli("convert", *arguments)
    assert outcome.code == code
    assert outcome.out == ""
    assert said in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_goes_to_other_tools(cli: Cli, finished: Path, tmp_path: Path) -> None:
    examples = len((finished / "examples.jsonl").read_text("utf-8").splitlines())
    for name, options in (("beir", ("--to", "beir")), ("rows.jsonl", ("--to", "ragas"))):
        outcome = cli("convert", finished, tmp_path / name, *options)
        assert outcome.code == 0, outcome.err
        assert f"{examples} examples" in outcome.out
        assert cli("convert", tmp_path / name, "--json").json["card"]["examples"] == examples
    one = json.loads((finished / "predictions.jsonl").read_text("utf-8").splitlines()[-1])["system"]
    outcome = cli("convert", finished, tmp_path / "one.jsonl", "--to", "ragas", "--system", one)
    assert f"{examples} examples" in outcome.out
    assert f"{examples} predictions" in outcome.out
    assert "further systems" not in outcome.out
    refused = cli("convert", finished, tmp_path / "no.jsonl", "--to", "ragas", "--system", "psychic")
    assert (refused.code, (tmp_path / "no.jsonl").exists()) == (2, False)
    assert "--system: no predictions of 'psychic'; choose one of " in refused.err
    row = json.loads((tmp_path / "rows.jsonl").read_text("utf-8").splitlines()[0])
    documents = " ".join(json.loads(line)["text"] for line in (finished / "documents.jsonl").open(encoding="utf-8"))
    assert row["retrieved_contexts"]  # a run keeps places of chunks; their text is that of the documents
    assert all(text in documents for text in row["retrieved_contexts"])
