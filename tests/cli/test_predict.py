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

from ragassay.records import read_jsonl, write_jsonl

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


def test_predict_prints_all_questions_by_what_became_of_them(cli: Cli, data: Path, tmp_path: Path) -> None:
    with troubled() as server:
        outcome = cli(
            "evaluate", "--metrics", "none", data, "--system", server.url, "--out", tmp_path / "run", "--json"
        )
    assert (outcome.code, outcome.err) == (0, "")
    found = outcome.json["predicted"]
    assert (found["questions"], found["answered"], found["failed"], found["asked_now"]) == (6, 6, 0, 6)
    assert found["predictions"] == str(tmp_path / "run" / "predictions.jsonl")
    assert found["latency_s"]["n"] == 6
    assert found["input_tokens"] > 0
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["identity"]["system"] == {"kind": "http", "url": server.url}
    again = cli("report", tmp_path / "run", "--json", "--text")
    assert (again.code, again.json | {"asked_now": 6}) == (0, found)
    assert "retrieved" in cli("report", tmp_path / "run", "--text").out


def test_a_part_of_a_set(cli: Cli, data: Path, tmp_path: Path) -> None:
    part = ("--only", "title=Tern Bridge")
    for asked in (1, 0):  # goes on in the same folder
        found = cli("evaluate", data, "--system", "rag:retriever=bm25", *part, "--out", tmp_path / "once", "--json")
        assert (found.code, found.json["examples"], found.json["predicted"]["asked_now"]) == (0, 1, asked)
    assert [each["title"] for each in _objects(tmp_path / "once" / "documents.jsonl")] == ["Tern Bridge"]
    assert [each["id"] for each in _objects(tmp_path / "once" / "examples.jsonl")] == ["q1"]
    with troubled() as server:
        found = cli(
            "evaluate",
            "--metrics",
            "none",
            data,
            "--system",
            server.url,
            "--only",
            "title=Owl",
            "--out",
            tmp_path / "none",
        )
        assert (found.code, found.err) == (
            3,
            f"ragassay: {data} holds no examples with title = Owl; give an evaluation set\n",
        )
        assert (
            cli(
                "evaluate",
                "--metrics",
                "none",
                data,
                "--system",
                server.url,
                "--only",
                "title",
                "--out",
                tmp_path / "none",
            ).code
            == 2
        )
        assert not server.stats.outcomes
    assert not (tmp_path / "none").exists()


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


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


def test_predictions_can_be_scored(cli: Cli, data: Path, tmp_path: Path) -> None:
    system = "rag:retriever=bm25,top_k=1"
    assert cli("evaluate", "--metrics", "none", data, "--system", system, "--out", tmp_path / "run").code == 0
    scored = cli("evaluate", tmp_path / "run", "--metrics", "recall@1,token_f1", "--json")
    assert scored.json["metrics"]["recall@1"]["value"] == 1
    whole = cli("evaluate", data, "--system", "rag:retriever=bm25,top_k=1", "--metrics", "recall@1,token_f1", "--json")
    assert whole.code == 0
    assert whole.json["metrics"] == scored.json["metrics"]
    assert whole.json["predicted"]["system"] == "rag 512 lexical top 1"


def test_chunks_of_ones_own(cli: Cli, data: Path, tmp_path: Path) -> None:
    chunks = tmp_path / "chunks.jsonl"
    texts = {"n1": "Tern Bridge stands in the north.", "n2": "Nobody knows who built it."}
    chunks.write_text("".join(json.dumps({"id": n, "document_id": "Tern", "text": t}) + "\n" for n, t in texts.items()))
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"user_input": "Where is Tern Bridge?", "reference_contexts": [texts["n1"]]}))
    command = ("evaluate", rows, "--system", "rag:retriever=bm25", "--metrics", "recall@1,mrr@2", "--chunks", chunks)
    found = cli(*command, "--out", tmp_path / "run", "--json").json
    assert (found["metrics"]["recall@1"]["value"], found["system"]) == (1, "rag own chunks lexical")
    (prediction,) = _objects(tmp_path / "run" / "predictions.jsonl")
    assert (prediction["chunks"][0]["chunk_id"], prediction["chunks"][0]["document_id"]) == ("n1", "Tern")
    refused = cli("evaluate", data, "--from", "squad", "--system", "rag:retriever=bm25", "--chunks", chunks)
    assert (refused.code, refused.out) == (3, "")
    assert (
        refused.err == "ragassay: chunks: 'n1' is of 'Tern', which is not among the documents; give a document's id\n"
    )
    chunks.write_text(json.dumps({"document_id": "Tern", "text": texts["n1"]}))
    assert "holds other predictions (other content of chunks)" in cli(*command, "--out", tmp_path / "run").err


