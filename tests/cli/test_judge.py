"""A judge against people and against itself, from the command line: the embedded one, and one on a server."""

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
from stub_server import RunningStub

_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
PAIRS = (
    (
        "When was it opened?",
        "The bridge was opened in May 1998 by the mayor.",
        "It was opened in May 1998.",
        "Not before 1970.",
    ),
    ("Who opened it?", "The bridge was opened in May 1998 by the mayor.", "The mayor opened it.", "A bishop did it."),
    ("How long is it?", "The bridge is 412 m long.", "The bridge is 412 m long.", "Nobody has measured it."),
)
CLAIMS = (
    ("Bridge {} was opened by the mayor", True, "verbatim"),
    ("Bridge {} was opened by the bishop.", False, "role"),
    ("A cleric gave bridge {} a blessing.", True, "paraphrase"),
)


class WordJudge(stub_server.Stub):
    """Supports a statement if half of its words stand in the context, and always prefers the first of two."""

    share = 0.5

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        match body["response_format"]["json_schema"]["name"]:
            case "answer_statements":
                return {"statements": [pieces["answer"]]}
            case "statement_verdicts":
                return {"verdicts": self._verdicts(pieces["context"], pieces["statements"])}
            case "answer_judgement":
                useful = {"chunk": 1, "reason": "the only one", "useful": True}
                (verdict,) = self._verdicts(pieces["chunk 1"], f"1. {pieces['answer']}")
                claim = {"claim": pieces["answer"], "evidence": "", "supported": verdict["supported"]}
                return {"claims": [claim], "chunks": [useful]}
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
            {"statement": number, "evidence": "", "reason": "words", "supported": share >= self.share}
            for number, share in enumerate(shares, 1)
        ]


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[RunningStub]:
    running = RunningStub(getattr(request, "param", WordJudge)(stub_server.Settings()))
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


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    """Twelve passages, each with two claims that repeat words, one of them wrong, and one in other words."""
    file = tmp_path / "claims.jsonl"
    passages = [
        {
            "id": f"p{number}",
            "source": "guides" if number % 2 else "news",
            "title": "Bridges",
            "text": f"Bridge {number} was opened by the mayor and blessed by the bishop.",
            "claims": [{"text": text.format(number), "supported": is_so, "type": kind} for text, is_so, kind in CLAIMS],
        }
        for number in range(12)
    ]
    file.write_text("".join(json.dumps(passage) + "\n" for passage in passages), encoding="utf-8")
    return file


def rows_of(printed: dict[str, Any], quality: str) -> dict[str, Any]:
    return {row["scorer"]: row for row in printed["checks"][quality]["rows"]}


def test_the_shipped_set_checks_the_embedded_judge_anywhere(cli: Any) -> None:
    checked = cli("judge", "check", "--quality", "context-relevance", "--json")
    assert checked.code == 0, checked.err
    rows = rows_of(checked.json, "context_relevance")
    assert list(rows) == ["context_relevance", "shorter wins", "random", "cosine"]
    accuracy = rows["context_relevance"]["measures"]["accuracy"]
    assert accuracy["value"] > 0.5
    assert accuracy["n"] == checked.json["checks"]["context_relevance"]["items"]
    assert checked.json["folder"] is None


