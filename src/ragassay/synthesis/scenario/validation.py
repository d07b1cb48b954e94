"""What is wrong with a schema, in one sentence that names the field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ragassay.synthesis.scenario.records import MOST_RECORDS, expanded
from ragassay.synthesis.scenario.schema import COMPUTED, NUMERIC, Element, Schema, loose_brace, placeholders

_MOST = 1e15
"""Greater numbers are written wrongly by the decimal arithmetic that counts with them."""
_LAST_YEAR = 9000
_MOST_DAYS = 100_000
"""Further from each other dates leave the calendar, which ends with the year 9999."""
_OF_COUNT = {"difference": 2, "percent": 2, "change": 2}


def first_fault(schema: Schema) -> str | None:
    """The first fault of a schema, as a sentence that begins with its place; None where there is none."""
    return next(chain(_records_faults(schema), _flat_faults(schema)), None)


def _flat_faults(schema: Schema) -> Iterator[str]:
    yield from _faults(expanded(schema))


def _records_faults(schema: Schema) -> Iterator[str]:
    """Of lists of records, before they are made flat; what is wrong in a record is said of each of its places."""
    for name, element in schema.fields.items():
        yield from (f"fields.{fault}" for fault in _one_records_fault(name, element))
    paths = frozenset(_records_paths(schema.fields))
    for section in schema.sections:
        for number, say in enumerate(section.say, 1):
            if say.each and say.each not in paths:
                yield f"sections.{section.name}.say {number}: each is {say.each!r}, which must be a list of records"


def _one_records_fault(name: str, element: Element) -> Iterator[str]:
    low, high = element.count
    if element.within:
        yield f"{name}: unknown setting within"
    if element.type != "records":
        if element.fields:
            yield f"{name}: only the type records can have fields"
        return
    if not element.fields:
        yield f"{name}: the type records needs fields, and it has none"
    if not 1 <= low <= high <= MOST_RECORDS:
        yield f"{name}: count is {low} to {high}; it must rise and lie between 1 and {MOST_RECORDS}"
    for inner, each in element.fields.items():
        yield from (f"{name}.fields.{fault}" for fault in _one_records_fault(inner, each))


def _records_paths(fields: Mapping[str, Element], before: str = "") -> Iterator[str]:
    for name, element in fields.items():
        if element.type == "records":
            yield before + name
            yield from _records_paths(element.fields, f"{before}{name}.")


def _faults(schema: Schema) -> Iterator[str]:
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
        if frame.count("{question}") != 1 or loose_brace(frame) or len(placeholders(frame)) != 1:
            yield f"frames: {frame!r} must contain {{question}} once, and no field"
    for ending in schema.endings:
        if "{" in ending or "}" in ending:
            yield f"endings: {ending!r} must contain no brace"
    for name in dict.fromkeys(name for pair in schema.orders for name in pair):
        if name not in schema.fields:
            yield f"orders: unknown field {name!r}"
    for pair in schema.orders:
        kinds = {"date" if schema.fields[name].type == "date" else "number" for name in pair}
        if len(kinds) > 1 or any(schema.fields[name].type not in (*NUMERIC, "date") for name in pair):
            yield f"orders: {pair[0]!r} and {pair[1]!r} must be two dates or two numbers"
    yield from _question_faults(schema)
    yield from _said_faults(schema)


def _element_faults(element: Element, schema: Schema) -> Iterator[str]:
    for name in element.rests_on:
        if name not in schema.fields:
            yield f"it uses the unknown field {name!r}"
    if bool(element.given) != bool(element.by or element.ranges):
        yield "given goes together with by or ranges, and one of them is missing"
    if element.type in ("option", "list") and not (element.options or element.by):
        yield f"the type {element.type} needs options, and the list is empty"
    if element.type == "text" and not (element.options or element.by):
        yield "free text needs options, for use without a language model"
    yield from _given_faults(element, schema)
    if any(len(set(options)) < len(options) for options in (element.options, *element.by.values())):
        yield "an option is repeated"
    if element.type in ("name", "person", "organisation", "place") and not (element.parts and all(element.parts)):
        yield f"the type {element.type} needs parts, and a list of them is empty"
    yield from _list_faults(element)
    yield from _number_faults(element, schema)
    yield from _date_faults(element, schema)


def _given_faults(element: Element, schema: Schema) -> Iterator[str]:
    for text in element.values:
        if stray := loose_brace(text):
            yield f"the brace in {stray!r} belongs to no field; write {{field}}, in lower case"
    for name in placeholders(" ".join(element.values)):
        if name in schema.fields and schema.fields[name].type not in (
            "name",
            "person",
            "organisation",
            "place",
            "option",
        ):
            yield f"it mentions {{{name}}}, which must be a name or an option"
    for value, (low, high) in element.ranges.items():
        if low > high:
            yield f"the range for {value!r} is reversed: {low:g} is above {high:g}"
    giver = schema.fields.get(element.given)
    if giver is None:
        return
    if giver.type != "option":
        yield f"it is given by {element.given!r}, which must be an option"
    for value in (*element.by, *element.ranges):
        if value not in giver.values:
            yield f"it has values for {value!r}, which is not an option of {element.given!r}"


def _list_faults(element: Element) -> Iterator[str]:
    low, high = element.count
    if element.type == "list" and element.by and not 1 <= low <= high:
        yield f"count is {low} to {high}; it must rise and begin with 1 or more"
    if element.type == "list" and not element.by and not 1 <= low <= high <= len(element.options):
        yield f"count is {low} to {high}; it must rise and lie between 1 and the {len(element.options)} options"


def _number_faults(element: Element, schema: Schema) -> Iterator[str]:
    for number in (element.min, element.max, element.step, *(element.percent or ())):
        if number is not None and not abs(number) <= _MOST:
            yield f"must be between -1e15 and 1e15, not {number:g}"
    if element.type == "number":
        if bool(element.part_of) != (element.percent is not None):
            yield "part_of and percent go together, and one of them is missing"
        elif element.part_of:
            if element.percent and element.percent[0] > element.percent[1]:
                yield f"the range is reversed: percent {element.percent[0]:g} to {element.percent[1]:g}"
        elif not element.ranges and (element.min is None or element.max is None):
            yield "a number needs min and max, or part_of and percent"
        elif element.min is not None and element.max is not None and element.min > element.max:
            yield f"the range is reversed: min {element.min:g} is above max {element.max:g}"
        if element.step <= 0:
            yield f"step is {element.step:g}; it must be above 0"
    if element.type in COMPUTED:
        wanted = _OF_COUNT.get(element.type, 0)
        if not element.of or (wanted and len(element.of) != wanted):
            yield f"the type {element.type} is computed: of must name {wanted or 'some'} number fields"
    for name in (*element.of, *([element.part_of] if element.part_of else [])):
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
    elif element.days is not None:
        if element.days[0] > element.days[1]:
            yield f"the range is reversed: days {element.days[0]} to {element.days[1]}"
        if element.days[0] < 0:
            yield f"days begins at {element.days[0]}; a date after another cannot be before it"
        if element.days[1] > _MOST_DAYS:
            yield f"days must end at {_MOST_DAYS} or before, not at {element.days[1]}"
        if element.after in schema.fields and schema.fields[element.after].type != "date":
            yield f"it comes after {element.after!r}, which must be a date"
    elif element.within_year:
        if not 1 <= element.months[0] <= element.months[1] <= 12:
            yield f"months is {element.months[0]} to {element.months[1]}; it must rise and lie between 1 and 12"
        yield from _year_faults(element.within_year, schema.fields.get(element.within_year))
    elif element.earliest is None or element.latest is None:
        yield "a date needs earliest and latest, after and days, or within_year"
    elif element.earliest > element.latest:
        yield f"the range is reversed: earliest {element.earliest} is after latest {element.latest}"
    elif element.latest.year > _LAST_YEAR:
        yield f"latest must be a date up to the year {_LAST_YEAR}, not {element.latest}"


def _year_faults(name: str, year: Element | None) -> Iterator[str]:
    if year is None:
        return  # said already
    if year.type != "number" or year.min is None or year.max is None:
        yield f"it lies within the year {name!r}, which must be a number with min and max"
    elif year.min < 1 or year.max > _LAST_YEAR:
        yield f"it lies within the year {name!r}, which is {year.min:g} to {year.max:g}, not 1 to {_LAST_YEAR}"


def _templates(schema: Schema) -> Iterator[tuple[str, Iterable[str], frozenset[str]]]:
    """Place, templates and the placeholders that they may have."""
    single = frozenset(schema.fields)

    def of(*prefixes: str) -> frozenset[str]:
        return frozenset({f"{prefix}.{name}" for prefix in prefixes for name in single} | {"result"})

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
        yield f"hops {number}.conclusion", [hop.conclusion], single | {"result"}
    for number, integration in enumerate(schema.integrations, 1):
        yield f"integrations {number}.ask", integration.ask, of("a", "b") - {"result"}
    for number, comparison in enumerate(schema.comparisons, 1):
        yield f"comparisons {number}.ask", comparison.ask, of("a", "b") - {"result"}
        yield f"comparisons {number}.conclusion", [comparison.conclusion], of("higher", "lower")
    for number, sequence in enumerate(schema.sequences, 1):
        yield f"sequences {number}.ask", sequence.ask, of("a", "b") - {"result"}
        yield f"sequences {number}.conclusion", [sequence.conclusion], of("earlier", "later")
    for number, absent in enumerate(schema.absent, 1):
        yield f"absent {number}.ask", absent.ask, frozenset(schema.key)


def _question_faults(schema: Schema) -> Iterator[str]:
    used = [
        *((f"summaries {at}", each.fields, None) for at, each in enumerate(schema.summaries, 1)),
        *((f"hops {at}", each.of, _hop_types(each.kind)) for at, each in enumerate(schema.hops, 1)),
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


def _hop_types(kind: str) -> str | None:
    return {"bridge": None, "days": "date"}.get(kind, "number")


def _said_faults(schema: Schema) -> Iterator[str]:
    says = (say for section in schema.sections for say in section.say)
    said = {name for say in says for sentence in say.sentences for name in placeholders(sentence)}
    for name in (each for each in schema.fields if each not in schema.unspoken):
        if name not in said:
            yield f"fields.{name}: no sentence of any section has {{{name}}}, so no document would say it"
