"""Tool calls against those that were expected: which they are, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ragassay.metrics.answer.lcs import lcs_length
from ragassay.metrics.item import Item
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.records import ToolCall

_Calls = Sequence[ToolCall]


def tool_call_accuracy(made: _Calls, expected: _Calls) -> float:
    """Calls made as expected, with the same tool and arguments, / the larger of calls made and expected, in [0, 1].

    In any order, each expected call for one made; 1 where none was expected and none was made.
    Source: RAGAS 0.2 (its documentation, tool call accuracy), which gives 0 where the order differs and a share for
    some right arguments; here the order has a metric of its own, and a call with a wrong argument is another call.
    """
    if not made and not expected:
        return 1.0
    return (Counter(made) & Counter(expected)).total() / max(len(made), len(expected))


def tool_call_f1(made: _Calls, expected: _Calls) -> float:
    """F1 of the calls made as expected, 2 n / (calls made + calls expected), in [0, 1].

    In any order, each expected call for one made; 1 where none was expected and none was made.
    Source: RAGAS 0.3 (its documentation, tool call F1).
    """
    if not made and not expected:
        return 1.0
    return 2 * (Counter(made) & Counter(expected)).total() / (len(made) + len(expected))


def tool_call_order(made: _Calls, expected: _Calls) -> float:
    """Longest common subsequence of the tools called and expected / the larger number of calls, in [0, 1].

    Arguments do not count; 1 where no call was expected and none was made. Raises ValueError where both have more than
    50 000 calls.
    Source: deepeval (its documentation, tool correctness with ordering considered), over the larger number.
    """
    if not made and not expected:
        return 1.0
    names = [[each.name for each in calls] for calls in (made, expected)]
    return lcs_length(*names) / max(map(len, names))


def _of_calls(function: Callable[[_Calls, _Calls], float]) -> Measure:
    def measure(item: Item, _: int) -> Measured:
        made, expected = item.answered.prediction.tool_calls or (), item.answered.example.tool_calls or ()
        try:
            value = function(made, expected)
        except ValueError as error:  # too many to compare
            return Measured(None, reason=str(error))
        return Measured(value, (f"made: {_shown(made)}", f"expected: {_shown(expected)}"))

    return measure


def _shown(calls: _Calls) -> str:
    return "; ".join(f"{each.name}({each.arguments})" for each in calls) or "none"


METRICS = tuple(
    Metric(
        name=name,
        kind="answer and reference",
        meaning=meaning_of(function),
        inputs=("expected tool calls", "tool calls"),
        source=source,
        measure=_of_calls(function),
    )
    for name, function, source in (
        ("tool_call_accuracy", tool_call_accuracy, "ours, after RAGAS 0.2, tool call accuracy"),
        ("tool_call_f1", tool_call_f1, "RAGAS 0.3, tool call F1"),
        ("tool_call_order", tool_call_order, "ours, after deepeval, tool correctness"),
    )
)
