"""A judge on claims about passages, from the command line."""

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

_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


class WordJudge(stub_server.Stub):
    """Supports a claim if all of its words stand in the context."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        assert body["response_format"]["json_schema"]["name"] == "statement_verdicts"
        known = set(pieces["context"].lower().split())
        said = [set(text.lower().split()) for text in _NUMBERED.findall(pieces["statements"])]
        return {
            "verdicts": [
                {"statement": number, "evidence": "", "reason": "words", "supported": words <= known}
                for number, words in enumerate(said, 1)
            ]
        }


@pytest.fixture
def server() -> Iterator[stub_server.RunningStub]:
    running = stub_server.RunningStub(WordJudge(stub_server.Settings()))
    try:
        yield running
    finally:
        running.stop()


def passage(number: int) -> dict[str, Any]:
    """Two claims that repeat words, one of them wrong; one in other words."""
    text = f"Bridge {number} was opened by the mayor and blessed by the bishop."
    return {
        "id": f"p{number}",
        "source": "guides" if number % 2 else "news",
        "title": "Bridges",
        "text": text,
        "claims": [
            {"text": f"Bridge {number} was opened by the mayor", "supported": True, "type": "verbatim"},
            {"text": f"Bridge {number} was opened by the bishop.", "supported": False, "type": "role"},
            {"text": f"A cleric gave bridge {number} a blessing.", "supported": True, "type": "paraphrase"},
        ],
    }


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    file = tmp_path / "claims.jsonl"
    file.write_text("".join(json.dumps(passage(number)) + "\n" for number in range(12)), encoding="utf-8")
    return file


def test_the_shipped_claims_need_no_file(cli: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    checked = cli("judge", "check", "--claims", "--model", "lexical", "--out", out, "--json")
    assert checked.code == 0, checked.err
    found = checked.json["claims"]
    assert checked.json["data"] == "the shipped claims"
    assert (found["figures"]["accuracy"]["n"], found["figures"]["passages"], found["commonest"]) == (320, 40, 0.5)
    assert 0 <= found["figures"]["auroc"]["low"] < found["figures"]["auroc"]["high"] <= 1
    assert sum(each["n"] for each in found["reliability"]["bins"]) == 320
    assert sum(each["accuracy"]["n"] for each in found["by_type"]) == 320
    assert [each["source"] for each in found["by_source"]] == ["medicine leaflets", "interviews and profiles"]
    lines = [json.loads(line) for line in (out / "values.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 320
    rights = [line["right"] for line in lines]
    assert rights == sorted(rights)  # wrong ones first
    assert {"claim", "verdict", "probability", "evidence", "reason", "where", "type", "supported"} <= lines[0].keys()
    assert json.loads((out / "check.json").read_text(encoding="utf-8"))["claims"] == found
    assert 'id="calibration"' in (out / "report.html").read_text(encoding="utf-8")


def test_a_judge_on_a_server_is_checked_on_a_file_of_claims_and_resumed(
    cli: Any, server: stub_server.RunningStub, claims: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ("judge", "check", claims, "--model", f"{server.url}#words", "--judging", "separate", "--out", out)
    dry = cli(*command, "--dry-run")
    assert dry.code == 0, dry.err
    assert "statement verdicts" in dry.out
    assert (server.stats.requests, out.exists()) == (0, False)
    stopped = cli(*command, "--max-calls", "5", "--json")
    assert stopped.code == 7
    assert stopped.json["claims"]["figures"]["accuracy"]["n"] == 15
    checked = cli(*command, "--json")
    assert checked.code == 0, checked.err
    found = checked.json["claims"]
    # Verbatim ones right; of the others all wrong: 12 of 36, of 24 supported ones 12, of 12 others none.
    assert found["figures"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert found["figures"]["balanced_accuracy"]["value"] == pytest.approx(1 / 4)
    assert [(each["type"], each["accuracy"]["value"], each["accuracy"]["n"]) for each in found["by_type"]] == [
        ("verbatim", 1.0, 12),
        ("paraphrase", 0.0, 12),
        ("role", 0.0, 12),
    ]
    assert found["figures"]["auroc"]["value"] is None
    assert found["figures"]["auroc"]["reason"] == "the judge says supported or not, without a score between"
    assert found["reliability"] is None
    asked = server.stats.requests
    printed = cli(*command)
    assert printed.code == 0, printed.err
    assert server.stats.requests == asked
    assert "By type of claim" in printed.out
    assert printed.out.count("\nwrong, ") == 5
    assert "no calibration: the judge says supported or not" in printed.out


def test_a_judge_that_never_answers_is_an_error_with_its_reason(
    cli: Any, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragassay.agreement.claim_judging.miscounted", lambda *_: "nothing to count")
    checked = cli("judge", "check", claims, "--model", "lexical")
    assert checked.code == 8
    assert "the judge gave no value for claims" in checked.err
    assert "no verdict on 36 claims: nothing to count" in checked.out


@pytest.mark.parametrize(
    ("command", "arguments", "code", "message"),
    [
        ("check", ("--quality", "faithfulness"), 2, "--quality: does not apply to claims; leave it out"),
        ("check", ("--blocks", "b.jsonl"), 2, "--blocks: does not apply to claims; leave it out"),
        ("repeat", (), 2, "claims.jsonl: only `ragassay judge check` takes claims"),
        (
            "check",
            ("--dry-run",),
            2,
            "--dry-run: without a model on a server the run costs nothing; name one with --model",
        ),
    ],
)
def test_what_cannot_be_meant_is_said(
    cli: Any, claims: Path, command: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    checked = cli("judge", command, claims, *arguments)
    assert (checked.code, checked.out) == (code, "")
    assert message in checked.err
    assert len(checked.err.strip().splitlines()) == 1


def test_a_line_that_cannot_be_used_stops_the_command(cli: Any, claims: Path, tmp_path: Path) -> None:
    wrong = passage(13)
    del wrong["claims"][1]["supported"]
    file = tmp_path / "more.jsonl"
    file.write_text(claims.read_text(encoding="utf-8") + json.dumps(wrong) + "\n", encoding="utf-8")
    refused = cli("judge", "check", file, "--out", tmp_path / "out")
    assert (refused.code, refused.out) == (3, "")
    assert "more.jsonl line 13, claim 2: the field 'supported' is missing; give true or false" in refused.err
    assert not (tmp_path / "out").exists()
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"question": "When?", "better": "a", "worse": "b"}\n', encoding="utf-8")
    refused = cli("judge", "check", pairs, "--claims")
    assert refused.code == 3
    assert "pairs.jsonl line 1: the field 'claims' must be a list" in refused.err


def test_the_same_from_python(claims: Path) -> None:
    found = ragassay.check_judge(claims, model="lexical")
    assert found.claims is not None
    assert (found.checks, found.claims.figures.accuracy.total, len(found.judgements)) == ((), 36, 36)
    assert ragassay.check_judge(claims=True, model="lexical").data == "the shipped claims"
