"""A metric that is a question of the user's own, rated by a language model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ragassay.errors import UsageError
from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import judged_metric
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.own import check_name
from ragassay.models import LOCAL
from ragassay.tasks.ratings import RUBRIC, AnswerUnderRubric, RubricRating

LEAST, MOST = 2, 100
"""Ratings that a scale can have: 2 is yes or no, and nobody tells more than 100 apart."""
_NEEDS = MappingProxyType[str, Input]({"answer": "answer", "contexts": "chunk texts", "reference": "reference answer"})
_SLUG_CHARS = 60


def rubric_metric(
    question: Any,
    *,
    scale: Any = 5,
    name: str | None = None,
    needs: Iterable[str] = ("answer",),
    model: str | None = None,
    origin: str = "rubric",
) -> Metric:
    """Return the metric that rates every answer by a question, from 1 to ``scale``.

    name: made of the question if None. needs: what the judge is shown besides question and answer, and what has to be
    there: contexts, reference. model: who judges, by name; the judge of the run if None. origin: for messages.
    Raises UsageError for what cannot be meant.
    """
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"{origin}: question must be a text that is not empty, such as 'Is the tone polite?'")
    if isinstance(scale, bool) or not isinstance(scale, int) or not LEAST <= scale <= MOST:
        raise UsageError(f"{origin}: scale must be a whole number from {LEAST} to {MOST}, not {scale!r}")
    shown = ("answer", *([needs] if isinstance(needs, str) else needs))
    strange = next((str(each) for each in shown if each not in _NEEDS), None)
    if strange is not None:
        raise UsageError(f"{origin}: unknown field {strange[:60]!r} in needs; choose from {', '.join(_NEEDS)}")
    if model in LOCAL:
        raise UsageError(f"{origin}: rules have no honest answer to a rubric; name a language model as model")
    called = name
    if called is None:
        called = re.sub(r"\W+", "_", question.lower(), flags=re.ASCII).strip("_")[:_SLUG_CHARS]
        if not called or called[0].isdigit():
            raise UsageError(f"{origin}: the question cannot be made into a name; give one, as in name='polite'")
    check_name(called)
    rubric = " ".join(question.split())

    def asks(each: Answered) -> AnswerUnderRubric:
        return AnswerUnderRubric(
            rubric=rubric,
            highest=scale,
            question=each.question,
            answer=each.answer,
            context=each.context if "contexts" in shown else "",
            reference=each.example.answer if "reference" in shown else "",
        )

    def reads(_: Answered, rated: RubricRating) -> Measured:
        if not 1 <= rated.rating <= scale:  # an object with ask may give what no prompt allows
            return Measured(None, reason=f"the judge gave {rated.rating}, which is not within 1 to {scale}")
        return Measured(float(rated.rating), (rated.reason,))

    metric = judged_metric(
        reads,
        RUBRIC,
        asks,
        name=called,
        meaning=f"RubricRating by a language model: {rubric}",
        inputs=tuple(dict.fromkeys(_NEEDS[each] for each in shown)),
        source=f"own rubric; {RUBRIC.source}",
        kind="answer and reference" if "reference" in shown else "answer",
        needs="language model",
        low=1.0,
        high=float(scale),
    )
    code = hashlib.sha256(repr((rubric, scale, sorted(set(shown)), model)).encode("utf-8", "replace")).hexdigest()[:16]
    return replace(metric, model=model, origin=origin, code=code)
