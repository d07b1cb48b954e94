"""Schemas on disk, read, checked and written: TOML, since people edit them and comments are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragassay.errors import InputError, UsageError
from ragassay.generate.scenario.configuration import draw_configurations
from ragassay.generate.scenario.records import MOST_RECORDS, expanded
from ragassay.generate.scenario.schema import COMPUTED, NUMERIC, Element, Schema, loose_brace, mentioned, placeholders
from ragassay.settings import parsed_toml

_MOST_DAYS = 100_000
"""Further from each other dates leave the calendar, which ends with the year 9999."""
_NAMED = ("name", "person", "organisation", "place")


def _records_faults(schema: Schema) -> Iterator[str]:
    """Of lists of records, before they are made flat; what is wrong in a record is said of each of its places."""
    for name, element in schema.fields.items():
        low, high = element.count
        if (element.type == "records") != bool(element.fields):
            yield f"fields.{name}: the type records needs fields, and no other type can have them"
        elif element.type == "records" and not 1 <= low <= high <= MOST_RECORDS:
            yield f"fields.{name}: count is {low} to {high}; it must rise and lie between 1 and {MOST_RECORDS}"
        elif any(each.type == "records" for each in element.fields.values()):
            yield f"fields.{name}: records cannot have records"
    for section in schema.sections:
        for number, say in enumerate(section.say, 1):
            if say.each and (say.each not in schema.fields or schema.fields[say.each].type != "records"):
                yield f"sections.{section.name}.say {number}: each is {say.each!r}, which must be a list of records"


def _flat_faults(given: Schema) -> Iterator[str]:
    schema = expanded(given)
    if not schema.name.strip():
        yield "name: it is empty"
    for name in schema.key:
        if name not in schema.fields:
            yield f"key: unknown field {name!r}"
    for name, element in schema.fields.items():
        yield from (f"fields.{name}: {fault}" for fault in _element_faults(element, schema))
    try:
        schema.drawing_order()
    except ValueError as error:
        yield f"fields.{str(error).split(' ', 1)[0]}: the fields rest on each other in a cycle, {error}"
    for place, templates, known in _templates(schema):
        for template in templates:
            for name in placeholders(template):
                if name not in known:
                    yield f"{place}: unknown field {{{name}}}; correct the name or add the field"
            if stray := loose_brace(template):
                yield f"{place}: the brace in {stray!r} belongs to no field; write {{field}}, in lower case"
    for frame in schema.frames:
        if frame.count("{question}") != 1:
            yield f"frames: {frame!r} must contain {{question}} once"
    yield from _question_faults(schema)
    said = mentioned(sentence for section in schema.sections for say in section.say for sentence in say.sentences)
    for name in schema.fields:
        if name not in schema.unspoken | said:
            yield f"fields.{name}: no sentence of any section has {{{name}}}, so no document would say it"
    try:
        draw_configurations(schema, 1, 0)
    except InputError as error:
        yield str(error).partition(": ")[2]


def _element_faults(element: Element, schema: Schema) -> Iterator[str]:
    for name in element.rests_on:
        if name not in schema.fields:
            yield f"it uses the unknown field {name!r}"
    if bool(element.given) != bool(element.by or element.ranges):
        yield "given goes together with by or ranges, and one of them is missing"
    if element.type in ("option", "list", "text") and not (element.options or element.by):
        yield f"the type {element.type} needs options, and the list is empty"
    if element.type in _NAMED and not (element.parts and all(element.parts)):
        yield f"the type {element.type} needs parts, and a list of them is empty"
    for text in element.values:
        if stray := loose_brace(text):
            yield f"the brace in {stray!r} belongs to no field; write {{field}}, in lower case"
    for name in mentioned(element.values):
        if name in schema.fields and schema.fields[name].type not in (*_NAMED, "option"):
            yield f"it mentions {{{name}}}, which must be a name or an option"
    giver = schema.fields.get(element.given)
    for value in (*element.by, *element.ranges) if giver else ():
        if giver and (giver.type != "option" or value not in giver.values):
            yield f"it has values for {value!r}, which is not an option of {element.given!r}"
    yield from _number_faults(element, schema)
    yield from _date_faults(element, schema)


def _number_faults(element: Element, schema: Schema) -> Iterator[str]:
    if bool(element.part_of) != (element.percent is not None):
        yield "part_of and percent go together, and one of them is missing"
    is_ranged = element.part_of or element.ranges or (element.min is not None and element.max is not None)
    if element.type == "number" and not is_ranged:
        yield "a number needs min and max, or part_of and percent"
    if element.step <= 0:
        yield f"step is {element.step:g}; it must be above 0"
    if element.type in COMPUTED and len(element.of) != 2 and not (element.type == "sum" and element.of):
        yield f"the type {element.type} is computed: of must name number fields, two but for a sum"
    for name in filter(None, (*element.of, element.part_of)):
        if name in schema.fields and schema.fields[name].type not in NUMERIC:
            yield f"it is computed from {name!r}, which must be a number"
    for pattern in (element.pattern, *element.patterns):
        if pattern.count("{}") != 1:
            yield f"the pattern {pattern!r} must contain {{}} once, for the number"
    if element.type == "change" and len(element.patterns) != 2:
        yield "a change needs two patterns: one for more, one for less"


def _date_faults(element: Element, schema: Schema) -> Iterator[str]:
    if element.type != "date":
        return
    if bool(element.after) != (element.days is not None):
        yield "after and days go together, and one of them is missing"
    elif not element.after and not element.within_year and not (element.earliest and element.latest):
        yield "a date needs earliest and latest, after and days, or within_year"
    if element.days and not 0 <= element.days[0] <= element.days[1] <= _MOST_DAYS:
        yield f"days must rise from 0 or more to {_MOST_DAYS} at most, not {element.days[0]} to {element.days[1]}"
    for name, kind in ((element.after, "date"), (element.within_year, "number")):
        if name in schema.fields and schema.fields[name].type != kind:
            yield f"it rests on {name!r}, which must be a {kind}"


def _templates(schema: Schema) -> Iterator[tuple[str, Iterable[str], frozenset[str]]]:
    """Place, templates and the placeholders that they may have."""
    single = frozenset(schema.fields)

    def of(*prefixes: str) -> frozenset[str]:
        return frozenset({f"{prefix}.{name}" for prefix in prefixes for name in single})

    result = frozenset({"result"})
    yield "title", [schema.title], frozenset(schema.key)
    for name, element in schema.fields.items():
        yield f"fields.{name}.ask", element.ask, single - {name}
        yield f"fields.{name}.fact", [element.fact], single
    for section in schema.sections:
        yield f"sections.{section.name}.headings", section.headings, single
        yield f"sections.{section.name}.asides", section.asides, frozenset(schema.key)
        for number, say in enumerate(section.say, 1):
            yield f"sections.{section.name}.say {number}", say.sentences, single
    for number, summary in enumerate(schema.summaries, 1):
        yield f"summaries {number}.ask", summary.ask, single
    for number, hop in enumerate(schema.hops, 1):
        yield f"hops {number}.ask", hop.ask, single
        yield f"hops {number}.conclusion", [hop.conclusion], single | result
    for number, integration in enumerate(schema.integrations, 1):
        yield f"integrations {number}.ask", integration.ask, of("a", "b")
    for number, comparison in enumerate(schema.comparisons, 1):
        yield f"comparisons {number}.ask", comparison.ask, of("a", "b")
        yield f"comparisons {number}.conclusion", [comparison.conclusion], of("higher", "lower") | result
    for number, sequence in enumerate(schema.sequences, 1):
        yield f"sequences {number}.ask", sequence.ask, of("a", "b")
        yield f"sequences {number}.conclusion", [sequence.conclusion], of("earlier", "later") | result
    for number, absent in enumerate(schema.absent, 1):
        yield f"absent {number}.ask", absent.ask, frozenset(schema.key)


def _question_faults(schema: Schema) -> Iterator[str]:
    used = [
        *((f"summaries {at}", each.fields, None) for at, each in enumerate(schema.summaries, 1)),
        *((f"hops {at}", each.of, _HOP_TYPES.get(each.kind)) for at, each in enumerate(schema.hops, 1)),
        *((f"integrations {at}", each.fields, None) for at, each in enumerate(schema.integrations, 1)),
        *((f"comparisons {at}", (each.field,), "number") for at, each in enumerate(schema.comparisons, 1)),
        *((f"sequences {at}", (each.field,), "date") for at, each in enumerate(schema.sequences, 1)),
    ]
    for place, names, wanted in used:
        for name in names:
            element = schema.fields.get(name)
            if element is None:
                yield f"{place}: unknown field {name!r}"
            elif not element.fact:
                yield f"{place}: the field {name!r} has no fact, a statement to answer with"
            elif (wanted == "number" and element.type not in NUMERIC) or (wanted == "date" and element.type != "date"):
                yield f"{place}: the field {name!r} must be a {wanted}"
    for name, element in schema.fields.items():
        if element.fact and f"{{{name}}}" not in element.fact:
            yield f"fields.{name}.fact: must contain {{{name}}}"
        if element.ask and not element.fact:
            yield f"fields.{name}: it has questions to ask but no fact, a statement to answer them with"


_HOP_TYPES = {"days": "date", "difference": "number", "share": "number"}


_FOLDER = "schemas"
_INLINE_CHARS = 100


def shipped_schemas() -> list[tuple[str, str]]:
    """Name and language of every schema that comes with the package."""
    folder = resources.files("ragassay.generate.scenario") / _FOLDER
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return [(name, language) for name, _, language in (each.partition(".") for each in names)]


def shipped_text(name: str, language: str) -> str:
    """The file of a shipped schema, comments and all. Raises UsageError that lists them."""
    if (name, language) not in shipped_schemas():
        known = ", ".join(f"{each} ({code})" for each, code in shipped_schemas())
        raise UsageError(
            f"--schema: no file and no shipped schema named {name!r} in {language!r}; shipped schemas: {known}"
        )
    file = resources.files("ragassay.generate.scenario") / _FOLDER / f"{name}.{language}.toml"
    return file.read_text(encoding="utf-8")


def load_schema(name: str, language: str = "en") -> tuple[Schema, str]:
    """A schema and its text, by the path of a file or else by the name of a shipped one.

    Raises InputError that names file and field where it cannot be used, UsageError where there is none.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise InputError(f"{path} cannot be read: {reason}") from None
        return parse_schema(text, str(path)), text
    text = shipped_text(name, language)
    return parse_schema(text, f"{name}.{language}.toml"), text


