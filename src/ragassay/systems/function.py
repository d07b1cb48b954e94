"""A system that is a Python callable, or an object of LangChain or LlamaIndex: the user's own code."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.datasets.replies.places import UnreadableAnswerError
from ragassay.datasets.replies.reading import read_answer
from ragassay.errors import UsageError
from ragassay.models.llm.masking import environment_mask, one_line
from ragassay.models.user_code import (
    attribute_of,
    awaiting,
    carried,
    check_one_argument,
    further_parameter,
    in_thread,
    is_asynchronous,
    said_of,
)
from ragassay.records import Prediction
from ragassay.systems.base import (
    QUESTION,
    Question,
    Take,
    UnusableSystemError,
    failed,
    filled,
    holds_turns,
    parse_template,
)
from ragassay.systems.code import code_of
from ragassay.systems.options import FunctionOptions, options_of
from ragassay.systems.spec import SystemSpec

ASYNC_AT_ONCE = 8
_RUNNABLE = ("ainvoke", "invoke")
"""LangChain's; the asynchronous one first."""
_OTHERS = ("aquery", "query", "aretrieve", "retrieve", "arun", "run")
"""Of objects that cannot be called themselves: LlamaIndex' query engines and retrievers, pipelines."""


class _Entry(NamedTuple):
    """How the system is called. makes_input: of the question. takes_history: whether it gets the turns before it."""

    call: Callable[[Any], Any]
    is_async: bool
    makes_input: Callable[[Question], Any]
    takes_history: bool


