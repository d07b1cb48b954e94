"""What the reply reader makes of raw replies of a small model, and how fast, beside json.loads and json_repair.

    python benchmarks/replies.py --data ../shared/data

The replies are third-party and not part of the project; without them only the speed on valid replies is measured.
json_repair is measured if it happens to be installed; it is no dependency. docs/decisions/reading-replies.md has the
figures and what follows from them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.models.reading_replies.fitting import Misfit, fit, has_field, list_field
from ragassay.models.reading_replies.loose_json import objects_in
from ragassay.tasks.base import ReplyData, TaskData
from ragassay.tasks.verdicts import StatementVerdictReply, StatementVerdictsReply

SECONDS = 1.0


class Statements(ReplyData):
    statements: tuple[str, ...]


class Sentences(ReplyData):
    sentences: tuple[str, ...]


class Question(ReplyData):
    question: str
    noncommittal: bool


class Verdict(ReplyData):
    verdict: int


REPLY_TYPES: dict[str, type[TaskData]] = {
    "statements": Statements,
    "extracted_sentences": Sentences,
    "question_and_noncommittal": Question,
    "verdict": Verdict,
}


class Asked(NamedTuple):
    task: str
    reply: str
    reply_type: type[TaskData]


Reader = Callable[[Asked], object]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    file = arguments.parse_args().data / "llm_replies" / "llama3_8b.jsonl"
    readers = _readers()
    _speed("valid replies", [Asked("valid", _valid(), StatementVerdictsReply)], readers)
    fenced = f"Here are the verdicts:\n```json\n{_valid()}\n```"
    _speed("valid replies in a fence, after a sentence", [Asked("valid", fenced, StatementVerdictsReply)], readers)
    if not file.is_file():
        print(f"{file} is not there: real replies are skipped", file=sys.stderr)
        return 0
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    replies = [Asked(row["task"], row["reply"], REPLY_TYPES[row["task"]]) for row in rows]
    _speed(f"{len(replies)} real replies", replies, readers)
    _reasons(replies)
    return 0


def _readers() -> dict[str, Reader]:
    readers: dict[str, Reader] = {
        "read_reply": lambda asked: read_reply(asked.reply, asked.reply_type),
        "json.loads + pydantic": lambda asked: _of_type(json.loads(asked.reply), asked.reply_type),
    }
    try:
        repair = importlib.import_module("json_repair")
    except ImportError:
        print("json_repair is not installed: skipped\n")
    else:
        readers["json_repair + pydantic"] = lambda asked: _of_type(repair.loads(asked.reply), asked.reply_type)
    return readers


def _of_type(value: Any, reply_type: type[TaskData]) -> TaskData:
    name = list_field(reply_type)
    return reply_type.model_validate({name: value} if name and isinstance(value, list) else value)


def _valid() -> str:
    verdict = StatementVerdictReply(
        statement=1, evidence="The bridge opened in 1932.", reason="said so", supported=True
    )
    return StatementVerdictsReply(verdicts=(verdict,) * 4).model_dump_json()


def _speed(title: str, replies: Sequence[Asked], readers: dict[str, Reader]) -> None:
    print(f"{title}\n  {'':24} {'read':>5} {'not read':>9} {'replies/s':>10}")
    for name, reader in readers.items():
        read = rounds = 0
        begun = time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SECONDS:
            read = sum(_reads(reader, asked) for asked in replies)
            rounds += 1
        print(f"  {name:24} {read:5} {len(replies) - read:9} {rounds * len(replies) / elapsed:10,.0f}")
    print()


def _reads(reader: Reader, asked: Asked) -> bool:
    try:
        reader(asked)
    except ValueError:
        return False
    return True


def _reasons(replies: Sequence[Asked]) -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    others: Counter[str] = Counter()
    for asked in replies:
        try:
            data = read_reply(asked.reply, asked.reply_type)
        except UnreadableReply as error:
            outcomes[asked.task, str(error)] += 1
        else:
            outcomes[asked.task, "read"] += 1
            others[asked.task] += _last_that_fits(asked) != data
    for (task, outcome), count in sorted(outcomes.items()):
        print(f"  {task:26} {count:4}  {outcome}")
    print("\nreplies whose last object or list that fits is not the one they open with")
    for task, count in sorted(others.items()):
        print(f"  {task:26} {count:4}")


def _last_that_fits(asked: Asked) -> TaskData | None:
    last = None
    for parsed in objects_in(asked.reply):
        if parsed.ending == "closed" and (isinstance(parsed.value, list) or has_field(parsed.value, asked.reply_type)):
            try:
                last = fit(parsed.value, asked.reply_type)
            except Misfit:
                continue
    return last


if __name__ == "__main__":
    sys.exit(main())
