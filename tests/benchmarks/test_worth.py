"""Measuring questions: draws that a seed decides, verdicts joined to their pairs, intervals worked by hand."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import worth
import worth_sheets
from worth_sheets import Counts, draw, own_questions, question_word, rows_of, top_wordings, wording
from worth_verdicts import (
    FAULTS,
    Judged,
    accepted_table,
    counts_table,
    fault_table,
    join,
    shape_table,
    too_low,
    weighted_share,
    wilson,
)

TEXT = (
    "The ferry leaves at nine. Dogs travel free. Bicycles cost two pounds. Is there a bar on board? No, there is none."
)
DOCUMENTS = [
    {"id": "doc-1", "title": "Ferry", "source": "ferry.md", "text": TEXT},
    {
        "id": "doc-2",
        "title": "Tram",
        "source": "tram.md",
        "text": "The tram takes cards. Its depot stands in Elm Road.",
    },
]


def example(name: str, label: str, question: str = "When does the ferry leave?", **more: Any) -> dict[str, Any]:
    start = TEXT.index("Dogs")
    return {
        "id": name,
        "question": question,
        "answer": "At nine.",
        "context": {"document_id": "doc-1", "start": start, "end": start + len("Dogs travel free.")},
        "references": [{"text": "Dogs travel free."}],
        "requested_label": "summary",
        "verified_label": label,
        "provenance": {"unanswerable_in": "document"},
        **more,
    }


def counts(kind: str, delivered: dict[str, int], **more: Any) -> Counts:
    fields: dict[str, Any] = {
        "seed": 7,
        "asked": {"fact_single": 40},
        "read": {},
        "question_words": {},
        "top_wordings": (),
        "own_questions": 0,
        "seconds": 1.0,
    }
    return Counts(kind=kind, delivered=delivered, **{**fields, **more})


def judged(kind: str, label: str, accepted: int, refused: int) -> list[Judged]:
    yes = [Judged(id=f"{kind}/{label}{at}", kind=kind, label=label, accept=True) for at in range(accepted)]
    no = [
        Judged(id=f"{kind}/{label}-{at}", kind=kind, label=label, accept=False, fault="unnatural")
        for at in range(refused)
    ]
    return yes + no


def test_wilson_by_hand() -> None:
    # 8 of 10: middle (0.8 + 3.8416/20) / 1.38416 = 0.7167; half 1.96 sqrt(0.016 + 3.8416/400) / 1.38416 = 0.2266
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    # all of 10: the lower end is 1 / (1 + 3.8416/10)
    assert wilson(10, 10) == pytest.approx((1 / 1.38416, 1.0), abs=1e-9)
    assert wilson(0, 10) == pytest.approx((0.0, 0.38416 / 1.38416), abs=1e-9)
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="3 accepted of 2 read"):
        wilson(3, 2)


def test_draw_depends_on_seed_and_ids_alone() -> None:
    examples = [example(f"q-{at:02d}", "fact_single") for at in range(30)] + [example("q-99", "reasoning")]
    shuffled = random.Random(3).sample(examples, len(examples))
    first, again, other = draw(examples, 10, 7), draw(shuffled, 10, 7), draw(examples, 10, 8)
    assert [each["id"] for each in first] == [each["id"] for each in again]
    assert [each["id"] for each in first] != [each["id"] for each in other]
    assert [each["verified_label"] for each in first] == ["fact_single"] * 10 + ["reasoning"]  # all where there are few
    assert len({each["id"] for each in first}) == 11


def test_draw_of_a_label_does_not_depend_on_other_labels() -> None:
    facts = [example(f"q-{at:02d}", "fact_single") for at in range(30)]
    summaries = [example(f"p-{at:02d}", "summary") for at in range(30)]
    assert draw(facts, 5, 7) == draw(facts + summaries, 5, 7)[:5]


def test_requested_label_counts_where_none_was_verified() -> None:
    assert draw([example("q-1", "fact_single", verified_label=None)], 1, 0)[0]["id"] == "q-1"
    assert worth_sheets.label_of(example("q-1", "fact_single", verified_label=None)) == "summary"


def test_row_shows_passage_and_surroundings() -> None:
    (row,) = rows_of("boats", [example("q-1", "fact_single")], DOCUMENTS)
    assert (row.id, row.title, row.source) == ("boats/q-1", "Ferry", "ferry.md")
    assert (row.before, row.passage) == ("The ferry leaves at nine. ", "Dogs travel free.")
    assert row.after.startswith(" Bicycles cost two pounds.")
    assert row.references == ("Dogs travel free.",)
    assert (row.scope, row.chunks) == ("", ())


def test_unanswerable_row_shows_scope_and_best_chunks() -> None:
    (row,) = rows_of("boats", [example("q-1", "unanswerable", "Which road has the depot?")], DOCUMENTS)
    assert row.scope == "document"
    assert [chunk.source for chunk in row.chunks] == ["tram.md"]  # the only one with "road" or "depot"


def test_markup_of_a_document_stays_inside_its_fence(tmp_path: Path) -> None:
    code = {**DOCUMENTS[0], "text": "```\n## not a heading of the sheet\n```` " + TEXT}
    row = rows_of("boats", [example("q-1", "fact_single")], [code])
    worth_sheets.write_sheet(row, tmp_path, "boats")
    page = (tmp_path / "boats.md").read_text()
    assert "````\n```\n## not a heading of th\n````\n" in page  # before the passage: three backticks in a row
    assert "`````\ne sheet\n````" in page  # the passage: four
    assert json.loads((tmp_path / "boats.jsonl").read_text())["question"] == "When does the ferry leave?"


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("When does the ferry leave?", "when"),
        ("In the guide, what happens when it rains?", "what"),
        ("Who's the captain?", "who"),
        ("Can dogs travel?", "yes or no"),
        ("Name the captain.", "none"),
    ],
)
def test_question_word(question: str, word: str) -> None:
    assert question_word(question) == word


def test_wordings() -> None:
    questions = ["What is the fare?", "What is the, say, time?", "Who is it?", "Why?", "what IS the name?"]
    assert wording(questions[0]) == "what is the"
    assert top_wordings(questions) == (3, 1, 1)
    assert top_wordings([]) == ()


def test_own_questions_are_those_of_the_text() -> None:
    assert own_questions(["Is there a bar, on board?", "Is there a bar?", "there a board?"], DOCUMENTS) == 1


ROWS = [
    {"id": "boats/q-1", "kind": "boats", "label": "summary", "question": "What is a ferry?"},
    {"id": "trams/q-1", "kind": "trams", "label": "reasoning", "question": "How long is a tram?"},
]


def test_verdicts_are_joined_by_id() -> None:
    verdicts = [
        {"id": "trams/q-1", "accept": False, "fault": "wrong answer", "note": "secret"},
        {"id": "boats/q-1", "accept": True},
    ]
    assert join(ROWS, verdicts) == [
        Judged(id="boats/q-1", kind="boats", label="summary", accept=True),
        Judged(id="trams/q-1", kind="trams", label="reasoning", accept=False, fault="wrong answer"),
    ]
    assert join(ROWS, verdicts[:1]) == [join(ROWS, verdicts)[1]]  # what has no verdict is not counted


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([{"accept": True}], "has no id"),
        ([{"id": "boats/q-9", "accept": True}], "boats/q-9 is in none of the sheets"),
        ([{"id": "boats/q-1", "accept": True}] * 2, "boats/q-1 has two verdicts"),
        ([{"id": "boats/q-1", "accept": "yes"}], "must say accept true or false, not 'yes'"),
        ([{"id": "boats/q-1", "accept": False}], "refused for ''; choose one of ungrammatical"),
        ([{"id": "boats/q-1", "accept": False, "fault": "bad"}], "refused for 'bad'"),
        ([{"id": "boats/q-1", "accept": True, "fault": "leaks"}], "decide for one"),
    ],
)
def test_faulty_verdicts_are_refused(verdicts: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        join(ROWS, verdicts)


READ = [*judged("boats", "fact_single", 9, 1), *judged("boats", "summary", 2, 2), *judged("trams", "summary", 6, 0)]


def test_accepted_table() -> None:
    lines = accepted_table(READ, {"boats": counts("boats", {"fact_single": 30, "summary": 4})}).splitlines()
    assert lines[2] == "| boats | 34 of 40 | 9 of 10 | 2 of 4 | - | - | 11 of 14, 79% | 52%-92% |"
    assert lines[3] == "| trams | ? | - | 6 of 6 | - | - | 6 of 6, 100% | 61%-100% |"
    assert lines[4].startswith("| **all** | 34 of 40 | 9 of 10 | 8 of 10 | - | - | 17 of 20, 85% |")
    assert lines[5] == "| 95 % | | 60%-98% | 49%-94% | 0%-100% | 0%-100% | | |"


def test_what_is_too_low_is_named() -> None:
    assert too_low(READ) == []  # 79 % of boats, 80 % of summaries, 85 % of all: all just enough
    low = [*READ, *judged("trams", "reasoning", 2, 1)]
    assert too_low(low) == ["under 75%: label reasoning, 2 of 3", "under 85%: all, 19 of 23"]


def test_no_verdict_is_no_praise() -> None:
    with pytest.raises(ValueError, match="no verdict on any pair"):
        too_low([])


def test_weighted_share() -> None:
    delivered = {
        "boats": counts("boats", {"fact_single": 30, "summary": 10}),
        "trams": counts("trams", {"summary": 10}),
    }
    # (30 x 0.9 + 10 x 0.5 + 10 x 1) / 50
    assert weighted_share(READ, delivered) == pytest.approx(0.84)
    assert weighted_share(READ, {}) is None


def test_faults_are_counted_by_label() -> None:
    lines = fault_table(READ).splitlines()
    assert lines[2 + FAULTS.index("unnatural")] == "| unnatural | 1 | 2 | 0 | 0 | 3 |"
    assert lines[2 + FAULTS.index("leaks")] == "| leaks | 0 | 0 | 0 | 0 | 0 |"


def test_shape_table_says_what_is_amiss() -> None:
    words = {"what": 4, "how": 3, "who": 3, "when": 3, "why": 3, "where": 3, "which": 1}
    good = counts("good", {}, question_words=words, top_wordings=(2, 1, 1))
    bad = counts("bad", {}, question_words={"what": 10, "none": 5, "yes or no": 5}, top_wordings=(3, 1, 1))
    lines = shape_table({"good": good, "bad": bad, "empty": counts("empty", {})}).splitlines()
    assert (
        lines[2] == "| bad | 20 | 25% | what 50%, none 25%, yes or no 25% | wordings not under 25%; 1 question words |"
    )
    assert lines[3] == "| empty | 0 | - | - | |"
    # "which" has exactly 5 %, which is not above it
    assert lines[4] == "| good | 20 | 20% | what 20%, how 15%, who 15%, when 15%, why 15%, where 15% |  |"


def test_counts_table_names_a_run_that_failed() -> None:
    failed = counts("boats", {}, error="exit code 3: first line\nno document could be read")
    assert "| boats | failed: no document could be read |" in counts_table({"boats": failed})


def stub_set(documents: Path, out: Path, n: int, seed: int) -> str:
    """Stands for a run of the product."""
    out.mkdir(parents=True)
    examples = [example(f"q-{at}", "fact_single") for at in range(n)]
    (out / "examples.jsonl").write_text("\n".join(map(json.dumps, examples)))
    (out / "documents.jsonl").write_text("\n".join(map(json.dumps, DOCUMENTS)))
    (out / "synthesis.json").write_text(json.dumps({"requested": {"fact_single": n}}))
    return ""


def run_command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["worth.py", *arguments])
    worth.main()


def test_from_collections_to_kept_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(worth_sheets, "make_set", stub_set)
    (tmp_path / "collections" / "case-six-pages").mkdir(parents=True)
    sheets, kept = tmp_path / "sheets", tmp_path / "kept"
    kinds = ["--kinds", "case-six-pages,mails"]
    run_command(
        monkeypatch,
        "draw",
        str(tmp_path / "collections"),
        "--out",
        str(sheets),
        "--seed",
        "7",
        "--per-label",
        "4",
        *kinds,
    )
    printed = capsys.readouterr().out
    assert "case-six-pages: 40 of 40 delivered, 4 drawn" in printed  # the case asks for its own number
    assert "mails: skipped" in printed
    assert "ungrammatical, unnatural" in (sheets / "FOR_THE_READER.md").read_text()

    ids = [json.loads(line)["id"] for line in (sheets / "case-six-pages.jsonl").read_text().splitlines()]
    verdicts = [{"id": name, "accept": True} for name in ids[:2]]
    verdicts += [{"id": ids[2], "accept": False, "fault": "leaks", "note": "the ferry"}]
    (sheets / "reader.jsonl").write_text("\n".join(map(json.dumps, verdicts)))
    run_command(monkeypatch, "verdicts", str(sheets), str(sheets / "reader.jsonl"), "--keep", str(kept))
    printed = capsys.readouterr().out
    assert printed.startswith("1 of 4 pairs have no verdict")
    assert "| case-six-pages | 40 of 40 | 2 of 3 |" in printed
    assert "under 75%: kind case-six-pages, 2 of 3" in printed

    run_command(monkeypatch, "table", str(kept))
    assert capsys.readouterr().out in printed
    assert "ferry" not in "".join(path.read_text().lower() for path in kept.iterdir())


def test_failed_run_is_counted_and_leaves_no_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worth_sheets, "make_set", stub_set)
    worth_sheets.draw_kind("boats", tmp_path, tmp_path / "sheets", 5, 2, 7)
    assert (tmp_path / "sheets" / "boats.jsonl").is_file()
    monkeypatch.setattr(worth_sheets, "make_set", lambda *_: "exit code 3: nothing to read")
    failed = worth_sheets.draw_kind("boats", tmp_path, tmp_path / "sheets", 5, 2, 7)
    assert (failed.error, failed.asked, failed.delivered) == ("exit code 3: nothing to read", {"any": 5}, {})
    assert not (tmp_path / "sheets" / "boats.jsonl").exists()


def test_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"has no counts\.json; make it with 'worth\.py draw'"):
        run_command(monkeypatch, "shape", str(tmp_path))
    with pytest.raises(SystemExit, match="unknown kind 'poems'"):
        run_command(monkeypatch, "prepare", "--into", str(tmp_path), "--kinds", "poems")


def test_pairs_of_experts_go_on_sheets_like_those_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {
        "id": "p1",
        "source": "ferry pages",
        "title": "Ferry",
        "heading": "",
        "text": TEXT,
        "facts": [{"quote": "Dogs travel free.", "question": "What do dogs pay?", "answer": "Nothing."}],
        "summary": {"quotes": ["The ferry leaves at nine."], "question": "What is said?", "answer": "Two things."},
        "reasoning": None,
        "unanswerable": [{"question": "Who steers the ferry?", "near": ""}],
    }
    pairs, sheets = tmp_path / "pairs.jsonl", tmp_path / "sheets"
    pairs.write_text(json.dumps(row) + "\n" + json.dumps({**row, "source": "tram pages"}), encoding="utf-8")
    arguments = ["worth.py", "experts", str(pairs), "--out", str(sheets), "--seed", "1", "--sources"]
    monkeypatch.setattr(sys, "argv", [*arguments, "ferry pages"])
    worth.main()
    assert "ferry pages: 3 drawn" in capsys.readouterr().out
    drawn = worth_sheets.read_lines(sheets / "ferry-pages.jsonl")
    assert [(each["label"], each["question"]) for each in drawn] == [
        ("fact_single", "What do dogs pay?"),
        ("summary", "What is said?"),
        ("unanswerable", "Who steers the ferry?"),
    ]
    assert [len(each["chunks"]) for each in drawn] == [0, 0, 1]
    assert "Label: **unanswerable**" in (sheets / "ferry-pages.md").read_text("utf-8")
    monkeypatch.setattr(sys, "argv", [*arguments, "bus pages"])
    with pytest.raises(SystemExit, match="no pairs of the source 'bus pages'"):
        worth.main()
