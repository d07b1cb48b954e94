"""``ragassay evaluate`` with a judge: embedded or on a server, in a folder, within limits, never paid for twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import stub_server
from by_hand import example_of
from stub_server import RunningStub

from ragassay.records import Document, Example, Prediction, RankedChunk, Score, Span, read_jsonl, write_jsonl

Cli = Callable[..., Any]
TEXT = "The Gannet Bridge is 412 m long. It was opened in May 1998. A ferry ran before it. The toll is 3 crowns."
BY_RULES = (
    "faithfulness,faithfulness_inferred,answer_relevance,context_relevance,completeness,hallucination,irrelevancy,"
    "context_precision,correctness,truthfulness,relevance,truthfulness_and_relevance"
)
ONLY_LANGUAGE_MODELS = "gpt_score_faithfulness,gpt_score_answer_relevance,gpt_score_context_relevance"
RANKINGS = "gpt_ranking_faithfulness,gpt_ranking_answer_relevance,gpt_ranking_answer_relevance_agreement"
N = 4


def _example(number: int) -> Example:
    span = Span(document_id="d1", start=33, end=59, text=TEXT[33:59])
    return example_of(
        f"q{number}",
        question=f"When was the Gannet Bridge opened, in question {number}?",
        answer="It was opened in May 1998.",
        context=span,
        references=(span,),
        keypoints=("The Gannet Bridge was opened in May.", "The Gannet Bridge was opened in 1998."),
        requested_label="summary" if number % 2 else "fact_single",
        question_type="factual",
    )


def _prediction(number: int, system: str = "ours", answer: str = "It was opened in May 1998") -> Prediction:
    chunk = RankedChunk(chunk_id="c1", document_id="d1", start=0, end=82, score=1)  # its text is that of the document
    return Prediction(example_id=f"q{number}", system=system, chunks=(chunk,), answer=f"{answer}, number {number}.")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder as ``ragassay run`` leaves one: chunks without texts, and the documents beside them."""
    folder = tmp_path / "set"
    folder.mkdir()
    write_jsonl(folder / "documents.jsonl", [Document(id="d1", title="Bridge", source="bridge.md", text=TEXT)])
    write_jsonl(folder / "examples.jsonl", map(_example, range(N)))
    write_jsonl(folder / "predictions.jsonl", map(_prediction, range(N)))
    return folder


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with stub_server.running() as running:
        yield running


@pytest.fixture
def judge(server: RunningStub) -> tuple[str, str]:
    return "--model", f"{server.url}#judge"


def _values(outcome: Any) -> dict[str, float | None]:
    return {name: each["value"] for name, each in outcome.json["metrics"].items()}


def test_the_folder_holds_all_that_others_read(cli: Cli, data: Path, tmp_path: Path) -> None:
    out, names = tmp_path / "judged", "faithfulness,rouge_1"
    assert cli("evaluate", data, "--metrics", names, "--out", out).code == 0
    assert {path.name for path in out.iterdir()} == {
        *("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl"),
        *("metrics.json", "stages.json", "run.json", "report.html"),
    }
    assert "faithfulness" in (out / "report.html").read_text("utf-8")
    scores = list(read_jsonl(out / "scores.jsonl", Score))
    assert [(each.metric, each.example_id) for each in scores] == [
        (name, f"q{number}") for name in ("rouge_1", "faithfulness") for number in range(N)
    ]
    evidence = scores[-1].evidence
    assert "supported: Gannet Bridge was opened in May 1998" in evidence[0]
    assert '<- "' in evidence[0]
    assert evidence[-1].startswith("by built-in rules (statement_verdicts, version")
    assert json.loads((out / "run.json").read_text("utf-8"))["state"] == "finished"
    again = tmp_path / "again"
    assert cli("evaluate", data, "--metrics", names, "--out", again, "--processes", "1").code == 0
    for name in ("scores.jsonl", "metrics.json", "predictions.jsonl", "examples.jsonl"):
        assert (again / name).read_bytes() == (out / name).read_bytes()
    # what was scored can be scored again, and compared
    assert cli("evaluate", out, "--metrics", names, "--json").code == 0
    assert cli("compare", out, again, "--json").json["metrics"]["faithfulness"]["n"] == N
    printed = cli("evaluate", data, "--metrics", names, "--out", out, "--json").json
    inspected = cli("report", out, "--json", "--text").json
    assert {name: inspected[name] for name in ("metrics", "labels", "types")} == {
        name: printed[name] for name in ("metrics", "labels", "types")
    }
    assert "faithfulness" in cli("report", out, "--text").out
    refused = cli("evaluate", data, "--metrics", "rouge_1", "--out", out)
    assert (refused.code, "(metrics: faithfulness, rouge_1 there, rouge_1 now)" in refused.err) == (4, True)
    assert cli("evaluate", data, "--metrics", "rouge_1", "--out", out, "--overwrite").code == 0


