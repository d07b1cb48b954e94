"""``ragassay evaluate``: recorded predictions in, means with intervals and coverage out; what does not fit is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from by_hand import example_of

from ragassay.records import Example, Prediction, RankedChunk, Span, write_jsonl

Cli = Callable[..., Any]
RELEASED = "reference_recall_released@5,eir_released@5,all_references_recall_released@5,rouge_l_released"
REFERENCE = "It was opened in 1998."


def _example(name: str) -> Example:
    span = Span(document_id="d1", start=20, end=42, text=REFERENCE)
    return example_of(name, answer="In 1998.", context=span, references=(span,), requested_label="fact_single")


def _prediction(name: str, **changes: Any) -> Prediction:
    chunk = RankedChunk(chunk_id="c1", document_id="d1", start=0, end=42, score=1, text=f"The bridge. {REFERENCE}")
    return Prediction(**{"example_id": name, "system": "ours", "chunks": (chunk,), "answer": "1998"} | changes)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    examples, predictions = tmp_path / "examples.jsonl", tmp_path / "predictions.jsonl"
    write_jsonl(examples, [_example("q1"), _example("q2"), _example("q3")])
    write_jsonl(predictions, [_prediction("q1"), _prediction("q2", answer="")])
    return examples, predictions


def test_a_part_of_the_set_and_figures_by_a_field(cli: Cli, files: tuple[Path, Path], tmp_path: Path) -> None:
    text = "The bridge is old. " + " " + REFERENCE
    document = {
        "id": "d1",
        "title": "",
        "source": "a.txt",
        "text": text,
        "language": "en",
        "metadata": {"domain": "Law"},
    }
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps(document) + "\n", "utf-8")
    asked = ("evaluate", *files, "--documents", documents, "--metrics", "token_f1")
    found = cli(*asked, "--only", "domain=law,label=fact_single", "--by", "domain", "--json").json
    assert found["examples"] == 3
    assert found["by"] == {"domain": {"Law": found["metrics"]}}
    cli(*asked, "--out", tmp_path / "scored")
    page = (tmp_path / "scored" / "report.html").read_text("utf-8")
    assert "<title>Ragassay report: scored<" in page  # not the folder it was made in
    outcome = cli(*asked, "--only", "domain=finance")
    assert outcome.code == 3
    assert "holds no examples with domain = finance; give other values to --only" in outcome.err
    assert "--by: no document of the examples has a field 'colour'" in cli(*asked, "--by", "colour").err


def test_values_with_interval_and_coverage(cli: Cli, files: tuple[Path, Path]) -> None:
    outcome = cli("evaluate", *files, "--metrics", "token_f1,recall@1", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = outcome.json["metrics"]
    # token F1 of "1998" and "In 1998.": 2 x 1 / (1 + 2); the second answer is empty: 0; the third was never given
    assert (found["token_f1"]["value"], found["token_f1"]["n"], found["token_f1"]["total"]) == (
        pytest.approx((2 / 3 + 0) / 2),
        2,
        3,
    )
    assert (found["recall@1"]["value"], found["recall@1"]["n"]) == (1, 2)
    assert 0 < found["recall@1"]["low"] < found["recall@1"]["high"] <= 1
    table = cli("evaluate", *files, "--from", "native", "--metrics", "recall@1").out.splitlines()
    assert ["metric", "value", "scored"] in [line.split() for line in table]
    row = next(line.split() for line in table if line.startswith("recall@1 "))
    low, high = found["recall@1"]["low"], found["recall@1"]["high"]
    assert row == ["recall@1", "1.000", f"({low:.2f}–{high:.2f})", "2", "of", "3"]


def test_the_released_scorer_reads_dragonball_files(cli: Cli, tmp_path: Path) -> None:
    row = {
        "language": "en",
        "query": {"query_id": 1, "content": "When?", "query_type": "Factual Question"},
        "ground_truth": {"content": "the dog sat down", "references": ["One two three. Four five.", "Six. Seven"]},
        "prediction": {"content": "the cat sat", "references": ["(a b)Zero One two three.", "Four five. Six. Eight"]},
    }
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    found = cli("evaluate", file, "--from", "dragonball", "--metrics", RELEASED, "--json").json["metrics"]
    assert list(found) == RELEASED.split(",")
    # as worked out by hand in the test of the released scorer
    assert [found[name]["value"] for name in list(found)[:3]] == [0.5, 0.75, 0]
    assert cli("evaluate", file, "--metrics", RELEASED, "--json").json["metrics"] == found  # the format is seen
    del row["prediction"]
    file.write_text(json.dumps(row) + "\n", "utf-8")
    outcome = cli("evaluate", file, "--from", "dragonball", "--metrics", RELEASED)
    assert outcome.code == 3
    assert "answers.jsonl line 1: not an answered DragonBall query (KeyError: 'prediction')" in outcome.err


@pytest.mark.shared_data
def test_published_figures_from_the_command_line(cli: Cli, shared_data: Path) -> None:
    file = shared_data / "dragonball" / "finance_en_gpt4o.jsonl"
    found = cli("evaluate", file, "--from", "dragonball", "--metrics", RELEASED, "--json").json["metrics"]
    published = [0.5863585373543355, 0.10780761369852739, 0.5057142857142857, 0.13217312401810513]
    assert [each["value"] for each in found.values()] == pytest.approx(published, abs=1e-9)
    assert {(each["n"], each["total"]) for each in found.values()} == {(350, 350)}
