"""Metrics of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

if TYPE_CHECKING:
    from ragassay.metrics.metric import Metric

AskedMetric: TypeAlias = "str | Callable[..., Any] | Metric"
"""A name, a function of the user's own, or what ``rubric`` gives."""
Model: TypeAlias = str | Callable[[str], Any] | object
"""A name, a function from a prompt to a text, asynchronous or not, an object with ``ask``, a chat model of LangChain or
an LLM of LlamaIndex."""
F = TypeVar("F", bound=Callable[..., Any])


@overload
def metric(function: F, /) -> F: ...


@overload
def metric(
    *,
    name: str | None = ...,
    range: tuple[float, float] = ...,
    needs: Iterable[str] | None = ...,
    higher_is_better: bool = ...,
) -> Callable[[F], F]: ...


def metric(
    function: F | None = None,
    /,
    *,
    name: str | None = None,
    range: tuple[float, float] = (0, 1),
    needs: Iterable[str] | None = None,
    higher_is_better: bool = True,
) -> F | Callable[[F], F]:
    """Makes a function a metric: ``ragassay.evaluate(rows, metrics=[function, "faithfulness"])``.

    The function, asynchronous or not, takes the fields that it names: question, answer, abstained, contexts, reference,
    reference_contexts, keypoints, tool_calls, reference_tool_calls, label, question_type, language, example,
    prediction. It gives back a number; None; either with a text, which is the evidence or the reason; or a Score. An
    exception, a value out of the range or of another type is the reason why that example has no value, and never ends
    the run.

    name: in place of the function's own. range: least and greatest value. needs: fields without which the function is
    not called and there is no value; those that it names without a default if None.
    """
    from ragassay.errors import UsageError
    from ragassay.metrics.own import Terms, mark

    try:
        low, high = map(float, range)
    except (TypeError, ValueError):
        raise UsageError(f"metric: range must be two numbers, such as (0, 1), not {range!r}") from None
    terms = Terms(
        name=name,
        low=low,
        high=high,
        needs=None if needs is None else frozenset([needs] if isinstance(needs, str) else needs),
        higher_is_better=higher_is_better,
    )

    def marked(target: F) -> F:
        mark(target, terms)
        return target

    return marked if function is None else marked(function)


def rubric(
    question: str,
    *,
    scale: int = 5,
    name: str | None = None,
    needs: Iterable[str] = ("answer",),
    model: Model | None = None,
) -> Metric:
    """A metric that has a language model rate every answer by a question, from 1 to ``scale``.

    ``ragassay.evaluate(rows, metrics=[ragassay.rubric("Is the tone polite?")], model="openai:gpt-4o-mini")``

    name: in the results; made of the question if None. needs: what the judge is shown besides question and answer, and
    what an example must have: "contexts", "reference". model: who judges, as for ``score``; the judge of the run if
    None. The prompt is that of the task ``rubric``, which ``ragassay list prompts rubric`` shows.
    Raises ragassay.errors.UsageError for what cannot be meant.
    """
    from ragassay.jobs.asking.model_options import model_name
    from ragassay.metrics.judged.ratings import rubric_metric

    asked = None if model is None else model_name(model)
    return rubric_metric(question, scale=scale, name=name, needs=needs, model=asked)
