"""``ragassay knowledge`` of a set that was made elsewhere, and ``ragassay filter`` by what it found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from stub_server import RunningStub

import ragassay
from ragassay.records import Example, read_jsonl

BLOCKS = {"Gannet": 2021, "Puffins": 2022, "Terns": 2023, "Ural owls": 2024}
"""Title to year. The stub knows of what has a title with an even number of letters."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningStub]:
    with plausible_server.running() as stub:
        yield stub


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A set with documents of their own, a question for each, and one that nothing answers."""
    folder = tmp_path / "given"
    folder.mkdir()
    documents, examples = [], []
    for number, (title, year) in enumerate(BLOCKS.items()):
        text = f"{title} were counted on the island of Skaldar in {year}."
        documents.append(
            {
                "id": f"d{number}",
                "title": title,
                "source": f"{number}.md",
                "text": text,
                "metadata": {"year": str(year)},
            }
        )
        span = {"document_id": f"d{number}", "start": 0, "end": len(text), "text": text}
        for label, answer in (("fact_single", str(year)), *((("unanswerable", ""),) if not number else ())):
            examples.append(
                {
                    "id": f"q{number}-{label}",
                    "question": f"When were {title} counted on Skaldar, {label}?",
                    "answer": answer,
                    "context": span,
                    "references": [span] if answer else [],
                    "keypoints": [],
                    "requested_label": label,
                    "verified_label": label,
                    "provenance": {"synthesizer": "people", "model": ""},
                }
            )
    for name, rows in (("documents.jsonl", documents), ("examples.jsonl", examples)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def test_what_a_model_knows_of_a_set(cli: Any, given: Path, tmp_path: Path, server: RunningStub) -> None:
    known = tmp_path / "known"
    asked = ("knowledge", given, "--out", known, "--model", f"{server.url}#plausible", "--where", "year>=2022")
    estimate = cli(*asked, "--dry-run", "--json").json
    before = server.stats.requests
    done = cli(*asked, "--json")
    assert done.code == 0, done.err
    sent = server.stats.requests - before
    # four blocks, four questions: three tries and one with the block each; what the answers are rated by is its own
    assert sent == done.json["cost"]["calls"] >= 4 + 4 * 3 + 4
    assert estimate["all"]["calls"] <= sent
    parts = {each["part"]: each for each in done.json["knowledge"]}
    assert {name: each["baselines"]["truthfulness"]["total"] for name, each in parts.items()} == {
        "all": 4,
        "where": 3,
        "new": 3,
    }
    assert all(sum(each[kind] for kind in ("always", "sometimes", "unknown", "unrated")) for each in parts.values())
    rated = {
        each.id: {one.name: one.value for one in each.critiques}
        for each in read_jsonl(known / "examples.jsonl", Example)
    }
    assert set(rated["q1-fact_single"]) == {
        "known_without_context",
        "known_in_every_try",
        "answered_with_block",
        "new_to_model",
    }
    assert rated["q0-fact_single"]["new_to_model"] == 1
    assert rated["q0-unanswerable"] == {"new_to_model": 1}

    kept = cli("filter", known, "--only-new", "--where", "year<2024", "--out", tmp_path / "new.jsonl", "--json").json
    assert kept["reasons"] == {"the model knows the document": 2, "not year<2024": 1}
    assert [each.id for each in read_jsonl(tmp_path / "new.jsonl", Example)] == ["q1-fact_single", "q2-fact_single"]


def test_from_python(given: Path, tmp_path: Path, server: RunningStub) -> None:
    done = ragassay.knowledge(
        given, tmp_path / "known.jsonl", tries=1, where=["year>=2022"], model=f"{server.url}#plausible"
    )
    assert [each.error for each in done.verdicts] == [None] * 5
    assert "known_without_context" in done.out.read_text("utf-8")


def test_the_table(cli: Any, given: Path, tmp_path: Path, server: RunningStub) -> None:
    done = cli("knowledge", given, "--out", tmp_path / "k.jsonl", "--model", f"{server.url}#plausible", "--tries", "1")
    assert done.code == 0, done.err
    for line in ("always known", "sometimes known", "unknown", "truthfulness", "nothing retrieved", "with the block"):
        assert line in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("knowledge", "SET", "--out", "x.jsonl"), 2, "needs a language model that may know the answers"),
        (("knowledge", "SET", "--out", "x.jsonl", "--model", "M", "--tries", "0"), 2, "--tries: must be between 1 and"),
        (("knowledge", "SET", "--out", "x.jsonl", "--model", "M", "--where", "day>1"), 3, "no document has the field"),
        (("knowledge", "SET", "--out", "x.csv", "--model", "M"), 2, "the format csv cannot hold critiques"),
        (("filter", "SET", "--out", "x.jsonl", "--only-new"), 2, "--only-new: the set does not say which documents"),
        (("filter", "SET", "--out", "x.jsonl", "--where", "day>1"), 3, "--where: no document has the field 'day'"),
        (("filter", "SET", "--out", "x.jsonl", "--where", "day"), 2, "--where: must be FIELD>=VALUE"),
    ],
)
def test_what_cannot_be_meant(
    cli: Any, given: Path, tmp_path: Path, server: RunningStub, arguments: tuple[str, ...], code: int, said: str
) -> None:
    names = {"SET": given, "M": f"{server.url}#plausible"}
    outcome = cli(*(names.get(each, tmp_path / each if each.startswith("x.") else each) for each in arguments))
    assert (outcome.code, said in outcome.err) == (code, True), outcome.err
    assert not list(tmp_path.glob("x.*sonl"))
