"""Metrics of other packages: found by their entry point, refused by a sentence, and never the end of a command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, UsageError
from ragassay.metrics.catalogue import METRICS, known_metric, metric_named, others
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Measured, Metric
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.records import Score

Install = Callable[..., None]
CODE = '''
import ragassay
from ragassay.metrics.metric import Measured, Metric

@ragassay.metric(range=(0, 10))
def loudness(answer):
    """Capital letters of the answer."""
    return sum(sign.isupper() for sign in answer)

@ragassay.metric(name="faithfulness")
def shadow(answer):
    return 1

ends_well = Metric(name="ends_well", kind="answer", meaning="1 if the answer ends in a full stop.", inputs=("answer",),
                   source="ours", measure=lambda item, k: Measured(float(item.answer.endswith("."))))
'''


@pytest.fixture(autouse=True)
def _forget() -> None:
    others.cache_clear()


def test_metrics_of_a_module_are_known_with_where_they_come_from(install: Install) -> None:
    install(CODE, "loud = loud_checks")
    assert set(others().metrics) == {"loudness", "ends_well"}
    loud, depth = metric_named("loudness")
    assert (loud.origin, loud.high, loud.needs, depth) == ("loud-checks 1.2", 10, "own code", 0)
    assert metric_named("ends_well")[0].origin == "loud-checks 1.2"
    assert METRICS["faithfulness"].origin == known_metric("faithfulness").origin == "ragassay"  # type: ignore[union-attr]
    assert others().faults == (
        "loud-checks 1.2: its metric 'faithfulness' is not used; ragassay has one of the same name",
    )


@pytest.mark.parametrize(
    ("code", "points", "said"),
    [
        ("import not_there_at_all", "loud = loud_checks", "cannot be loaded (ModuleNotFoundError: No module named"),
        ("", "loud = loud_checks:missing", "cannot be loaded (AttributeError"),
        ("raise SystemExit(3)", "loud = loud_checks", "cannot be loaded (RuntimeError: the function ended the process"),
        ("", "loud = loud_checks", "cannot be used: loud-checks 1.2: no metric found; mark a function with"),
        ("x = 3", "loud = loud_checks:x", "cannot be used: loud-checks 1.2: must be a function or a module, not int"),
    ],
)
def test_one_that_cannot_be_used_is_said_where_a_name_is_not_found(
    install: Install, code: str, points: str, said: str
) -> None:
    install(code, points)
    assert metric_named("faithfulness")[0].name == "faithfulness"
    with pytest.raises(UsageError) as raised:
        metric_named("loudness")
    assert "unknown metric 'loudness'" in str(raised.value)
    assert said in str(raised.value)


def test_every_metric_of_ours_is_declared_once_and_under_its_own_name() -> None:
    assert len(METRICS) >= 50
    for name, metric in METRICS.items():
        assert (metric.name, metric.origin, metric.code) == (name, "ragassay", "")
        assert metric.meaning
        assert (metric.measure is None) == (metric.judge is not None or metric.needs == "encoder")


def test_a_fault_in_one_is_a_reason_of_its_scores(install: Install) -> None:
    code = """
from ragassay.metrics.metric import Measured, Metric
def wild(item, k):
    raise KeyError(k)
async def lost(judge, answered):
    return []
shared = dict(kind="answer", meaning="x", inputs=("answer",), source="ours")
METRICS = [
    Metric(name="wild@k", measure=wild, **shared),
    Metric(name="far", measure=lambda item, k: Measured(7.0), **shared),
    Metric(name="lost", judge=lost, needs="own code", **shared),
]
"""
    install(code, "loud = loud_checks")
    rows = [{"user_input": "a?", "response": "b"}, {"user_input": "c?", "response": "d"}]
    result = ragassay.evaluate(rows, metrics=["wild@3", "far", "lost"])
    reasons = {name: next(iter(each)) for name, each in result.summary.reasons.items()}
    assert reasons["wild@3"] == "the function raised KeyError: 3"
    assert reasons["far"] == "the function returned 7, which is not between 0 and 1"
    assert reasons["lost"].startswith("the function raised ValueError: zip()")
    assert "loud-checks 1.2" in {metric.origin for metric in others().metrics.values()}


ROWS = [{"user_input": f"{name}?", "response": "b", "reference": "b"} for name in "ac"]


def made(name: str = "mine", **given: Any) -> Metric:
    return Metric(name=name, kind="answer", meaning="x", source="x", **({"inputs": ("answer",)} | given))


@pytest.mark.parametrize(
    "raised", [KeyError("x"), SystemExit(3), asyncio.CancelledError(), RecursionError("deep"), InputError("bad row")]
)
@pytest.mark.parametrize("is_judge", [False, True])
def test_a_metric_at_hand_that_raises_never_ends_the_run(raised: BaseException, is_judge: bool) -> None:
    def measure(item: Item, k: int) -> Measured:
        raise raised

    async def judge(_: Judge, answered: Sequence[Answered]) -> list[Score]:
        raise raised

    metric = made(judge=judge, needs="own code") if is_judge else made(measure=measure)
    result = ragassay.evaluate(ROWS, metrics=[metric, "exact_match"])
    assert result["mine"] is None
    [(said, count)] = result.summary.reasons["mine"].items()
    assert (said.startswith("the function raised "), count) == (True, 2)
    assert (metric_named("mine")[0].origin, bool(metric_named("mine")[0].code)) == ("own code", True)


def test_a_limit_is_no_fault_of_a_metric_at_hand() -> None:
    polite = ragassay.rubric("Is it polite?", name="polite")

    def rates(prompt: str) -> str:
        return '{"reason": "", "rating": 3}'

    result = ragassay.evaluate(ROWS, metrics=[polite], models=ModelOptions(model=rates, max_calls=1))  # type: ignore[arg-type]
    assert (result.metrics["polite"].n, result.summary.stopped_by) == (1, "--max-calls 1 reached")
