"""``ragassay calls``: figures worked by hand, single calls in full, and no reply that steers the terminal."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.llm.call_log import LOG_FILE, CallLog, LoggedCall
from ragassay.models.llm.call_records import percentile
from ragassay.models.llm.server_replies import Answer, Usage
from ragassay.records import Example, Provenance, Span, write_jsonl

Cli = Callable[..., Any]
HOSTILE = "red\x1b[31m [bold]not bold[/bold] \u202edesrever\x9b2J\r\nreply:\n  pretended"


def logged(number: int, task: str = "label", **fields: Any) -> LoggedCall:
    usage = Usage(*fields.pop("usage", (100, 10)))
    answer = Answer(fields.pop("text", '{"label": "summary"}'), usage, "stop", fields.pop("failure", None))
    given: dict[str, Any] = {
        "model": "openai:gpt-4o-mini",
        "messages": json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}]),
        "parameters": '{"temperature": 0}',
        "unreadable": None,
        "latency_s": number / 10,
        "tries": 1,
    }
    return LoggedCall(
        key=number.to_bytes(16, "big"), task=task, prompt_hash="0" * 16, sample=0, answer=answer, **(given | fields)
    )


CALLS = [
    *(logged(number) for number in range(1, 9)),
    logged(9, failure="a filter of the server refused the text"),
    logged(10, unreadable="no JSON object", tries=3, text=HOSTILE),
    logged(11, "facts", usage=(1000, 500, True), model="http://localhost:8000/v1#m"),
]


def fill(folder: Path, calls: list[LoggedCall] = CALLS) -> CallLog:
    log = CallLog(folder / LOG_FILE)

    async def store() -> None:
        for each in calls:
            await log.store(each)

    asyncio.run(store())
    return log


@pytest.fixture
def run(tmp_path: Path) -> Path:
    fill(tmp_path).close()
    return tmp_path


def test_counts_tokens_cost_and_percentiles(cli: Cli, run: Path) -> None:
    outcome = cli("report", run, "--calls", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    label, facts = outcome.json["tasks"]
    # ten calls of 100 and 10 tokens at 0.15 and 0.60 dollars a million: 1000 x 0.15e-6 + 100 x 0.60e-6 = 0.00021
    assert label == {
        "task": "label",
        "calls": 10,
        "failed": 1,
        "unreadable": 1,
        "tries": 12,
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "estimated": 0,
        "cached_tokens": 0,
        "cost_usd": pytest.approx(0.00021),
        # 0.1 to 1.0: the 5th, 9th and 10th of ten
        "latencies_s": {"p50": 0.5, "p90": 0.9, "p99": 1.0},
    }
    assert (facts["calls"], facts["cost_usd"], facts["estimated"]) == (1, 0.0, 1)
    overall = outcome.json["all"]
    assert (overall["calls"], overall["prompt_tokens"], overall["cost_usd"]) == (11, 2000, pytest.approx(0.00021))
    assert sorted(run.iterdir()) == [run / LOG_FILE]  # it leaves nothing behind


def test_what_failed_is_listed(cli: Cli, run: Path) -> None:
    found = cli("report", run, "--calls", "--failed", "--json").json["calls"]
    assert [(each["id"], each["reason"]) for each in found] == [
        (9, "a filter of the server refused the text"),
        (10, "no JSON object"),
    ]
    assert "no JSON object" in cli("report", run, "--calls", "--failed").out
    assert "No call in the log is without" in cli("report", run, "--calls", "--failed", "--task", "facts").out


def test_calls_about_an_example(cli: Cli, tmp_path: Path) -> None:
    question = 'Who said "never", and wh\u00fd?'
    span = Span(document_id="d1", start=0, end=1, text="x")
    about: dict[str, Any] = {
        "requested_label": None,
        "verified_label": None,
        "provenance": Provenance(synthesizer="by_hand", model="none"),
    }
    example = Example(id="q1", question=question, answer="a", context=span, references=(span,), keypoints=(), **about)
    write_jsonl(tmp_path / "examples.jsonl", [example])
    asked = json.dumps([{"role": "user", "content": f"Question:\n{question}\nWhich?"}], ensure_ascii=False)
    fill(tmp_path, [
        logged(1), logged(2, messages=asked), logged(3, "question", text=json.dumps({"question": question})),
        logged(4, "question", text=json.dumps({"question": question}, ensure_ascii=False)),
        logged(5, messages=asked, unreadable="no JSON object"),
    ]).close()  # fmt: skip
    found = cli("report", tmp_path, "--calls", "--example", "q1", "--json").json["calls"]
    assert [each["id"] for each in found] == [2, 3, 4, 5]
    assert [each["reason"] for each in found] == ["", "", "", "no JSON object"]
    of_task = cli("report", tmp_path, "--calls", "--example", "q1", "--task", "label", "--json").json["calls"]
    assert [each["id"] for each in of_task] == [2, 5]
    assert "4 calls about q1" in cli("report", tmp_path, "--calls", "--example", "q1").out
    missing = cli("report", tmp_path, "--calls", "--example", "q2")
    assert missing.code == 2
    assert "has no example 'q2'" in missing.err


def test_a_call_in_full_and_harmless(cli: Cli, run: Path) -> None:
    outcome = cli("report", run, "--calls", "--call", "10")
    assert outcome.code == 0
    assert all(sign.isprintable() or sign == "\n" for sign in outcome.out)
    assert "⟨U+001B⟩[31m [bold]not bold[/bold] ⟨U+202E⟩desrever⟨U+009B⟩2J\n  reply:\n    pretended" in outcome.out
    for words in ("system:\n  Be brief.", "user:\n  Which?", 'parameters: {"temperature": 0}', "unreadable: no JSON"):
        assert f"\n{words}" in outcome.out
    # what the reply says to be a line of ours stands two spaces in
    assert [line for line in outcome.out.splitlines() if line.startswith("reply:")] == ["reply:"]
    as_json = cli("report", run, "--calls", "--call", "10", "--json")
    assert as_json.json["reply"] == HOSTILE
    assert as_json.json["messages"][1]["content"] == "Which?"
    assert as_json.out.isascii()


def test_an_unknown_price_is_said_and_can_be_given(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path, [logged(1, model="openai:gpt-99"), logged(2)]).close()
    assert "unknown" in cli("report", tmp_path, "--calls").out
    assert cli("report", tmp_path, "--calls", "--json").json["all"]["cost_usd"] is None
    own = tmp_path / "prices.toml"
    own.write_text("[gpt-99]\nprompt = 10\ncompletion = 0\n")
    # 100 tokens at 10 dollars a million, and 100 x 0.15e-6 + 10 x 0.60e-6 of the other
    found = cli("report", tmp_path, "--calls", "--json", "--prices", own).json["all"]["cost_usd"]
    assert found == pytest.approx(0.001 + 0.000021)


def test_no_log_no_run_and_no_database(cli: Cli, tmp_path: Path) -> None:
    for folder, words in ((tmp_path, "holds no calls.sqlite"), (tmp_path / "absent", "is not a folder")):
        outcome = cli("report", folder, "--calls")
        assert (outcome.code, outcome.out) == (3, "")
        assert words in outcome.err
    (tmp_path / LOG_FILE).write_text("nonsense " * 1000)
    assert "cannot be read (file is not a database); keep it" in cli("report", tmp_path, "--calls").err
    (tmp_path / LOG_FILE).unlink()
    sqlite3.connect(tmp_path / LOG_FILE).close()
    assert "has format 0" in cli("report", tmp_path, "--calls").err


def test_percentiles_by_nearest_rank() -> None:
    assert [percentile([1.0, 2.0, 3.0, 4.0], percent) for percent in (0, 25, 26, 50, 99, 100)] == [1, 1, 2, 2, 4, 4]
    assert percentile([7.0], 50) == 7


def test_prices_are_listed_with_their_age(cli: Any) -> None:
    known, unknown = cli("list", "prices", "openai:gpt-4o-mini", "nobody:x", "--json").json["prices"]
    assert (known["prompt"], known["completion"], unknown["prompt"]) == (0.15, 0.6, None)
    assert known["as_of"] in cli("list", "prices").out
