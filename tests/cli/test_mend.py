"""Examples go to people and come back as a set, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.validation import examine
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round
from ragassay.people.annotation.store import Round
from ragassay.records import Document, Example, Provenance, read_jsonl, write_jsonl

TEXT = "The Argo carries 40 cars. She was built in 1998. Dogs travel free. The bar opens at nine."
ANSWERS = ("40 cars", "1998", "free", "nine")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A set of four examples of one document."""
    folder = tmp_path / "run"
    folder.mkdir()
    document = Document(id="d", title="Argo", source="argo.md", text=TEXT, language="en")
    write_jsonl(folder / "documents.jsonl", [document])
    examples = []
    for number, answer in enumerate(ANSWERS):
        start = TEXT.index(answer)
        examples.append(
            Example(
                id=f"q{number}",
                question=f"What is it of the Argo, case {number}?",
                answer=answer,
                context=document.span(0, len(TEXT)),
                references=(document.span(start, start + len(answer)),),
                keypoints=(f"It is {answer}.",),
                requested_label="fact_single",
                verified_label="fact_single",
                provenance=Provenance(synthesizer="statements", model="embedded"),
                language="en",
            )
        )
    write_jsonl(folder / "examples.jsonl", examples)
    return folder


@pytest.fixture
def round_(made: Path, tmp_path: Path) -> Round:
    return begin_round(tmp_path / "mending", RoundOptions(data=made, task="mend", annotators=("ana",)))


def say(round_: Round, subject_id: str, **said: Any) -> None:
    turns = {round_.turn("ana", turn).sheet.subject_id: turn for turn in range(4)}
    round_.judge("ana", turns[subject_id], "mend", json.dumps(said))


def test_what_was_kept_and_mended_is_a_set_again(cli: Any, round_: Round, tmp_path: Path) -> None:
    say(round_, "q2", decision="mended", question="What do dogs pay on the Argo?", answer="Dogs travel free.")
    say(round_, "q3", decision="dropped")
    say(round_, "q0", decision="kept")
    done = cli("annotate", "--out", tmp_path / "mending", "--export-set", tmp_path / "mended", "--json").json
    assert {name: done[name] for name in ("examples", "kept", "mended", "dropped", "untouched")} == {
        "examples": 2,
        "kept": 1,
        "mended": 1,
        "dropped": 1,
        "untouched": 1,
    }
    kept, mended = read_jsonl(tmp_path / "mended" / "examples.jsonl", Example)
    assert (mended.question, mended.provenance.mending) == ("What do dogs pay on the Argo?", "mended")
    assert mended.keypoints == ("What do dogs pay on the Argo: Dogs travel free.",)
    assert mended.references[0].text == "free"
    assert (kept.id, kept.provenance.mending) == ("q0", "kept")
    assert "ana" not in (tmp_path / "mended" / "examples.jsonl").read_text("utf-8")
    found = examine(read_dataset(tmp_path / "mended"), Notes())  # with its documents: references are looked up
    assert (found.findings.errors, found.card.examples, found.card.documents) == (0, 2, 1)


def test_untouched_examples_stay_as_they_are(cli: Any, round_: Round, tmp_path: Path) -> None:
    arguments = ("annotate", "--out", tmp_path / "mending", "--export-set", tmp_path / "set.jsonl")
    refused = cli(*arguments)
    assert (refused.code, "nobody has kept an example" in refused.err) == (3, True)
    assert not (tmp_path / "set.jsonl").exists()
    say(round_, "q0", decision="dropped")
    said = cli(*arguments, "--untouched").out
    assert said.startswith(
        f"3 examples written to {tmp_path / 'set.jsonl'}: 0 kept, 0 mended, 1 dropped; 3 that nobody"
    )
    left = list(read_jsonl(tmp_path / "set.jsonl", Example))
    assert [(each.id, each.provenance.mending) for each in left] == [("q1", None), ("q2", None), ("q3", None)]
    assert cli(*arguments, "--untouched").code == 4
    assert cli(*arguments, "--untouched", "--overwrite").code == 0


def test_edits_are_nothing_to_agree_on(cli: Any, round_: Round, tmp_path: Path) -> None:
    say(round_, "q2", decision="mended", question='What do dogs pay, "on board"?')
    done = cli("agree", tmp_path / "mending")
    assert (done.code, "no agreement to measure" in done.err) == (3, True)
