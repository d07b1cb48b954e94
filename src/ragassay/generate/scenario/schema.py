"""A schema: the elements of a kind of document, how their values are drawn, and how they are put into words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FieldType = Literal[
    "name", "person", "organisation", "place", "option", "list", "number", "date", "sum", "difference", "percent",
    "change", "text", "records",
]  # fmt: skip
NAMES: frozenset[FieldType] = frozenset({"name", "person", "organisation"})
"""Types of which no value comes twice: in a document never, in a scenario while there are enough."""
COMPUTED: frozenset[FieldType] = frozenset({"sum", "difference", "percent", "change"})
NUMERIC: frozenset[FieldType] = frozenset({"number", "sum", "difference", "percent", "change"})

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)\}")


@lru_cache(maxsize=8_192)
def placeholders(template: str) -> tuple[str, ...]:
    """What a template has in braces, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def loose_brace(template: str) -> str:
    """The first brace of a template that is of no placeholder, with what follows; empty where there is none."""
    left = _PLACEHOLDER.sub("", template)
    match = re.search(r"[{}].{0,20}", left)
    return match.group() if match else ""


def fill(template: str, texts: dict[str, str]) -> str:
    """The template with every placeholder replaced once; what stands in the values is left as it is."""
    return _PLACEHOLDER.sub(lambda match: texts[match.group(1)], template)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Element(_Part):
    """A field of the schema: one value of every configuration.

    label: what people call it. ask: questions for it. fact: a statement that stands alone and holds its value.
    options: values of an option, a list or a free text; ``{field}`` in one is replaced by the value of that field.
    given, by: the options for each value of another field; where ``by`` has none, documents are silent about this one.
    parts: of a name, a person, an organisation or a place; one is taken of each, put together by ``separator``. A part
    "@list" stands for a shipped list of the schema's language.
    min, max, step: range of a number; part_of and percent: a number as a share of another, in percent.
    pattern: how a number is written, ``${} million``; of a change two patterns, for more and for less.
    ranges: min and max for each value of the field ``given``. decimals: digits after the point.
    earliest, latest: range of a date; after and days: a date so many days later.
    after = "previous": after the same field of the record before, of the
    first after ``first_after``. within_year, months: a date in the year that a
    number field has. precision: whether dates are written with their day.
    of: what a sum, a difference (first less second), a percentage (first of second) or a change (from second to
    first, in percent) is computed from. count: how many options make a list, and how many records there are. fields:
    those of each record.
    may_be_left_out: documents may be silent about it, which makes questions unanswerable.
    within: the records that it is part of, with its place from 1; set by ``records.expanded`` alone.
    """

    type: FieldType
    label: str = ""
    ask: tuple[str, ...] = ()
    fact: str = ""
    options: tuple[str, ...] = ()
    given: str = ""
    by: dict[str, tuple[str, ...]] = {}
    ranges: dict[str, tuple[float, float]] = {}
    parts: tuple[tuple[str, ...], ...] = ()
    separator: str = ""
    min: float | None = None
    max: float | None = None
    step: float = 1
    part_of: str = ""
    percent: tuple[float, float] | None = None
    decimals: int = Field(default=0, ge=0, le=4)
    pattern: str = "{}"
    patterns: tuple[str, ...] = ()
    grouped: bool = True
    earliest: date | None = None
    latest: date | None = None
    after: str = ""
    first_after: str = ""
    days: tuple[int, int] | None = None
    within_year: str = ""
    months: tuple[int, int] = (1, 12)
    precision: Literal["day", "month"] = "day"
    of: tuple[str, ...] = ()
    count: tuple[int, int] = (2, 3)
    may_be_left_out: bool = False
    fields: dict[str, Element] = {}
    within: tuple[str, int] | None = Field(default=None, exclude=True)

    @property
    def values(self) -> tuple[str, ...]:
        """All texts that a value is made of: options, those given another value, and parts of names."""
        return (*self.options, *chain(*self.by.values()), *chain(*self.parts))

    @property
    def rests_on(self) -> tuple[str, ...]:
        """Fields whose values must be known before this one is drawn."""
        named = (*self.of, self.part_of, self.after, self.within_year, self.given)
        return (*(name for name in named if name), *sorted(mentioned(self.values)))


