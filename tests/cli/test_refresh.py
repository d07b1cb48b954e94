"""``ragassay refresh`` as a user would: documents change, the set follows, nothing of the old one is touched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from stub_server import RunningStub

import ragassay
from ragassay.records import Document, Example, read_jsonl

PAGES = {
    "fees.md": "# Fees\n\nMembers pay 30 euros a year. The fee is due on 1 March.",
    "desks.md": "# Desks\n\nThe North desk opens at nine. The South desk was built in 1987.",
    "boats.md": "# Boats\n\nThe Argo carries 40 cars. Anna Berg is the master of the Argo.",
}
QUESTIONS = {
    "q-fee": ("fees.md", "What do members pay?", "30 euros", "Members pay 30 euros a year."),
    "q-due": ("fees.md", "When is the fee due?", "1 March", "The fee is due on 1 March."),
    "q-desk": ("desks.md", "When was the South desk built?", "1987", "The South desk was built in 1987."),
    "q-cars": ("boats.md", "How many cars does the Argo carry?", "40 cars", "The Argo carries 40 cars."),
    "q-open": ("boats.md", "Who owns the Argo?", "", "The Argo carries 40 cars."),
}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningStub]:
    with plausible_server.running() as stub:
        yield stub


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def spring(docs: Path, tmp_path: Path, cli: Any) -> Path:
    """A set by hand with the documents as Ragassay reads them."""
    folder = tmp_path / "spring"
    made = ragassay.synthesize(docs, tmp_path / "made", n=2)
    read = {each.source: each for each in read_jsonl(made.folder / "documents.jsonl", Document)}
    folder.mkdir()
    (folder / "documents.jsonl").write_bytes((made.folder / "documents.jsonl").read_bytes())
    examples = []
    for name, (source, question, answer, quote) in QUESTIONS.items():
        home = read[source]
        start = home.text.index(quote)
        span = {"document_id": home.id, "start": start, "end": start + len(quote), "text": quote}
        examples.append(
            {
                "id": name,
                "question": question,
                "answer": answer,
                "context": span,
                "references": [span] if answer else [],
                "keypoints": [quote] if answer else [],
                "requested_label": "fact_single" if answer else "unanswerable",
                "verified_label": None,
                "provenance": {"synthesizer": "people", "model": ""},
                "language": "en",
            }
        )
    (folder / "examples.jsonl").write_text("".join(json.dumps(each) + "\n" for each in examples), "utf-8")
    return folder


def edit(docs: Path) -> None:
    (docs / "fees.md").write_text(PAGES["fees.md"].replace("30 euros", "45 euros"), "utf-8")
    (docs / "desks.md").unlink()
    (docs / "boats.md").rename(docs / "ferries.md")
    (docs / "new.md").write_text("# Keys\n\nThe Lark has 12 cabins. The Lark was built in 2024 in Bergen.", "utf-8")


def test_unchanged_documents_leave_the_set_as_it_is(cli: Any, spring: Path, docs: Path, tmp_path: Path) -> None:
    found = cli("refresh", spring, docs)
    assert (found.code, "5 of 5 questions" in found.out) == (0, True)
    assert cli("refresh", spring, docs, "--out", tmp_path / "autumn").code == 0
    before, after = (list(read_jsonl(folder / "examples.jsonl", Example)) for folder in (spring, tmp_path / "autumn"))
    assert before == after


def test_a_look_says_what_no_longer_holds_and_writes_nothing(
    cli: Any, spring: Path, docs: Path, tmp_path: Path
) -> None:
    edit(docs)
    before = sorted(tmp_path.rglob("*"))
    found = cli("refresh", spring, docs, "--json")
    assert found.code == 9
    assert found.json["states"] == {"same": 3, "moved": 0, "changed": 1, "gone": 1}
    assert found.json["documents"] == {"as they were": 0, "renamed": 1, "edited": 1, "new": 1, "gone": 1}
    assert [(each["id"], each["state"]) for each in found.json["changes"]] == [("q-fee", "changed"), ("q-desk", "gone")]
    assert sorted(tmp_path.rglob("*")) == before


def test_the_new_set_has_true_places_and_new_questions_and_the_old_one_stays(
    cli: Any, spring: Path, docs: Path, tmp_path: Path
) -> None:
    edit(docs)
    before = (spring / "examples.jsonl").read_bytes()
    out = tmp_path / "autumn"
    found = cli("refresh", spring, docs, "--out", out, "--json")
    assert found.code == 0, found.err
    texts = {each.id: each.text for each in read_jsonl(out / "documents.jsonl", Document)}
    examples = list(read_jsonl(out / "examples.jsonl", Example))
    assert [each.id for each in examples][:3] == ["q-due", "q-cars", "q-open"]
    for example in examples:
        for span in (example.context, *example.references):
            assert texts[span.document_id][span.start : span.end] == span.text
    old = "\n".join(each.text for each in read_jsonl(spring / "documents.jsonl", Document))
    assert all(span.text not in old for each in examples[3:] for span in each.references)
    assert sum(found.json["added"].values()) == len(examples) - 3
    assert (spring / "examples.jsonl").read_bytes() == before
    assert "45 euros" in (out / "refresh.html").read_text("utf-8")


def test_a_model_judges_what_has_changed(
    cli: Any, spring: Path, docs: Path, tmp_path: Path, server: RunningStub
) -> None:
    edit(docs)
    arguments = ("refresh", spring, docs, "--out", tmp_path / "autumn", "--model", f"{server.url}#stub")
    dry = cli(*arguments, "--dry-run")
    assert (dry.code, "statement verdicts" in dry.out) == (0, True)
    found = cli(*arguments, "--json")
    assert found.code == 0, found.err
    followed = [json.loads(line) for line in (tmp_path / "autumn" / "followed.jsonl").read_text("utf-8").splitlines()]
    assert {each["example"]["id"]: each["holds"] is not None for each in followed}["q-fee"]


def test_other_documents_and_options_without_a_folder(cli: Any, spring: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("# Trees\n\nAn oak grows for two hundred years and more, say the foresters.", "utf-8")
    found = cli("refresh", spring, other)
    assert (found.code, "None of its texts" in found.out) == (9, True)
    assert cli("refresh", spring, other, "--n", "3").code == 2
    assert cli("refresh", tmp_path / "nowhere", other).code == 3


def test_a_set_by_hand_without_documents_is_looked_for_in_the_new_ones(cli: Any, docs: Path, tmp_path: Path) -> None:
    rows = [
        {"user_input": question, "reference": answer, "reference_contexts": [quote]}
        for _, question, answer, quote in QUESTIONS.values()
        if answer
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    (docs / "fees.md").write_text(PAGES["fees.md"].replace("30 euros", "45 euros"), "utf-8")
    found = cli("refresh", tmp_path / "own.jsonl", docs, "--json")
    assert (found.code, found.json["states"]) == (9, {"same": 0, "moved": 3, "changed": 0, "gone": 1})
