"""Conversations in rows of other people: the question, the turns before it, and what was said to it.

Messages as OpenAI's protocol, ragas and deepeval write them: ``{"role": "user", "content": "..."}``, or with ``type``
``human`` and ``ai``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, text_of
from ragassay.datasets.replies.wording import ANSWERING, ASKING, message_text, speaker_of, unpack
from ragassay.records import Role, Turn


class Conversation(NamedTuple):
    """question: the last message of the user. history: what stands before it. answer: what was said to it, or ""."""

    question: str
    history: tuple[Turn, ...] = ()
    answer: str = ""


def question_of(row: Row, name: str, notes: Notes) -> Conversation | None:
    """As ``conversation_of``, of a field that may also hold the question alone."""
    value = row.value.get(name)
    if isinstance(value, list) or (isinstance(value, str) and _holds_messages(unpack(value))):
        return conversation_of(row, name, notes)
    text = text_of(row, name, notes)
    return None if text is None else Conversation(text)


def history_in(value: Any) -> tuple[Turn, ...]:
    """The turns before the last message of the user in a list of messages; () of anything else."""
    value = unpack(value)
    said = conversation_of(Row("", {"": value}), "", Notes(keep_going=True)) if _holds_messages(value) else None
    return said.history if said else ()


def _holds_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, Mapping) and speaker_of(e) for e in value)


def conversation_of(row: Row, name: str, notes: Notes) -> Conversation | None:
    """The conversation in a field; None, and a fault that names row and field, where it cannot be used.

    It may begin with the assistant, and the user may speak twice in a row. Messages of a system and of tools are left
    out, and so is what an assistant does without a word, as a call of a tool.
    """
    try:
        turns = _turns(unpack(row.value.get(name)), notes)
        last = max((place for place, turn in enumerate(turns) if turn.role == "user"), default=None)
        if last is None:
            raise ValueError("has no message of a user; add the question, or take the row out")
    except ValueError as error:
        notes.fault(f"{row.where}: the field {name!r} {error}")
        return None
    answer = "\n\n".join(turn.content for turn in turns[last + 1 :])
    return Conversation(turns[last].content, tuple(turns[:last]), answer)


def _turns(messages: Any, notes: Notes) -> list[Turn]:
    """Raises ValueError, a sentence that goes on after the name of the field."""
    if not isinstance(messages, list):
        raise ValueError("must be a list of messages, such as [{'role': 'user', 'content': 'Who?'}]")
    found = []
    for place, message in enumerate(messages, start=1):
        speaker = speaker_of(message) if isinstance(message, Mapping) else None
        if speaker is None:
            raise ValueError(f"has no known role in message {place}; write it as {{'role': 'user', 'content': 'Who?'}}")
        role: Role | None = "user" if speaker in ASKING else "assistant" if speaker in ANSWERING else None
        if role is None:
            notes.add("not read: messages of systems and tools")
            continue
        content = message_text(message)
        if content:
            found.append(Turn(role=role, content=content))
        elif role == "user":
            raise ValueError(f"has no text in message {place}, which is the user's; correct it, or take it out")
    return found
