"""Lists of records in a schema, such as the acts of a judgment, made into a field for each record; lists of names.

What draws values, writes documents and asks questions then knows fields only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

from ragassay.generate.scenario.schema import Element, Say, Schema, Section, fill, placeholders

PREVIOUS = "previous"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NUMERALS = "一二三四五六七八九十"
MOST_RECORDS = len(_ORDINALS)
_DEFAULT_PARTS = {
    "person": (("@given_names",), ("@surnames",)),
    "organisation": (("@organisations",), ("@kinds_of_organisation",)),
    "place": (("@places",),),
}


@cache
def shipped_lists(language: str) -> Mapping[str, tuple[str, ...]]:
    """People, places, streets and organisations that do not exist, by name; of English where a language has none."""
    folder = resources.files("ragassay.generate.scenario") / "names"
    file = folder / f"{language}.toml"
    text = (file if file.is_file() else folder / "en.toml").read_text(encoding="utf-8")
    return {name: tuple(values) for name, values in tomllib.loads(text).items()}


def expanded(schema: Schema) -> Schema:
    """The schema with a field for every record and with the names of all lists; a flat one stays what it is."""
    fields = {name: _with_names(element, schema.language) for name, element in schema.fields.items()}
    found = schema.model_copy(update={"fields": fields})
    for name in [name for name, element in fields.items() if element.type == "records"]:
        found = _flat(found, name)
    return found


def _with_names(element: Element, language: str) -> Element:
    inner = {name: _with_names(each, language) for name, each in element.fields.items()}
    update: dict[str, object] = {"fields": inner} if inner else {}
    parts = element.parts or _DEFAULT_PARTS.get(element.type, ())
    if not element.parts and element.type == "person" and language == "zh":
        parts = parts[::-1]
    if parts:
        update["parts"] = tuple(tuple(_listed(part, language)) for part in parts)
        if not element.parts and language != "zh" and element.type != "place":
            update["separator"] = " "
    return element.model_copy(update=update) if update else element


def _listed(part: Sequence[str], language: str) -> Iterator[str]:
    for text in part:
        yield from shipped_lists(language).get(text[1:], ()) if text.startswith("@") else (text,)


def _flat(schema: Schema, records: str) -> Schema:
    """The schema with the fields of each record of one list in place of the list."""
    group = schema.fields[records]
    places = range(1, group.count[1] + 1)
    fields: dict[str, Element] = {}
    for name, element in schema.fields.items():
        if name != records:
            fields[name] = element
            continue
        for place in places:
            record = _Record(group, records, place, schema.language)
            fields |= {record.flat(inner): record.field(inner, each) for inner, each in group.fields.items()}
    return schema.model_copy(
        update={
            "fields": fields,
            "sections": tuple(_section(section, group, records, schema.language) for section in schema.sections),
            "counts": {**schema.counts, records: group.count},
        }
    )


class _Record:
    """The record at a place, from 1, of a list of records."""

    def __init__(self, group: Element, records: str, place: int, language: str) -> None:
        self._group, self._records, self._place, self._language = group, records, place, language
        fields = {inner: f"{{{self.flat(inner)}}}" for inner in group.fields}
        self._names = {**fields, "ordinal": self._ordinal, "number": str(place)}

    def flat(self, field: str, place: int = 0) -> str:
        """The name that the field has in the flat schema; that of the document stays as it is."""
        return f"{self._records}_{place or self._place}_{field}" if field in self._group.fields else field

    @property
    def _ordinal(self) -> str:
        place = self._place
        if self._language != "zh":
            return _ORDINALS[place - 1]
        return "第" + (_NUMERALS[place - 1] if place <= 10 else "十" + _NUMERALS[place - 11])

    def said(self, templates: Sequence[str]) -> tuple[str, ...]:
        """The templates with the record's fields in place of its own names for them."""
        return tuple(
            fill(template, {each: self._names.get(each, f"{{{each}}}") for each in placeholders(template)})
            for template in templates
        )

    def field(self, own: str, element: Element) -> Element:
        """A field of the record as one of the flat schema."""
        after, days = self.flat(element.after), element.days
        if element.after == PREVIOUS:
            after = self.flat(own, self._place - 1) if self._place > 1 else self.flat(element.first_after)
            days = days if after else None
        group, label = self._group.label or self._records, element.label or own
        update: dict[str, object] = {
            "label": f"{self._ordinal}项{group}的{label}"
            if self._language == "zh"
            else f"{self._ordinal} {group}, {label}",
            "ask": self.said(element.ask),
            "fact": self.said([element.fact])[0],
            "options": self.said(element.options),
            "by": {value: self.said(options) for value, options in element.by.items()},
            "parts": tuple(map(self.said, element.parts)),
            "given": self.flat(element.given),
            "part_of": self.flat(element.part_of),
            "of": tuple(map(self.flat, element.of)),
            "after": after,
            "first_after": "",
            "days": days,
            "within_year": self.flat(element.within_year),
            "within": (self._records, self._place),
        }
        return element.model_copy(update=update)


def _section(section: Section, group: Element, records: str, language: str) -> Section:
    says: list[Say] = []
    for say in section.say:
        if say.each != records:
            says.append(say)
            continue
        for place in range(1, group.count[1] + 1):
            sentences = _Record(group, records, place, language).said(say.sentences)
            says.append(say.model_copy(update={"sentences": sentences, "each": ""}))
    return section.model_copy(update={"say": tuple(says)})
