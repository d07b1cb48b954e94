"""Models of the user's own: a function from a prompt to a text, or an object that answers tasks itself.

A function, or a model of LangChain or LlamaIndex, takes the place of the connections to a server, so log, limits and
the reading of replies are the same as for any server. An object is asked as it is, and keeps its own limits.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Sequence
from typing import Any

from ragassay.errors import RagassayError, UsageError
from ragassay.models.base import Reply
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.masking import environment_mask
from ragassay.models.llm.transport import RAISED, NotReceived, Received
from ragassay.models.own_objects import entry_of, said_by
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


def check_own_model(target: Any) -> None:
    """Raises UsageError for what cannot be asked."""
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
    """Whether it is asked tasks, as the models of ``models/base.py`` are, and not prompts by ``ask(prompt)``."""
    ask = attribute_of(target, "ask")
    return callable(ask) and not takes_one_argument(ask)


class FunctionTransport:
    """Has the methods of ``Transport``; a request is answered by a function that is given the chat as one text."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._name, target = endpoint.name, entry_of(endpoint.own)
        self.mask = environment_mask()
        self._call = target if is_asynchronous(target) else lambda prompt: in_thread(awaiting(target), prompt)

    async def post(self, path: str, body: bytes, *, timeout_s: float) -> Received:
        """Asks once. Raises NotReceived."""
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
        said = said_by(reply)
        if said.text is None:
            return _raised(f"the function returned {type(reply).__name__}, not a text")
        choice = {"message": {"content": said.text}, "finish_reason": "stop"}
        made = {"choices": [choice], **({"usage": said.usage} if said.usage is not None else {})}
        return Received(200, {}, self.mask.masked(json.dumps(made).encode(), 200))

    async def close(self) -> None:
        """Nothing is kept here."""


def _prompt(messages: Sequence[dict[str, str]]) -> str:
    """The messages of a chat as one text; what the model said before is marked as such."""
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
            return self._read(task, await _given(self._target.ask(task, inputs)))
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
        """The object is its owner's."""

    def _read(self, task: Task[In, Out], said: Any) -> Reply[Out]:
        value = said.value if isinstance(said, Reply) else said
        if isinstance(value, task.output_type):
            return said if isinstance(said, Reply) else Reply(value)
        if value is None and isinstance(said, Reply):
            return said
        return Reply(None, f"{self.name} gave {type(value).__name__} for the task {task.name}")


async def _given(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
