"""Replies in plain text: a line for each field."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.reading_replies import UnreadableReply, read_plain_reply
from ragassay.tasks.base import ReplyData


class Verdict(ReplyData):
    statement: int
    reason: str
    supported: bool


class Label(ReplyData):
    reason: str
    label: Literal["fact", "summary"]


class Judged(ReplyData):
    label: Label
    key_points: tuple[str, ...]
    used: tuple[int, ...]
    verdicts: tuple[Verdict, ...]


JUDGED = Judged(
    label=Label(reason="One thing: the year.", label="fact"),
    key_points=("It opened: in 1998.", "It is 412 m long."),
    used=(1, 3),
    verdicts=(
        Verdict(statement=1, reason="It says\nso.", supported=True),
        Verdict(statement=2, reason="", supported=False),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "label:\nreason: One thing: the year.\nlabel: fact\nkey_points:\n- It opened: in 1998.\n- It is 412 m long.\n"
        "used: 1, 3\nverdicts:\nstatement: 1\nreason: It says\nso.\nsupported: true\n"
        "statement: 2\nreason:\nsupported: false",
        "<think>label: summary</think>**Label**:\n  - **reason:** One thing: the year.\n  - Label: fact.\n\n"
        "Key points: It opened: in 1998.\n2. It is 412 m long.\nUsed:\n- 1\n- 3\nVerdicts:\n"
        "1. Statement: 1\n   Reason: It says\n   so.\n   Supported: Yes.\n"
        "2. Statement: 2\n   Reason:\n   Supported: no",
    ],
)
def test_fields_lists_and_objects(text: str) -> None:
    assert read_plain_reply(text, Judged) == JUDGED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I cannot do that.", "no line with one of 'reason', 'label' in the reply"),
        ("reason: so", "the fields of the reply do not fit: label: Field required"),
        ("reason: so\nlabel: story", "the fields of the reply do not fit: label: Input should be 'fact' or 'summary'"),
        ("<think>label: fact", "the reply was cut off while thinking: no answer follows the thoughts"),
    ],
)
def test_what_is_missing_is_named(text: str, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read_plain_reply(text, Label)
    assert str(caught.value) == reason


LINES = ["label:", "reason: a", "label: fact", "statement: 1", "- b", "used: 1, x", "supported: yes", "", "…"]


@given(st.lists(st.sampled_from(LINES)))
def test_nothing_but_a_reason_is_raised(lines: list[str]) -> None:
    with suppress(UnreadableReply):
        assert read_plain_reply("\n".join(lines), Label).label in ("fact", "summary")
    with suppress(UnreadableReply):
        read_plain_reply("\n".join(lines), Judged)
