"""A configuration: one filled-in instance of a schema, the ground truth of one document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from ragassay.errors import InputError
from ragassay.generate.scenario.schema import NAMES, Element, Schema, fill, placeholders

Value = str | Decimal | date | tuple[str, ...]

_TRIES = 500
"""Draws for a name that no other document or field has, before the schema is said to have too few."""
_FRESH_TRIES = 30
"""Draws for a name that is in no other document yet; after that it may come again, unless it is the subject."""
_LEAST_SAID = 0.5
"""Share of the fields of the schema that a document says at least, or else all those that it has a value of."""
_MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class Configuration:
    """Values by field, and the same as documents write them; left_out: what its document is to be silent about.

    absent: of these, the fields of records that the document does not have, and which nobody would ask for.
    """

    values: Mapping[str, Value]
    texts: Mapping[str, str]
    left_out: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    @property
    def planned(self) -> frozenset[str]:
        """The fields that the document could say: those with a value, and those that it is silent about."""
        return frozenset((self.values.keys() | self.left_out) - self.absent)


def draw_configurations(schema: Schema, count: int, seed: int, left_out_share: float = 0.5) -> list[Configuration]:
    """As many configurations, each of another subject; the same for the same schema, count and seed.

    left_out_share: chance that a field that may be left out is, in [0, 1].
    Raises InputError where the schema has too few names for so many.
    """
    random = Random(f"configurations {schema.name} {schema.language} {seed}")
    seen: set[str] = set()
    return [_draw_one(schema, random, seen, left_out_share, drawn) for drawn in range(count)]


def _draw_one(schema: Schema, random: Random, seen: set[str], left_out_share: float, before: int) -> Configuration:
    """seen: names that are taken, to which the new ones are added. before: configurations that were drawn."""
    order = schema.drawing_order()
    unspoken = schema.unspoken
    optional = [name for name, element in schema.fields.items() if element.may_be_left_out]
    for _ in range(_TRIES):
        counts = {name: random.randint(*count) for name, count in schema.counts.items()}
        absent = frozenset(
            name for name in order if (within := schema.fields[name].within) and within[1] > counts[within[0]]
        )
        drawn = _drawn(schema, order, absent, random, seen)
        values = {name: value for name, value in drawn.items() if name not in absent | unspoken and value != ()}
        names = [value for name, value in values.items() if schema.fields[name].type in ("name", "person")]
        texts = {name: text_of(schema.fields[name], value, schema.language) for name, value in values.items()}
        subject = texts[schema.subject]
        if subject in seen or len(set(names)) < len(names):
            continue
        seen.update(str(name) for name in names)
        seen.add(subject)
        left_out = [each for each in optional if random.random() < left_out_share and each in values]
        most = max(0, len(values) - math.ceil(_LEAST_SAID * (len(order) - len(absent | unspoken))))
        if len(left_out) > most:
            left_out = random.sample(left_out, most)
        silent = {name for name in order if name not in values} - unspoken
        return Configuration(values, texts, frozenset({*left_out, *silent}), absent)
    raise InputError(
        f"schema {schema.name}: fields.{schema.subject} has no more names after {before} documents; "
        "add parts or options to it, or make fewer documents"
    )


def _drawn(
    schema: Schema, order: Sequence[str], absent: frozenset[str], random: Random, seen: set[str]
) -> dict[str, Value]:
    """A value for every field. Raises InputError that names the field whose ranges give none."""
    values: dict[str, Value] = {}
    for name in order:
        try:
            for _ in range(_FRESH_TRIES + 1):
                values[name] = _value(schema.fields[name], values, random)
                if not _is_refused(schema, name, values, seen, absent):
                    break
        except (ArithmeticError, ValueError) as error:
            raise InputError(
                f"schema {schema.name}: fields.{name}: no value can be drawn from its ranges ({error})"
            ) from None
    return values


def _is_refused(schema: Schema, name: str, values: Mapping[str, Value], seen: set[str], absent: frozenset[str]) -> bool:
    """Whether a value is to be drawn again: an entry that a list has, a name that is taken."""
    element, value = schema.fields[name], values[name]
    if element.within and element.type in ("option", "text"):
        return value in {values[each] for each in values if _siblings(schema, each, name)}
    if element.type in NAMES and name not in absent:  # one person with two lives would make questions unclear
        return value in seen or value in {values[each] for each in values if each != name}
    return False


def _siblings(schema: Schema, one: str, other: str) -> bool:
    """Whether two are the same field of two records in one list."""
    mine, its = schema.fields[one].within, schema.fields[other].within
    if one == other or not mine or not its or mine[0] != its[0]:
        return False
    return one.removeprefix("{}_{}_".format(*mine)) == other.removeprefix("{}_{}_".format(*its))


def _value(element: Element, values: Mapping[str, Value], random: Random) -> Value:
    options = element.options
    if element.given and element.by:
        options = element.by.get(str(values[element.given]), ())
        if not options:
            return ()
    match element.type:
        case "name" | "person" | "organisation" | "place":
            return _filled(element.separator.join(random.choice(part) for part in element.parts), values)
        case "option" | "text":
            return _filled(random.choice(options), values)
        case "list":
            most = min(element.count[1], len(options))
            chosen = random.sample(options, random.randint(min(element.count[0], most), most))
            return tuple(_filled(each, values) for each in chosen)
        case "date":
            if () in (values.get(element.after), values.get(element.within_year)):
                return ()
            found = _day(element, values, random)
            return found if element.precision == "day" else found.replace(day=1)
        case "number":
            return _number(element, values, random)
        case _:
            parts = [values[name] for name in element.of]
            return () if () in parts else _computed(element, [_decimal(part) for part in parts])


def _filled(text: str, values: Mapping[str, Value]) -> str:
    return fill(text, {name: str(values[name]) for name in placeholders(text)})


def _day(element: Element, values: Mapping[str, Value], random: Random) -> date:
    if element.days is not None:
        start = values[element.after]
        assert isinstance(start, date)
        return start + timedelta(days=random.randint(*element.days))
    if element.within_year:
        year = int(_decimal(values[element.within_year]))
        return date(year, random.randint(*element.months), random.randint(1, 28))
    assert element.earliest is not None
    assert element.latest is not None
    return element.earliest + timedelta(days=random.randint(0, (element.latest - element.earliest).days))


def _number(element: Element, values: Mapping[str, Value], random: Random) -> Value:
    step = Decimal(str(element.step))
    if element.percent is not None:
        if values[element.part_of] == ():
            return ()
        share = Decimal(str(round(random.uniform(*element.percent), 4)))
        raw = _decimal(values[element.part_of]) * share / 100
        return _rounded((raw / step).quantize(Decimal(1), ROUND_HALF_UP) * step, element.decimals)
    low, high = element.ranges.get(str(values[element.given]), (None, None)) if element.given else (None, None)
    if element.given and low is None:
        return ()
    lowest, highest = (
        Decimal(str(element.min if low is None else low)),
        Decimal(str(element.max if high is None else high)),
    )
    return _rounded(lowest + step * random.randint(0, int((highest - lowest) / step)), element.decimals)


def _computed(element: Element, numbers: list[Decimal]) -> Decimal:
    match element.type:
        case "sum":
            return _rounded(sum(numbers, Decimal(0)), element.decimals)
        case "difference":
            return _rounded(numbers[0] - numbers[1], element.decimals)
        case "percent":
            return percentage(numbers[0], numbers[1], element.decimals)
        case _:
            return percentage(numbers[0] - numbers[1], numbers[1], element.decimals)


def percentage(part: Decimal, whole: Decimal, decimals: int) -> Decimal:
    """100 part / whole, rounded half up. Raises InputError where the whole is 0."""
    if whole == 0:
        raise InputError("a percentage of 0 is undefined; keep the ranges of the schema away from 0")
    return _rounded(100 * part / whole, decimals)


def _decimal(value: Value) -> Decimal:
    assert isinstance(value, Decimal)
    return value


def _rounded(number: Decimal, decimals: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def text_of(element: Element, value: Value, language: str) -> str:
    """A value as documents in a language write it."""
    if isinstance(value, date):
        by_month = element.precision == "month"
        if language == "zh":
            return f"{value.year}年{value.month}月" + ("" if by_month else f"{value.day}日")
        return ("" if by_month else f"{value.day} ") + f"{_MONTHS[value.month - 1]} {value.year}"
    if isinstance(value, tuple):
        return joined(value, language)
    if isinstance(value, Decimal):
        pattern = element.pattern
        if element.type == "change":
            pattern = element.patterns[0 if value >= 0 else 1]
            value = abs(value)
        return pattern.replace("{}", f"{value:,}" if element.grouped and language != "zh" else str(value))
    return value


def joined(items: Iterable[str], language: str) -> str:
    """Items as a list in a sentence."""
    *most, last = items
    if not most:
        return last
    return f"{'、'.join(most)}和{last}" if language == "zh" else f"{', '.join(most)} and {last}"
