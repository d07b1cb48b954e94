"""Functions of the user's own where a metric's name stands: what they are given, and what they may give back."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.records import Score

ROWS = [
    {
        "user_input": "How long does the lamp burn?",
        "response": "nine hours",
        "reference": "It burns for nine hours.",
        "reference_contexts": ["The lamp burns for nine hours."],
        "retrieved_contexts": ["The lamp burns for nine hours.", "The ferry lands in the north."],
    },
    {"user_input": "Where does the ferry land?", "response": "south", "reference": "In the north."},
]


def one_score(function: Callable[..., Any], row: int = 0) -> Score:
    result = ragassay.evaluate(ROWS, metrics=[function])
    return next(iter(result.samples[row].scores.values()))


def test_beside_ours_synchronous_or_not() -> None:
    @ragassay.metric(range=(0, 100), higher_is_better=False)
    def length(answer: str) -> int:
        return len(answer)

    @ragassay.metric
    async def shared(answer: str, contexts: list[str]) -> float:
        await asyncio.sleep(0)
        words = answer.split()
        return sum(word in contexts[0].split() for word in words) / len(words)

    result = ragassay.evaluate(ROWS, metrics=[length, "token_f1", shared])
    assert list(result.metrics) == ["length", "token_f1", "shared"]
    assert result["length"] == (10 + 5) / 2
    # "nine" is a word of the first chunk, "hours." is another one than "hours"; the second row has no chunk
    assert result["shared"] == 1 / 2
    assert result.summary.reasons == {"shared": {"no chunk was retrieved": 1}}
    assert (result.summary.judge, result.summary.trust) == ("", None)
    assert length("abc") == 3  # it stays a function
    assert "lower" in str(result)


def test_every_field_in_our_words_and_in_others() -> None:
    given: dict[str, Any] = {}

    def looks(question: str, answer: str, contexts: list[str], reference: str, reference_contexts: list[str]) -> float:
        given.update({name: value for name, value in locals().items() if name != "given"})
        return 1

    def looks_too(
        input: str, actual_output: str, retrieved_contexts: list[str], expected_output: str, more: int = 3
    ) -> int:
        assert more == 3  # no field: its default stays
        return [input, actual_output, retrieved_contexts, expected_output] == [
            given[name] for name in ("question", "answer", "contexts", "reference")
        ]

    for function in (looks, looks_too):
        assert ragassay.evaluate(ROWS[:1], metrics=[function])[function.__name__] == 1
    row = ROWS[0]
    assert given == {
        "question": row["user_input"],
        "answer": row["response"],
        "contexts": row["retrieved_contexts"],
        "reference": row["reference"],
        "reference_contexts": row["reference_contexts"],
    }


@pytest.mark.parametrize(
    ("said", "value", "reason"),
    [
        (0.25, 0.25, None),
        (True, 1.0, None),
        (np.float32(0.5), 0.5, None),
        (np.bool_(True), 1.0, None),
        ((np.int64(0), "none of it"), 0.0, None),
        (np.str_("0.5"), None, "the function returned str, not a number"),
        (None, None, "the function returned None without a reason"),
        ((None, "too short to say"), None, "too short to say"),
        (math.nan, None, "the function returned nan, not a finite number"),
        (-math.inf, None, "the function returned -inf, not a finite number"),
        (1.5, None, "the function returned 1.5, which is not between 0 and 1"),
        ("0.5", None, "the function returned str, not a number"),
        (Decimal("0.5"), None, "the function returned Decimal, not a number"),
        ((0.5, 3), None, "the function returned tuple, not a number"),
        ((None, "half \ud83d"), None, "half \ufffd"),
        (Score(example_id="", system="", metric="", value=None, reason="no idea"), None, "no idea"),
    ],
)
def test_what_a_function_gives_is_a_value_or_a_reason(said: Any, value: float | None, reason: str | None) -> None:
    def gives(question: str) -> Any:
        return said

    found = one_score(gives)
    assert (found.value, found.reason, found.metric) == (value, reason, "gives")


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (ZeroDivisionError("by nought"), "the function raised ZeroDivisionError: by nought"),
        (SystemExit(2), "the function raised RuntimeError: the function ended the process"),
        (MuteError(), "the function raised MuteError: no message"),
        (StopIteration(), "the function raised StopIteration"),
        (asyncio.CancelledError(), "the function raised RuntimeError: the function raised CancelledError"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_function_that_raises_never_ends_the_run(raised: BaseException, reason: str, is_async: bool) -> None:
    def fails(answer: str) -> float:
        if answer == "south":
            return 1
        raise raised

    async def fails_later(answer: str) -> float:
        return fails(answer)

    result = ragassay.evaluate(ROWS, metrics=[fails_later if is_async else fails, "exact_match"])
    name = next(iter(result.metrics))
    assert result[name] == 1
    [(said, count)] = result.summary.reasons[name].items()
    assert (said.replace("coroutine", "the function").endswith(reason), count) == (True, 1)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda question: 1, "the name must consist of letters, digits and underscores, not '<lambda>'"),
        (ragassay.metric(name="token_f1")(lambda question: 1), "ragassay already has a metric 'token_f1'"),
        (ragassay.metric(name="a", range=(1, 1))(lambda question: 1), "a: the range must be two numbers, the least"),
        (ragassay.metric(name="a")(lambda anser: 1), "a: unknown parameter 'anser'; choose from the fields question"),
        (ragassay.metric(name="a", needs=["anser"])(lambda answer: 1), "a: unknown field 'anser' in needs"),
        (len, "len: unknown parameter 'obj'"),
        (Score, "metrics: must be names such as 'faithfulness', or functions, not type"),
    ],
)
def test_what_cannot_be_a_metric_is_said_before_anything_is_scored(function: Any, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        ragassay.evaluate(ROWS, metrics=["token_f1", function])
    assert said in str(raised.value)


def test_by_module_and_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_checks_here.py").write_text(
        "import ragassay\n\n@ragassay.metric\ndef short(answer):\n    return len(answer) < 6\n\n\n"
        "def plain(answer):\n    return 0.5\n",
        "utf-8",
    )
    try:
        assert ragassay.evaluate(ROWS, metrics="own_checks_here:plain")["plain"] == 0.5
        assert dict(ragassay.evaluate(ROWS, metrics="own_checks_here.py").metrics).keys() == {"short"}
        assert ragassay.evaluate(ROWS, metrics=["own_checks_here.py:plain", "exact_match"])["plain"] == 0.5
    finally:
        sys.modules.pop("own_checks_here", None)
        sys.path.remove(str(tmp_path.resolve()))
