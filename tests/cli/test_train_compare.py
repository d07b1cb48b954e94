"""``ragassay train compare`` and ``--model small:ADAPTER``, with a writer whose texts are given."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import plausible_server
import pytest

from ragassay.models.small import named
from ragassay.models.small.writer import Likelihood, Wanted, Writer, Written
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.make import compare_writers

ASKED = {
    "designed by": "Who designed Gannet Bridge?",
    "mayor of Ribe": "When was Ottar Lind elected as mayor of Ribe?",
    "volume of poems": "When did Ottar Lind publish his first volume of poems?",
    "bilge pump of the ferry": "How often had the bilge pump of the ferry failed in one winter?",
}
"""By words of the sentence."""


class FakeWriter:
    """Asks of sentences that it knows."""

    def ask(self, wanted: Sequence[Wanted]) -> list[list[Written]]:
        likely = Likelihood(-2.0, -0.2, -1.0)
        return [
            [Written(question, likely) for words, question in ASKED.items() if words in each.quote] for each in wanted
        ]


@pytest.fixture(autouse=True)
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An adapter that counts as checked, and the writer in its place."""
    path = tmp_path / "mine.safetensors"
    path.write_bytes(b"abc")
    monkeypatch.setattr(named, "_check", lambda path, digest: None)
    monkeypatch.setattr(Writer, "load", lambda path: FakeWriter())
    return path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the sets that were made, in order."""
    names: list[str] = []
    synthesize = compare_writers.synthesize_documents

    def noted(options: Any, progress: Any) -> Any:
        names.append(options.out.name)
        return synthesize(options, progress)

    monkeypatch.setattr(compare_writers, "synthesize_documents", noted)
    return names


def test_a_set_by_an_adapter(cli: Any, documents: Path, tmp_path: Path, adapter: Path) -> None:
    asked = ("synthesize", documents, "--n", "2", "--mix", "fact_single=1", "--model", f"small:{adapter}")
    done = cli(*asked, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    examples = list(map(json.loads, (tmp_path / "out" / "examples.jsonl").read_text("utf-8").splitlines()))
    assert examples
    assert {each["question"] for each in examples} & set(ASKED.values())
    assert all("with writer ba7816bf" in each["provenance"]["model"] for each in examples)
    assert "; judge: embedded (" in done.json["models"]
    adapter.write_bytes(b"")  # another adapter of that name is another run
    assert cli(*asked, "--out", tmp_path / "out").code == 4


def test_an_adapters_bytes_are_part_of_what_is_asked(adapter: Path) -> None:
    before = ModelOptions(model=f"small:{adapter}").asked()
    assert before["roles"]["writer"].startswith("small:ba7816bf")
    assert before["roles"]["judge"] == "embedded"
    adapter.write_bytes(b"")
    assert ModelOptions(model=f"small:{adapter}").asked() != before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("synthesize", "{documents}", "--judge", "small", "--out", "x"),
            "--judge small: only writes questions, in `ragassay synthesize` and `ragassay run`; name another",
        ),
        (("synthesize", "{documents}", "--model", "small", "-s", "evolved", "--out", "x"), "not for evolved"),
        (("synthesize", "{documents}", "--model", "small", "--no-theme", "--out", "x"), "--no-theme"),
        (("label", "{documents}/bridge.md", "--model", "small", "--out", "x"), "only writes questions"),
        (
            ("train", "compare", "{documents}", "--out", "x", "--dry-run"),
            "--dry-run: without a model on a server the run costs nothing; name one with --model",
        ),
    ],
)
def test_where_it_makes_no_sense(
    arguments: Sequence[str], said: str, cli: Any, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli(*(each.format(documents=documents) for each in arguments))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (tmp_path / "x").exists()


def test_three_sets_are_made_once(
    cli: Any, documents: Path, tmp_path: Path, adapter: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(documents, tmp_path / "docs")
    command = ("train", "compare", tmp_path / "docs", "--adapter", adapter, "--n", "5", "--out", tmp_path / "out")
    printed = cli(*command)
    assert printed.code == 0, printed.err
    assert made == ["statements", "fine-tuned", "simple"]
    for said in ("delivered", "labelled unanswerable", "critiques passed", "distinct-2", "calls, judge", "seconds"):
        assert said in printed.out
    found = cli(*command, "--json").json
    assert made == ["statements", "fine-tuned", "simple"]  # nothing anew
    ways = found["ways"]
    for name, way in ways.items():
        examples = (tmp_path / "out" / name / "examples.jsonl").read_text("utf-8").splitlines()
        assert way["delivered"] == len(examples) > 0
        assert sum(way["labels"].values()) >= way["rated"] >= way["passed"] >= way["delivered"]
        assert 1 <= way["critiques"]["question_usefulness"] <= 5
        assert way["effort"]["writer"]["tokens"] is None
    assert ways["simple"]["requested"] == 0 < ways["statements"]["requested"]
    assert "with writer ba7816bf" in ways["simple"]["models"]
    assert ways["statements"]["models"].startswith("embedded")
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "|  | statements | fine-tuned | simple |\n| --- |" in report
    assert f"## simple: the first questions\n\n- {ways['simple']['sample'][0]}\n" in report
    assert {*ways["simple"]["sample"]} <= {*ASKED.values()}
    (tmp_path / "docs" / "more.md").write_text("# More\n\nThe Tern Bridge was opened in 1990 by the mayor of Ribe.\n")

    def interrupt(options: Any, progress: Any) -> Any:
        made.append(options.out.name)
        raise KeyboardInterrupt

    monkeypatch.setattr(compare_writers, "synthesize_documents", interrupt)
    stopped = cli(*command)  # of other documents now
    assert stopped.code == 130
    assert "finished work is kept: run the same command again to continue" in stopped.err
    assert made[3:] == ["statements"]


def test_a_stopped_comparison_goes_on_where_it_was(cli: Any, documents: Path, tmp_path: Path, made: list[str]) -> None:
    command = ("train", "compare", documents, "--n", "3", "--out", tmp_path / "out")
    with plausible_server.running() as stub:
        asked = (*command, "--model", f"{stub.url}#m", "--judge", "embedded")
        estimated = cli(*asked, "--dry-run", "--json")
        assert (estimated.code, stub.stats.requests) == (0, 0), estimated.err
        assert {"facts", "simple_pair"} <= {row["task"] for row in estimated.json["rows"]}
        stopped = cli(*asked, "--max-calls", "4")
        assert stopped.code == 7
        assert "--max-calls 4 reached, in statements: run the same command again to continue; its limits" in stopped.err
        done = cli(*asked, "--max-calls", "100", "--json")
        assert done.code == 0, done.err
        calls = stub.stats.requests
        assert cli(*asked, "--json").json == done.json
        assert stub.stats.requests == calls
    assert made == ["statements", "statements", "fine-tuned", "simple"]
    efforts = {name: way["effort"]["writer"] for name, way in done.json["ways"].items()}
    assert efforts["fine-tuned"]["tokens"] is None
    assert min(efforts["statements"]["tokens"], efforts["simple"]["tokens"]) > 100
    assert efforts["statements"]["calls"] + efforts["simple"]["calls"] >= calls


def test_a_folder_with_something_else_is_left_alone(cli: Any, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    done = cli("train", "compare", documents, "--out", tmp_path / "out")
    assert done.code == 4
    assert "holds other files; name" in done.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.txt"]
