from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.agreement.check_items import QUALITIES, Compared, Pair, Rated, read_judge_set
from ragassay.errors import InputError, RecordError, UsageError

PAIR = {"question": "When?", "context": "It opened in 1998.", "better": "In 1998.", "worse": "In 1970."}
COMPARED = {
    "query": "When?",
    "gt_answer": "In 1998.",
    "model1": {"response": "In 1970."},
    "model2": {"response": "In 1998."},
    "overall_label": 2,
}
RATED = {"question": "When?", "answer": "In 1998.", "url": "a", "truthfulness": 5, "relevance": 4.5}


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_three_shapes_are_recognised(tmp_path: Path) -> None:
    (pair,) = read_judge_set(write(tmp_path / "p.jsonl", PAIR), "faithfulness").items["faithfulness"]
    assert pair == Pair(
        where="p.jsonl line 1", question="When?", better="In 1998.", worse="In 1970.", context="It opened in 1998."
    )
    (compared,) = read_judge_set(write(tmp_path / "c.jsonl", COMPARED)).items["preference"]
    assert isinstance(compared, Compared)
    assert (compared.first, compared.second, compared.labels) == ("In 1970.", "In 1998.", {"overall": 2.0})
    write(tmp_path / "knowledge_blocks.jsonl", {"url": "a", "content": "It opened in 1998."})
    file = write(tmp_path / "r.jsonl", RATED | {"n_input_tokens": 44, "completion_tokens": 67})
    (rated,) = read_judge_set(file, "truthfulness").items["truthfulness"]
    assert isinstance(rated, Rated)
    assert (rated.rating, rated.block, rated.tokens) == (5.0, "It opened in 1998.", (44, 67))
    (rated,) = read_judge_set(file, "answer_relevance").items["answer_relevance"]
    assert isinstance(rated, Rated)
    assert rated.rating == 4.5
    assert [*read_judge_set(file).items] == ["answer_relevance", "truthfulness"]  # every rating that it has


def test_judgements_of_two_people_on_the_same_answers_have_one_key(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", COMPARED, COMPARED | {"overall_label": 1}, COMPARED | {"query": "Where?"})
    one, other, third = read_judge_set(file).items["preference"]
    assert one.key == other.key != third.key  # type: ignore[union-attr]


ODD_LINES: list[tuple[list[Any], Any, str]] = [
    ([PAIR, "{broken\n"], "faithfulness", "f.jsonl line 2: not valid JSON"),
    ([PAIR, {"question": "When?"}], "faithfulness", "f.jsonl line 2: fields must have one of three shapes"),
    ([PAIR | {"worse": ["b"]}], "faithfulness", "the field 'worse' must be text"),
    ([{"question": "q", "better": "a", "worse": "b"}], "faithfulness", "line 1: the field 'context' is missing"),
    ([PAIR], "truthfulness", "line 1: a pair cannot check truthfulness"),
    (
        [COMPARED],
        "faithfulness",
        "line 1: a comparison by a reference cannot check faithfulness",
    ),
    ([RATED], "preference", "line 1: one answer cannot check preference"),
    ([RATED], "faithfulness", "line 1: the rating is missing"),
    ([RATED | {"truthfulness": "good"}], "truthfulness", "the field 'truthfulness' must be a number, not 'good'"),
    ([json.dumps(RATED | {"truthfulness": float("nan")})], "truthfulness", "must be a number, not 'nan'"),
    ([RATED | {"truthfulness": 10**400}], "truthfulness", "the field 'truthfulness' must be a number, not '"),
    ([RATED], "truthfulness", "line 1: unknown knowledge block"),
    ([COMPARED | {"overall_label": None}], "preference", "line 1: the label is missing"),
    ([COMPARED | {"model1": {"text": "x"}}], "preference", "'model1' has no text in its field response"),
    ([PAIR, RATED | {"relevance": 3}], "answer_relevance", "line 2: shape differs from"),
    ([PAIR | {"quality": "beauty"}], None, "line 1: unknown quality 'beauty'; choose one of faithfulness"),
]


@pytest.mark.parametrize(("rows", "quality", "message"), ODD_LINES)
def test_an_odd_line_is_named(tmp_path: Path, rows: list[Any], quality: Any, message: str) -> None:
    with pytest.raises(RecordError) as raised:
        read_judge_set(write(tmp_path / "f.jsonl", *rows), quality)
    assert message in str(raised.value)


def test_nothing_to_check_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--quality: f\.jsonl line 1 has no quality; choose one of"):
        read_judge_set(write(tmp_path / "f.jsonl", PAIR))
    with pytest.raises(InputError, match="holds no item for preference"):
        read_judge_set(write(tmp_path / "f.jsonl", PAIR | {"quality": "faithfulness"}), "preference")
    with pytest.raises(InputError, match=r"gone\.jsonl cannot be read"):
        read_judge_set(tmp_path / "gone.jsonl", "faithfulness")
    with pytest.raises(InputError, match=r"--blocks: .*gone\.jsonl cannot be read"):
        read_judge_set(write(tmp_path / "f.jsonl", RATED), "truthfulness", tmp_path / "gone.jsonl")


def test_blocks_that_share_a_title_stand_for_neither(tmp_path: Path) -> None:
    blocks = write(
        tmp_path / "b.jsonl",
        {"url": "a", "title": "Mercury", "content": "A planet."},
        {"url": "b", "title": "Mercury", "content": "A metal."},
    )
    rated = {"question": "q", "answer": "a", "truthfulness": 5}
    (found,) = read_judge_set(write(tmp_path / "f.jsonl", rated | {"url": "b"}), "truthfulness", blocks).items.values()
    assert found[0].block == "A metal."  # type: ignore[union-attr]
    with pytest.raises(
        RecordError, match="give its text in the field block, or its url, id or title in the --blocks file"
    ):
        read_judge_set(write(tmp_path / "f.jsonl", rated | {"title": "Mercury"}), "truthfulness", blocks)


def test_the_shipped_set_has_every_quality_in_two_languages() -> None:
    found = read_judge_set(None)
    assert tuple(found.items) == QUALITIES
    assert 30 <= sum(map(len, found.items.values())) <= 60
    for items in found.items.values():
        assert any("\u4e00" <= item.question[0] <= "\u9fff" for item in items)
