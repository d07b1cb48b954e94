from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.judging.refusals import is_refusal, only_refuses, spoken
from ragassay.models.embedded.judging.whole_answers import Comparison, reference_agreement

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


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("I could not find the fee in the documents.", 1.0),
        ("Die Gebühr wird im Text nicht genannt.", 1.0),
        ("The handbook does not state the fee of 20 euros. However, the fee is 30 euros.", 0.0),
        ("The fee is 20 euros.", 0.0),
    ],
)
def test_only_a_refusal_agrees_with_a_reference_that_has_no_answer(answer: str, right: float) -> None:
    item = Comparison("How high is the fee?", answer, "The handbook does not state the fee.")
    assert reference_agreement(None, [item]) == [(right, right, right)]


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


def test_a_sentence_without_end_takes_no_time() -> None:
    assert not is_refusal("the text is not " * 100_000 + "hidden")
