"""A judge against people, from the command line: the embedded one, and one on a server."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stub_replies
import stub_server

import ragassay
from ragassay.errors import UsageError

_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
PAIRS = [
    (
        "When was it opened?",
        "The bridge was opened in May 1998 by the mayor.",
        "It was opened in May 1998.",
        "Not before 1970.",
    ),
    ("Who opened it?", "The bridge was opened in May 1998 by the mayor.", "The mayor opened it.", "A bishop did it."),
    ("How long is it?", "The bridge is 412 m long.", "The bridge is 412 m long.", "Nobody has measured it."),
]


class WordJudge(stub_server.Stub):
    """Supports a statement if half of its words stand in the context, and always prefers the first of two."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        match body["response_format"]["json_schema"]["name"]:
            case "answer_statements":
                return {"statements": [pieces["answer"]]}
            case "statement_verdicts":
                return {"verdicts": self._verdicts(pieces["context"], pieces["statements"])}
            case "chunk_judgement":
                useful = {"chunk": 1, "reason": "the only one", "useful": True}
                return {"statements": self._verdicts(pieces["chunk 1"], pieces["statements"]), "chunks": [useful]}
            case "score_faithfulness":
                return {"reason": "a number", "score": 5}
            case "prefer_faithfulness":
                return {"reason": "it stands first", "verdict": "first"}
        raise AssertionError(body)

    def _verdicts(self, context: str, statements: str) -> list[dict[str, Any]]:
        known = set(context.lower().split())
        said = [text.lower().split() for text in _NUMBERED.findall(statements)]
        shares = [sum(word in known for word in words) / len(words) for words in said]
        return [
            {"statement": number, "evidence": "", "reason": "words", "supported": share >= 0.5}
            for number, share in enumerate(shares, 1)
        ]


@pytest.fixture
def server() -> Iterator[stub_server.RunningStub]:
    running = stub_server.RunningStub(WordJudge(stub_server.Settings()))
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.jsonl"
    names = ("question", "context", "better", "worse")
    file.write_text("".join(json.dumps(dict(zip(names, pair, strict=True))) + "\n" for pair in PAIRS))
    return file


def rows_of(printed: dict[str, Any], quality: str) -> dict[str, Any]:
    return {row["scorer"]: row for row in printed["checks"][quality]["rows"]}


def test_the_shipped_set_checks_the_embedded_judge_anywhere(cli: Any) -> None:
    checked = cli("judge", "check", "--quality", "context-relevance", "--json")
    assert checked.code == 0, checked.err
    rows = rows_of(checked.json, "context_relevance")
    assert list(rows) == ["context_relevance", "shorter wins", "random", "cosine"]
    assert rows["context_relevance"]["measures"]["accuracy"]["value"] > 0.5
    assert (
        rows["context_relevance"]["measures"]["accuracy"]["n"] == checked.json["checks"]["context_relevance"]["items"]
    )
    assert checked.json["folder"] is None


def test_a_table_shows_the_judge_beside_the_controls(cli: Any, pairs: Path) -> None:
    checked = cli("judge", "check", pairs, "--quality", "faithfulness")
    assert checked.code == 0, checked.err
    assert "faithfulness (3 pairs)" in checked.out
    assert "longer wins" in checked.out
    assert "6 unanswered" not in checked.out


def test_ties_are_no_comparisons_to_get_right(cli: Any) -> None:
    found = cli("judge", "check", "--quality", "preference")
    assert found.code == 0, found.err
    checked = cli("judge", "check", "--quality", "preference", "--json").json["checks"]["preference"]
    first = checked["rows"][0]
    n = first["measures"]["accuracy"]["n"]
    assert 0 < n < checked["items"]
    table = found.out.partition(f"preference: {first['aspect']}")[2].partition("preference: ")[0]
    assert f"n = {n}" in table


