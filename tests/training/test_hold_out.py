from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import UsageError
from ragassay.training.claims import read_claims
from ragassay.training.hold_out import split
from ragassay.training.items import TextItem
from ragassay.training.options import TrainOptions, parse_layers
from ragassay.training.pairs import read_pairs


@pytest.fixture
def items(pairs_file: Path) -> list[TextItem]:
    return read_pairs([pairs_file]).items


def test_no_document_is_on_both_sides(items: list[TextItem]) -> None:
    parts = split(items, TrainOptions(hold_out_share=0.2))
    documents = [{each.document for each in part} for part in parts]
    assert not documents[0] & documents[1]
    assert len(documents[1]) == 6  # a fifth of thirty: each of fifteen guides is there in two sources
    assert len(parts.training) + len(parts.held_out) == 30


def test_another_seed_holds_out_others(items: list[TextItem]) -> None:
    assert split(items, TrainOptions(seed=1)).held_out != split(items, TrainOptions(seed=2)).held_out


def test_whole_sources_are_held_out_or_left_out(items: list[TextItem]) -> None:
    parts = split(items, TrainOptions(hold_out_sources=("tents",)))
    assert {each.source for each in parts.training} == {"lamps"}
    assert {each.source for each in parts.held_out} == {"tents"}
    left = split(items, TrainOptions(leave_out=("tents",)))
    assert {each.source for part in left for each in part} == {"lamps"}


def test_a_source_that_is_not_there_is_named(items: list[TextItem]) -> None:
    with pytest.raises(UsageError, match=r"--leave-out: .*'boats'.*'lamps', 'tents'"):
        split(items, TrainOptions(leave_out=("boats",)))
    with pytest.raises(UsageError, match="nothing left to train on; leave out or hold out less"):
        split(items, TrainOptions(hold_out_sources=("lamps", "tents")))


def test_layers() -> None:
    assert [parse_layers(text, 30) for text in (None, "all", "20-")] == [15, 0, 20]
    for text in ("30-", "20", "-", "x-", "-3-"):
        with pytest.raises(UsageError, match="--layers"):
            parse_layers(text, 30)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rank": 0}, "--rank: must be at least 1, not 0"),
        ({"lr": 0.0}, "--lr: must be above 0, not 0"),
        ({"lr": float("nan")}, "--lr: must be above 0, not nan"),
        ({"minutes": -1.0}, "--minutes"),
        ({"hold_out_share": 1.0}, "--hold-out-share"),
        ({"seed": -1}, "--seed"),
        ({"threads": 0}, "--threads"),
        ({"tokens_per_batch": 3}, "--tokens-per-batch"),
    ],
)
def test_options_that_cannot_be_meant(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        TrainOptions(**wrong).check()  # type: ignore[arg-type]


def test_what_is_left_out_or_held_out_lends_no_claim_to_the_other_side(tmp_path: Path, rows: Any) -> None:
    words = ("Harbour", "Windmill", "Bakery", "Lantern", "Orchard", "Station")
    given = [
        {
            "id": str(number),
            "source": ("lamps", "tents", "boats")[number % 3],
            "title": f"Guide {number}",
            "text": f"Text {number}.",
            "claims": [{"text": f"{word} stands open.", "supported": True} for _ in range(20)],
        }
        for number, word in enumerate(words)
    ]
    items = read_claims([rows.write(tmp_path / "c.jsonl", given)]).items
    lenders = {branch.lender for item in items for branch in item.branches if branch.lender}
    assert {each.split("/")[0] for each in lenders} == {"lamps", "tents", "boats"}
    parts = split(items, TrainOptions(leave_out=("boats",), hold_out_sources=("tents",)))
    for side, source in ((parts.training, "lamps"), (parts.held_out, "tents")):
        assert {item.source for item in side} == {source}
        lent = [branch.lender for item in side for branch in item.branches if branch.lender]
        assert lent
        assert all(each.startswith(f"{source}/") for each in lent)
        assert all(len(item.branches) >= 20 for item in side)
