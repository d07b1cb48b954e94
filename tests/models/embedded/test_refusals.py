from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.judging.refusals import is_refusal

ANSWERS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "refusals.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Refusals, and answers that deny or regret something. The rules were written with the half called first in view."""


@pytest.mark.parametrize("language", sorted({row["language"] for row in ANSWERS}))
def test_refusals_are_told_from_denials(language: str) -> None:
    rows = [row for row in ANSWERS if row["language"] == language]
    assert len(rows) >= 16
    assert [row["text"] for row in rows if is_refusal(row["text"]) != row["refusal"]] == []
