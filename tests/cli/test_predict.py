"""``ragassay evaluate`` and ``ragassay evaluate``: what they print, and with which code they end."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from forked import Forking
from rag_servers import Troubles, troubled

Cli = Callable[..., Any]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """SQuAD rows: the quickest way to have documents and questions in one file."""
    rows = []
    for number, name in enumerate(("Gannet", "Tern", "Osprey", "Heron", "Curlew", "Plover")):
        text = f"The {name} Bridge was opened in {1990 + number}. It is {number + 3} km long."
        answer = str(1990 + number)
        rows.append(
            {
                "id": f"q{number}",
                "title": f"{name} Bridge",
                "context": text,
                "question": f"When was the {name} Bridge opened?",
                "answers": {"text": [answer], "answer_start": [text.index(answer)]},
            }
        )
    path = tmp_path / "squad.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_failures_are_listed_by_reason_and_end_with_a_code(cli: Cli, data: Path, tmp_path: Path) -> None:
    with troubled(Troubles(malformed=1.0)) as server:
        command = ("evaluate", "--metrics", "none", data, "--system", server.url, "--out", tmp_path / "run")
        outcome = cli(*command)
        assert outcome.code == 8
        assert (
            "--coverage: the system answered 0.0 % of the questions, less than 95 %; predictions.jsonl" in outcome.err
        )
        assert "malformed JSON" in outcome.out
        assert "6" in outcome.out
        assert cli(*command, "--coverage", "0").code == 0
        server.troubles.malformed = 0
        outcome = cli(*command, "--retry-failed", "--json")
    assert (outcome.code, outcome.json["predicted"]["answered"], outcome.json["predicted"]["asked_now"]) == (0, 6, 6)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--system", "rga"), 2, "unknown system 'rga';"),
        (("--system", "http://127.0.0.1:9/a", "--set", "retries=0"), 6, "not connected: no connection to"),
        (("--system", "function:no_such_module_here:f"), 2, "no module 'no_such_module_here'"),
        (("--system", "function:json:loads"), 8, "JSONDecodeError"),
        (("--system", "no_retrieval"), 2, "name a language model with --model"),
        (("--system", "rag", "--limit", "0"), 2, "--limit: must be at least 1, not 0"),
        (
            ("--system", "function:str:upper", "--model", "openai:x"),
            2,
            "--model: only applies to built-in systems, not to function",
        ),
        (
            ("--system", "rag", "--dry-run"),
            2,
            "--dry-run: no model on a server would be asked; name one with --model",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input(
    cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    outcome = cli("evaluate", "--metrics", "none", data, *arguments, "--out", tmp_path / "run")
    assert outcome.code == code
    assert said in outcome.err + outcome.out
    assert "Traceback" not in outcome.err
    if code != 8:
        assert outcome.err.startswith("ragassay: ")
        assert outcome.err.count("\n") == 1
        assert not (tmp_path / "run").exists()


def test_what_a_function_prints_is_not_in_the_object(
    cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prints_module.py").write_text("print('imported')\ndef f(q):\n    print(q)\n    return q\n")
    monkeypatch.chdir(tmp_path)
    outcome = cli(
        "evaluate",
        "--metrics",
        "none",
        data,
        "--system",
        "function:prints_module:f",
        "--out",
        tmp_path / "run",
        "--json",
    )
    assert (outcome.code, outcome.json["predicted"]["answered"]) == (0, 6)
    assert "imported" in outcome.err
    outcome = cli("evaluate", data, "--system", "function:prints_module:f", "--metrics", "token_f1", "--json")
    assert outcome.json["metrics"]["token_f1"]["n"] == 6


def test_ctrl_c_says_how_to_go_on(data: Path, tmp_path: Path, forking: Forking) -> None:
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # also below a shell's "&"
    entry = f"{heeds}; from ragassay.cli import main; main()"
    with troubled(Troubles(silent_after=2)) as server:  # it cannot end before it is stopped
        command = [
            entry,
            "evaluate",
            "--metrics",
            "none",
            data,
            "--system",
            server.url,
            "--concurrency",
            "1",
            "--out",
            tmp_path / "run",
        ]
        process = forking.begin(*command)
        while server.stats.answered.total() < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert (process.wait(), process.out) == (130, "")
        assert process.err == "ragassay: stopped; run the same command again to continue\n"
        server.troubles.silent_after = 0
        done = forking.begin(*command, "--json")
        assert done.wait() == 0
    assert json.loads(done.out)["predicted"]["asked_now"] in (4, 5)  # the second answer may have been on its way


def test_models_on_servers_are_estimated_limited_and_resumed(cli: Cli, data: Path, tmp_path: Path) -> None:
    system = "rag:retriever=bm25,retrieval=tool,reranker=judge"
    with plausible_server.running() as server:
        model = ("--model", f"{server.url}#plausible")
        command = (
            "evaluate",
            "--metrics",
            "none",
            data,
            "--system",
            system,
            "--out",
            tmp_path / "run",
            *model,
            "--json",
        )
        estimated = cli(*command, "--dry-run").json
        assert {row["task"]: row["calls"] for row in estimated["rows"]} == {
            "search_decision": 6,
            "chunk_grades": 6,
            "answer": 6,
        }
        assert (server.stats.requests, (tmp_path / "run").exists()) == (0, False)
        stopped = cli(*command, "--max-calls", "7")
        assert (stopped.code, server.stats.requests) == (7, 7)
        assert "--max-calls 7 reached" in stopped.err
        done = cli(*command)
        assert (done.code, done.json["predicted"]["answered"]) == (0, 6)
        assert done.json["predicted"]["input_tokens"] > 0
        assert server.stats.requests <= 3 * 6  # no call was made twice
        both = cli(
            "evaluate",
            data,
            "--system",
            "rag:retriever=bm25",
            "--metrics",
            "context_precision",
            *model,
            "--max-calls",
            "8",
        )
        assert both.code == 7
        assert "--max-calls reached by answers and metrics together: the scores so far are above" in both.err
        rows = cli("evaluate", data, "--metrics", "context_precision,recall@2", *model, "--dry-run", "--json").json[
            "rows"
        ]
        assert (rows[0]["stage"], rows[0]["task"], rows[0]["calls"]) == ("answers", "answer", 6)
        assert any(row["task"] == "context_usefulness" for row in rows)
        usual = cli("evaluate", data, *model, "--dry-run", "--json").json["rows"]
        assert {"answer", "answer_judgement"} <= {row["task"] for row in usual}
