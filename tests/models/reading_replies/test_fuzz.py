"""Whatever the text: an answer that stands in it, or UnreadableReply; in linear time."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.tasks.base import ReplyData, TaskData
from ragassay.tasks.catalogue import TASKS


class Finding(ReplyData):
    number: int
    text: str


class Findings(ReplyData):
    """One of each kind of field."""

    findings: tuple[Finding, ...]
    names: tuple[str, ...]
    reason: str
    sure: bool


class Names(ReplyData):
    names: tuple[str, ...]


TEXTS = st.text("ab \"'\\\n,:{}[]“’é#/", max_size=12)
FINDINGS = st.builds(
    Findings,
    findings=st.lists(st.builds(Finding, number=st.integers(0, 10**6), text=TEXTS), max_size=2).map(tuple),
    names=st.lists(TEXTS, max_size=2).map(tuple),
    reason=TEXTS,
    sure=st.booleans(),
)
WORDS = """{"names":["a"]} ["a","b"] <think> </think> "names" // /* */ ... ``` true None 12 “ ” { } [ ] " ' , : # -"""
PIECES = st.sampled_from([*WORDS.split(), "\\", " ", "\n", "\ud83d"])
REPLY_TYPES = st.sampled_from(sorted({task.filled_in for task in TASKS.values()}, key=lambda each: each.__name__))


def outcome(text: str, reply_type: type[TaskData], prompt: str = "") -> TaskData | None:
    try:
        return read_reply(text, reply_type, prompt=prompt)
    except UnreadableReply as error:
        return None if str(error) else pytest.fail("no reason is given")


@given(st.text(max_size=200) | st.lists(PIECES, max_size=20).map("".join), REPLY_TYPES, st.booleans())
def test_any_text_for_any_task(text: str, reply_type: type[TaskData], quoted: bool) -> None:
    outcome(text, reply_type, text if quoted else "")


@given(st.lists(PIECES, max_size=20).map("".join))
def test_no_text_of_an_answer_is_made_up(text: str) -> None:
    names = outcome(text, Names)
    if isinstance(names, Names) and "\\" not in text and "\ud83d" not in text:
        assert all(name in text for name in names.names)


@given(FINDINGS, st.sampled_from([None, 1]), st.sampled_from(["", "```json\n", "I find this: ", '[1] and "so" on:\n']))
def test_a_reply_that_was_cut_anywhere_is_whole_or_unreadable(data: Findings, indent: int | None, before: str) -> None:
    text = before + json.dumps(data.model_dump(), indent=indent)
    assert outcome(text, Findings) == data
    for end in range(len(text)):
        assert outcome(text[:end], Findings) in (None, data)


UNITS = """[ { " [" {" {"a": [\\ "\\ [/* [// [# [1, {a: [a <think> {“ "," ','b "b": ``` {"names":["a"]}""".split()


@pytest.mark.parametrize("unit", [*UNITS, ' "', "\n ", "\n</think>", 'x {"names": ["a b"]}\n', 'x: ["a b"]\n'])
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    for start in ("", '["', "{'a': '"):
        begun = time.process_time()
        outcome(start + unit * (100_000 // len(unit)), Names, prompt='{"names": ["x y"]}' * 100)
        # 60 microseconds a character, on a slow machine; what is quadratic takes a minute
        assert time.process_time() - begun < 6
