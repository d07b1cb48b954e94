"""Tool calls in rows of other people: those that a system made, and those that it should have made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.datasets.lines import Row
from ragassay.datasets.replies.wording import ANSWERING, speaker_of
from ragassay.records import ToolCall

_ARGUMENTS = ("args", "arguments", "input_parameters")
"""Of ragas and LangChain, of OpenAI, of deepeval."""


def calls_in(row: Row, columns: Sequence[str]) -> tuple[ToolCall, ...] | None:
    """The calls of the first of the columns that the row has; None where it has none of them, or an empty cell.

    Raises ValueError, a sentence about the column, for what is no list of calls.
    """
    name = next((each for each in columns if row.value.get(each) not in (None, "")), None)
    if name is None:
        return None
    value = row.value[name]
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, list | tuple):
        raise ValueError(f"the field {name!r} must be a list of tool calls")
    return tuple(_call(each, f"the field {name!r}: call {place}") for place, each in enumerate(value, start=1))


def calls_said(messages: Any) -> tuple[ToolCall, ...] | None:
    """All calls of a conversation as ragas has them: in messages of the assistant, which may end without any.

    None where the assistant neither calls a tool nor has the last word. Raises ValueError as ``calls_in``.
    """
    turns = [each for each in messages if isinstance(each, Mapping)] if isinstance(messages, list) else []
    said = [each for each in turns if speaker_of(each) in ANSWERING]
    calls = [call for each in said for call in each.get("tool_calls") or ()]
    if not calls and not (said and turns[-1] is said[-1]):
        return None
    return tuple(_call(call, f"the field 'user_input': tool call {place}") for place, call in enumerate(calls, start=1))


def written_calls(name: str, calls: Sequence[ToolCall] | None) -> dict[str, Any]:
    """The column of the calls, as ragas has it; none where nobody says them."""
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
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
    if not isinstance(arguments, Mapping):
        raise ValueError(f"{where} has arguments that are not a JSON object")
    try:
        return ToolCall(name=name.strip(), arguments=_canonical(arguments))
    except (TypeError, ValueError, RecursionError):
        raise ValueError(f"{where} has arguments that JSON cannot hold") from None


def _canonical(arguments: Mapping[Any, Any]) -> str:
    """Sorted keys, and 3.0 as 3: equal arguments are equal texts."""
    return json.dumps(_plain(arguments), sort_keys=True, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