def test_evaluate_prints_tables_and_keeps_what_it_is_told_to(cli: Cli, data: Path, tmp_path: Path) -> None:
    outcome = cli("evaluate", data, "--from", "squad", "--system", "rag:retriever=bm25", "--out", tmp_path / "run")
    assert outcome.code == 0
    for said in ("questions", "recall@5", "token_f1", "95 % interval", "6 of 6"):
        assert said in outcome.out
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"predictions.jsonl", "scores.jsonl", "metrics.json", "examples.jsonl", "documents.jsonl"} <= names
    assert cli("evaluate", data, "--system", "rag:retriever=dense", "--out", tmp_path / "run").code == 4


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--system", "rga"), 2, "unknown system 'rga';"),
        (("--system", "rag:topk=3"), 2, "unknown option 'topk'; did you mean top_k?"),
        (
            ("--system", "rag", "--set", "retriever=bm26"),
            2,
            "retriever: unknown retriever 'bm26'; choose lexical, dense or hybrid",
        ),
        (("--system", "http://127.0.0.1:9/a", "--set", "retries=0"), 6, "not connected: no connection to"),
        (
            ("--system", "http://h/a b"),
            2,
            "url: contains white space or control characters; remove them, or write a space as %20",
        ),
        (("--system", "function:no_such_module_here:f"), 2, "no module 'no_such_module_here'"),
        (("--system", "function:json:loads"), 8, "JSONDecodeError"),
        (("--system", "function:json:nothing"), 2, "json has no 'nothing'"),
        (("--system", "function:shutil:copyfile"), 2, "cannot be called with the text of a question alone"),
        (
            ("--system", "command:no-such-program-here"),
            2,
            "program 'no-such-program-here' not found; check its name, or give its path",
        ),
        (("--system", "command:false"), 6, "command died: exit code 1"),
        (("--system", "recorded:absent.jsonl"), 3, "absent.jsonl cannot be read"),
        (("--system", "mine.toml"), 3, "mine.toml cannot be read"),
        (("--system", "no_retrieval"), 2, "name a language model with --model"),
        (("--system", "rag", "--concurrency", "0"), 2, "concurrency: must be at least 1, not 0"),
        (("--system", "rag", "--limit", "0"), 2, "--limit: must be at least 1, not 0"),
        (
            ("--system", "command:cat", "--model", "openai:x"),
            2,
            "--model: only applies to built-in systems, not to command",
        ),
        (
            ("--system", "rag", "--dry-run"),
            2,
            "--dry-run: without a model on a server the run costs nothing; name one with --model",
        ),
        (
            ("--system", "rag:reranker=best"),
            2,
            "reranker: unknown reranker 'best'; choose none, late_interaction, judge",
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


def test_a_file_that_lacks_questions(cli: Cli, data: Path, tmp_path: Path) -> None:
    (tmp_path / "made.csv").write_text("id,answer\nq0,1990\nq1,1991\nother,x\n")
    outcome = cli(
        "evaluate",
        "--metrics",
        "none",
        data,
        "--system",
        f"recorded:{tmp_path / 'made.csv'}",
        "--out",
        tmp_path / "run",
        "--json",
    )
    assert outcome.code == 8
    assert (outcome.json["predicted"]["answered"], outcome.json["predicted"]["reasons"]) == (2, {"not recorded": 4})


def test_a_system_file(cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with troubled(Troubles(key="a-key-of-my-own")) as server:
        monkeypatch.setenv("MY_KEY", "a-key-of-my-own")
        (tmp_path / "mine.toml").write_text(
            f'kind = "http"\nname = "mine"\nurl = "{server.url}"\nanswer = "answer"\nchunks = "chunks"\n'
            '[request]\nquestion = "{question}"\n[headers]\nX-Key = "${MY_KEY}"\n'
        )
        outcome = cli(
            "evaluate",
            "--metrics",
            "none",
            data,
            "--system",
            tmp_path / "mine.toml",
            "--out",
            tmp_path / "run",
            "--json",
        )
    assert (outcome.code, outcome.json["system"]) == (0, "mine")
    for path in (tmp_path / "run").iterdir():
        assert "a-key-of-my-own" not in path.read_text()


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
        assert process.err == "ragassay: stopped; finished work is kept: run the same command again to continue\n"
        server.troubles.silent_after = 0
        done = forking.begin(*command, "--json")
        assert done.wait() == 0
    assert json.loads(done.out)["predicted"]["asked_now"] in (4, 5)  # the second answer may have been on its way


def test_what_is_said_of_files_is_no_markup(cli: Cli, data: Path, tmp_path: Path) -> None:
    rows = [{"id": f"q{number}", "answer": None, "error": "[red]\x1b[31m: boom"} for number in range(6)]
    (tmp_path / "made.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outcome = cli(
        "evaluate",
        "--metrics",
        "none",
        data,
        "--system",
        f"recorded:{tmp_path / 'made.jsonl'}",
        "--out",
        tmp_path / "run",
    )
    assert "\x1b" not in outcome.out + outcome.err
    assert "[red]" in outcome.out


def test_records_are_written_as_others_read_them(cli: Cli, data: Path, tmp_path: Path) -> None:
    from ragassay.records import Prediction

    cli("evaluate", "--metrics", "none", data, "--system", "rag:retriever=bm25", "--out", tmp_path / "run")
    again = tmp_path / "copy.jsonl"
    made = list(read_jsonl(tmp_path / "run" / "predictions.jsonl", Prediction))
    write_jsonl(again, made)
    assert again.read_bytes() == (tmp_path / "run" / "predictions.jsonl").read_bytes()
    assert [each.example_id for each in made] == [f"q{number}" for number in range(6)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--metrics", "recal@5"), "unknown metric"),
        (("--metrics", "gpt_score_faithfulness"), "gpt_score_faithfulness needs a language model"),
        (
            ("--system", "http://h/a", "--judge", "openai:x", "--dry-run"),
            "--dry-run: only works for built-in systems, not for http; try it with --limit 10",
        ),
        (("--system", "rag:retriever=bm26"), "retriever: unknown retriever 'bm26'; choose lexical, dense or hybrid"),
        (("--max-calls", "3"), "--max-calls: needs a model on a server; name one with --model"),
        (("--from", "nonsense"), "--from: unknown format 'nonsense'; choose one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_evaluate_cannot_do(
    cli: Cli, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    outcome = cli("evaluate", data, *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert said in outcome.err


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
        assert {"answer", "answer_relevance", "statement_verdicts"} <= {row["task"] for row in usual}
