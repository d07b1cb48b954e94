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
from worth_sheets import Counts, draw
from worth_verdicts import Judged, join, shares, wilson

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


def counts(kind: str, delivered: dict[str, int]) -> Counts:
    return Counts(kind=kind, seed=7, asked={"fact_single": 40}, delivered=delivered, seconds=1.0)


def judged(kind: str, label: str, accepted: int, usable: int, wrong: int, *, people: bool = False) -> list[Judged]:
    """Pairs that were taken, others that are usable, and wrong ones."""
    said = [(True, True, True)] * accepted + [(False, True, True)] * usable + [(False, False, False)] * wrong
    return [
        Judged(
            id=f"{kind}/{label}{at}",
            kind=kind,
            label=label,
            accept=accept,
            usable=is_usable,
            right=right,
            fault="" if accept else "unnatural",
            people=people,
        )
        for at, (accept, is_usable, right) in enumerate(said)
    ]


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


ROWS = [
    {"number": "001", "id": "boats/q-1", "kind": "boats", "label": "summary", "people": False},
    {"number": "002", "id": "trams/q-1", "kind": "trams", "label": "reasoning", "people": True},
]
TAKEN = {"id": "001", "usable": True, "right": True, "accept": True}
ODD = {"id": "002", "usable": True, "right": True, "accept": False, "fault": "unnatural", "note": "secret"}


def test_verdicts_are_joined_by_number() -> None:
    assert join(ROWS, [ODD, TAKEN]) == [
        Judged(id="boats/q-1", kind="boats", label="summary", usable=True, right=True, accept=True),
        Judged(
            id="trams/q-1",
            kind="trams",
            label="reasoning",
            usable=True,
            right=True,
            accept=False,
            fault="unnatural",
            people=True,
        ),
    ]
    assert join(ROWS, [ODD]) == [join(ROWS, [ODD, TAKEN])[1]]  # what has no verdict is not counted


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([{**TAKEN, "id": None}], "has no id"),
        ([{**TAKEN, "id": "009"}], "009 is no page of the pile"),
        ([TAKEN, TAKEN], "001 has two verdicts"),
        ([{**TAKEN, "accept": "yes"}], "must say accept true or false, not 'yes'"),
        ([{**TAKEN, "right": None}], "must say right true or false, not None"),
        ([{**ODD, "fault": ""}], "refused for ''; choose one of ungrammatical"),
        ([{**ODD, "fault": "bad"}], "refused for 'bad'"),
        ([{**TAKEN, "fault": "leaks"}], "decide for one"),
        ([{**TAKEN, "usable": False}], "what is taken is usable"),
        ([{**ODD, "right": False}], "what is usable is right"),
    ],
)
def test_faulty_verdicts_are_refused(verdicts: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        join(ROWS, verdicts)


READ = [
    *judged("boats", "fact_single", 5, 4, 1),
    *judged("boats", "summary", 2, 1, 1),
    *judged("trams", "summary", 6, 0, 0),
    *judged("policies", "summary", 3, 1, 0, people=True),
]


def test_shares_count_what_was_delivered() -> None:
    delivered = {
        "boats": counts("boats", {"fact_single": 30, "summary": 10}),
        "trams": counts("trams", {"summary": 10}),
        "policies": counts("policies", {"summary": 50}),
    }
    # usable and right: (30 x 0.9 + 10 x 0.75 + 10 x 1) / 50; taken: (30 x 0.5 + 10 x 0.5 + 10 x 1) / 50
    assert shares(READ, delivered) == [
        "usable, weighted by what was delivered: 89%, wanted 90%: missed",
        "right, weighted by what was delivered: 89%, wanted 95%: missed",
        "accept, weighted by what was delivered: 60%, wanted 50%",
    ]
    for nothing in ([], READ):
        with pytest.raises(ValueError, match="no verdict on any pair"):
            shares(nothing, {} if nothing else delivered)


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
    assert "case-six-pages: 40 of 40 delivered" in printed  # the case asks for its own number
    assert "mails: skipped" in printed

    pile = tmp_path / "pile"
    run_command(monkeypatch, "pile", str(sheets), "--out", str(pile), "--seed", "3")
    assert "4 pages; the reader gets" in capsys.readouterr().out
    assert "ungrammatical, unnatural" in (pile / "FOR_THE_READER.md").read_text()
    verdicts = [{**TAKEN, "id": f"{number:03d}"} for number in (1, 2)]
    verdicts += [{**ODD, "id": "003", "note": "the ferry"}]
    (tmp_path / "reader.jsonl").write_text("\n".join(map(json.dumps, verdicts)))
    run_command(monkeypatch, "verdicts", str(pile), str(tmp_path / "reader.jsonl"), "--keep", str(kept))
    printed = capsys.readouterr().out
    assert printed.startswith("1 of 4 pairs have no verdict")
    assert "| case-six-pages | 40 of 40 | 3 | 3, 100% " in printed
    assert "accept, weighted by what was delivered: 67%, wanted 50%" in printed

    run_command(monkeypatch, "table", str(kept))
    assert capsys.readouterr().out in printed
    assert "ferry" not in "".join(path.read_text().lower() for path in kept.iterdir())
