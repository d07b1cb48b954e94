"""``ragassay experiment``: tables, the JSON object, codes, and models on servers that are paid once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stub_server

Cli = Callable[..., Any]
NAMES = ("Gannet", "Tern", "Osprey", "Heron", "Curlew", "Plover")


def squad(path: Path, asks: str) -> Path:
    rows = []
    for number, name in enumerate(NAMES):
        text = f"The {name} Bridge was opened in {1990 + number}. It is {number + 3} km long."
        answer = str(1990 + number) if asks == "When was" else f"{number + 3} km"
        rows.append(
            {
                "id": f"{asks[:3]}{number}",
                "title": f"{name} Bridge",
                "context": text,
                "question": f"{asks} the {name} Bridge?",
                "answers": {"text": [answer], "answer_start": [text.index(answer)]},
            }
        )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def sets(tmp_path: Path) -> tuple[str, ...]:
    made, people = squad(tmp_path / "made.jsonl", "When was"), squad(tmp_path / "people.jsonl", "How long is")
    return ("--synthetic", str(made), "--human", str(people))


def test_tables_and_object(cli: Cli, sets: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "first_word.py").write_text("def answer(question):\n    return question.split()[0]\n")
    (tmp_path / "first.toml").write_text('kind = "function"\ntarget = "first_word:answer"\nname = "first word"\n')
    command = ("experiment", "generators", "--system", "rag:retriever=bm25", "--system", tmp_path / "first.toml",
               *sets, "--metrics", "token_f1", "--out", tmp_path / "out")  # fmt: skip
    printed = cli(*command)
    assert printed.code == 0, printed.err
    for said in ("tau-b", "first word", "rag:retriever=bm25", "Do not choose a generator", "report.html", "6 of 6"):
        assert said in printed.out
    found = cli(*command, "--json")
    assert (found.code, found.err) == (0, "")
    order = found.json["orders"]["token_f1"]
    assert (order["tau"]["value"], order["tau"]["n"], order["swapped"]) == (1, 2, [])
    assert [place["human_rank"] for place in order["systems"]] == [1, 2]
    assert found.json["asked_now"] == {"synthetic": 0, "human": 0}
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["orders"] == found.json["orders"]


def test_models_on_servers_are_asked_once(cli: Cli, sets: tuple[str, ...], tmp_path: Path) -> None:
    server = stub_server.RunningStub(stub_server.Stub(stub_server.Settings()))
    try:
        one, other = f"{server.url}#gpt-one", f"{server.url}#llama-two"
        command = ("experiment", "generators", "--system", "rag:retriever=bm25,top_k=1", "--model", one,
                   "--model", other, "--judge", "embedded", *sets, "--metrics", "token_f1",
                   "--out", tmp_path / "out", "--coverage", "0")  # fmt: skip
        estimate = cli(*command, "--dry-run", "--json")
        assert estimate.code == 0, estimate.err
        assert estimate.json["all"]["calls"] == 24  # 2 sets x 6 questions x 2 models
        assert not server.stub.stats.requests
        stopped = cli(*command, "--max-calls", "7")
        assert stopped.code == 7
        assert "run the same command again to continue" in stopped.err
        asked = server.stub.stats.requests
        assert asked == 7
        done = cli(*command, "--json")
        assert done.code == 0, done.err
        assert server.stub.stats.requests == 24
        assert cli(*command, "--json").json["orders"] == done.json["orders"]
        assert server.stub.stats.requests == 24
    finally:
        server.stop()
    names = [system["name"] for system in done.json["systems"]]
    assert names == [f"rag:retriever=bm25,top_k=1, {one}", f"rag:retriever=bm25,top_k=1, {other}"]


def test_goes_on_after_a_kill(cli: Cli, sets: tuple[str, ...], tmp_path: Path) -> None:
    asked, allowed = tmp_path / "asked.txt", tmp_path / "allowed"
    (tmp_path / "slow_system.py").write_text(
        "import pathlib, time\n"
        "def one(question):\n"
        f"    open({str(asked)!r}, 'a').write(question + '\\n')\n"
        f"    while len(open({str(asked)!r}).readlines()) > 8 and not pathlib.Path({str(allowed)!r}).exists():\n"
        "        time.sleep(0.05)\n"
        "    return question\n"
        "two = lambda question: one('no ' + question)\n"
    )
    systems = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(f'kind = "function"\ntarget = "slow_system:{name}"\nname = "{name}"\n')
        systems += ["--system", str(tmp_path / f"{name}.toml")]
    command = ["experiment", "generators", *systems, *sets, "--metrics", "token_f1", "--out", str(tmp_path / "out")]
    child = subprocess.Popen([sys.executable, "-c", "from ragassay.cli import main; main()", *command])
    try:
        for _ in range(6000):
            if asked.exists() and len(asked.read_text().splitlines()) > 8:  # in the midst of the second system
                break
            time.sleep(0.05)
    finally:
        child.kill()
        child.wait()
    assert len(asked.read_text().splitlines()) == 9
    allowed.touch()
    done = cli(*command, "--json")
    assert done.code == 0, done.err
    assert len(asked.read_text().splitlines()) <= 25  # 24, and the one that was being asked
    assert cli(*command, "--json").json["asked_now"] == {"synthetic": 0, "human": 0}
