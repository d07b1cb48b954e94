"""The reply of a language model that was asked for one JSON object of a type.

Valid JSON goes straight to pydantic. In anything else, objects and lists are looked for (``loose_json.py``), one of
them is chosen (here) and fitted to the type (``fitting.py``). docs/decisions/reading-replies.md has the reasons for the
choice, and what it does on real replies.
"""

from __future__ import annotations

import json
import re
from typing import Final, TypeVar

from ragassay.models.reading_replies.fitting import Misfit, fit, has_field, leaves, list_field, listed, unwrapped
from ragassay.models.reading_replies.loose_json import Parsed, Value, objects_in
from ragassay.tasks.base import TaskData

Data = TypeVar("Data", bound=TaskData)

_THOUGHTS: Final = re.compile(r"\s*<think(?:ing)?>")
_EDGE_OF_THOUGHTS: Final = re.compile(r"<(/?)think(?:ing)?>")
# the opening tag may be part of the chat's template: then the closing one is alone, on a line of its own
_END_OF_THOUGHTS: Final = re.compile(r"(?m)^[ \t]*</think(?:ing)?>[ \t]*$")
_OPENING: Final = re.compile(r"[\s\ufeff]*(?:```[\w-]*\s*)?")
_REST: Final = re.compile(r"\s*(?:```)?\s*\Z")
# in what the line after an object begins with; further down these are the words of any text
_TAKEN_BACK: Final = re.compile(
    r"(?i)\s*(?:```)?\s*[^\n]{0,60}?\b(?:wait|actually|correct(?:ed|ion)|revised|mistake|instead|sorry)\b"
)
_END_OF_LINE: Final = re.compile(r"[ \t]*(?:[\r\n`]|$)")
_INDENT: Final = 40
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LABEL: Final = re.compile(r"[A-Za-z0-9_-]{0,24}")
_DOTS: Final = ('"..."', '"…"')

_MOST_CHARS: Final = 500_000
_MOST_OBJECTS: Final = 2_000
"""Of text that is not valid JSON: no model writes more at once. It bounds how long a reply holds up the others."""


class UnreadableReply(ValueError):  # noqa: N818 - what the reply is
    """A reply without an answer that can be used. The message is one sentence that the model itself can act on."""


def read_reply(text: str, reply_type: type[Data], *, prompt: str = "") -> Data:
    """The one object of ``reply_type`` that a reply gives.

    prompt: what the model was sent, without replies of its own. An object that stands in it word for word is a
    quotation and no answer, unless it has no words (numbers, flags, labels) and the reply is nothing else.

    Raises UnreadableReply, and nothing else whatever the text. The time is linear in the lengths of text and prompt.
    """
    try:
        data = reply_type.model_validate_json(text)
    except ValueError:
        pass  # no JSON, no Unicode, or not the type
    else:
        may_be_quoted = text.lstrip()[:1] in prompt and _packed(text) in _packed(prompt)
        if not may_be_quoted and not any(dots in text for dots in _DOTS):
            return data
    return _answer(without_thoughts(_SURROGATE.sub("\ufffd", text)), reply_type, _packed(prompt))


def without_thoughts(text: str) -> str:
    """What follows the thoughts that a reply opens with, up to the end of the outermost: inside there are drafts."""
    end = depth = 0
    for edge in _EDGE_OF_THOUGHTS.finditer(text):
        if depth == 0 and not _THOUGHTS.fullmatch(text, end, edge.end()):
            break
        depth += -1 if edge[1] else 1
        end = edge.end()
    if depth:
        raise UnreadableReply("the reply was cut off while thinking: no answer follows the thoughts")
    if end:
        return text[end:]
    for mark in _END_OF_THOUGHTS.finditer(text):
        end = mark.end()
    return text[end:]


def _answer(text: str, reply_type: type[Data], prompt: str) -> Data:
    """The object that the text opens with, unless it is taken back; else the last one that fits. prompt: packed."""
    found: tuple[Data, Parsed] | None = None
    fields = listed(reply_type.model_fields)
    problem = f"no JSON object with {fields} in the reply" if text.strip() else "the reply is empty"
    if len(text) > _MOST_CHARS:
        raise UnreadableReply(f"the reply is no JSON and has more than {_MOST_CHARS:,} characters")
    opening = _end(_OPENING, text, 0)
    for n_before, parsed in enumerate(objects_in(text)):
        if n_before == _MOST_OBJECTS:
            raise UnreadableReply(f"the reply has more than {_MOST_OBJECTS:,} brackets before its answer")
        if found and found[1].start == opening and not _TAKEN_BACK.match(text, found[1].end):
            break
        value = unwrapped(parsed.value, reply_type)
        if parsed.start != opening and not _may_be_answer(value, parsed, text, reply_type):
            continue
        try:
            found = _checked(value, parsed, text, reply_type, prompt), parsed
        except Misfit as misfit:
            problem = str(misfit)
            if parsed.end == len(text) and parsed.ending != "closed":
                # nobody knows what it would have been, and what came before was not the last word
                found = None
    if found is None:
        raise UnreadableReply(problem)
    return found[0]


def _may_be_answer(value: Value, parsed: Parsed, text: str, reply_type: type[TaskData]) -> bool:
    """Whether what stands in the midst of other text is meant for the type.

    An object has one of its fields; one that was cut before its first field may. A list stands in lines of its own or
    after a colon: others are part of a sentence or of code.
    """
    if isinstance(value, dict):
        return has_field(value, reply_type) or (parsed.ending == "cut" and not value)
    if list_field(reply_type) is None:
        return False
    before = text[max(0, parsed.start - _INDENT) : parsed.start].rstrip(" \t")
    after = _END_OF_LINE.match(text, parsed.end)
    return before[-1:] in ("", "\n", ":") and (parsed.ending == "cut" or after is not None)


def _checked(value: Value, parsed: Parsed, text: str, reply_type: type[Data], prompt: str) -> Data:
    """The value as the type; raises Misfit with a sentence."""
    if parsed.ending == "cut":
        raise Misfit("the reply was cut off before its JSON object was complete")
    if parsed.ending == "broken":
        near = " ".join(text[parsed.end : parsed.end + 30].split())
        raise Misfit(f"the JSON object in the reply breaks off before {near!r}")
    unclosed = parsed.ending == "unclosed"
    try:
        data = fit(value, reply_type)
    except Misfit as misfit:
        raise Misfit(f"the JSON object in the reply does not {'end' if unclosed else 'fit'}: {misfit}") from None
    if unclosed and data.model_fields_set != set(reply_type.model_fields):
        raise Misfit("the JSON object in the reply does not end, and fields that it may have are not there")
    whole = parsed.start == _end(_OPENING, text, 0) and _REST.match(text, parsed.end) is not None
    if _packed(json.dumps(value, ensure_ascii=False)) in prompt and not (whole and _is_wordless(value)):
        raise Misfit("the reply repeats a JSON object of the prompt and has none of its own")
    return data


def _packed(text: str) -> str:
    """The text without spaces and line breaks, which differ between copies of one JSON object."""
    return text.replace(" ", "").replace("\n", "").replace("\r", "").replace("\t", "")


def _is_wordless(value: Value) -> bool:
    return all(not isinstance(leaf, str) or _LABEL.fullmatch(leaf) for leaf in leaves(value))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
