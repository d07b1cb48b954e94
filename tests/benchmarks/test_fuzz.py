"""Damaged input: the same for the same seed, taken by every target, and what goes wrong is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import fuzz_mutations
import pytest

pytest.importorskip("pyarrow")
import fuzz


def test_one_seed_is_one_damage() -> None:
    data = b'{"a": [1, "two"]}' * 20
    made = {seed: fuzz_mutations.damaged(Random(seed), data) for seed in range(200)}
    assert made == {seed: fuzz_mutations.damaged(Random(seed), data) for seed in range(200)}
    assert len(set(made.values())) > 150
    values = [fuzz_mutations.damaged_json(Random(seed), json.loads(data[:17])) for seed in range(200)]
    assert values == [fuzz_mutations.damaged_json(Random(seed), json.loads(data[:17])) for seed in range(200)]


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_every_target_takes_its_first_inputs(target: str) -> None:
    assert [fuzz.attempt(fuzz.Input(target, seed)) for seed in range(3)] == [""] * 3


def _fails(rng: Random, folder: Path) -> None:
    raise KeyError("\ud83d")


def _fails_elsewhere(rng: Random, folder: Path) -> None:
    json.loads("[")


def _needs_too_much(rng: Random, folder: Path) -> None:
    raise MemoryError


def test_what_goes_wrong_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    targets: list[Callable[[Random, Path], None]] = [_fails, _fails_elsewhere, _needs_too_much]
    for each in targets:
        monkeypatch.setitem(fuzz.TARGETS, each.__name__, each)
    told = [fuzz.attempt(fuzz.Input(name, 1)) for name in ("_fails", "_fails", "_fails_elsewhere")]
    assert "KeyError: '\\ud83d'" in told[0]
    assert len({fuzz._place(each) for each in told}) == 2
    with pytest.raises(MemoryError):
        fuzz.attempt(fuzz.Input("_needs_too_much", 1))
