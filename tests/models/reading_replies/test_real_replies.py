"""716 raw replies of a small model to judge prompts: what is read, what is not, and why."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.tasks.base import ReplyData, TaskData


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


@pytest.mark.shared_data
def test_every_usable_object_or_list_is_read(shared_data: Path) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    opening_value = Counter[str]()
    for line in (shared_data / "llm_replies/llama3_8b.jsonl").read_text("utf-8").splitlines():
        reply = json.loads(line)
        reply_type = REPLY_TYPES[reply["task"]]
        try:
            data = read_reply(reply["reply"], reply_type)
        except UnreadableReply as error:
            counts[reply["task"], str(error)] += 1
            continue
        counts[reply["task"], "read"] += 1
        # they all open with their answer; most go on to invent the next ones
        try:
            opened, _ = json.JSONDecoder().raw_decode(reply["reply"].lstrip())
        except ValueError:
            opening_value["damaged"] += 1
            continue
        fields = opened if isinstance(opened, dict) else {next(iter(reply_type.model_fields)): opened}
        opening_value["the same" if reply_type(**fields) == data else "another"] += 1
    cut_off = "the reply was cut off before its JSON object was complete"
    assert counts == {
        ("statements", "read"): 50,
        ("statements", cut_off): 2,
        ("extracted_sentences", "read"): 48,
        ("extracted_sentences", cut_off): 4,
        ("question_and_noncommittal", "read"): 156,
        ("verdict", "no JSON object with 'verdict' in the reply"): 456,
    }
    assert opening_value == {"the same": 243, "damaged": 11}
