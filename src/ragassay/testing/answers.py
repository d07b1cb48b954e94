"""An evaluation set as tests use it, and one answer of a system scored by one metric, within a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ragassay.datasets.placing import Placer, is_collection
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.replies.places import UnreadableAnswerError
from ragassay.datasets.replies.reading import read_answer
from ragassay.errors import InputError, RagassayError, UsageError
from ragassay.evaluation.aggregate import ROUNDING
from ragassay.records import Document, Example, Prediction, Score
from ragassay.testing.score_report import PROPERTY, ScoreRow

if TYPE_CHECKING:
    from ragassay.api.metrics import AskedMetric, Model
    from ragassay.metrics.metric import Metric

_SYSTEM = "system under test"
_QUESTION_CHARS = 200


@dataclass(frozen=True)
class ExampleSet:
    """documents: by their ids; empty where the set has none."""

    examples: Sequence[Example]
    documents: Mapping[str, Document]

    @cached_property
    def _placer(self) -> Placer:
        return Placer(self.documents.values())

    def close(self) -> None:
        """Removes what lies on disk."""
        if "_placer" in self.__dict__:
            self._placer.close()

    @cached_property
    def _is_collection(self) -> bool:
        return is_collection(self.examples, self.documents.values())

    def placed(self, prediction: Prediction, example: Example) -> Prediction:
        """The prediction with its chunks in their places, as ``evaluate`` puts them in the documents of a set."""
        return self._placer.placed(prediction, example.ground_spans) if self._is_collection else prediction

    def documents_of(self, example: Example, prediction: Prediction) -> list[Document]:
        """Those that an example and its prediction name: all that a score needs."""
        spans = (example.context, *example.references)
        named = dict.fromkeys(
            [*(each.document_id for each in spans), *(each.document_id for each in prediction.chunks)]
        )
        return [self.documents[name] for name in named if name in self.documents]


def read_set(path: Path) -> ExampleSet:
    """A set in any format that ``ragassay convert`` reads. Raises InputError for one that holds no example."""
    if not path.exists():
        raise InputError(f"{path} does not exist; give the path of a set, counted from the test file")
    records = list(read_dataset(path))
    examples = [each for each in records if isinstance(each, Example)]
    if not examples:
        raise InputError(f"{path} holds no example; give a set with at least one question")
    return ExampleSet(examples, {each.id: each for each in records if isinstance(each, Document)})


class AssertScore:
    """What the fixture ``assert_score`` gives a test."""

    def __init__(self, examples: ExampleSet | None, model: str, properties: list[tuple[str, object]]) -> None:
        """examples: the set of the test's mark. model: who judges. properties: of the test, which take the scores."""
        self._set = examples or ExampleSet((), {})
        self._model = model
        self._properties = properties

    def __call__(
        self,
        example: Example,
        answer: Any,
        metric: AskedMetric,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        model: Model | None = None,
    ) -> float:
        """The value of a metric for an answer, which must be within the bounds.

        answer: what a system gives back: a text, a mapping with answer and contexts, an object of LangChain or
        LlamaIndex, or a Prediction. metric: a name, or one of your own, as for ``ragassay.evaluate``.
        at_most: for metrics whose low values are the good ones. model: who judges, in the place of the setting.
        Fails the test where the value is out of bounds or there is none, and for what cannot be scored. Skips it for an
        unanswerable question where the mean of the metric leaves these out, in every command.
        """
        __tracebackhide__ = True
        try:
            asked = _metric_of(metric)
            name = asked.name
            _check_bounds(asked, at_least, at_most)
            if getattr(example, "label", "") == "unanswerable" and not asked.over_all:
                pytest.skip(f"{name} is of answerable questions; of unanswerable ones assert abstention_recall first")
            score = self._scored(example, answer, name, model or self._model)
        except (RagassayError, UnreadableAnswerError) as error:
            raise pytest.fail.Exception(f"assert_score: {error}", pytrace=False) from None
        is_met = score.value is not None and (
            (at_least is None or score.value >= at_least - ROUNDING)
            and (at_most is None or score.value <= at_most + ROUNDING)
        )
        row = ScoreRow(
            metric=name,
            bounds=asked.bounds,
            example_id=example.id,
            document_id=example.context.document_id or next((s.document_id for s in example.references), ""),
            value=score.value,
            is_met=is_met,
        )
        self._properties.append((PROPERTY, json.dumps(asdict(row), ensure_ascii=False)))
        if score.value is None or not is_met:
            raise AssertionError(_complaint(example, score, at_least, at_most))
        return score.value

    def _scored(self, example: Example, answer: Any, metric: str, model: Model) -> Score:
        from ragassay.api.evaluations import evaluate

        if not isinstance(example, Example):
            raise UsageError(f"example: must be an Example, as the mark gives them, not {type(example).__name__}")
        if isinstance(answer, Prediction):
            prediction = replace(answer, example_id=example.id, system=_SYSTEM)
        else:
            prediction = read_answer(answer, example_id=example.id, system=_SYSTEM)
        no_score = Score(example_id=example.id, system=_SYSTEM, metric=metric, value=None, reason="")
        if prediction.error is not None:
            return replace(no_score, reason=f"the system failed: {prediction.error}")
        placed = self._set.placed(prediction, example)
        try:
            rows = [*self._set.documents_of(example, placed), example, placed]
            found = evaluate(rows, metrics=[metric], model=model)
        except InputError as error:  # what this example lacks is a reason, as in a whole set
            return replace(no_score, reason=str(error))
        return found.samples[0].scores[metric]


def _metric_of(metric: AskedMetric) -> Metric:
    """One metric, which is known by its name from then on. Raises UsageError."""
    from ragassay.jobs.asking.asked_metrics import asked_metrics
    from ragassay.metrics.catalogue import metric_named

    names = asked_metrics(metric)
    if len(names) != 1:
        raise UsageError(f"metric: must be one metric, not {len(names)}; assert each by itself")
    return metric_named(names[0])[0]


def _check_bounds(metric: Metric, at_least: float | None, at_most: float | None) -> None:
    from ragassay.evaluation.gates import Condition
    from ragassay.jobs.gate.options import check_bound

    name, scale = metric.name, metric.scale
    if at_least is None and at_most is None:
        raise UsageError(f"give a bound for {name}, such as at_least=0.7")
    if at_least is not None:
        check_bound(Condition(kind="fail_under", metric=name, bound=at_least), scale, "at_least", "at_most")
    if at_most is not None:
        check_bound(Condition(kind="fail_over", metric=name, bound=at_most), scale, "at_most", "at_least")


def _complaint(example: Example, score: Score, at_least: float | None, at_most: float | None) -> str:
    from ragassay.report.safe_text import excerpt, visible
    from ragassay.report.wording import decimal, places_beside

    kind, bound = ("at least", at_least) if at_least is not None else ("at most", at_most or 0.0)
    found = f"has no value ({score.reason})"
    if score.value is not None:
        found = f"is {decimal(score.value, places_beside(bound, [score.value], 3))}, not {kind} {bound:g}"
    lines = [f"{score.metric} {found}", f"question: {excerpt(example.question, _QUESTION_CHARS)}"]
    lines += [f"evidence: {excerpt(each, _QUESTION_CHARS)}" for each in score.evidence[:3]]
    return "\n".join(visible(line) for line in lines)