def test_a_judge_on_a_server_is_checked_with_its_baselines_and_resumed(
    cli: Any, server: stub_server.RunningStub, pairs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ("judge", "check", pairs, "--quality", "faithfulness", "--model", f"{server.url}#words", "--out", out)
    command = (*command, "--judging", "separate")
    stopped = cli(*command, "--max-calls", "5", "--json")
    assert stopped.code == 7
    assert "--max-calls 5 reached" in stopped.err
    checked = cli(*command, "--json")
    assert checked.code == 0, checked.err
    rows = rows_of(checked.json, "faithfulness")
    # Half of the words of each better answer stand in the context, none of those of the worse ones.
    assert rows["faithfulness"]["measures"]["accuracy"]["value"] == 1.0
    assert rows["gpt_score_faithfulness"]["measures"]["accuracy"]["value"] == 0.5
    agreement = rows["gpt_ranking_faithfulness_agreement"]["measures"]
    assert agreement["order_agreement"]["value"] == 0.0
    assert checked.json["coverage"] == 1.0
    asked = server.stats.requests
    assert cli(*command, "--json").code == 0
    assert server.stats.requests == asked
    lines = [json.loads(line) for line in (out / "values.jsonl").read_text().splitlines()]
    assert [line["where"] for line in lines] == [f"pairs.jsonl line {number}" for number in (1, 2, 3)]
    assert lines[0]["values"]["faithfulness"] == [1.0, 0.0]
    assert "supported" in lines[0]["evidence"]["faithfulness"][0]
    assert json.loads((out / "check.json").read_text())["checks"] == checked.json["checks"]


def test_a_dry_run_sends_nothing(cli: Any, server: stub_server.RunningStub, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    estimated = cli(
        "judge",
        "check",
        pairs,
        "--quality",
        "faithfulness",
        "--model",
        f"{server.url}#words",
        "--out",
        out,
        "--dry-run",
    )
    assert estimated.code == 0, estimated.err
    assert "chunk judgement" in estimated.out
    assert server.stats.requests == 0
    assert not out.exists()


def test_a_judge_is_asked_twice_anew(cli: Any, server: stub_server.RunningStub, pairs: Path, tmp_path: Path) -> None:
    command = (
        *("judge", "repeat", pairs, "--quality", "faithfulness", "--model", f"{server.url}#words"),
        *("--out", tmp_path / "out", "--json"),
    )
    repeated = cli(*command)
    assert repeated.code == 0, repeated.err
    measures = {each["metric"]: each for each in repeated.json["measures"]}
    assert measures["faithfulness"]["same"]["value"] == 1.0
    assert measures["faithfulness"]["difference"]["value"] == 0.0
    first, second = repeated.json["costs"]
    assert first["calls"] == second["calls"] > 0
    asked = server.stats.requests
    printed = cli(*command[:-1])
    assert printed.code == 0
    assert "\nfaithfulness  " in printed.out  # the quality and the metric have one name: it is said once
    assert server.stats.requests == asked


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--quality", "beauty"), 2, "--quality: unknown quality 'beauty'; choose one of faithfulness"),
        ((), 2, "--quality: pairs.jsonl line 1 has no quality; choose one of"),
        (("--quality", "truthfulness"), 3, "pairs.jsonl line 1: a pair cannot check truthfulness, which needs"),
        (
            ("--quality", "faithfulness", "--max-cost", "1"),
            2,
            "--max-cost: needs a model on a server; name one with --model",
        ),
        (
            ("--quality", "faithfulness", "--dry-run"),
            2,
            "--dry-run: without a model on a server the run costs nothing; name one with --model",
        ),
    ],
)
def test_what_cannot_be_meant_is_said(
    cli: Any, pairs: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    checked = cli("judge", "check", pairs, *arguments)
    assert (checked.code, checked.out) == (code, "")
    assert message in checked.err
    assert len(checked.err.strip().splitlines()) == 1


def test_the_lexical_judge_needs_no_vectors(cli: Any, pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_vectors(*_: Any) -> None:
        raise AssertionError("a vector was asked for")

    monkeypatch.setattr("ragassay.models.vector_cache.CachedEncoder.encode", no_vectors)
    checked = cli("judge", "check", pairs, "--quality", "faithfulness", "--model", "lexical", "--json")
    assert checked.code == 0, checked.err
    rows = rows_of(checked.json, "faithfulness")
    assert list(rows) == ["faithfulness", "longer wins", "random"]
    assert rows["faithfulness"]["measures"]["accuracy"]["value"] == 1.0
    truthful = cli("judge", "check", "--quality", "truthfulness", "--model", "lexical", "--json")
    assert rows_of(truthful.json, "truthfulness")["truthfulness"]["measures"]["auroc"]["value"] > 0.7
    relevant = cli("judge", "check", "--quality", "answer_relevance", "--model", "lexical", "--json")
    assert relevant.code == 8
    assert "the judge gave no value for answer_relevance" in relevant.err
    row = rows_of(relevant.json, "answer_relevance")["answer_relevance"]
    assert row["measures"]["accuracy"]["n"] == 0
    assert "needs sentence vectors" in next(iter(row["reasons"]))


def test_the_same_from_python(pairs: Path, tmp_path: Path) -> None:
    found = ragassay.check_judge(pairs, quality="faithfulness", out=tmp_path / "out")
    (check,) = found.checks
    assert check.rows[0].measures["accuracy"].value == 1.0
    assert (tmp_path / "out" / "check.json").is_file()
    repeated = ragassay.repeat_judge(pairs, quality="faithfulness")
    assert repeated.measures[0].same.value == 1.0
    with pytest.raises(UsageError, match="unknown quality 'beauty'"):
        ragassay.check_judge(pairs, quality="beauty")


def test_a_command_that_is_gone_names_another(cli: Any) -> None:
    gone = cli("judge", "pairs", "docs", "--out", "pairs.jsonl")
    assert (gone.code, gone.out) == (2, "")
    assert "ragassay judge check FILE" in gone.err
