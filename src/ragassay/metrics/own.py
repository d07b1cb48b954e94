"""A function of the user's as a metric: it is given the fields that it names, and may do anything.

Whatever goes wrong in it is the reason why one score has no value, and never ends the run.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ragassay.errors import UsageError
from ragassay.metrics.answered import NO_CHUNK, Answered, Judge
from ragassay.metrics.inputs import Input
from ragassay.metrics.metric import OWN_CODE, Kind, Measured, Metric, meaning_of, score_of
from ragassay.models.llm.masking import environment_mask
from ragassay.models.user_code import awaiting, carried, in_thread, is_asynchronous, said_of
from ragassay.records import Score, ToolCall
from ragassay.systems.code import code_of
from ragassay.tasks.prompts import readable

ASYNC_AT_ONCE = 8
"""Calls of an asynchronous function at the same time; another one is called once at a time: it may not bear more."""
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_TERMS = "__ragassay_metric__"
"""Attribute of a function that its author marked as a metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """name: None for the function's own. low, high: least and greatest value.

    needs: names of the fields that have to be there; None for those that the function names without a default.
    """

    name: str | None = None
    low: float = 0.0
    high: float = 1.0
    needs: frozenset[str] | None = None
    higher_is_better: bool = True


def mark(function: Callable[..., Any], terms: Terms) -> None:
    """Note the terms on the function, which stays what it is."""
    setattr(function, _TERMS, terms)


def _terms_of(function: Any) -> Terms | None:
    try:
        terms = getattr(function, _TERMS, None)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return None
    return terms if isinstance(terms, Terms) else None


class Field(NamedTuple):
    """value: of an answered example. input: what has to be there where the field is needed; None if it always is."""

    value: Callable[[Answered], Any]
    input: Input | None = None


def _calls(calls: Sequence[ToolCall] | None) -> list[dict[str, Any]]:
    return [{"name": call.name, "args": json.loads(call.arguments)} for call in calls or ()]


FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        "question": Field(lambda each: each.example.question),
        "answer": Field(lambda each: each.answer, "answer"),
        "abstained": Field(lambda each: each.prediction.abstained, "answer"),
        "contexts": Field(lambda each: list(each.chunk_texts), "chunk texts"),
        "reference": Field(lambda each: each.example.answer, "reference answer"),
        "reference_contexts": Field(lambda each: [span.text for span in each.example.references], "references"),
        "keypoints": Field(lambda each: list(each.example.keypoints), "keypoints"),
        "tool_calls": Field(lambda each: _calls(each.prediction.tool_calls), "tool calls"),
        "reference_tool_calls": Field(lambda each: _calls(each.example.tool_calls), "expected tool calls"),
        "standalone_question": Field(lambda each: each.prediction.standalone_question, "standalone question"),
        "reference_standalone_question": Field(
            lambda each: each.example.standalone_question, "expected standalone question"
        ),
        "label": Field(lambda each: each.example.label),
        "question_type": Field(lambda each: each.example.question_type),
        "language": Field(lambda each: each.example.language),
        "example": Field(lambda each: each.example),
        "prediction": Field(lambda each: each.prediction, "prediction"),
    }
)
"""What a function of the user's can name."""
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "user_input": "question",
        "response": "answer",
        "retrieved_contexts": "contexts",
        "input": "question",
        "actual_output": "answer",
        "expected_output": "reference",
        "retrieval_context": "contexts",
        "tools_called": "tool_calls",
        "expected_tools": "reference_tool_calls",
    }
)
"""Names of fields in rows of ragas and deepeval, which functions written for these take."""
_CHOICE = f"choose from the fields {', '.join(FIELDS)}"
_AT_LEAST: Mapping[Input, Input] = {
    "answer": "prediction",
    "chunk texts": "chunks",
    "tool calls": "prediction",
    "standalone question": "prediction",
}
"""What has to be there of a field that is named and not needed: of a failure it would be empty like any other."""


def _field(name: str) -> Field | None:
    return FIELDS.get(OTHER_NAMES.get(name, name))


