from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.judging.refusals import is_refusal, only_refuses

ANSWERS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "refusals.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Refusals, and answers that deny or regret something. The rules were written with the half called first in view."""


@pytest.mark.parametrize("language", sorted({row["language"] for row in ANSWERS}))
def test_refusals_are_told_from_denials(language: str) -> None:
    rows = [row for row in ANSWERS if row["language"] == language]
    assert len(rows) >= 16
    assert [row["text"] for row in rows if is_refusal(row["text"]) != row["refusal"]] == []


@pytest.mark.parametrize(
    ("answer", "refuses", "only"),
    [
        ("The text does not say when. It was sold in 1998.", True, False),
        ("It was sold in 1998. The text does not say by whom.", False, False),
        ("I could not find the year, but the mill was sold before the war.", False, False),
        ("I could not find the year, but I can tell you more about the mill.", True, True),
        ("I'm sorry. The text does not say when.", True, True),
        ("I'm sorry.", True, True),
        ("Hello! Unable to answer. Let me know if you have any other questions.", True, True),
        ("Sorry, but the museum is closed on Mondays.", False, False),
        ("Je suis désolé, mais le texte ne le précise pas.", True, True),
        ("nao sei", True, True),
        ("", True, False),
    ],
)
def test_what_is_refused_is_the_whole_answer_or_a_part(answer: str, refuses: bool, only: bool) -> None:
    assert (is_refusal(answer), only_refuses(answer)) == (refuses, only)