class FunctionSystem:
    """Calls ``module:callable`` with the text of each question; a parameter ``history`` gets the turns before.

    A function that is not asynchronous is called in a thread of its own, one at a time by default. One that hangs is
    left behind.
    """

    batch = 1

    def __init__(self, options: FunctionOptions, target: Any) -> None:
        """target: what is called. Raises UsageError where it cannot be called with a question."""
        self.name = options.name or options.target
        self.code = code_of(target)
        self.mask = environment_mask()
        self._options = options
        self._places = options.places
        if inspect.isclass(target):
            try:
                target = target()
            except Exception as error:  # noqa: BLE001 - the user's class may raise anything
                fault = f"{options.target} is a class that cannot be created without arguments ({said_of(error)})"
                raise UsageError(f"function: {fault}") from None
        self._entry = _entry(target, options)
        self.takes_history = self._entry.takes_history
        self.most_at_once = ASYNC_AT_ONCE if self._entry.is_async else 1

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Make one call for each question, one after the other."""
        for question in questions:
            take(await self._answered(question))

    async def close(self) -> None:
        """Hold nothing."""

    async def _answered(self, question: Question) -> Prediction:
        begun, timeout_s = time.perf_counter(), self._options.timeout
        given = self._entry.makes_input(question)
        trouble: Exception
        try:
            async with asyncio.timeout(timeout_s):
                value = await (self._entry.call(given) if self._entry.is_async else in_thread(self._entry.call, given))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            trouble = carried(error)  # of what it awaited: nobody has cancelled us
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may raise anything
            if isinstance(error, TimeoutError) and time.perf_counter() - begun >= timeout_s:  # not its own
                return failed(self.name, question, "time-out", f"no answer within {timeout_s:g} s")
            trouble = carried(error)
        else:
            latency_s = round(time.perf_counter() - begun, 4)
            try:
                return read_answer(value, self._places, example_id=question.id, system=self.name, latency_s=latency_s)
            except UnreadableAnswerError as error:
                raise UnusableSystemError(self.name, "no answer in what it returned", str(error)) from None
        return failed(self.name, question, said_of(trouble))


def spec_of(target: Any, settings: dict[str, Any]) -> tuple[SystemSpec, FunctionSystem]:
    """Make a system of a callable that is at hand, named after where it was defined. Raises UsageError."""
    options = options_of(FunctionOptions, {"target": name_of(target), **settings}, "system")
    return SystemSpec("function", options, Path()), FunctionSystem(options, target)


def name_of(target: Any) -> str:
    """Return where something was defined, as ``module:name``."""
    names = [(attribute_of(target, each), getattr(type(target), each)) for each in ("__module__", "__qualname__")]
    return ":".join(own if isinstance(own, str) else of_type for own, of_type in names)


def imported_object(target: str, folder: Path, option: str = "function") -> Any:
    """Return what ``module:name`` names; the name may have dots. option: for the messages. Raises UsageError."""
    module_name, colon, name = target.partition(":")
    if not colon or not module_name or not name:
        raise UsageError(f"{option}: must be MODULE:NAME, such as my_module:answer, not {target[:80]!r}")
    if module_name.endswith(".py"):
        raise UsageError(f"{option}: leave out .py, as in {module_name[:-3]}:{name}")
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.insert(0, place)
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        said = f"no module {error.name!r}" if error.name else one_line(str(error))
        hint = f"it was looked for in {place} too" if error.name == module_name.partition(".")[0] else "install it"
        raise UsageError(f"{option}: {module_name} cannot be imported: {said}; {hint}") from None
    except Exception as error:  # noqa: BLE001 - the user's module may raise anything while it is imported
        raise UsageError(f"{option}: {module_name} cannot be imported ({said_of(error)})") from None
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            near = get_close_matches(part, [each for each in dir(found) if not each.startswith("_")], n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"{option}: {module_name} has no {part!r}{hint}") from None
    return found


def _entry(target: Any, options: FunctionOptions) -> _Entry:
    template = None if options.input is None else parse_template(options.input, "input")
    has_turns = template is not None and holds_turns(template)
    for name in _RUNNABLE if callable(target) else (*_RUNNABLE, *_OTHERS):
        call = attribute_of(target, name)
        if callable(call) and not inspect.isfunction(target):
            is_async = name.startswith("a") or inspect.iscoroutinefunction(call)
            return _Entry(call, is_async, _input(target, template), has_turns)
    if not callable(target):
        raise UsageError(f"function: {options.target} must be callable, not of type {type(target).__name__}")
    history = further_parameter(target, "history")
    try:
        check_one_argument(target if history is None else partial(target, history=[]), "the text of a question")
    except TypeError as error:
        raise UsageError(f"function: {options.target}{error}; wrap it in a function of one argument") from None
    makes_input, is_async = _input(target, template), is_asynchronous(target)
    if history is None:
        return _Entry(target if is_async else awaiting(target), is_async, makes_input, has_turns)
    is_required = history.default is history.empty

    def asked(question: Question) -> Any:
        given = makes_input(question)
        return target(given, history=question.earlier) if question.history or is_required else target(given)

    return _Entry(asked if is_async else awaiting(asked), is_async, lambda question: question, takes_history=True)


def _input(target: Any, template: Any) -> Callable[[Question], Any]:
    """Return what it is called with: as the user says, else as it describes its input itself, else the text."""
    if template is not None:
        return lambda question: filled(template, question)
    name = _only_input(target)
    if name is not None:
        return lambda question: {name: question.text}
    return lambda question: question.text


def _only_input(target: Any) -> str | None:
    """Return the one field that a chain of LangChain asks for, where it is called with a mapping."""
    keys = attribute_of(target, "input_keys")
    if isinstance(keys, list) and len(keys) == 1 and isinstance(keys[0], str):
        return keys[0]
    describe = attribute_of(target, "get_input_jsonschema")
    try:
        schema = describe() if callable(describe) else None
    except Exception:  # noqa: BLE001 - a description that fails is none; the call will tell
        return None
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return None
    required = schema.get("required") or []
    if not isinstance(required, list) or not required:
        return None
    if len(required) > 1:
        raise UsageError(
            f"function: it needs the arguments {', '.join(map(str, required[:6]))}; give them, as in "
            f"input={json.dumps({str(required[0]): QUESTION})!r}"
        )
    return str(required[0])
