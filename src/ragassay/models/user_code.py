"""Functions and objects of the user's, looked at and called with care: they may raise anything."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from ragassay.models.llm.masking import one_line

_SHOWN = 300
_MOST_CAUSES = 20
_OF_OTHER_LOOP = (
    "it belongs to another event loop; create what is asynchronous, such as a client, within the function, which is "
    "called in a loop of its own"
)
_OTHER_LOOP = re.compile(r"different (?:event )?loop|[Ee]vent loop is closed|await wasn't used with future")

ENDED = "the function ended the process"
"""What is said of one that calls ``sys.exit``: it ends its question alone."""


def is_asynchronous(target: Any) -> bool:
    """Return whether calling it gives something to be awaited, as far as it says so."""
    is_function = inspect.isroutine(target) or isinstance(target, partial)
    return inspect.iscoroutinefunction(target if is_function else attribute_of(type(target), "__call__"))


def attribute_of(value: Any, name: str, default: Any = None) -> Any:
    """Return an attribute; the default where there is none, or where the object raises when it is asked for it."""
    try:
        return getattr(value, name, default)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return default


def _signature(target: Any) -> inspect.Signature | None:
    """Its signature; None where it was not written in Python, or raises when it is looked at."""
    try:
        return inspect.signature(target)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return None


def check_one_argument(target: Any, what: str) -> None:
    """Raise TypeError where it can be seen that it cannot be called with one argument alone. what: the argument."""
    signature = _signature(target)
    try:
        if signature is not None:
            signature.bind(what)
    except TypeError as error:
        raise TypeError(f"{signature} cannot be called with {what} alone ({error})") from None


def takes_one_argument(target: Any) -> bool:
    """Return whether it can be seen that it needs a single argument by place, whatever else it may be given."""
    signature = _signature(target)
    parameters = signature.parameters.values() if signature else ()
    needed = [each.kind for each in parameters if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return len(needed) == 1 and needed[0] in by_place


def further_parameter(target: Any, name: str) -> inspect.Parameter | None:
    """Return the parameter of that name that can be given beside the first argument, as far as it can be seen."""
    signature = _signature(target)
    found = signature.parameters.get(name) if signature else None
    if signature is None or found is None or found.kind not in (found.POSITIONAL_OR_KEYWORD, found.KEYWORD_ONLY):
        return None
    return None if found.kind is found.POSITIONAL_OR_KEYWORD and next(iter(signature.parameters)) == name else found


async def in_thread(call: Callable[[Any], Any], given: Any) -> Any:
    """Return what a call gives back, in a thread that, unlike those of a pool, no end of the process awaits."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Any] = loop.create_future()

    def tell(value: Any, error: Exception | None) -> None:
        if outcome.done():  # timed out
            return
        if error is None:
            outcome.set_result(value)
        else:
            outcome.set_exception(error)

    def work() -> None:
        value, error = None, None
        try:
            value = call(given)
        except BaseException as raised:  # noqa: BLE001 - carried over to where it is waited for
            error = carried(raised)
        with suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
            loop.call_soon_threadsafe(tell, value, error)

    threading.Thread(target=work, name="function under test", daemon=True).start()
    return await outcome


def carried(raised: BaseException) -> Exception:
    """Return what is said of an exception; one that would end more than its question is another."""
    if isinstance(raised, SystemExit):
        return RuntimeError(ENDED)
    if isinstance(raised, StopIteration) or not isinstance(raised, Exception):  # no future can hold StopIteration
        return RuntimeError(f"the function raised {type(raised).__name__}")
    return raised


def said_of(error: BaseException) -> str:
    """Return what the code of others raised, and what it came from, on one line: clients say only that it failed."""
    said = root = carried(error)
    for _ in range(_MOST_CAUSES):
        root = root.__cause__ if isinstance(root.__cause__, Exception) else root
    first = _named(said)
    is_new = root is not said and (_message(root) or type(root).__name__) not in first
    return f"{first} (from {_named(root)})" if is_new else first


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {_message(error)}".removesuffix(": ")


def _message(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - even that is code of others
        return "no message"
    return one_line(_OF_OTHER_LOOP if isinstance(error, RuntimeError) and _OTHER_LOOP.search(said) else said)[:_SHOWN]


def awaiting(target: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Have what a plain function gives back awaited, if need be, in the thread where it is called."""

    def call(given: Any) -> Any:
        value = target(given)
        return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value

    return call


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value