def test_a_judge_on_a_server(cli: Cli, data: Path, server: RunningStub, judge: tuple[str, str], tmp_path: Path) -> None:
    rivals = tmp_path / "rivals.jsonl"
    write_jsonl(rivals, [_prediction(number, "theirs", "Nobody knows") for number in range(N)])
    names = f"{BY_RULES},{ONLY_LANGUAGE_MODELS},{RANKINGS}"
    command = (
        "evaluate",
        data,
        "--metrics",
        names,
        "--against",
        rivals,
        "--out",
        tmp_path / "judged",
        *judge,
        "--json",
    )
    estimate = cli(*command, "--dry-run")
    assert estimate.code == 0, estimate.err
    assert server.stats.requests == 0
    outcome = cli(*command)
    assert outcome.code == 0, outcome.err
    assert all(each is not None for each in _values(outcome).values())
    # 1 call for faithfulness, correctness, keypoints, the use of chunks and ratings, 2 for the other faithfulness,
    # 1 for each other family, 2 for each ranking
    per_example = 1 + 2 + len(("answer", "context")) + 3 + 2 * 2
    assert server.stats.requests == outcome.json["calls"]["sent"] == N * per_example
    assert estimate.json["all"]["calls"] == N * per_example
    assert cli(*command).json["metrics"] == outcome.json["metrics"]
    assert server.stats.requests == N * per_example  # all of it was in the log
    last = list(read_jsonl(tmp_path / "judged" / "scores.jsonl", Score))[-1]
    assert last.evidence[-1].startswith("prompt of prefer_answer_relevance: ")
    assert "prompts" in json.loads((tmp_path / "judged" / "run.json").read_text("utf-8"))


def test_without_a_folder_nothing_is_paid_for_twice_either(
    cli: Cli, data: Path, server: RunningStub, judge: tuple[str, str]
) -> None:
    first = cli("evaluate", data, "--metrics", "faithfulness", *judge, "--json")
    sent = server.stats.requests
    second = cli("evaluate", data, "--metrics", "faithfulness", *judge, "--json")
    assert (first.code, second.code, sent) == (0, 0, 2 * N)
    assert first.json["metrics"] == second.json["metrics"]
    assert server.stats.requests == sent


def test_a_limit_stops_and_the_same_command_goes_on(
    cli: Cli, data: Path, server: RunningStub, judge: tuple[str, str], tmp_path: Path
) -> None:
    command = ("evaluate", data, "--metrics", "faithfulness,correctness", "--out", tmp_path / "judged", *judge)
    stopped = cli(*command, "--max-calls", "3", "--json")
    assert stopped.code == 7
    assert "--max-calls 3 reached: the scores so far are above" in stopped.err
    assert server.stats.requests == 3
    found = stopped.json
    assert found["stopped_by"] == "--max-calls 3 reached"
    assert found["metrics"]["faithfulness"]["n"] < N
    assert sum(found["reasons"]["faithfulness"].values()) == N - found["metrics"]["faithfulness"]["n"]
    whole = cli(*command, "--json")
    assert whole.code == 0, whole.err
    assert whole.json["metrics"]["faithfulness"]["n"] == N
    assert server.stats.requests == N
    assert server.stats.summary()["answered_again"] == 0


def test_what_is_missing_is_said_before_anything_is_sent(
    cli: Cli, data: Path, server: RunningStub, judge: tuple[str, str]
) -> None:
    bare = [replace(_example(number), keypoints=()) for number in range(N)]
    write_jsonl(data / "examples.jsonl", bare)
    names = "faithfulness,completeness,hallucination,gpt_ranking_faithfulness"
    outcome = cli("evaluate", data, "--metrics", names, *judge)
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.splitlines() == [
        "ragassay: completeness needs keypoints, which no example of the set has; leave the metric out",
        "hallucination needs keypoints, which no example of the set has; leave the metric out",
        "gpt_ranking_faithfulness needs other prediction, which no example of the set has; name the predictions of "
        "another system with --against, or leave the metric out",
    ]
    assert server.stats.requests == 0


def test_too_little_coverage(cli: Cli, data: Path, server: RunningStub, judge: tuple[str, str]) -> None:
    server.settings.refused = 0.6
    command = ("evaluate", data, "--metrics", "correctness,gpt_score_faithfulness", *judge, "--json")
    outcome = cli(*command)
    assert outcome.code == 8
    assert "--coverage: the judge answered" in outcome.err
    assert outcome.json["metrics"]["correctness"]["total"] == N
    assert cli(*command, "--coverage", "0").code == 0
