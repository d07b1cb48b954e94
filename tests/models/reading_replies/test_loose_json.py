"""What is mended, what breaks the reading off, and that valid JSON reads as it does elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.loose_json import Value, parse

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(TEXTS, VALUES, max_size=4)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2,], }', {"a": [1, 2]}),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}),
        ('[{"a": 1} {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ("{'a': 'it's the dogs' tail', 'b': True, 'c': None}", {"a": "it's the dogs' tail", "b": True, "c": None}),
        ("{“a”: “he said “x” twice”, ‘b’: ‘don’t’}", {"a": "he said “x” twice", "b": "don’t"}),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
        ('["the "GPT-n" series", "in "JSON", in which case"]', ['the "GPT-n" series', 'in "JSON", in which case']),
        ('{ // first\n"a": 1, # second\n/* third, */ "b": 2}', {"a": 1, "b": 2}),
        (r'["NASA\'s \d \u00e9 \ud83d\ude00 \ud83d"]', ["NASA's \\d é 😀 \ufffd"]),
        ('{"a": ["x", "y"}', {"a": ["x", "y"]}),
    ],
)
def test_usual_damage_is_mended(text: str, value: Value) -> None:
    parsed = parse(text, 0)
    assert (parsed.value, parsed.ending, parsed.end) == (value, "closed", len(text))


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ('{"a": ["x"]', "unclosed"),
        ('{"a": ["x"]\n\nI hope this helps', "unclosed"),
        ('{"a": "x",', "cut"),
        ('{"a": 1', "cut"),  # of 12, for all we know
        ('{"a": "x', "cut"),
        ('["x", "y"', "cut"),
        ('{"a": [{"b": 1}', "cut"),
        ('["x", ...]', "broken"),
        ('["he said "no", "y"]', "broken"),  # ends the quotation, or the string?
        ('{"a": maybe}', "broken"),
        ("[^\\w]", "broken"),
        ("[1}", "broken"),
    ],
)
def test_nothing_is_guessed_where_something_may_be_missing(text: str, ending: str) -> None:
    assert parse(text, 0).ending == ending


@given(CONTAINERS, st.sampled_from([None, 2]), st.booleans())
def test_valid_json_reads_as_elsewhere(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse(text, 0)
    assert (parsed.value, parsed.ending, parsed.end) == (json.loads(text), "closed", len(text))
