"""Conversations and agents: the standalone question that a system makes, and the tools that it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ragassay.metrics.answer.comparison import OTHER_WORDS, token_f1
from ragassay.metrics.answered import Answered
from ragassay.metrics.inputs import Input
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.records import ToolCall

_STANDALONE: tuple[Input, ...] = ("expected standalone question", "standalone question")


def _standalone_questions(each: Answered) -> tuple[str, str]:
    return each.prediction.standalone_question or "", each.example.standalone_question or ""


def _standalone_f1(item: Answered, _: int) -> Measured:
    rewriting, expected = _standalone_questions(item)
    return Measured(token_f1(rewriting, expected).f1, (f"made: {rewriting}", f"expected: {expected}"))


_Calls = Sequence[ToolCall]


def tool_call_accuracy(made: _Calls, expected: _Calls) -> float:
    """Calls made as expected, with the same tool and arguments, / the larger of calls made and expected, in [0, 1].

    Each expected call for one made; 1 where none was expected and none was made.
    Source: RAGAS 0.2 (its documentation, tool call accuracy), which gives 0 where the order differs and a share for
    some right arguments; here a call with a wrong argument is another call.
    """
    both = (Counter(made) & Counter(expected)).total()
    return both / max(len(made), len(expected)) if made or expected else 1.0


def tool_call_f1(made: _Calls, expected: _Calls) -> float:
    """F1 of the calls made as expected, 2 n / (calls made + calls expected), in [0, 1].

    Each expected call for one made; 1 where none was expected and none was made.
    Source: RAGAS 0.3 (its documentation, tool call F1).
    """
    both = (Counter(made) & Counter(expected)).total()
    return 2 * both / (len(made) + len(expected)) if made or expected else 1.0


def _of_calls(function: Callable[[_Calls, _Calls], float]) -> Measure:
    def measure(item: Answered, _: int) -> Measured:
        made, expected = item.prediction.tool_calls or (), item.example.tool_calls or ()
        return Measured(function(made, expected), (f"made: {_shown(made)}", f"expected: {_shown(expected)}"))

    return measure


def _shown(calls: _Calls) -> str:
    return "; ".join(f"{each.name}({each.arguments})" for each in calls) or "none"


METRICS = (
    Metric(
        name="standalone_f1",
        is_usual=True,
        kind="answer and reference",
        meaning="`token_f1` of the system's standalone question and that of the set, in [0, 1].",
        inputs=_STANDALONE,
        source="Anantha et al. 2021 (QReCC), question rewriting",
        unseen=OTHER_WORDS,
        over_all=True,
        measure=_standalone_f1,
    ),
    Metric(
        name="standalone_similarity",
        is_usual=True,
        kind="answer and reference",
        meaning="Cosine of the system's standalone question and that of the set, cut to [0, 1].",
        inputs=_STANDALONE,
        source="ours, after Reimers and Gurevych 2019",
        unseen="a left-out name: read it beside standalone_f1",
        needs="encoder",
        over_all=True,
        texts=_standalone_questions,
    ),
    *(
        Metric(
            name=function.__name__,
            kind="answer and reference",
            meaning=meaning_of(function),
            inputs=("expected tool calls", "tool calls"),
            source=source,
            unseen="the order of calls; what they returned",
            measure=_of_calls(function),
        )
        for function, source in (
            (tool_call_accuracy, "ours, after RAGAS 0.2, tool call accuracy"),
            (tool_call_f1, "RAGAS 0.3, tool call F1"),
        )
    ),
)
