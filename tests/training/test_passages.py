"""What is kept back to measure on."""

from __future__ import annotations

from typing import NamedTuple

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
