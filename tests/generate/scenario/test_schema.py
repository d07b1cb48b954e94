"""Schema files: what is wrong is said in one sentence, and what is written is read again as it was."""

from __future__ import annotations

import pytest

from ragassay.errors import InputError
from ragassay.generate.scenario.schema_file import load_schema, parse_schema, schema_text, shipped_schemas

SMALL = """
name = "ships"
language = "en"
title = "{ship}"
key = ["ship"]

[fields.ship]
type = "name"
parts = [["Grey", "Blue"], ["Heron", "Gull"]]
separator = " "

[fields.port]
type = "option"
options = ["Lund", "Oskay"]
ask = ["What is the port of {ship}?"]
fact = "The port of {ship} is {port}."

[fields.crew]
type = "number"
min = 3
max = 9

[fields.built]
type = "date"
earliest = 1990-01-01
latest = 1999-12-31

[fields.sold]
type = "date"
after = "built"
days = [10, 20]

[[sections]]
name = "all"
headings = ["All"]

[[sections.say]]
sentences = ["{ship} of {port} has a crew of {crew}, was built on {built} and sold on {sold}."]
"""


def test_a_schema_that_holds_together_is_read_and_written_again() -> None:
    schema = parse_schema(SMALL, "ships.toml")
    assert schema.drawing_order() == ("ship", "port", "crew", "built", "sold")
    assert parse_schema(schema_text(schema), "again") == schema


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("earliest = 1990-01-01\nlatest = 1999-12-31", 'after = "sold"\ndays = [1, 2]',
         "fields.built: the fields rest on each other in a cycle, built -> sold -> built"),
        ('options = ["Lund", "Oskay"]', "options = []",
         "fields.port: the type option needs options, and the list is empty"),
        ('after = "built"', 'after = "launched"', "fields.sold: it uses the unknown field 'launched'"),
        ("min = 3\nmax = 9", "min = 9\nmax = 3", "fields.crew: no value can be drawn from its ranges"),
        ("days = [10, 20]", "days = [20, 10]", "fields.sold: days must rise from 0 or more to 100000"),
        ("earliest = 1990-01-01", "earliest = 2001-01-01", "fields.built: no value can be drawn from its ranges"),
        ("min = 3", 'min = "three"', "fields.crew.min: input should be a valid number"),
        ('type = "option"', 'type = "option"\ncolour = "red"', "fields.port.colour: unknown setting"),
        ("has a crew of {crew}", "has a crew", "fields.crew: no sentence of any section has {crew}"),
        ("of {port} has", "of {harbour} has",
         "sections.all.say 1: unknown field {harbour}; correct the name or add the field"),
        ('key = ["ship"]', 'key = ["boat"]', "key: unknown field 'boat'"),
        ('language = "en"', "language = en", "is not valid TOML"),
        ('language = "en"', f"language = {'[' * 5000}", "is not valid TOML (it is nested too deeply)"),
        ('language = "en"', f"language = {'9' * 5000}", "is not valid TOML (a number has too many digits)"),
        ('key = ["ship"]', "key = []", "key: it has too few entries"),
        ('key = ["ship"]', "", "key: it is missing"),
        ("min = 3\nmax = 9", "min = nan\nmax = 9", "fields.crew: no value can be drawn from its ranges"),
        ("min = 3\nmax = 9", "min = 3\nmax = inf", "fields.crew: no value can be drawn from its ranges"),
        ("min = 3\nmax = 9", "min = 3\nmax = 1e300", "fields.crew: no value can be drawn from its ranges"),
        ("days = [10, 20]", "days = [10, 9999999]", "fields.sold: days must rise from 0 or more to 100000"),
        ("earliest = 1990-01-01\n", 'within_year = "port"\n', "it rests on 'port', which must be a number"),
        ('name = "ships"', 'name = " "', "name: it is empty"),
        ("has a crew of {crew}", "has a crew of {Crew} {crew}", "the brace in '{Crew} , was built on' belongs to no"),
        ("has a crew of {crew}", "has a crew of {crew} {port", "the brace in '{port"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_and_field(old: str, new: str, said: str) -> None:
    assert old in SMALL
    with pytest.raises(InputError) as raised:
        parse_schema(SMALL.replace(old, new), "ships.toml")
    assert str(raised.value).startswith("ships.toml")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_shipped_schemas_hold_together_and_survive_writing() -> None:
    assert shipped_schemas() == [(name, code) for name in ("finance", "law", "medicine") for code in ("en", "zh")]
    for name, language in shipped_schemas():
        schema, _ = load_schema(name, language)
        assert (schema.name, schema.language) == (name, language)
        assert parse_schema(schema_text(schema), name) == schema
