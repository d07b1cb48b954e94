"""Questions, answers, conversations and tool calls of other people, as OpenAI, ragas and deepeval write them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, text_of
from ragassay.datasets.replies.places import unpack
from ragassay.records import Role, ToolCall, Turn

_ARGUMENTS = ("args", "arguments", "input_parameters")
"""Of tool calls: of ragas and LangChain, of OpenAI, of deepeval."""


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
    """Return the turns before the last message of the user in a list of messages; () of anything else."""
    value = unpack(value)
    said = conversation_of(Row("", {"": value}), "", Notes(keep_going=True)) if _holds_messages(value) else None
    return said.history if said else ()


def _holds_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, Mapping) and speaker_of(e) for e in value)


def conversation_of(row: Row, name: str, notes: Notes) -> Conversation | None:
    """Return the conversation in a field; None, and a fault that names row and field, where it cannot be used.

    Messages of a system and of tools are left out, and so is what an assistant does without a word, a call of a tool.
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
    """Raise ValueError, a sentence that goes on after the name of the field."""
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


def calls_in(row: Row, columns: Sequence[str]) -> tuple[ToolCall, ...] | None:
    """Return the calls of the first column that the row has; None without one. Raises ValueError for no list."""
    name = next((each for each in columns if row.value.get(each) not in (None, "")), None)
    if name is None:
        return None
    value = unpack(row.value[name])
    if not isinstance(value, list | tuple):
        raise ValueError(f"the field {name!r} must be a list of tool calls")
    return tuple(_call(each, f"the field {name!r}: call {place}") for place, each in enumerate(value, start=1))


def calls_said(messages: Any) -> tuple[ToolCall, ...] | None:
    """Return all calls of a conversation of ragas; None where the assistant neither calls nor has the last word."""
    turns = [each for each in messages if isinstance(each, Mapping)] if isinstance(messages, list) else []
    said = [each for each in turns if speaker_of(each) in ANSWERING]
    calls = [call for each in said for call in each.get("tool_calls") or ()]
    if not calls and not (said and turns[-1] is said[-1]):
        return None
    return tuple(_call(call, f"the field 'user_input': tool call {place}") for place, call in enumerate(calls, start=1))


def written_calls(name: str, calls: Sequence[ToolCall] | None) -> dict[str, Any]:
    """Return the column of the calls, as ragas has it; none where nobody says them."""
    if calls is None:
        return {}
    return {name: [{"name": each.name, "args": json.loads(each.arguments)} for each in calls]}


def _call(given: Any, where: str) -> ToolCall:
    if isinstance(given, str):
        given = {"name": given}
    if isinstance(given, Mapping) and isinstance(given.get("function"), Mapping):
        given = given["function"]  # as OpenAI's protocol has it
    name = given.get("name") if isinstance(given, Mapping) else None
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{where} has no name; write it as {{'name': 'search', 'args': {{'query': 'x'}}}}")
    arguments: Any = next((given[each] for each in _ARGUMENTS if given.get(each) is not None), {})
    arguments = unpack({} if arguments == "" else arguments)
    if not isinstance(arguments, Mapping):
        raise ValueError(f"{where} has arguments that are not a JSON object")
    try:
        # sorted keys, and 3.0 as 3: equal arguments are equal texts
        text = json.dumps(_plain(arguments), sort_keys=True, ensure_ascii=False, allow_nan=False)
        return ToolCall(name=name.strip(), arguments=text)
    except (TypeError, ValueError, RecursionError):
        raise ValueError(f"{where} has arguments that JSON cannot hold") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_QUESTIONS = tuple(
    "question query query_str user_input user_query input inputs prompt messages message text content kwargs".split()
)
_ANSWERS = tuple(
    """
    answer response output outputs output_text result choices generations messages message completion text content
    kwargs
    """.split()
)
"""The usual names of fields, most telling first; ``kwargs`` holds what LangChain serialises."""
_PASSAGES = ("documents", "nodes")
"""What a splitter or an index is given: nobody asks it anything."""
ASKING, ANSWERING = ("user", "human"), ("assistant", "ai", "model")
_SPEAKERS = (*ASKING, *ANSWERING, "system", "developer", "tool", "function")
_MOST_DEPTH = 8


def question_in(value: Any) -> str | None:
    """Return the question: a text, the last message of a user, or the text in a usual field; None without one."""
    return _text(value, _QUESTIONS, ASKING, _MOST_DEPTH)


def answer_in(value: Any) -> str | None:
    """Return the answer, in the same way; of messages the last one of an assistant."""
    return _text(value, _ANSWERS, ANSWERING, _MOST_DEPTH)


def message_text(message: Mapping[str, Any]) -> str | None:
    """Return what a message says, a text as it stands; None where it has none, as one that calls a tool."""
    content = message.get("content")
    if isinstance(content, str):
        return content if content.strip() else None
    return _content(message, _ANSWERS, _SPEAKERS, _MOST_DEPTH)


def _text(value: Any, names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    value = unpack(value)
    if isinstance(value, str):
        return value.strip() or None
    if not depth or not isinstance(value, list | Mapping):
        return None
    if isinstance(value, list):
        return _of_list(value, names, roles, depth)
    if speaker_of(value) is not None:
        return _of_list([value], names, roles, depth)
    for name in names:
        found = _text(value[name], names, roles, depth - 1) if name in value else None
        if found is not None:
            return found
    name, *others = value or [""]
    return None if others or name in _PASSAGES else _text(value.get(name), names, roles, depth - 1)


def _of_list(items: list[Any], names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    """Of messages the last one of these roles; of parts of a message their texts; of any list its only item."""
    messages = [each for each in items if isinstance(each, Mapping) and speaker_of(each) is not None]
    if messages:
        said = [each for each in messages if speaker_of(each) in roles]
        return _content(said[-1], names, roles, depth) if said else None
    parts = [each for each in items if isinstance(each, Mapping) and each.get("type") in ("text", "output_text")]
    if parts:
        return "".join(text for each in parts if isinstance(text := each.get("text", each.get("content")), str)) or None
    return _text(items[0], names, roles, depth - 1) if len(items) == 1 else None


def _content(message: Mapping[str, Any], names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    for name in ("content", "parts", "contents", "text"):
        if name in message:
            inner = message[name]
            # a text is taken as it stands: an answer may be JSON
            found = (inner.strip() or None) if isinstance(inner, str) else _text(inner, names, roles, depth - 1)
            if found is not None:
                return found
    return None


def speaker_of(message: Mapping[str, Any]) -> str | None:
    """Who speaks, where the object is a message."""
    for name in ("role", "type"):
        role = message.get(name)
        if isinstance(role, str) and role.lower() in _SPEAKERS:
            return role.lower()
    return None
