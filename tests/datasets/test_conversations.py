"""Rows with several turns: the last message of the user is the question, what stands before it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.registry import recognised
from ragassay.errors import RecordError
from ragassay.records import Turn

Written = Callable[..., Path]
Reader = Callable[..., Any]


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


FIRST = (Turn(role="user", content="When was it built?"), Turn(role="assistant", content="In 1998."))
TURNS = [user("When was it built?"), assistant("In 1998."), user("By whom?")]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"messages": TURNS}, "messages"),
        ({"user_input": TURNS, "reference": "x"}, "ragas"),
        (
            {
                "user_input": [
                    {"type": "human", "content": "When was it built?"},
                    {"type": "ai", "content": "In 1998."},
                    {"type": "human", "content": "By whom?"},
                ]
            },
            "ragas",
        ),
        ({"scenario": "a visitor", "turns": TURNS}, "deepeval"),
        ({"scenario": "a visitor", "turns": json.dumps(TURNS)}, "deepeval"),
    ],
)
def test_the_last_user_message_is_the_question(written: Written, read: Reader, row: dict[str, Any], name: str) -> None:
    path = written("a.jsonl", row)
    assert recognised(path).name == name
    found = read(path)
    assert [(each.question, each.history) for each in found.examples] == [("By whom?", FIRST)]
    assert not found.predictions


def test_what_is_said_after_the_question_is_the_recorded_answer(written: Written, read: Reader) -> None:
    found = read(written("a.jsonl", {"messages": [*TURNS, assistant("By Lind."), assistant("And Moe.")]}))
    assert (found.examples[0].history, found.predictions[0].answer) == (FIRST, "By Lind.\n\nAnd Moe.")
    row = {"user_input": [*TURNS, assistant("By Lind.")], "response": "By Moe.", "reference": ""}
    assert read(written("b.jsonl", row)).predictions[0].answer == "By Moe."


def test_any_order_of_turns_that_has_a_question_is_read(written: Written, read: Reader) -> None:
    greeted = [{"role": "system", "content": "Be brief."}, assistant("Hello!"), user("Who?")]
    twice = [user("I have a lamp."), user("Which bulb?")]
    silent = [user("Who?"), {**assistant(None), "tool_calls": [{}]}, {"role": "tool", "content": "x"}, user("When?")]
    parts = [user([{"type": "text", "text": "Who?"}])]
    found = read(written("a.jsonl", *({"messages": each} for each in (greeted, twice, silent, parts))))
    assert [each.question for each in found.examples] == ["Who?", "Which bulb?", "When?", "Who?"]
    assert [[(turn.role, turn.content) for turn in each.history] for each in found.examples] == [
        [("assistant", "Hello!")],
        [("user", "I have a lamp.")],
        [("user", "Who?")],
        [],
    ]
    assert found.notes.counts == {"not read: messages of systems and tools": 2}


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([], "has no message of a user; add the question, or take the row out"),
        ("Who?", "must be a list of messages"),
        ([user("Who?"), "me"], "has no known role in message 2"),
        ([user(" ")], "has no text in message 1, which is the user's"),
    ],
)
def test_what_cannot_be_used_is_said_with_row_and_field(
    written: Written, read: Reader, messages: Any, said: str
) -> None:
    path = written("a.jsonl", {"messages": TURNS}, {"messages": messages})
    with pytest.raises(RecordError) as caught:
        read(path)
    assert str(caught.value).startswith(f"a.jsonl line 2: the field 'messages' {said}")
    assert len(read(path, keep_going=True).examples) == 1
