"""``--judge-check``: how far a judge agrees with people, beside its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stub_server
from stub_server import RunningStub

from ragassay.jobs.judge.known_agreement import answering_model, own_work
from ragassay.records import Document, Example, Prediction, Provenance, RankedChunk, Span, read_jsonl, write_jsonl

TEXT = "The Gannet Bridge is 412 m long. It was opened in May 1998. A ferry ran before it. The toll is 3 crowns."
N = 4


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with stub_server.running() as running:
        yield running


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four questions, three of whose answers are copied from the chunk."""
    folder = tmp_path / "set"
    folder.mkdir()
    span = Span(document_id="d1", start=33, end=59, text=TEXT[33:59])
    examples = [
        Example(
            id=f"q{number}",
            question=f"When was the Gannet Bridge opened, in question {number}?",
            answer="It was opened in May 1998.",
            context=span,
            references=(span,),
            keypoints=(),
            requested_label="fact_single",
            verified_label=None,
            provenance=Provenance(synthesizer="by_hand", model="none"),
        )
        for number in range(N)
    ]
    chunk = RankedChunk(chunk_id="c1", document_id="d1", start=0, end=82, score=1)
    answers = ["It was opened in May 1998."] * 3 + ["In May of 1998 it was opened."]
    predictions = [
        Prediction(example_id=f"q{number}", system="ours", chunks=(chunk,), answer=answer)
        for number, answer in enumerate(answers)
    ]
    write_jsonl(folder / "documents.jsonl", [Document(id="d1", title="Bridge", source="bridge.md", text=TEXT)])
    write_jsonl(folder / "examples.jsonl", examples)
    write_jsonl(folder / "predictions.jsonl", predictions)
    return folder


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    passages = [
        {
            "id": f"p{number}",
            "text": f"Bridge {number} was opened by the mayor and blessed by the bishop.",
            "claims": [
                {"text": f"Bridge {number} was opened by the mayor.", "supported": True, "type": "verbatim"},
                {"text": f"Bridge {number} was opened by the bishop.", "supported": False, "type": "role"},
            ],
        }
        for number in range(12)
    ]
    file = tmp_path / "claims.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in passages), encoding="utf-8")
    return file


def test_a_judge_on_a_server_is_shown_with_its_check(
    cli: Any, data: Path, claims: Path, server: RunningStub, tmp_path: Path
) -> None:
    judge = f"{server.url}#judge"
    checked, out = tmp_path / "checked", tmp_path / "judged"
    assert cli("judge", "check", claims, "--model", judge, "--out", checked).code == 0
    figures = json.loads((checked / "check.json").read_text("utf-8"))["claims"]["figures"]
    command = ("evaluate", data, "--metrics", "faithfulness,context_precision,rouge_1", "--model", judge)
    found = cli(*command, "--judge-check", checked, "--out", out, "--json")
    assert found.code == 0, found.err
    trust = found.json["trust"]
    (row,) = trust["agreement"]["faithfulness"]
    assert (row["data"], row["said_by"], row["statistic"]) == ("claims of claims.jsonl", "people", "balanced accuracy")
    assert (row["value"], row["n"]) == (figures["balanced_accuracy"]["value"], 24)
    assert [each["type"] for each in row["by_type"]] == ["supported: verbatim", "not supported: role"]
    assert (trust["agreement"]["context_precision"], trust["not_measured"]) == ([], None)
    page = (out / "report.html").read_text("utf-8")
    assert "24 claims of claims.jsonl" in page
    assert "How far this judge agrees with people" in page
    said = cli(*command, "--judge-check", checked).out
    assert re.search(r"faithfulness 0\.\d\d \(balanced accuracy, with people\), context precision not measured", said)
    agreement = cli("report", out, "--text").out.partition("How far this judge agrees with people")[2]
    assert re.search(r"faithfulness +balanced accuracy +0\.\d\d ", agreement)
    assert re.search(r"context precision +– not measured", agreement)
    assert cli("report", out, "--text", "--json").json["trust"] == trust
    unknown = cli(*command, "--json").json["trust"]
    assert (unknown["agreement"]["faithfulness"], unknown["not_measured"]) == (
        [],
        "This judge's agreement with people has not been measured. To measure it, run `ragassay judge check`.",
    )


def test_a_judge_that_wrote_questions_or_answers_is_said_to(cli: Any, data: Path, tmp_path: Path) -> None:
    command = ("evaluate", data, "--metrics", "faithfulness", "--json")
    assert cli(*command).json["trust"]["also_wrote"] == []
    lines = (data / "examples.jsonl").read_text("utf-8").replace('"none"', '"embedded (somehow)"')
    (data / "examples.jsonl").write_text(lines, "utf-8")
    assert cli(*command).json["trust"]["also_wrote"] == ["questions"]
    answers = tmp_path / "answers"
    assert cli(*command, "--system", "rag", "--out", answers).json["trust"]["also_wrote"] == ["questions", "answers"]
    assert cli("evaluate", answers, *command[2:]).json["trust"]["also_wrote"] == ["questions", "answers"]


def test_the_model_of_a_panel_or_of_one_role_is_known(tmp_path: Path, data: Path) -> None:
    examples = list(read_jsonl(data / "examples.jsonl", Example))
    assert own_work("openai:a; openai:b", examples, ["openai:b"]) == ("answers",)
    assert own_work("openai:a", examples, ["openai:a-mini"]) == ()
    for content, model in (
        ({"identity": {"models": {"roles": {"answerer": "openai:a"}}}}, "openai:a"),
        ({"identity": "of another program"}, ""),
        ({"identity": {"models": {"roles": []}}}, ""),
    ):
        (tmp_path / "run.json").write_text(json.dumps(content))
        assert answering_model(tmp_path) == model


@pytest.mark.parametrize("command", ["score", "evaluate", "run"])
def test_a_check_of_another_judge_is_refused_before_anything_is_asked(
    command: str, cli: Any, data: Path, claims: Path, server: RunningStub, tmp_path: Path, documents: Path
) -> None:
    checked = tmp_path / "checked"
    assert cli("judge", "check", claims, "--model", "lexical", "--out", checked).code == 0
    arguments = {
        "score": ("evaluate", data, "--metrics", "faithfulness", "--model"),
        "evaluate": ("evaluate", data, "--metrics", "faithfulness", "--judge"),
        "run": ("run", documents, "--out", tmp_path / "run", "--model"),
    }[command]
    refused = cli(*arguments, f"{server.url}#judge", "--judge-check", checked)
    assert (refused.code, refused.out, server.stats.requests) == (2, "", 0)
    said = f"{checked} measures embedded, words alone, but the judge is {server.url}#judge"
    assert refused.err == f"ragassay: --judge-check: {said}\n"
    refused = cli(*arguments, f"{server.url}#judge", "--judge-check", tmp_path)
    assert (refused.code, refused.out, server.stats.requests) == (3, "", 0)
    assert "check.json cannot be read (No such file or directory); name a folder that `ragassay judge" in refused.err
