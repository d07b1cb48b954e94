"""What is kept back to measure on."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ragassay.errors import UsageError
from ragassay.training.options import TrainOptions
from ragassay.training.passages import split


class Thing(NamedTuple):
    source: str
    document: str


THINGS = [Thing(("lamps", "tents")[number % 2], f"Guide {number // 4}") for number in range(40)]


def test_no_document_is_on_both_sides() -> None:
    training, held_out = split(THINGS, TrainOptions(hold_out_share=0.25))
    assert (len(training), len(held_out)) == (30, 10)  # 20 documents of two things, 5 held out
    assert set(training).isdisjoint(held_out)
    assert (training, held_out) == split(THINGS, TrainOptions(hold_out_share=0.25))
    assert (training, held_out) != split(THINGS, TrainOptions(hold_out_share=0.25, seed=1))


def test_sources_are_held_out_or_left_out() -> None:
    things = [*THINGS, Thing("boats", "Guide")]
    training, held_out = split(things, TrainOptions(hold_out_sources=("tents",), leave_out=("boats",)))
    assert {each.source for each in training} == {"lamps"}
    assert {each.source for each in held_out} == {"tents"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"leave_out": ("rafts",)}, "--leave-out: no source 'rafts'; choose from 'lamps', 'tents'"),
        ({"hold_out_sources": ("rafts",)}, "--hold-out-sources: no source 'rafts'"),
        ({"hold_out_sources": ("lamps", "tents")}, "nothing left to train on"),
    ],
)
def test_what_cannot_be_split(options: dict[str, tuple[str, ...]], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        split(THINGS, TrainOptions(**options))  # type: ignore[arg-type]
