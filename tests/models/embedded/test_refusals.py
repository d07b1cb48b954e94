from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.judging.refusals import is_refusal, spoken

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
    "sentence",
    """Hello!|Hi Anna,|I hope this helps!|Let me know if you have any other questions!|Great question!|Sure!|Of course!|
    If you have any further questions, please don't hesitate to ask.|Thank you for your question.|Best regards,|
    I'd be happy to help with that.|Is there anything else I can help you with?|Ich hoffe, das hilft.|Bonjour !|¡Hola!|
    您好！|希望对您有帮助。|如果您还有其他问题，请随时告诉我。|こんにちは。""".split("|"),
)
def test_courtesies_claim_nothing(sentence: str) -> None:
    assert spoken(sentence.strip()) == []
    assert spoken(f"The Alba was built in Bergen.\n{sentence.strip()}") == ["The Alba was built in Bergen."]
