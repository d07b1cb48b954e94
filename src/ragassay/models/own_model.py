"""Models of the user's own: a function from a prompt to a text, or an object that answers tasks itself.

A function, or a model of LangChain (``ainvoke`` or ``invoke``) or LlamaIndex (``acomplete`` or ``complete``), known by
its shape, takes the place of the connections to a server. An object is asked as it is, and keeps its own limits.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragassay.errors import RagassayError, UsageError
from ragassay.models.base import Reply
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.masking import environment_mask
from ragassay.models.llm.transport import RAISED, NotReceived, Received
from ragassay.models.user_code import (
    attribute_of,
    awaiting,
    carried,
    check_one_argument,
    in_thread,
    is_asynchronous,
    said_of,
    takes_one_argument,
)
from ragassay.tasks.base import In, Out, Task

_METHODS = ("ainvoke", "invoke", "acomplete", "complete", "ask")
"""Asynchronous ones first: several calls are in flight then."""
_MODEL_NAMES = ("model_name", "model", "deployment_name", "model_id")
_LONGEST_NAME = 60
_COUNTS = ("input_tokens", "output_tokens")


def check_own_model(target: Any) -> None:
    """Raise UsageError for what cannot be asked."""
    if answers_tasks(target):
        return
    kind = type(target).__name__
    entry = entry_of(target)
    if not callable(entry):
        raise UsageError(
            "model: must be a name, a function from a prompt to a text, an object with ask, a chat model of LangChain "
            f"or an LLM of LlamaIndex, not {kind}"
        )
    try:
        check_one_argument(entry, "a prompt")
    except TypeError as error:
        raise UsageError(f"model: a {kind} with {error}; wrap it in a function of a prompt") from None


def answers_tasks(target: Any) -> bool:
    """Return whether it is asked tasks, as the models of ``models/base.py`` are, and not prompts by ``ask(prompt)``."""
    ask = attribute_of(target, "ask")
    return callable(ask) and not takes_one_argument(ask)


class FunctionTransport:
    """Has the methods of ``Transport``; a request is answered by a function that is given the chat as one text."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._name, target = endpoint.name, entry_of(endpoint.own)
        self.mask = environment_mask()
        self._call = target if is_asynchronous(target) else lambda prompt: in_thread(awaiting(target), prompt)

    async def post(self, path: str, body: bytes, *, timeout_s: float) -> Received:
        """Ask once. Raises NotReceived."""
        limit = asyncio.timeout(timeout_s)
        try:
            async with limit:
                reply = await self._call(_prompt(json.loads(body)["messages"]))
        except Exception as error:  # noqa: BLE001 - the code of others may raise anything
            if limit.expired():
                raise NotReceived("time-out", f"no reply of {self._name} within {timeout_s:g} s") from None
            return _raised(f"the function raised {said_of(error)}")
        except SystemExit as error:
            return _raised(str(carried(error)))
        text, usage = _said_by(reply)
        if text is None:
            return _raised(f"the function returned {type(reply).__name__}, not a text")
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        made = {"choices": [choice], **({"usage": usage} if usage is not None else {})}
        return Received(200, {}, self.mask.masked(json.dumps(made).encode(), 200))

    async def close(self) -> None:
        """Nothing is kept here."""


def _prompt(messages: Sequence[dict[str, str]]) -> str:
    """Return the messages of a chat as one text; what the model said before is marked as such."""
    return "\n\n".join(
        f"You replied:\n{each['content']}" if each["role"] == "assistant" else each["content"] for each in messages
    )


def _raised(said: str) -> Received:
    return Received(RAISED, {}, json.dumps({"error": {"message": said}}).encode())


class AskedModel:
    """An object with ``ask``; whatever it raises or gives back becomes a reply."""

    def __init__(self, endpoint: Endpoint, at_once: int) -> None:
        """at_once: inputs of one task that it is asked at the same time, where it has no ``ask_all``."""
        self.name = endpoint.name
        self._target: Any = endpoint.own
        self._at_once = at_once

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        try:
            said = await _given(self._target.ask(task, inputs))
            value = said.value if isinstance(said, Reply) else said
            if isinstance(value, task.output_type):
                return said if isinstance(said, Reply) else Reply(value)
            if value is None and isinstance(said, Reply):
                return said
            return Reply(None, f"{self.name} gave {type(value).__name__} for the task {task.name}")
        except RagassayError:
            raise
        except SystemExit as error:
            return Reply(None, f"{self.name}: {carried(error)}")
        except Exception as error:  # noqa: BLE001 - the code of others may raise anything
            return Reply(None, f"{self.name} raised {said_of(error)}")

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        slots = asyncio.Semaphore(self._at_once)

        async def asked(each: In) -> Reply[Out]:
            async with slots:
                return await self.ask(task, each)

        return list(await asyncio.gather(*map(asked, inputs)))

    async def close(self) -> None:
        """Return the object is its owner's."""


async def _given(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def entry_of(target: Any) -> Callable[[str], Any]:
    """Return what is called with a prompt: a method by which such objects are asked, else the target itself."""
    if not inspect.isroutine(target) and not inspect.isclass(target):
        for name in _METHODS:
            method = attribute_of(target, name)
            if inspect.isroutine(method):
                return method
    return target  # type: ignore[no-any-return]


def _said_by(reply: Any) -> tuple[str | None, Mapping[str, int] | None]:
    """Return text, if any, and tokens, if counted, of what came back: a text, message, completion or parts of it."""
    if isinstance(reply, str):
        return reply, None
    content = attribute_of(reply, "content")
    if content is None:
        content = attribute_of(reply, "text")
    counted = attribute_of(reply, "usage_metadata")
    given = [counted.get(name) for name in _COUNTS] if isinstance(counted, Mapping) else []
    numbers = [each for each in given if isinstance(each, int)]
    usage = dict(zip(("prompt_tokens", "completion_tokens"), numbers, strict=True)) if len(numbers) == 2 else None
    return _text(content), usage


def model_of(target: Any) -> str:
    """Return the name of the model behind an object, where it says it, such as ``gpt-4o-mini``; else empty."""
    places = (target, attribute_of(target, "metadata"))
    names = (attribute_of(place, name) for place in places if place is not None for name in _MODEL_NAMES)
    return next((name[:_LONGEST_NAME] for name in names if isinstance(name, str) and name), "")


def settings_of(target: Any) -> str | None:
    """Return a hash of the plain settings of an object of a library; None where there are none to see."""
    try:
        held = {name: value for name, value in vars(target).items() if not name.startswith("_")}
        told = json.dumps(held, sort_keys=True, default=lambda value: type(value).__name__)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return None
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest() if held else None


def _text(content: Any) -> str | None:
    if isinstance(content, list):  # parts of a message: texts, or mappings with a text
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None