_SAID = {
    "extra_forbidden": "unknown setting",
    "missing": "it is missing",
    "too_short": "it has too few entries",
}
"""What is said instead of pydantic's words, by its kind of error."""


def parse_schema(text: str, where: str) -> Schema:
    """A schema out of TOML. Raises InputError, one sentence that begins with ``where`` and the field."""
    data = parsed_toml(text, where)
    try:
        schema = Schema.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        said = _SAID.get(first["type"], first["msg"])
        raise InputError(f"{where}: {place}: {said[0].lower()}{said[1:]}") from None
    fault = next(chain(_records_faults(schema), _flat_faults(schema)), None)
    if fault:
        raise InputError(f"{where}: {fault}")
    return schema


def schema_text(schema: Schema) -> str:
    """Return the schema as TOML, without settings that are as they are by default."""
    return "\n".join(_table("", schema.model_dump(exclude_defaults=True))) + "\n"


def _table(place: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table: its settings, and then the tables in it."""
    inner = {key: value for key, value in values.items() if isinstance(value, dict) or _is_tables(value)}
    yield from (f"{_key(key)} = {_value(value)}" for key, value in values.items() if key not in inner)
    for key, value in inner.items():
        name = f"{place}.{_key(key)}".lstrip(".")
        head = f"[{name}]" if isinstance(value, dict) else f"[[{name}]]"
        for table in (value,) if isinstance(value, dict) else value:
            yield from ("", head)
            yield from _table(name, table)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], dict)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML's basic strings are JSON's
    if isinstance(value, (list, tuple)):
        items = [_value(each) for each in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _INLINE_CHARS else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    return f"{value:g}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e6 else repr(value)
