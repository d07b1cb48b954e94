"""DragonBall's questions without an answer: who rightly refuses fares better than who answers."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean

import ragassay
from ragassay.records import Score, read_jsonl


def test_right_refusals_of_dragonball_are_scored_as_right(shared_data: Path, tmp_path: Path) -> None:
    rows = (shared_data / "dragonball" / "finance_en_gpt4o.jsonl").read_text("utf-8").splitlines(keepends=True)
    path = tmp_path / "unanswerable.jsonl"
    path.write_text("".join(row for row in rows if '"Irrelevant Unsolvable Question"' in row), "utf-8")
    names = ["abstention_recall", "completeness", "hallucination", "truthfulness", "relevance"]
    documents = shared_data / "dragonball" / "documents.jsonl"
    ragassay.evaluate(path, documents=documents, metrics=names, out=tmp_path / "run")
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for score in read_jsonl(tmp_path / "run" / "scores.jsonl", Score):
        assert score.value is not None
        found[score.example_id][score.metric] = score.value
    right = [each for each in found.values() if each["abstention_recall"] == 1]
    wrong = [each for each in found.values() if each["abstention_recall"] == 0]
    assert (len(right), len(wrong)) == (33, 19)
    assert {(each["truthfulness"], each["relevance"]) for each in right} == {(5, 1)}
    assert mean(each["truthfulness"] for each in wrong) < 4.5  # right ones had 3.86, wrong ones 4.39
    assert min(each["completeness"] for each in right) > 0  # 27 of 31 had 0
    for name, better in (("completeness", right), ("hallucination", wrong)):
        other = wrong if better is right else right
        assert mean(each[name] for each in better) > mean(each[name] for each in other) + 0.5
