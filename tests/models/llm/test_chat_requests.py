"""Keys, schemas and dialects of requests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ragassay.models.llm.call_keys import call_key, public_address
from ragassay.models.llm.chat_request import Dialect, strict_schema
from ragassay.tasks.catalogue import TASKS

CALL = {
    "address": "http://h/v1",
    "model": "m",
    "parameters": "{}",
    "schema": "{}",
    "messages": "[]",
    "sample": 0,
    "turn": 0,
}


def test_every_part_of_a_call_changes_its_key() -> None:
    keys = {call_key(**CALL)} | {  # type: ignore[arg-type]
        call_key(**CALL | {name: 1 if isinstance(value, int) else value + "x"})  # type: ignore[arg-type, operator]
        for name, value in CALL.items()
    }
    assert len(keys) == 1 + len(CALL)
    assert {len(key) for key in keys} == {16}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:secret@Host.example:8443/v1/?api-key=secret#secret", "https://host.example:8443/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_addresses_are_shown_without_secrets(url: str, shown: str) -> None:
    assert public_address(url) == shown


@pytest.mark.parametrize("name", TASKS)
def test_schemas_keep_to_strict_mode(name: str) -> None:
    """What OpenAI's strict mode asks for: objects closed, all fields required, nothing but these keywords."""

    def check(node: Any) -> None:
        assert isinstance(node, dict)
        assert node.keys() <= {
            *("type", "enum", "const", "properties", "items", "anyOf", "$ref", "$defs"),
            *("required", "additionalProperties"),
        }
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        for inner in [*node.get("properties", {}).values(), *node.get("$defs", {}).values(), *node.get("anyOf", ())]:
            check(inner)
        if "items" in node:
            check(node["items"])

    schema = json.loads(strict_schema(TASKS[name].filled_in))
    assert schema["type"] == "object"
    check(schema)


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("Unsupported value: 'temperature' does not support 0 with this model.", {"temperature": False}),
        ('[{"type": "extra_forbidden", "loc": ["body", "seed"]}]', {"seed": False}),
        (
            "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
            {"length_name": "max_completion_tokens"},
        ),
        ("'max_tokens' or 'max_completion_tokens' is too large: 4096.", {"length_name": None}),
        ("'response_format.type' must be 'text' or 'json_object'", {"format": "json_object_schema"}),
        ("failed to parse grammar", {"format": "json_object_schema"}),
        ("the moon is full", None),
    ],
)
def test_what_is_refused_by_name_is_left_out(said: str, after: dict[str, Any] | None) -> None:
    assert Dialect().after(said) == (None if after is None else replace(Dialect(), **after))
