"""The lexical judge on published judgements. No encoder, so quick; benchmarks/judge.py has the whole table."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragassay
from ragassay.agreement.check_items import Compared, read_judge_set

pytestmark = pytest.mark.shared_data


def test_faithful_answers_are_told_from_others(shared_data: Path) -> None:
    found = ragassay.check_judge(shared_data / "wikieval/faithfulness.jsonl", quality="faithfulness", model="lexical")
    judge, longer, _ = found.checks[0].rows
    assert judge.measures["accuracy"].value >= 0.98
    assert longer.measures["accuracy"].value < 0.6


def test_true_answers_are_told_from_others(shared_data: Path) -> None:
    file = shared_data / "ragval/scored_random_no_rag.jsonl"
    (check,) = ragassay.check_judge(file, quality="truthfulness", model="lexical").checks
    judge, longer, _ = check.rows
    assert (check.items, check.good, check.bad) == (300, 199, 90)
    assert judge.measures["auroc"].value > 0.85 > longer.measures["auroc"].value
    assert judge.measures["auroc"].n == judge.measures["auroc"].total == 289


def test_two_people_and_the_judge_prefer_alike(shared_data: Path) -> None:
    file = shared_data / "ragchecker_human/preferences.jsonl"
    items = read_judge_set(file).items["preference"]
    assert len({item.key for item in items if isinstance(item, Compared)}) == 129
    (check,) = ragassay.check_judge(file, model="lexical").checks
    pearson = {(row.role, row.aspect): row.measures["pearson"].value for row in check.rows}
    people = [pearson["people", aspect] for aspect in ("correctness", "completeness", "overall")]
    assert people == pytest.approx([0.666, 0.767, 0.741], abs=5e-4)
    for aspect, least in (("correctness", 0.55), ("completeness", 0.62), ("overall", 0.59)):
        assert pearson["judge", aspect] > least
        assert pearson["control", aspect] < 0.35
