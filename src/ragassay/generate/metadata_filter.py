"""Which documents are asked about, by their metadata: RAGVAL's K_d, say what is newer than a model's cutoff."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragassay.errors import InputError, UsageError
from ragassay.records import Document

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONDITION = re.compile(r"\s*(?P<field>[^<>=!]+?)\s*(?P<sign><=|>=|!=|=|<|>)\s*(?P<value>.*?)\s*", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Condition:
    """field, sign, value: as in ``date >= 2023-10``. Numbers compare as numbers, everything else as text.

    Dates compare rightly as text where they are written year first.
    """

    field: str
    sign: str
    value: str

    def holds(self, document: Document) -> bool:
        """Whether a document has the field and its value fits; one without the field does not fit."""
        given = document.metadata.get(self.field)
        if given is None:
            return False
        if self.sign in {"=", "!="}:
            return _COMPARE[self.sign](given.strip(), self.value)
        if _NUMBER.fullmatch(given.strip()) and _NUMBER.fullmatch(self.value):
            return _COMPARE[self.sign](float(given), float(self.value))
        return _COMPARE[self.sign](given.strip(), self.value)

    def __str__(self) -> str:
        return f"{self.field}{self.sign}{self.value}"


def parse_condition(text: str) -> Condition:
    """'date>=2023-10' taken apart. Raises UsageError for what is no condition."""
    match = _CONDITION.fullmatch(text)
    if match is None or not match["value"]:
        raise UsageError(f"--where: must be FIELD>=VALUE, with one of = != < <= > >=, not {text!r}")
    return Condition(match["field"], match["sign"], match["value"])


def read_conditions(given: Any) -> Any:
    """Conditions, texts among them taken apart; one text is one condition."""
    listed = [given] if isinstance(given, str) else given
    return tuple(parse_condition(one) if isinstance(one, str) else one for one in listed)


def failed_condition(conditions: Iterable[Condition], document: Document) -> Condition | None:
    """Return the first of the conditions that a document does not meet; None where it meets them all."""
    return next((condition for condition in conditions if not condition.holds(document)), None)


class FieldCheck:
    """Finds fields that conditions name and no document has, among documents that come one by one."""

    def __init__(self, conditions: Iterable[Condition]) -> None:
        self._missing = {condition.field for condition in conditions}
        self._known: set[str] = set()

    def add(self, document: Document) -> None:
        """Take note of one document."""
        if self._missing:
            self._known.update(document.metadata)
            self._missing.difference_update(document.metadata)

    def check(self) -> None:
        """Raise InputError for a field that no document has; the message lists those that there are."""
        if self._missing:
            there = f"they have {', '.join(sorted(self._known))}" if self._known else "they have no metadata at all"
            raise InputError(f"--where: no document has the field {min(self._missing)!r}; {there}")


def check_conditions(conditions: Sequence[Condition], documents: Iterable[Document]) -> None:
    """Raise InputError for a field that no document has, and for conditions that no document meets.

    Without conditions no document is read.
    """
    if not conditions:
        return
    fields, met = FieldCheck(conditions), False
    for document in documents:
        fields.add(document)
        met = met or all(each.holds(document) for each in conditions)
    fields.check()
    if not met:
        raise InputError(f"--where: no document meets {' and '.join(map(repr, map(str, conditions)))}")
