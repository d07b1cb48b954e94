"""Which object of a reply is the answer, and what makes a reply unreadable."""

from __future__ import annotations

import json

import pytest

from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.tasks.base import ReplyData


class Statements(ReplyData):
    statements: tuple[str, ...]


class Verdict(ReplyData):
    statement: int
    reason: str
    supported: bool


class Rating(ReplyData):
    reason: str
    rating: int


class Flag(ReplyData):
    useful: bool


CUT_OFF = "the reply was cut off before its JSON object was complete"
A = '{"statements": ["a b"]}'
B = '{"statements": ["c d"]}'


@pytest.mark.parametrize(
    "text",
    [
        A,
        f"```json\n{A}\n```",
        f"Here it is:\n{A}\nI hope this helps.",
        f"[1] and {{note}} aside, it is {A}",
        f"<think>{B}, no</think>\n{A}",
        f"{B}, no\n</think>\n{A}",
        f"<think>Perhaps <think>hm</think> {B}?</think>\n{A}",  # a draft behind the inner end
        f'{{"answer": {A}}}',
        '["a b"]',
        'The statements:\n["a b"]',
        '{"Statements": ["a b"], "note": 1}',
        '{"statements": ["a b"]',
    ],
)
def test_one_answer_in_any_wrapping(text: str) -> None:
    assert read_reply(text, Statements).statements == ("a b",)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        # a model that goes on writing invents further questions and their answers
        (f"{A}\n\nAnswer: I am not sure.\nOutput: {B}", "a b"),
        (f"```json\n{A}\n```\nAnother one would be\n{B}", "a b"),
        (f"{A}\nWithout any it would be: []", "a b"),
        # one that thinks aloud ends with its answer
        (f"A draft is {A} but better is {B}.", "c d"),
        (f"{A}\n\nWait, that is not right. Again:\n{B}", "c d"),
        (f"Without any it would be [] but I find {A}.", "a b"),
    ],
)
def test_one_of_several(text: str, statement: str) -> None:
    assert read_reply(text, Statements).statements == (statement,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("I cannot do that.", "no JSON object with 'statements' in the reply"),
        ('The list ["a b"] is one.', "no JSON object with 'statements' in the reply"),
        (f"<think>{A}", "the reply was cut off while thinking: no answer follows the thoughts"),
        ('{"statements": ["a b", "c', CUT_OFF),
        (
            f'A draft is {A} but better is {{"statements": ["a',
            "the reply was cut off before its JSON object was complete",
        ),
        ('{"statements": ["a b", ...]}', "the JSON object in the reply breaks off before '...]}'"),
        (
            '{"statements": ["a b", "..."]}',
            "the JSON object in the reply does not fit: it has dots in place of a text",
        ),
        (
            '{"theme": "x"}',
            "the JSON object in the reply does not fit: its fields are 'theme' and not 'statements'",
        ),
    ],
)
def test_unreadable_replies_say_why(text: str, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read_reply(text, Statements)
    assert str(caught.value) == reason


def test_an_object_of_the_prompt_is_no_answer() -> None:
    prompt = 'Reply like this: { "statements": ["a b"] }\n<context>{"useful": true}</context>'
    quoted = "the reply repeats a JSON object of the prompt and has none of its own"
    for text in (A, f"```\n{A}\n```", f"As in {A}", f'{{"answer": {A}}}', '["a b"]', "{'statements': ['a b']}"):
        with pytest.raises(UnreadableReply, match=quoted):
            read_reply(text, Statements, prompt=prompt)
    assert read_reply(f"{A}\n\nThe answer: {B}", Statements, prompt=prompt).statements == ("c d",)
    assert read_reply(f"{B}\n\nLike {A}", Statements, prompt=prompt).statements == ("c d",)
    # a flag that happens to be the one of the example, if nothing else is said
    assert read_reply('```json\n{"useful":true}\n```', Flag, prompt=prompt).useful
    with pytest.raises(UnreadableReply, match=quoted):
        read_reply('As in {"useful": true}, I see.', Flag, prompt=prompt)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{" * 1_000_000, "more than 500,000 characters"),
        ("{" * 3_000 + A, "more than 2,000 brackets before its answer"),
    ],
)
def test_what_no_model_writes_is_not_read_to_its_end(text: str, said: str) -> None:
    with pytest.raises(UnreadableReply, match=said):
        read_reply(text, Statements)
    long = json.dumps({"statements": ["a" * 600_000]})  # valid JSON is read whatever its length
    assert read_reply(long, Statements).statements == ("a" * 600_000,)