def test_the_shipped_claims_need_no_file(cli: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    checked = cli("judge", "check", "--claims", "--model", "lexical", "--out", out, "--json")
    assert checked.code == 0, checked.err
    claims = checked.json["claims"]
    assert checked.json["data"] == "the shipped claims"
    assert (claims["figures"]["accuracy"]["n"], claims["figures"]["passages"], claims["commonest"]) == (320, 40, 0.5)
    assert 0 <= claims["figures"]["auroc"]["low"] < claims["figures"]["auroc"]["high"] <= 1
    assert sum(each["accuracy"]["n"] for each in claims["by_type"]) == 320
    lines = [json.loads(line) for line in (out / "values.jsonl").read_text("utf-8").splitlines()]
    rights = [line["right"] for line in lines]
    assert (len(lines), rights) == (320, sorted(rights))  # wrong ones first
    assert {"claim", "verdict", "probability", "evidence", "reason", "where", "type", "supported"} <= lines[0].keys()
    assert json.loads((out / "check.json").read_text("utf-8"))["claims"] == claims
    assert (out / "report.html").is_file()


def test_a_judge_on_a_server_is_checked_with_its_baselines_and_resumed(
    cli: Any, server: RunningStub, pairs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ("judge", "check", pairs, "--quality", "faithfulness", "--model", f"{server.url}#words", "--out", out)
    command = (*command, "--judging", "separate")
    estimated = cli(*command, "--dry-run")
    assert estimated.code == 0, estimated.err
    assert "statement verdicts" in estimated.out
    assert (server.stats.requests, out.exists()) == (0, False)
    stopped = cli(*command, "--max-calls", "5", "--json")
    assert stopped.code == 7
    assert "--max-calls 5 reached" in stopped.err
    checked = cli(*command, "--json")
    assert checked.code == 0, checked.err
    rows = rows_of(checked.json, "faithfulness")
    # Half of the words of each better answer stand in the context, none of those of the worse ones.
    assert rows["faithfulness"]["measures"]["accuracy"]["value"] == 1.0
    assert rows["gpt_score_faithfulness"]["measures"]["accuracy"]["value"] == 0.5
    assert rows["gpt_ranking_faithfulness_agreement"]["measures"]["order_agreement"]["value"] == 0.0
    assert checked.json["coverage"] == 1.0
    asked = server.stats.requests
    assert cli(*command, "--json").code == 0
    assert server.stats.requests == asked
    lines = [json.loads(line) for line in (out / "values.jsonl").read_text().splitlines()]
    assert [line["where"] for line in lines] == [f"pairs.jsonl line {number}" for number in (1, 2, 3)]
    assert lines[0]["values"]["faithfulness"] == [1.0, 0.0]
    assert "supported" in lines[0]["evidence"]["faithfulness"][0]
    assert json.loads((out / "check.json").read_text())["checks"] == checked.json["checks"]


class SelfPreferring(WordJudge):
    """Words each answer in its own way, and prefers that wherever it stands."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        match body["response_format"]["json_schema"]["name"]:
            case "reworded_answer":
                return {"answer": f"Mine: {pieces['answer']}"}
            case "prefer_answer_relevance":
                is_first = "Mine: " in pieces["first answer"]
                return {"reason": "mine", "verdict": "first" if is_first or not self.prefers_own else "second"}
        return super().value(body, chance)

    prefers_own = True


class FirstPreferring(SelfPreferring):
    """Prefers what stands first."""

    prefers_own = False


@pytest.mark.parametrize(("server", "share"), [(SelfPreferring, 1.0), (FirstPreferring, 0.5)], indirect=["server"])
def test_the_shipped_check_tells_how_far_a_judge_prefers_its_own_words(
    cli: Any, server: RunningStub, share: float, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs.write_text(pairs.read_text("utf-8").replace("{", '{"quality": "faithfulness", '), "utf-8")
    monkeypatch.setattr("ragassay.people.agreement.check_items.SHIPPED", pairs)
    command = ("judge", "check", "--model", f"{server.url}#words", "--out", tmp_path / "out")
    assert "reworded answer" in cli(*command, "--dry-run").out
    checked = cli(*command, "--json")
    assert (checked.json["own_preferred"]["value"], checked.json["own_preferred"]["n"]) == (share, 12)
    assert "own preferred" in cli(*command).out
    named = cli("judge", "check", pairs, "--model", f"{server.url}#words", "--out", tmp_path / "named", "--json")
    assert named.json["own_preferred"] is None


def test_a_judge_is_asked_twice_anew(cli: Any, server: RunningStub, pairs: Path, tmp_path: Path) -> None:
    command = ("judge", "repeat", pairs, "--quality", "faithfulness", "--model", f"{server.url}#words")
    command = (*command, "--out", tmp_path / "out")
    repeated = cli(*command, "--json")
    assert repeated.code == 0, repeated.err
    measures = {measure["metric"]: measure for measure in repeated.json["measures"]}
    assert measures["faithfulness"]["same"]["value"] == 1.0
    assert measures["faithfulness"]["difference"]["value"] == 0.0
    first, second = repeated.json["costs"]
    assert first["calls"] == second["calls"] > 0
    asked = server.stats.requests
    printed = cli(*command)
    assert (printed.code, server.stats.requests) == (0, asked)
    assert "\nfaithfulness  " in printed.out  # the quality and the metric have one name: it is said once


def test_a_judge_that_never_answers_is_an_error_with_its_reason(
    cli: Any, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragassay.people.agreement.claims.miscounted", lambda *_: "nothing to count")
    checked = cli("judge", "check", claims, "--model", "lexical")
    assert checked.code == 8
    assert "the judge gave no value for claims" in checked.err
    assert "claims has no value: nothing to count (36)" in checked.out


FAITHFULNESS = ("--quality", "faithfulness")
