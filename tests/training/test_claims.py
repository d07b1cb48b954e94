"""Claims and questions as the verifier's items: joined by passage, and foreign questions of the same document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import InputError
from ragassay.training.claims import (
    ANSWERED,
    CONTRADICTED,
    FOREIGN,
    NOT_STATED,
    RESTATED,
    STATEMENT,
    SUPPORTED,
    TextItem,
    label_of,
    read_claims,
    split,
)
from ragassay.training.options import VerifierOptions


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragassay.training.claims.LEAST_ROWS", 1)


def row(name: str, title: str = "Guide", **fields: Any) -> dict[str, Any]:
    return {"id": name, "source": "lamps", "title": title, "heading": "Use", "text": f"Text of {name}.", **fields}


def facts(*questions: str) -> list[dict[str, str]]:
    return [{"question": each, "quote": "x"} for each in questions]


def kinds(item: TextItem) -> list[tuple[str, str, int | None]]:
    """(kind, what is asked, label) of the branches."""
    return [(each.kind, each.prompt.split(": ", 1)[1].split("\n")[0], each.label) for each in item.branches]


@pytest.mark.parametrize(
    ("supported", "kind", "quote", "label"),
    [
        (True, "paraphrase", "a", SUPPORTED),
        (True, "unstated", "", SUPPORTED),
        (False, "number", "a", CONTRADICTED),
        (False, "addition", "a", NOT_STATED),
        (False, "unstated", "a", NOT_STATED),
    ],
)
def test_labels(supported: bool, kind: str, quote: str, label: int) -> None:
    assert label_of(supported, kind, quote) == label
    assert (SUPPORTED, CONTRADICTED, NOT_STATED) == (0, 1, 2)


def test_claims_and_pairs_of_one_passage_are_one_item(tmp_path: Path, rows: Any) -> None:
    claim = {"text": "It is so.", "supported": True}
    claims = rows.write(tmp_path / "claims.jsonl", [row("a", claims=[claim]), row("b", claims=[claim])])
    pairs = rows.write(tmp_path / "pairs.jsonl", [row("b", "Other", facts=facts("Which b?")), row("c", "Third")])
    read, _ = read_claims([claims, pairs])
    said = ("supported", "It is so.", SUPPORTED)
    assert {item.id: kinds(item) for item in read} == {
        "a": [said],
        "b": [said, (ANSWERED, "Which b?", SUPPORTED)],  # and c, of which nothing is asked, is left out
    }
    assert read_claims([claims])[1] != read_claims([claims, pairs])[1] == read_claims([claims, pairs])[1]


def test_what_facts_state_is_claimed_of_their_passage_and_of_others_that_do_not_hold_it(
    tmp_path: Path, rows: Any
) -> None:
    def fact(place: str) -> list[dict[str, str]]:
        return [{"question": f"Who minds {place}?", "answer": "Somebody minds it.", "statement": f"{place} is minded."}]

    def claimed(item: TextItem) -> list[tuple[str, str, int | None]]:
        return [each for each in kinds(item) if each[0] in (STATEMENT, RESTATED, FOREIGN)]

    given = [row("a", facts=fact("Harbour")), row("b", facts=fact("Windmill")), row("c", facts=fact("Bakery"))]
    given[2]["text"] = "Harbour and windmill are minded."
    items = {item.id: item for item in read_claims([rows.write(tmp_path / "p.jsonl", given)])[0]}
    assert claimed(items["a"]) == [
        (STATEMENT, "Harbour is minded.", SUPPORTED),
        (RESTATED, "Somebody minds it.", SUPPORTED),
        (FOREIGN, "Windmill is minded.", NOT_STATED),  # of the next passage
        (FOREIGN, "Bakery is minded.", NOT_STATED),  # of one half of all further on
    ]
    # of c the next is a, and one half of all further on b: its text holds the words of both, which may be true of it
    assert [kind for kind, _, _ in claimed(items["c"])] == [STATEMENT, RESTATED]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"claims": ["It is so."]}, "'claims' must be an object, or a list of objects"),
        ({"claims": [{"text": None, "supported": True}]}, "'text' must be text"),
        ({"claims": [{"text": "It is so.", "supported": "yes"}]}, "'supported' of each claim must be true or false"),
        ({"summary": "Which?"}, "'summary' must be an object, or a list of objects"),
        ({"id": None}, "'id' must be text"),
    ],
)
def test_rows_of_another_shape_are_refused_with_their_place(
    fields: dict[str, Any], said: str, tmp_path: Path, rows: Any
) -> None:
    path = rows.write(tmp_path / "c.jsonl", [row("a", facts=facts("Which?")), {**row("b"), **fields}])
    with pytest.raises(InputError) as caught:
        read_claims([path])
    assert str(caught.value) == f"{path}, line 2: {said}"


def item(number: int, source: str, title: str) -> TextItem:
    return TextItem(id=str(number), source=source, document=title, title="", heading="", text="", branches=())


def test_no_document_is_on_both_sides_and_sources_are_held_out_or_left_out() -> None:
    def parts(**chosen: Any) -> tuple[list[TextItem], list[TextItem]]:
        return split(items, VerifierOptions(claims=(), out=Path("v"), **chosen))

    items = [item(number, ("lamps", "tents")[number % 2], f"Guide {number // 4}") for number in range(40)]
    training, held_out = parts(hold_out_share=0.25)
    assert (len(training), len(held_out)) == (30, 10)  # 20 documents of two things, 5 held out
    assert {each.place[:2] for each in training}.isdisjoint(each.place[:2] for each in held_out)
    assert (training, held_out) == parts(hold_out_share=0.25) != parts(hold_out_share=0.25, seed=1)
    items.append(item(40, "boats", "Guide"))
    training, held_out = parts(hold_out_sources=("tents",), leave_out=("boats",))
    assert ({each.source for each in training}, {each.source for each in held_out}) == ({"lamps"}, {"tents"})
