"""SQuAD and its predictions as the official script scores them: several right answers, and questions without one."""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.datasets.registry import read_dataset
from ragassay.records import Example, Prediction, read_jsonl

PASSAGE = (
    "The ferry “Alba” was built in Bergen in 1998–1999 by Ines Roper’s yard. It carries 250 passengers between Bergen "
    "and Stavanger, 3.5 hours away. It was repainted green in 2004."
)
GOLD: dict[str, tuple[str, ...]] = {
    "where": ("in Bergen", "Bergen", "Bergen"),
    "who": ("Ines Roper", "Ines Roper’s yard", "Roper"),
    "when": ("1998–1999", "in 1998–1999"),
    "load": ("250", "250 passengers"),
    "colour": ("green",),
    "captain": (),
    "speed": (),
    "owner": (),
}
PREDICTED = {
    "where": "In Bergen.",
    "who": "Roper",
    "when": "1998–1999",
    "load": "250 passengers",
    "colour": "",
    "captain": "",
    "speed": "",
    "owner": "the city",
}
OTHER = {
    **PREDICTED,
    "where": "the yard in Bergen",
    "who": "Ines Roper's yard",
    "when": "1998-1999",
    "colour": "a green",
}


def normalized(text: str) -> str:
    """``normalize_answer`` of evaluate-v2.0.py."""
    bare = "".join(sign for sign in text.lower() if sign not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def official(gold: str, said: str) -> tuple[float, float]:
    """``compute_exact`` and ``compute_f1`` of evaluate-v2.0.py."""
    wanted, tokens = normalized(gold).split(), normalized(said).split()
    shared = sum((Counter(wanted) & Counter(tokens)).values())
    if not wanted or not tokens or not shared:
        return float(wanted == tokens), float(wanted == tokens)
    precision, recall = shared / len(tokens), shared / len(wanted)
    return float(wanted == tokens), 2 * precision * recall / (precision + recall)


def official_means(said: dict[str, str], *, has_answer: bool) -> list[float]:
    names = [name for name, answers in GOLD.items() if bool(answers) is has_answer]
    best = [[max(values) for values in zip(*(official(each, said[name]) for each in GOLD[name] or ("",)), strict=True)]
            for name in names]  # fmt: skip
    return [sum(values) / len(names) for values in zip(*best, strict=True)]


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    questions = [
        {
            "id": name,
            "question": f"What is its {name}?",
            "answers": [{"text": each, "answer_start": PASSAGE.index(each)} for each in answers],
            "is_impossible": not answers,
        }
        for name, answers in GOLD.items()
    ]
    paragraphs = [{"context": PASSAGE, "qas": questions}]
    path = tmp_path / "dev-v2.0.json"
    path.write_text(json.dumps({"version": "v2.0", "data": [{"title": "Alba", "paragraphs": paragraphs}]}), "utf-8")
    return path


def as_rows(said: dict[str, str], abstention: dict[str, Any]) -> str:
    return "\n".join(
        json.dumps({"id": name, **({"answer": each} if each else abstention)}) for name, each in said.items()
    )


@pytest.mark.parametrize("said", [PREDICTED, OTHER])
@pytest.mark.parametrize("form", ["official", "empty", "abstained"])
def test_exact_match_and_f1_are_the_official_ones(dev: Path, tmp_path: Path, said: dict[str, str], form: str) -> None:
    path = tmp_path / ("said.json" if form == "official" else "said.jsonl")
    abstention = {"answer": ""} if form == "empty" else {"answer": None, "abstained": True}
    path.write_text(json.dumps(said) if form == "official" else as_rows(said, abstention), "utf-8")
    names = ["squad_exact_match", "squad_f1"]
    run = ragassay.evaluate(dev, f"recorded:{path}", metrics=[*names, "abstention_recall"], out=tmp_path / "run")
    assert [run.summary.metrics[name].value for name in names] == pytest.approx(official_means(said, has_answer=True))
    no_answer = run.summary.labels["unanswerable"]
    assert [no_answer[name].value for name in names] == pytest.approx(official_means(said, has_answer=False))
    assert no_answer["abstention_recall"].value == pytest.approx(2 / 3)
    assert not any(each.error for each in read_jsonl(tmp_path / "run" / "predictions.jsonl", Prediction))


def test_the_official_values_by_hand() -> None:
    # four of five questions are answered as one of their answers has it, the fifth is left open; two of three refused
    assert official_means(PREDICTED, has_answer=True) == [4 / 5, 4 / 5]
    assert official_means(PREDICTED, has_answer=False) == [2 / 3, 2 / 3]


def test_all_answers_stay_where_a_format_has_room(dev: Path, tmp_path: Path) -> None:
    ragassay.convert_dataset(dev, tmp_path / "own")
    examples = [each for each in read_dataset(tmp_path / "own") if isinstance(each, Example)]
    kept = {each.id: {each.answer, *each.other_answers} for each in examples}
    assert kept == {name: set(answers) or {""} for name, answers in GOLD.items()}