def metrics_in(value: Any, origin: str) -> list[Metric]:
    """Return the metrics that something holds: it may be one, a function, several of these, or a module with some.

    Of a module, METRICS, where it has that; else the functions that are marked with ``ragassay.metric`` in it.
    Raises UsageError for what holds none.
    """
    if isinstance(value, Metric):
        return [replace(value, origin=origin)]
    if isinstance(value, list | tuple):
        return [metric for one in value for metric in metrics_in(one, origin)]
    if isinstance(value, ModuleType):
        held = vars(value)
        marked = held.get("METRICS", [one for one in held.values() if isinstance(one, Metric) or _terms_of(one)])
        metrics = metrics_in(list(dict.fromkeys(marked)), origin)
        if not metrics:
            raise UsageError(f"{origin}: no metric found; mark a function with @ragassay.metric")
        return metrics
    if callable(value):
        return [own_metric(value, origin)]
    raise UsageError(f"{origin}: must be a function or a module, not {type(value).__name__}")


def own_metric(function: Callable[..., Any], origin: str) -> Metric:
    """Return the metric that a function is, marked with ``ragassay.metric`` or not. origin: where it comes from.

    Raises UsageError for a function that names what no example has, and for terms that cannot be meant.
    """
    terms = _terms_of(function) or Terms()
    name = str(terms.name or getattr(function, "__name__", type(function).__name__))
    check_name(name)
    if not (isfinite(terms.low) and isfinite(terms.high) and terms.low < terms.high):
        raise UsageError(f"{name}: the range must be two numbers, the least first, not {(terms.low, terms.high)}")
    passed, needed = _parameters(function, name, terms)
    inputs = _inputs(passed, needed)

    async def score_all(_: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await _scores(metric, function, passed, answered)

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
    """Raise UsageError for what cannot be the name of a metric."""
    if not _NAME.match(name):
        raise UsageError(
            f"metrics: the name must consist of letters, digits and underscores, not {name[:80]!r}; rename it, as in "
            "name='is_polite'"
        )


def read_value(returned: Any, low: float, high: float) -> Measured:
    """Read what a function gave back: a number, None, either with a text, or a Score; else None with the reason."""
    value: object = returned
    evidence: tuple[str, ...] = ()
    reason: str | None = None
    if isinstance(returned, Score):
        value, evidence = returned.value, tuple(map(_text, returned.evidence))
        reason = None if returned.reason is None else _text(returned.reason)
    elif isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], str):
        value, reason = returned[0], _text(returned[1])
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
    high = metric.high if metric.high is not None else float("inf")

    def call(given: Mapping[str, Any]) -> Any:
        return function(**given)

    async def of_one(each: Answered) -> Score:
        if "chunk texts" in metric.inputs and not each.chunk_texts:
            return each.score(metric.name, None, NO_CHUNK)
        async with slots:
            try:
                given = {name: field.value(each) for name in passed if (field := _field(name))}
                returned = await (call(given) if is_async else in_thread(awaiting(call), given))
                measured = read_value(returned, metric.low, high)
            except (Exception, SystemExit, asyncio.CancelledError) as error:  # the code of others may raise anything
                task = asyncio.current_task()
                if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                    raise  # the scoring itself is to end
                measured = Measured(None, reason=f"the function raised {said_of(carried(error))}")
        return score_of(each, metric.name, measured)

    return list(await asyncio.gather(*map(of_one, answered)))


def _text(value: object) -> str:
    return environment_mask().text(readable(str(value)))


def _parameters(function: Callable[..., Any], name: str, terms: Terms) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the fields that a function takes, and those of them that have to be there."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UsageError(f"{name}: its parameters cannot be read; wrap it in a function that names fields") from None
    passed, required = [], set()
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        has_default = parameter.default is not parameter.empty
        if _field(parameter.name) and parameter.kind is not parameter.POSITIONAL_ONLY:
            passed.append(parameter.name)
            if not has_default:
                required.add(parameter.name)
        elif not has_default:
            raise UsageError(f"{name}: unknown parameter {parameter.name!r}; {_CHOICE}")
    strange = sorted(str(field) for field in terms.needs or () if _field(field) is None)
    if strange:
        raise UsageError(f"{name}: unknown field {strange[0]!r} in needs; {_CHOICE}")
    return tuple(passed), terms.needs if terms.needs is not None else frozenset(required)


def _inputs(passed: Sequence[str], needed: frozenset[str]) -> tuple[Input, ...]:
    wanted = {field.input for name in needed if (field := _field(name)) and field.input}
    named = {field.input for name in passed if (field := _field(name)) and field.input}
    return tuple(sorted(wanted | {_AT_LEAST[each] for each in named - wanted if each in _AT_LEAST}))


def _kind(inputs: Sequence[Input]) -> Kind:
    if "chunk texts" in inputs and {"chunk texts", "references"}.issuperset(inputs):
        return "retrieval"
    return "answer and reference" if {"reference answer", "keypoints"} & set(inputs) else "answer"
