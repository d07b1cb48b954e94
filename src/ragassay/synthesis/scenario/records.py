"""Lists of records in a schema, such as the acts of a judgment, made into a field for each record.

What draws values, writes documents and asks questions then knows fields only. Records in records are made flat in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragassay.synthesis.scenario.name_lists import shipped_lists
from ragassay.synthesis.scenario.schema import Element, Say, Schema, Section, fill, placeholders

PREVIOUS = "previous"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NUMERALS = "一二三四五六七八九十"
MOST_RECORDS = len(_ORDINALS)
_DEFAULT_PARTS = {
    "person": (("@given_names",), ("@surnames",)),
    "organisation": (("@organisations",), ("@kinds_of_organisation",)),
    "place": (("@places",),),
}


def expanded(schema: Schema) -> Schema:
    """The schema with a field for every record and with the names of all lists; a flat one stays what it is."""
    fields = {name: _with_names(element, schema) for name, element in schema.fields.items()}
    found = schema.model_copy(update={"fields": fields})
    while nested := [name for name, element in found.fields.items() if element.type == "records"]:
        found = _flat(found, nested[0])
    return found


def flat_name(records: str, place: int, field: str) -> str:
    """The name that the field of a record has in the flat schema; place: from 1."""
    return f"{records}_{place}_{field}"


def ordinal(place: int, language: str) -> str:
    """first, or 第一; place: 1 to MOST_RECORDS."""
    if language != "zh":
        return _ORDINALS[place - 1]
    return "第" + (_NUMERALS[place - 1] if place <= 10 else "十" + _NUMERALS[place - 11])


def _with_names(element: Element, schema: Schema) -> Element:
    inner = {name: _with_names(each, schema) for name, each in element.fields.items()}
    update: dict[str, object] = {"fields": inner} if inner else {}
    parts = element.parts or _DEFAULT_PARTS.get(element.type, ())
    if not element.parts and element.type == "person" and schema.language == "zh":
        parts = parts[::-1]
    if parts:
        update["parts"] = tuple(tuple(_listed(part, schema)) for part in parts)
        if not element.parts and schema.language != "zh" and element.type != "place":
            update["separator"] = " "
    return element.model_copy(update=update) if update else element


def _listed(part: Sequence[str], schema: Schema) -> Iterator[str]:
    for text in part:
        if not text.startswith("@"):
            yield text
            continue
        names = schema.lists.get(text[1:]) or shipped_lists(schema.language).get(text[1:], ())
        yield from names


def _flat(schema: Schema, records: str) -> Schema:
    """The schema with the fields of each record of one list in place of the list."""
    element = schema.fields[records]
    most = element.count[1]
    fields: dict[str, Element] = {}
    for name, each in schema.fields.items():
        if name != records:
            fields[name] = _summing(each, records, most)
            continue
        for place in range(1, most + 1):
            for inner, of_record in element.fields.items():
                fields[flat_name(records, place, inner)] = _of_record(
                    of_record, inner, element, records, place, schema.language
                )
    sections = tuple(_section(section, element, records, most, schema.language) for section in schema.sections)
    counts = {**schema.counts, records: element.count}
    return schema.model_copy(update={"fields": fields, "sections": sections, "counts": counts})


def _summing(element: Element, records: str, most: int) -> Element:
    """The element with ``records.field`` in ``of`` replaced by that field of all records."""
    of: list[str] = []
    for name in element.of:
        group, _, field = name.partition(".")
        of += [flat_name(records, place, field) for place in range(1, most + 1)] if group == records else [name]
    return element.model_copy(update={"of": tuple(of)}) if element.of else element


def _renamed(template: str, names: Mapping[str, str]) -> str:
    return fill(template, {each: names.get(each, f"{{{each}}}") for each in placeholders(template)})


def _names(element: Element, records: str, place: int, language: str) -> dict[str, str]:
    names = {inner: f"{{{flat_name(records, place, inner)}}}" for inner in element.fields}
    return {**names, "ordinal": ordinal(place, language), "number": str(place)}


def _of_record(element: Element, own: str, group: Element, records: str, place: int, language: str) -> Element:
    names = _names(group, records, place, language)

    def renamed(name: str) -> str:
        return flat_name(records, place, name) if name in group.fields else name

    def all_renamed(templates: Sequence[str]) -> tuple[str, ...]:
        return tuple(_renamed(template, names) for template in templates)

    after, days = renamed(element.after), element.days
    if element.after == PREVIOUS:
        after = flat_name(records, place - 1, own) if place > 1 else renamed(element.first_after)
        days = days if after else None
    update: dict[str, object] = {
        "label": f"{ordinal(place, language)} {group.label or records}, {element.label or own}"
        if language != "zh"
        else f"{ordinal(place, language)}项{group.label or records}的{element.label or own}",
        "ask": all_renamed(element.ask),
        "fact": _renamed(element.fact, names),
        "options": all_renamed(element.options),
        "by": {value: all_renamed(options) for value, options in element.by.items()},
        "parts": tuple(all_renamed(part) for part in element.parts),
        "given": renamed(element.given),
        "part_of": renamed(element.part_of),
        "of": tuple(renamed(name) for name in element.of),
        "after": after,
        "first_after": "",
        "days": days,
        "within_year": renamed(element.within_year),
        "within": (*group.within, (records, place)),
    }
    return element.model_copy(update=update)


def _section(section: Section, element: Element, records: str, most: int, language: str) -> Section:
    says: list[Say] = []
    for say in section.say:
        group, _, deeper = say.each.partition(".")
        if group != records:
            says.append(say)
            continue
        for place in range(1, most + 1):
            names = _names(element, records, place, language)
            sentences = tuple(
                _renamed(sentence, names) if not deeper else _outer(sentence, element, names)
                for sentence in say.sentences
            )
            each = flat_name(records, place, deeper) if deeper else ""
            says.append(say.model_copy(update={"sentences": sentences, "each": each}))
    return section.model_copy(update={"say": tuple(says)})


def _outer(sentence: str, element: Element, names: Mapping[str, str]) -> str:
    """A sentence of records in records: only what is a field of the outer record is replaced yet."""
    return _renamed(sentence, {name: text for name, text in names.items() if name in element.fields})
