"""A set with conversations, from rows to scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ragassay
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import sweep
from ragassay.rag.space import Space
from ragassay.records import Prediction, read_jsonl

BRIDGE = "Gannet Bridge opened in 1998. Gannet Bridge is 412 metres long."
SHIP = "Bluefin is a ferry. Bluefin was built in Oskay and is 80 metres long."
ASKED_ALONE = "How long is it? (Gannet Bridge open)"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    messages = [
        {"role": "user", "content": "When did Gannet Bridge open?"},
        {"role": "assistant", "content": "In 1998."},
        {"role": "user", "content": "How long is it?"},
    ]
    follow_up = {"messages": messages, "reference": "412 metres.", "reference_contexts": [BRIDGE]}
    alone = {"messages": [{"role": "user", "content": "Where was Bluefin built?"}], "reference_contexts": [SHIP]}
    path.write_text(f"{json.dumps(follow_up)}\n{json.dumps(alone)}\n", "utf-8")
    return path


def test_the_built_in_system_searches_with_a_standalone_question(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = ragassay.evaluate(
        rows, "rag:retriever=bm25,top_k=1", ["recall@1", "answer_relevance"], out=out, model="embedded"
    )
    assert done["recall@1"] == 1  # without the earlier turns "How long is it?" finds the ship, too
    found = list(read_jsonl(out / "predictions.jsonl", Prediction))
    assert [each.standalone_question for each in found] == [ASKED_ALONE, None]


def test_a_systems_own_rewriting_is_kept_and_scored(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "When did Gannet Bridge open?"},
        {"role": "assistant", "content": "In 1998."},
        {"role": "user", "content": "How long is it?"},
    ]
    follow_up = {"id": "a", "messages": messages, "standalone_question": "How long is Gannet Bridge?"}
    others = [{"id": "b", "messages": messages[:1]}, {**follow_up, "id": "c"}, {**follow_up, "id": "d"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"reference": "412 m.", **row}) + "\n" for row in (follow_up, *others)), "utf-8")

    def rewrites(question: str, history: list[dict[str, str]]) -> dict[str, str]:
        asked.append(question)
        if len(asked) == 4:
            raise ValueError("no")
        made = {1: "How long is the bridge?", 2: "When?"}.get(len(asked))
        return {"answer": "412 m.", **({"standalone_question": made} if made else {})}

    asked: list[str] = []
    done = ragassay.evaluate(path, rewrites, out=tmp_path / "run", model="embedded")  # the usual metrics
    found = {each.example_id: each for each in read_jsonl(tmp_path / "run" / "predictions.jsonl", Prediction)}
    assert [found[name].standalone_question for name in "abcd"] == ["How long is the bridge?", "When?", None, None]
    # "how long is bridge" and "how long is gannet bridge": 4 words in common of 4 and 5, so 8 / 9
    assert done["standalone_f1"] == pytest.approx(8 / 9)
    assert 0.5 < done["standalone_similarity"] < 1
    assert done.summary.reasons["standalone_f1"] == {
        "the example has no standalone question": 1,
        "the system returned no standalone question": 1,
        "the system failed: ValueError: no": 1,
    }
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "standalone f1" in page


def test_a_sweep_asks_the_standalone_question_as_predict_does(rows: Path, tmp_path: Path) -> None:
    space = Space(chunk_size=(128,), text_weight=(1.0,), top_k=(1,), generator=("none", "embedded"))
    swept = sweep(SweepOptions(dataset=rows, out=tmp_path / "swept", space=space, metrics=("recall@1",)))
    for name in {each.setting.name for each in swept.outcome.best}:
        made = {
            each.example_id: each
            for path in (tmp_path / "swept" / "predictions").glob("*.jsonl")
            for each in read_jsonl(path, Prediction)
            if each.system == name
        }
        assert sorted(each.standalone_question or "" for each in made.values()) == ["", ASKED_ALONE]
    ragassay.evaluate(rows, "rag:retriever=bm25,top_k=1,chunk_size=128", "none", out=tmp_path / "one", model="embedded")
    for one in read_jsonl(tmp_path / "one" / "predictions.jsonl", Prediction):
        assert made[one.example_id].chunks[0].chunk_id == one.chunks[0].chunk_id
        assert made[one.example_id].standalone_question == one.standalone_question
    assert "questions restated by embedded" in [row.work for row in swept.planned.rows]
