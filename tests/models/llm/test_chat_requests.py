"""Keys, schemas and dialects of requests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ragassay.models.llm.chat_request import ChatRequest, Dialect, Dialects, Sampling, strict_schema
from ragassay.models.llm.endpoints import public_address
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import Message


def key(address: str = "http://h/v1", **changed: Any) -> str:
    call: dict[str, Any] = {"model": "m", "schema": "{}", "turn": 0, "extra_body": {}, "sample": 0, "text": "Which?"}
    call |= changed
    sampling, texts = Sampling(sample=call.pop("sample")), [Message("user", call.pop("text"))]
    return ChatRequest(texts, sampling, call.pop("model"), Dialects(Dialect()), **call).key(address).hex()


def test_every_part_of_a_call_changes_its_key() -> None:
    changed = ({"model": "n"}, {"schema": ""}, {"turn": 1}, {"extra_body": {"top_p": 1}}, {"sample": 1}, {"text": "?"})
    keys = {key(), key("http://h/v2"), *(key(**each) for each in changed)}
    assert len(keys) == 2 + len(changed)
    assert key() == "a6520ac6eb444178025131df1bfeb484"  # what old logs have it under


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
