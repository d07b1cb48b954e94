"""A reply in plain text: the fields of a type as lines of ``name: value``, entries of lists as lines of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from ragassay.models.reading_replies.fitting import Misfit, fit, item_type, listed, spelled
from ragassay.models.reading_replies.reader import UnreadableReply, without_thoughts
from ragassay.tasks.base import TaskData

Data = TypeVar("Data", bound=TaskData)

_MARK: Final = re.compile(r"\s*(?:[-*•]\s+|\d{1,4}[.)]\s+)?")
_FIELD: Final = re.compile(r"(?:\*\*|`)?([A-Za-z][\w ]{0,40}?)(?:\*\*|`)?\s*[:：](?:\*\*)?\s*(.*)")
_NOTHING: Final = {"", "-", "none", "(none)", "empty", "(empty)", "[]"}


def read_plain_reply(text: str, reply_type: type[Data]) -> Data:
    """The ``reply_type`` that the lines of a reply give. Raises UnreadableReply, whose message a model can act on."""
    lines = _Lines(without_thoughts(text))
    value = lines.object_of(reply_type)
    if not value:
        raise UnreadableReply(f"no line with one of {listed(reply_type.model_fields)} in the reply")
    try:
        return fit(value, reply_type)
    except Misfit as misfit:
        raise UnreadableReply(f"the fields of the reply do not fit: {misfit}") from None


class _Lines:
    """The lines of a reply from the first that is not read. A line that names no field belongs to the field before."""

    def __init__(self, text: str) -> None:
        self._lines = [line[mark.end() :].rstrip() for line in text.splitlines() if (mark := _MARK.match(line))]
        self._at = 0
        self._names: list[Mapping[str, str]] = []
        """Of the fields of the object that is read, and of those that it stands in."""

    def object_of(self, wanted: type[BaseModel]) -> dict[str, Any]:
        """The fields from here on, up to one that is there already or belongs to what is around."""
        found: dict[str, Any] = {}
        self._names.append({spelled(name): name for name in wanted.model_fields})
        while self._at < len(self._lines):
            field = self._field()
            name = self._names[-1].get(field[0]) if field else None
            if field and (name is None or name in found):
                break
            self._at += 1
            if field and name:
                found[name] = self._value(wanted.model_fields[name].annotation, field[1])
        self._names.pop()
        return found

    def _field(self) -> tuple[str, str] | None:
        """Name and text of the line, if it names a field that is known here."""
        match = _FIELD.fullmatch(self._lines[self._at])
        name = spelled(match[1]) if match else ""
        return (name, match[2].strip()) if match and any(name in names for names in self._names) else None

    def _value(self, wanted: Any, first: str) -> Any:
        entry = item_type(wanted)
        inner = entry or wanted
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            if entry is None:
                return self.object_of(inner)
            entries = []
            while made := self.object_of(inner):
                entries.append(made)
            return entries
        lines = [first]
        while self._at < len(self._lines) and self._field() is None:
            lines.append(self._lines[self._at])
            self._at += 1
        if entry is None:
            return "\n".join(lines).strip() if wanted is str else first.rstrip(". ")
        texts = [line for line in lines if line.strip().lower() not in _NOTHING]
        return texts if entry is str else [each.strip() for line in texts for each in line.strip("[]").split(",")]
