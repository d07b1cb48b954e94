"""A function of the user's as a metric: it is given the fields that it names, and may do anything.

Whatever goes wrong in it is the reason why one score has no value, and never ends the run.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ragassay.errors import BudgetError, ModelError, RunFolderError, UsageError
from ragassay.metrics.fields import FIELDS, field_named
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import NO_CHUNK, Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import OWN_CODE, Kind, Measured, Metric, meaning_of
from ragassay.metrics.terms import Terms, terms_of
from ragassay.models.llm.masking import environment_mask
from ragassay.models.user_code import awaiting, carried, in_thread, is_asynchronous, said_of
from ragassay.records import Score
from ragassay.systems.code import code_of
from ragassay.tasks.prompts import readable

ASYNC_AT_ONCE = 8
"""Calls of an asynchronous function at the same time; another one is called once at a time: it may not bear more."""
_RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""The code of others may raise anything; what ends more than its question is caught too."""
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_AT_LEAST: Mapping[Input, Input] = {
    "answer": "prediction",
    "chunk texts": "chunks",
    "tool calls": "prediction",
    "standalone question": "prediction",
}
_OF_RETRIEVAL: frozenset[Input] = frozenset({"chunk texts", "references"})


class _Taken(NamedTuple):
    """What a function takes. passed: its parameters. needed: of these, fields that have to be there."""

    passed: tuple[str, ...]
    needed: frozenset[str]