class Say(_Part):
    """One thing that a section says, in any of several wordings with the same values.

    each: the records that it is said of, one after the other, with ``{ordinal}`` and ``{number}`` for their place.
    paragraph: it begins a paragraph.
    """

    sentences: tuple[str, ...] = Field(min_length=1)
    each: str = ""
    paragraph: bool = False


class Section(_Part):
    """A part of the documents: headings to choose from, what it says in order, sentences that hold no value."""

    name: str
    headings: tuple[str, ...] = Field(min_length=1)
    say: tuple[Say, ...] = Field(min_length=1)
    asides: tuple[str, ...] = ()


class Summary(_Part):
    """A question for several facts of one document."""

    fields: tuple[str, ...] = Field(min_length=2)
    ask: tuple[str, ...] = Field(min_length=1)


class Hop(_Part):
    """A question for what follows from two facts of one document.

    kind: bridge (the second fact is about what the first names), difference (first less second), share (of the first in
    the second, in percent) or days (from the second to the first).
    conclusion: the statement that follows, with ``{result}``; pattern: how the result is written, if not as the first.
    """

    kind: Literal["bridge", "difference", "share", "days"]
    of: tuple[str, str]
    ask: tuple[str, ...] = Field(min_length=1)
    conclusion: str = ""
    pattern: str = ""


class Integration(_Part):
    """A question for the same fields of two documents, a and b."""

    fields: tuple[str, ...] = Field(min_length=1)
    ask: tuple[str, ...] = Field(min_length=1)


class Comparison(_Part):
    """A question which of two documents has the higher number; the conclusion knows ``higher``, ``lower``, result."""

    field: str
    ask: tuple[str, ...] = Field(min_length=1)
    conclusion: str
    pattern: str = ""


class Sequence(_Part):
    """A question in which of two documents a date is earlier; the conclusion knows ``earlier``, ``later``, result."""

    field: str
    ask: tuple[str, ...] = Field(min_length=1)
    conclusion: str


class Absent(_Part):
    """A question for something that no document of this kind says."""

    ask: tuple[str, ...] = Field(min_length=1)


class Schema(_Part):
    """All of it.

    key: the fields that tell one document from another, the subject first; the title names them.
    frames, endings: what questions are put into, with ``{question}``, and what follows them; no pair is used twice for
    questions of one pattern while there is another.
    counts: how many of each records field a document has; set by ``records.expanded`` alone.
    """

    name: str
    language: str
    title: str
    key: tuple[str, ...] = Field(min_length=1)
    fields: dict[str, Element]
    sections: tuple[Section, ...] = Field(min_length=1)
    summaries: tuple[Summary, ...] = ()
    hops: tuple[Hop, ...] = ()
    integrations: tuple[Integration, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    sequences: tuple[Sequence, ...] = ()
    absent: tuple[Absent, ...] = ()
    frames: tuple[str, ...] = Field(default=("{question}",), min_length=1)
    endings: tuple[str, ...] = Field(default=("",), min_length=1)
    counts: dict[str, tuple[int, int]] = Field(default={}, exclude=True)

    @property
    def unspoken(self) -> frozenset[str]:
        """Fields that no document says: they only choose what others are."""
        says = (say for section in self.sections for say in section.say)
        said = mentioned(sentence for say in says for sentence in say.sentences)
        chooses = {name for element in self.fields.values() for name in (element.given, element.within_year)}
        chooses |= mentioned(text for element in self.fields.values() for text in element.values)
        return frozenset(self.fields.keys() & chooses - said)

    @property
    def space(self) -> str:
        """What stands between two sentences."""
        return "" if self.language == "zh" else " "

    @property
    def subject(self) -> str:
        """The field that names what a document is about."""
        return self.key[0]

    def drawing_order(self) -> tuple[str, ...]:
        """Field names so that each comes after what it rests on. Raises ValueError that shows a cycle."""
        done: dict[str, None] = {}
        for name in self.fields:
            self._draw(name, done, ())
        return tuple(done)

    def _draw(self, name: str, done: dict[str, None], path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(" -> ".join((*path[path.index(name) :], name)))
        if name not in done:
            for needed in self.fields[name].rests_on:
                self._draw(needed, done, (*path, name))
            done[name] = None


def mentioned(templates: Iterable[str]) -> frozenset[str]:
    """The placeholders of several templates."""
    return frozenset(name for template in templates for name in placeholders(template))
