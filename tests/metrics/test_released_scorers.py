"""The published scorers: to the last digit, item by item."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.score.score import score
from ragassay.metrics import released
from ragassay.metrics.released import ReleasedScores, released_scores, released_sentences

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
    assert released_scores(answer="", reference_answer="", references=[], chunks=[]).all_references_recall == 0
    # a reference without a sentence is found; joined by a space, "One" and "two." are a sentence that no chunk has
    odd = released_scores(answer="", reference_answer="", references=["One", "two.", " "], chunks=["two.", "One"])
    assert odd[:3] == (1.0, 1.0, 0.0)


@pytest.fixture(params=["as recorded", "by jieba"])
def _cut(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by jieba":
        pytest.importorskip("jieba", reason="jieba is in no lock")
    else:
        monkeypatch.setattr(released, "jieba_words", lambda text: CUTS[text].split("|"))


CUTS = {  # by jieba 0.42.1
    "公司成立于2001年。": "公司|成立|于|2001|年|。",
    "2001年": "2001|年",
    "公司 成立于2001年。 总部设在上海市。": "公司| |成立|于|2001|年|。| |总部|设在|上海市|。",
    "华夏公司成立于2001年5月。": "华夏|公司|成立|于|2001|年|5|月|。",
    "“是吗？”他说。": "“|是|吗|？|”|他|说|。",
    "他说：“是吗？”": "他|说|：|“|是|吗|？|”",
    "营业收入为3.5亿元……同比增长12%。": "营业|收入|为|3.5|亿元|…|…|同比|增长|12%|。",
    "营业收入3.5亿元。\n同比增长12.0%": "营业|收入|3.5|亿元|。|\n|同比|增长|12.0%",
}


@pytest.mark.usefixtures("_cut")
def test_chinese_figures_are_those_of_the_released_code() -> None:
    # the sentence has 15 characters; both chunks have 15 + 8 + 9 and the space between them. F: 2 of 6 and 2 of 2 words
    scores = released_scores(
        answer="公司成立于2001年。",
        reference_answer="2001年",
        references=["华夏公司成立于2001年5月。"],
        chunks=["华夏公司成立于2001年5月。总部设在上海市。", "公司有员工三百人。"],
        language="zh",
    )
    p, r = 2 / 6, 2 / 2
    assert scores == ReleasedScores(1.0, 15 / 33, 1.0, pytest.approx(2 * p * r / (p + r + 1e-8), abs=1e-15))
    # from RAGEval's rouge_l.py with jieba 0.42.1 and rouge-chinese 1.0.3
    cuts = [*CUTS][2:]
    values = [released.released_rouge_l(*pair, "zh") for pair in zip(cuts[::2], cuts[1::2], strict=True)]
    assert values == pytest.approx([0.6315789423822715, 0.624999995, 0.5999999950500001], abs=1e-15)
    assert released.released_rouge_l("", "年", "zh") == 0


def test_without_jieba_chinese_has_no_value(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    released._jieba.cache_clear()
    row = {
        "query": {"query_id": 1, "content": "何时？", "query_type": "Factual Question"},
        "ground_truth": {"content": "2001年", "references": ["成立于2001年。"], "doc_ids": [1], "keypoints": []},
        "prediction": {"content": "在2001年。", "references": ["成立于2001年。"]},
        "language": "zh",
    }
    path = tmp_path / "zh.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    options = EvaluateOptions(metrics=("rouge_l_released", "eir_released@5"), data=path, from_format="dragonball")
    done = score(options)
    assert done.summary.metrics["eir_released@5"].value == 1
    assert done.summary.metrics["rouge_l_released"].value is None
    assert next(iter(done.summary.reasons["rouge_l_released"])) == released.NO_JIEBA


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
    assert released.released_rouge_l(answer, reference) == pytest.approx(2 * p * r / (p + r + 1e-8), abs=1e-15)


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
