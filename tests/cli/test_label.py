"""``ragassay label`` as a user would: labels, ratings, what a model knows, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from stub_server import RunningStub

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
        metadata = {"year": str(year)}
        documents.append({"id": f"d{number}", "title": title, "source": "", "text": text, "metadata": metadata})
        span = {"document_id": f"d{number}", "start": 0, "end": len(text), "text": text}
        for label, answer in (("fact_single", str(year)), *((("unanswerable", ""),) if not number else ())):
            examples.append(
                {
                    "id": f"q{number}-{label}",
                    "question": f"{'When' if answer else 'Why'} were {title} counted on Skaldar?",
                    "answer": answer,
                    "context": span,
                    "references": [span] if answer else [],
                    "keypoints": [],
                    "requested_label": label,
                    "verified_label": label,
                    "provenance": {"synthesizer": "people", "model": ""},
                }
            )
    for name, records in (("documents.jsonl", documents), ("examples.jsonl", examples)):
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return folder


def test_label_and_rate_then_keep(cli: Any, given: Path, tmp_path: Path) -> None:
    rated = cli("label", given, "--out", tmp_path / "rated.jsonl", "--what", "labels,critiques")
    assert rated.code == 0, rated.err
    for said in ("5 of 5 examples labelled and rated (100.0 %)", "requested label in rows", "Critiques, 1 to 5"):
        assert said in rated.out
    condition = ("label", tmp_path / "rated.jsonl", "--min", "standalone=2", "--labels", "fact_single")
    kept = cli(*condition, "--out", tmp_path / "good.csv", "--json").json
    counts = kept["kept"]
    assert counts["kept"].keys() == {"fact_single"}
    dropped = Path(kept["dropped"]).read_text("utf-8").splitlines()
    assert len(dropped) == 5 - counts["kept"]["fact_single"]
    shown = cli(*condition, "--out", tmp_path / "again.csv").out
    assert "of 5 examples kept" in shown
    assert all(reason in shown for reason in counts["reasons"])


def test_a_server_labels_and_its_calls_can_be_looked_at(cli: Any, given: Path, tmp_path: Path) -> None:
    with plausible_server.running() as server:
        job = ("label", given, "--out", tmp_path / "l.jsonl", "--model", f"{server.url}#plausible")
        estimate = cli(*job, "--dry-run", "--json").json
        assert (estimate["all"]["calls"], server.stats.requests) == (5, 0)
        limited = cli(*job, "--max-calls", "1")
        assert limited.code == 7
        assert "--max-calls 1 reached: 1 of 5 examples are done; run the same command with" in limited.err
        done = cli(*job, "--overwrite", "--json")
        assert (done.code, done.json["cost"]["calls"], server.stats.requests) == (0, 4, 5)
    assert "label" in cli("report", tmp_path / "l.label", "--calls").out


def test_what_a_model_knows_of_a_set(cli: Any, given: Path, tmp_path: Path, server: RunningStub) -> None:
    known = tmp_path / "known"
    job = ("label", given, "--out", known, "--what", "knowledge", "--model", f"{server.url}#plausible")
    estimate = cli(*job, "--dry-run", "--json").json
    before = server.stats.requests
    done = cli(*job, "--where", "year>=2022", "--json")
    assert done.code == 0, done.err
    sent = server.stats.requests - before
    # four blocks, four questions: three tries and one with the block each; what the answers are rated by is its own
    assert sent == done.json["cost"]["calls"] >= 4 + 4 * 3 + 4
    assert estimate["all"]["calls"] <= sent
    parts = {part["part"]: part for part in done.json["knowledge"]}
    totals = {name: part["baselines"]["truthfulness"]["total"] for name, part in parts.items()}
    assert totals == {"all": 4, "where": 3, "new": 3}
    assert all(sum(part[kind] for kind in ("always", "sometimes", "unknown", "unrated")) for part in parts.values())
    assert done.json["kept"]["reasons"] == {"not year>=2022": 2}
    verdicts = [json.loads(line) for line in Path(done.json["verdicts"]).read_text("utf-8").splitlines()]
    rated = {each["example_id"]: {one["name"]: one["value"] for one in each["critiques"]} for each in verdicts}
    names = {"known_without_context", "known_in_every_try", "answered_with_block", "new_to_model"}
    assert set(rated["q1-fact_single"]) == names
    assert (rated["q0-fact_single"]["new_to_model"], rated["q0-unanswerable"]) == (1, {"new_to_model": 1})
    new = cli("label", known, "--only-new", "--where", "year<2024", "--out", tmp_path / "new.jsonl", "--json").json
    assert new["kept"]["reasons"] == {"not year<2024": 1}
    examples = read_jsonl(tmp_path / "new.jsonl", Example)
    assert [example.id for example in examples] == ["q1-fact_single", "q2-fact_single"]


def test_too_little_coverage_has_an_exit_code(cli: Any, given: Path, tmp_path: Path) -> None:
    job = ("label", given, "--max-context-chars", "10")
    outcome = cli(*job, "--out", tmp_path / "l.jsonl")
    assert outcome.code == 8
    assert "--coverage: 0.0 % of the examples are done" in outcome.err
    assert cli(*job, "--out", tmp_path / "m.jsonl", "--coverage", "0").code == 0
