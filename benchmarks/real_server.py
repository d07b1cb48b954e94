"""Share of a real, very small model's replies that are read, by what the server holds replies to.

    make test-server                                  # once: installs the server into .venv-server
    RAGASSAY_SERVER_PYTHON=.venv-server/bin/python python benchmarks/real_server.py --out FOLDER \\
        [--weights NAME=FILE.gguf] [--data ../shared/data]

The weights are those that come with Ragassay; --weights names others instead. Every call is made one after the other,
on one thread, with replies of at most --tokens; --out keeps the logs of calls, so that a stopped run can go on. First:
the first reply to an input is read. Repaired: one of its replies is, after up to four repair turns. With --data,
recorded replies of Llama 3 8B to prompts of others (benchmarks/replies.py) stand beside it.
docs/decisions/language-models.md has the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import replies
from llama_server import PYTHON_VARIABLE, python_with_llama, running

from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.models.llm.chat_request import Sampling
from ragassay.models.llm.dialect import Format
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.samplings import Samplings
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.models.small.weights import BASE_NAME, find_weights
from ragassay.tasks.answering import ANSWER, QuestionWithChunks
from ragassay.tasks.base import Task, TaskData
from ragassay.tasks.critique import CRITIQUES, CritiquedPair
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, STATEMENT_VERDICTS, AnswerToQuestion, StatementsOnContext

MODES: dict[Format, str] = {"json_schema": "schema", "json_object": "JSON", "text": "plain"}
CASES = [
    (
        "Which day is the library closed?",
        "The library is closed on Mondays. On Sundays it opens at noon.",
        "The library opens from nine to six. It is closed on Mondays, and opens at noon on Sundays.",
    ),
    (
        "How long may it be kept?",
        "Opened jars keep for two weeks in the fridge.",
        "Unopened jars keep for a year. Once opened, keep the jar in the fridge and use it within two weeks.",
    ),
    (
        "Who signs travel requests above 500 euros?",
        "The head of the department signs them. Below that, the team lead does.",
        "Travel requests are signed by the team lead. Above 500 euros the head of finance signs as well.",
    ),
]


class Outcome(NamedTuple):
    """Of one input. first: its first reply was read. at_last: one of its replies was. calls: how many were made."""

    first: bool
    at_last: bool
    calls: int


def asked_of(n_cases: int) -> list[tuple[Task[Any, Any], TaskData]]:
    """Four tasks of every case: lists of texts, lists of objects, a rating, an answer with flags."""
    return [
        each
        for question, answer, text in CASES[:n_cases]
        for each in (
            (ANSWER_STATEMENTS, AnswerToQuestion(question=question, answer=answer)),
            (STATEMENT_VERDICTS, StatementsOnContext(question=question, statements=(answer,), context=text)),
            (CRITIQUES["stand_alone"], CritiquedPair(context=text, question=question, answer=answer)),
            (ANSWER, QuestionWithChunks(question=question, chunks=(text,))),
        )
    ]


def outcomes(log: Path) -> dict[str, list[Outcome]]:
    """Task name to what came of its inputs: calls that begin with the same two messages are turns of one."""
    with sqlite3.connect(log) as connection:
        rows = connection.execute(
            "SELECT task, messages, coalesce(failure, unreadable) IS NULL FROM calls ORDER BY id"
        ).fetchall()
    turns: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for task, messages, is_read in rows:
        turns[task, json.dumps(json.loads(messages)[:2])].append(bool(is_read))
    found: dict[str, list[Outcome]] = defaultdict(list)
    for (task, _), read in turns.items():
        found[task].append(Outcome(read[0], any(read), len(read)))
    return found


async def ask(model: OpenAICompatible, n_cases: int) -> None:
    """One after the other, so that the server keeps what it has read of the turns before."""
    async with model:
        for task, inputs in asked_of(n_cases):
            await model.ask(task, inputs)


def measure(name: str, url: str, n_cases: int, tokens: int, kept: Path) -> None:
    """Prints a row for each mode. kept: a folder for the logs; what they hold is not asked again."""
    for mode, shown in MODES.items():
        with CallLog(kept / f"{name}-{shown}" / LOG_FILE) as log:
            model = OpenAICompatible(
                Endpoint(name, url, "m"),
                log,
                Budget(),
                limits=Limits(max_in_flight=1, call_timeout_s=600),
                samplings=Samplings(Sampling(max_completion_tokens=tokens)),
                reply_format=mode,
            )
            asyncio.run(ask(model, n_cases))
        found = outcomes(log.path)
        every = [each for of_task in found.values() for each in of_task]
        _row(name, shown, len(every), sum(each.first for each in every), sum(each.at_last for each in every))
        for task, of_task in found.items():
            first, at_last = (sum(getattr(each, name) for each in of_task) for name in ("first", "at_last"))
            calls = sum(each.calls for each in of_task)
            print(f"  {task}: {first} and {at_last} of {len(of_task)}, {calls} calls", file=sys.stderr, flush=True)


def recorded(file: Path) -> None:
    """Prints the row of replies that somebody else's prompts brought; no turn could be added to them."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["task"] != "verdict"]  # a digit was asked for, and no JSON
    _row("Llama 3 8B, recorded", "plain", len(rows), sum(map(_is_read, rows)), None)


def _is_read(row: dict[str, str]) -> bool:
    try:
        read_reply(row["reply"], replies.REPLY_TYPES[row["task"]])
    except UnreadableReply:
        return False
    return True


def _row(name: str, mode: str, n: int, first: int, at_last: int | None) -> None:
    repaired = "" if at_last is None else f"{at_last} ({at_last / n:.0%})"
    print(f"| {name} | {mode} | {n} | {first} ({first / n:.0%}) | {repaired} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--port", type=int, default=8321, help="part of a call's key: the same to go on")
    parser.add_argument("--cases", type=int, default=len(CASES), help="of four inputs each")
    parser.add_argument("--tokens", type=int, default=96)
    arguments = parser.parse_args()
    python = python_with_llama()
    if python is None:
        print(f"llama-cpp-python is not installed; set {PYTHON_VARIABLE} to the Python that has it", file=sys.stderr)
        return 1
    named = {name: Path(file) for name, _, file in (each.partition("=") for each in arguments.weights)}
    weights = named or {BASE_NAME: find_weights()}
    print("| model | mode | inputs | first | repaired |\n| --- | --- | --- | --- | --- |", flush=True)
    if arguments.data:
        recorded(arguments.data / "llm_replies" / "llama3_8b.jsonl")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, file in weights.items():
        with running(python, file, arguments.out / "server.log", port=arguments.port) as server:
            measure(name, server.url, arguments.cases, arguments.tokens, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
