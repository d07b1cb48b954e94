"""What the small language model said is kept between runs, and is not asked for again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from ragassay.models.small.likelihood import Likelihood, Pair
from ragassay.models.small.model import SmallModel
from ragassay.models.small.remembered import FILE_NAME, Remembered
from ragassay.models.small.verifier import Calibration, Check, Verifier


class _Model:
    """Counts what it is asked."""

    name = "fake"

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.asked = 0
        self.tokenizer = SimpleNamespace(encode=lambda text: [ord(each) for each in text])

    def classify_branches(self, prefix: str, branches: Sequence[str]) -> np.ndarray:
        self.asked += len(branches)
        return np.array([(len(branch) / 7, 0.1, 0.2) for branch in branches], np.float32)

    def log_probabilities(self, prompts: Sequence[str], targets: Sequence[str]) -> list[np.ndarray]:
        self.asked += len(prompts)
        return [np.full(len(target), -0.25, np.float32) for target in targets]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path))
    return tmp_path


def _said(model: _Model) -> tuple[Any, ...]:
    """What a new verifier on the model says, and how likely it holds questions."""
    plain, small = Calibration(1.0, 0.0, 0.5), cast(SmallModel, model)
    checks = [Check("Leave is in May and in June.", ["Leave is in May, so it is.", "It is in July of each year."])]
    pairs = [Pair("Leave", "It is in May.", question) for question in ("When is it?", "What is in May?")]
    return Verifier(small, plain, plain).judge(checks), Likelihood(small).taken(pairs)


def test_what_was_said_once_is_not_asked_again() -> None:
    first, second, without = _Model("one"), _Model("one"), _Model("")
    said = _said(first)
    assert first.asked == 2 + 2
    assert _said(second) == said == _said(without)
    assert second.asked == 0
    assert without.asked == first.asked


def test_a_file_that_cannot_be_read_is_done_without(cache: Path) -> None:
    (cache / FILE_NAME).mkdir()
    remembered = Remembered("one")
    with pytest.warns(RuntimeWarning, match=r"readings of the small language model are not kept in .*readings\.sqlite"):
        assert remembered.known([remembered.key("a")]) == {}
    assert remembered.key("a", "b") != remembered.key("ab")