def own_metric(function: Callable[..., Any], origin: str) -> Metric:
    """The metric that a function is, marked with ``ragassay.metric`` or not. origin: where it comes from.

    Raises UsageError for a function that names what no example has, and for terms that cannot be meant.
    """
    terms = terms_of(function) or Terms()
    name = str(terms.name or getattr(function, "__name__", type(function).__name__))
    check_name(name)
    if not (isfinite(terms.low) and isfinite(terms.high) and terms.low < terms.high):
        raise UsageError(f"{name}: the range must be two numbers, the least first, not {(terms.low, terms.high)}")
    taken = _taken(function, name, terms)
    inputs = _inputs(taken)

    async def score_all(_: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await _scores(metric, function, taken.passed, answered)

    metric = Metric(
        name=name,
        kind=_kind(inputs),
        meaning=meaning_of(function) or f"What the function {name} returns.",
        inputs=inputs,
        source="own code",
        needs=OWN_CODE,
        low=terms.low,
        high=terms.high,
        higher_is_better=terms.higher_is_better,
        judge=score_all,
        origin=origin,
        code=code_of(function) or "",
    )
    return metric


def check_name(name: str) -> None:
    """Raises UsageError for what cannot be the name of a metric."""
    if not _NAME.match(name):
        raise UsageError(
            f"metrics: the name must consist of letters, digits and underscores, not {name[:80]!r}; rename it, as in "
            "name='is_polite'"
        )


def read_value(said: Any, low: float, high: float) -> Measured:
    """What a function gave back: a number, None, either with a text, or a Score; else None with the reason."""
    value: object = said
    evidence: tuple[str, ...] = ()
    reason: str | None = None
    if isinstance(said, Score | Measured):
        value, evidence = said.value, tuple(map(_text, said.evidence))
        reason = None if said.reason is None else _text(said.reason)
    elif isinstance(said, tuple) and len(said) == 2 and isinstance(said[1], str):
        value, reason = said[0], _text(said[1])
        evidence = (reason,) if value is not None else ()
    if isinstance(value, np.generic):
        value = value.item()  # numpy's numbers and truth values as Python's
    if value is None:
        return Measured(None, evidence, reason or "the function returned None without a reason")
    if not isinstance(value, int | float | Real):  # mypy knows of no float that is a Real
        return Measured(None, evidence, f"the function returned {type(value).__name__}, not a number")
    number = float(value)
    if not isfinite(number):
        return Measured(None, evidence, f"the function returned {number}, not a finite number")
    if not low <= number <= high:
        return Measured(None, evidence, f"the function returned {number:g}, which is not between {low:g} and {high:g}")
    return Measured(number, evidence)


async def _scores(
    metric: Metric, function: Callable[..., Any], passed: Sequence[str], answered: Sequence[Answered]
) -> list[Score]:
    is_async = is_asynchronous(function)
    slots = asyncio.Semaphore(ASYNC_AT_ONCE if is_async else 1)

    def call(given: Mapping[str, Any]) -> Any:
        return function(**given)

    async def of_one(each: Answered) -> Score:
        if "chunk texts" in metric.inputs and not each.chunk_texts:
            return each.score(metric.name, None, NO_CHUNK)
        async with slots:
            try:
                given = {name: field.value(each) for name in passed if (field := field_named(name))}
                said = await (call(given) if is_async else in_thread(awaiting(call), given))
                found = read_value(said, metric.low, metric.high if metric.high is not None else float("inf"))
            except _RAISED as error:
                if _is_stopped(error):
                    raise
                found = _raised(carried(error))
        return each.score(metric.name, found.value, found.reason, found.evidence)

    return list(await asyncio.gather(*map(of_one, answered)))


def guarded(metric: Metric) -> Metric:
    """A metric of another package: what goes wrong in it is a reason, too."""
    high = metric.high if metric.high is not None else float("inf")

    def measure(item: Item, k: int) -> Measured:
        try:
            return read_value(metric.measure(item, k) if metric.measure is not None else None, metric.low, high)
        except _RAISED as error:
            return _raised(carried(error))

    async def score_all(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        try:
            scores = await metric.judge(judge, answered) if metric.judge is not None else []
            read = [read_value(score, metric.low, high) for score, _ in zip(scores, answered, strict=True)]
        except (BudgetError, ModelError, RunFolderError):  # a limit, a key, the log of calls: no fault of the metric
            raise
        except _RAISED as error:
            if _is_stopped(error):
                raise
            read = [_raised(carried(error))] * len(answered)
        return [
            each.score(metric.name, found.value, found.reason, found.evidence)
            for each, found in zip(answered, read, strict=True)
        ]

    return replace(
        metric,
        measure=None if metric.measure is None else measure,
        judge=None if metric.judge is None else score_all,
    )


def _is_stopped(error: BaseException) -> bool:
    """Whether the scoring itself is to end, and not the code of others that says so."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def _text(said: object) -> str:
    return environment_mask().text(readable(str(said)))


def _raised(error: Exception) -> Measured:
    return Measured(None, reason=f"the function raised {said_of(error)}")


def _taken(function: Callable[..., Any], name: str, terms: Terms) -> _Taken:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UsageError(f"{name}: its parameters cannot be read; wrap it in a function that names fields") from None
    passed, required = [], set()
    for each in parameters:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        has_default = each.default is not each.empty
        if field_named(each.name) is not None and each.kind is not each.POSITIONAL_ONLY:
            passed.append(each.name)
            if not has_default:
                required.add(each.name)
        elif not has_default:
            raise UsageError(f"{name}: unknown parameter {each.name!r}; {_CHOICE}")
    strange = sorted(str(each) for each in terms.needs or () if field_named(each) is None)
    if strange:
        raise UsageError(f"{name}: unknown field {strange[0]!r} in needs; {_CHOICE}")
    return _Taken(tuple(passed), terms.needs if terms.needs is not None else frozenset(required))


_CHOICE = f"choose from the fields {', '.join(FIELDS)}"


def _inputs(taken: _Taken) -> tuple[Input, ...]:
    """What has to be there.

    Of what is named and not needed an answer, chunks or calls that are empty for a failure would look like any others,
    so that the system must not have failed. ``prediction`` has the error with it.
    """
    needed = {field.input for name in taken.needed if (field := field_named(name)) and field.input}
    named = {field.input for name in taken.passed if (field := field_named(name)) and field.input}
    return tuple(sorted(needed | {_AT_LEAST[each] for each in named - needed if each in _AT_LEAST}))


def _kind(inputs: Sequence[Input]) -> Kind:
    if "chunk texts" in inputs and _OF_RETRIEVAL.issuperset(inputs):
        return "retrieval"
    return "answer and reference" if {"reference answer", "keypoints"} & set(inputs) else "answer"
