"""Laws that every task keeps, whatever it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ragassay.tasks.base import Task
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import messages_for

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)

# What OpenAI's structured outputs take in strict mode; other servers take no less of it.
STRICT = {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
SAYS_NOTHING = {"title", "description"}
INTERNAL = {"draft", "pattern", "support", "relevance"}


def schemas_in(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    nested = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
    for each in [*nested, *([schema["items"]] if "items" in schema else [])]:
        yield from schemas_in(each)


@every_task
def test_a_task_says_all_that_a_language_model_needs(task: Task[Any, Any], sample: Callable[[str], Any]) -> None:
    assert task.prompt == task.prompt.strip()
    assert task.prompt.endswith(".")
    assert task.source
    system, user = messages_for(task, sample(task.name).inputs)
    assert (system.role, user.role) == ("system", "user")
    assert all(f"- {field} (" in system.content for field in task.filled_in.model_fields)
    assert user.content.startswith("<")


@every_task
def test_prompts_to_the_letter(task: Task[Any, Any], sample: Callable[[str], Any], snapshot: Any) -> None:
    """After a change that is meant, raise the task's version and run pytest with --snapshot-update."""
    messages = messages_for(task, sample(task.name).inputs)
    assert "\n\n=====\n\n".join(message.content for message in messages) == snapshot


@every_task
def test_replies_become_outputs(task: Task[Any, Any], sample: Callable[[str], Any]) -> None:
    inputs, reply = sample(task.name)
    output = task.to_output(inputs, task.filled_in.model_validate(reply | {"comment": "a field too many"}))
    assert isinstance(output, task.output_type)


@every_task
def test_the_schema_of_a_reply_is_strict(task: Task[Any, Any]) -> None:
    for schema in schemas_in(task.filled_in.model_json_schema()):
        assert set(schema) <= STRICT | SAYS_NOTHING
        if "$ref" in schema:
            assert set(schema) == {"$ref"}
        if "properties" in schema:
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
            assert not INTERNAL & set(schema["properties"])
