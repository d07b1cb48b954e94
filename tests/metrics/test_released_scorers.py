"""The published scorers: to the last digit, item by item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ragassay.metrics.released.dragonball import ReleasedScores, released_scores
from ragassay.metrics.released.rouge_l import released_rouge_l
from ragassay.metrics.released.sentences import released_sentences

# blake2b of the JSON of what pysbd 0.3.4 makes of all 1050 references, stripped
PYSBD_DIGEST = "061c0440d7551231"


@pytest.mark.shared_data
def test_published_figures_as_means_and_item_by_item(shared_data: Path) -> None:
    scores = {item["query"]["query_id"]: _score(item) for item in _rows(shared_data, "finance_en_gpt4o.jsonl")}
    published = {row["query_id"]: row for row in _rows(shared_data, "published_item_scores.jsonl")}
    assert scores.keys() == published.keys()
    for query, ours in scores.items():
        theirs = [published[query][name] for name in ("Recall", "EIR", "Precision", "ROUGELScore")]
        assert list(ours) == pytest.approx(theirs, abs=1e-12), query
    means = [fmean(column) for column in zip(*scores.values(), strict=True)]
    expected = [0.5863585373543355, 0.10780761369852739, 0.5057142857142857, 0.13217312401810513]
    assert means == pytest.approx(expected, abs=1e-9)


@pytest.mark.shared_data
def test_references_are_split_as_pysbd_splits_them(shared_data: Path) -> None:
    digest = hashlib.blake2b(digest_size=8)
    for item in _rows(shared_data, "finance_en_gpt4o.jsonl"):
        for reference in item["ground_truth"]["references"]:
            digest.update(json.dumps(released_sentences(reference)).encode())
    assert digest.hexdigest() == PYSBD_DIGEST


def test_english_sentences() -> None:
    # as pysbd 0.3.4 splits it: after ends of sentences, not after titles, initials, "No. 5"; glued ones stay together
    text = 'Mr. A. Lee sold 3.5 of it. He left.Then "Who?" came (No. 5). Nobody v. Smith.\nEnd'
    expected = ("Mr. A. Lee sold 3.5 of it.", 'He left.Then "Who?" came (No. 5).', "Nobody v. Smith.", "End")
    assert released_sentences(text) == expected
    assert released_sentences("1. First one. 2 more") == ("1. First one.", "2 more")
    assert released_sentences("  ") == ()


def test_chinese_sentences() -> None:
    assert released_sentences("今天下雨。明天？ 好！\n没有", "zh") == ("今天下雨。", "明天？", "好！", "没有")


def test_four_figures_by_hand() -> None:
    scores = released_scores(
        answer="the cat sat",
        reference_answer="the dog sat down",
        references=["One two three. Four five.", "Six. Seven"],
        chunks=["(title: a (b)Zero One two three.", "Four five. Six. Eight"],
    )
    # 1 of 2 references; of the metadata "(title: a (b)" goes: 4 + 4 words retrieved, 3 + 2 + 1 matched
    assert scores[:3] == (0.5, 6 / 8, 0.0)
    # two of 3 and of 4 words in common
    p, r = 2 / 3, 2 / 4
    assert scores.rouge_l_released == pytest.approx(2 * p * r / (p + r + 1e-8), abs=1e-15)


def test_conventions_of_the_released_scorer() -> None:
    nothing = released_scores(answer="", reference_answer="a", references=[], chunks=["b"])
    assert nothing == ReleasedScores(0.0, 0.0, 1.0, 0.0)
    # Chinese: 5 signs of 10 that are not white space
    chinese = released_scores(
        answer="a", reference_answer="a", references=["今天下雨。"], chunks=["今天下雨。 明天晴天。"], language="zh"
    )
    assert chinese.eir_released == 0.5


@pytest.mark.parametrize(
    ("answer", "reference", "shared", "said", "wanted"),
    [
        ("甲。乙", "甲。 乙", 2, 2, 2),  # a break after the stop parts the words
        ("甲。”乙", "甲。 乙", 1, 2, 2),  # the quote belongs to the sentence before
        ("甲？，乙", "甲？ ，乙", 2, 2, 2),
        ("a......b", "a...... b", 2, 2, 2),
        ("a\n \nb", "a\n\t\nc", 2, 3, 3),  # a line of white space is one empty word
        ("a B", "a b", 1, 2, 2),  # case counts
    ],
)
def test_rouge_l_of_the_released_scorer(answer: str, reference: str, shared: int, said: int, wanted: int) -> None:
    p, r = shared / said, shared / wanted
    assert released_rouge_l(answer, reference) == pytest.approx(2 * p * r / (p + r + 1e-8), abs=1e-15)


def _score(item: dict[str, Any]) -> ReleasedScores:
    return released_scores(
        answer=item["prediction"]["content"],
        reference_answer=item["ground_truth"]["content"],
        references=item["ground_truth"]["references"],
        chunks=item["prediction"]["references"],
        language=item["language"],
    )


def _rows(shared_data: Path, name: str) -> Iterator[dict[str, Any]]:
    with (shared_data / "dragonball" / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
