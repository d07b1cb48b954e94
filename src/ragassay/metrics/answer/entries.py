"""The metrics of one answer that need no judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.answer.abstention import (
    abstention_accuracy,
    abstention_precision,
    abstention_recall,
    has_refused,
    how_it_answered,
    is_unanswerable,
)
from ragassay.metrics.answer.bleu import bleu
from ragassay.metrics.answer.chrf import chrf
from ragassay.metrics.answer.embedding_similarity import embedding_similarity
from ragassay.metrics.answer.exact_match import exact_match
from ragassay.metrics.answer.overlap import Overlap
from ragassay.metrics.answer.rouge import rouge_1, rouge_2, rouge_l
from ragassay.metrics.answer.token_f1 import token_f1
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of

ABSTAINED = "the system abstained"
_COMPARED: tuple[Input, ...] = ("answer", "reference answer")
_RAJPURKAR, _LIN = "Rajpurkar et al. 2016 (SQuAD)", "Lin 2004"
_SQUAD2 = "Rajpurkar et al. 2018 (SQuAD 2.0)"


def _of_overlap(overlap: Callable[[str, str], Overlap | None], unit: str) -> Measure:
    def measure(item: Item, _: int) -> Measured:
        if item.answered.prediction.abstained:
            return Measured(0.0, (ABSTAINED,))
        try:
            found = overlap(item.answer, item.reference_answer)
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))
        if found is None:
            return Measured(None, reason=f"the reference answer has no {unit}")
        evidence = f"{found.shared} {unit}s in common; {found.said} in the answer, {found.wanted} in the reference"
        return Measured(found.f1, (evidence,))

    return measure


def _of_texts(function: Callable[[str, str], float]) -> Measure:
    def measure(item: Item, _: int) -> Measured:
        if item.answered.prediction.abstained:
            return Measured(0.0, (ABSTAINED,))
        compared = (f"{len(item.answer):,} characters against {len(item.reference_answer):,} of the reference",)
        try:
            return Measured(function(item.answer, item.reference_answer), compared)
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))

    return measure


def _of_abstaining(function: Callable[..., float | None], reason: str | None = None) -> Measure:
    def measure(item: Item, _: int) -> Measured:
        is_right, unknown = is_unanswerable(item.answered.example)
        if is_right is None:
            return Measured(None, reason=unknown)
        prediction = item.answered.prediction
        value = function(abstained=has_refused(prediction), is_unanswerable=is_right)
        if value is None:
            return Measured(None, reason=reason)
        return Measured(value, (how_it_answered(prediction),))

    return measure


def _compared(name: str, function: Callable[..., object], source: str, measure: Measure) -> Metric:
    return Metric(
        name=name,
        kind="answer and reference",
        meaning=meaning_of(function),
        inputs=_COMPARED,
        source=source,
        measure=measure,
    )


def _abstaining(name: str, function: Callable[..., float | None], source: str, undefined: str | None = None) -> Metric:
    return Metric(
        name=f"abstention_{name}",
        kind="answer",
        meaning=meaning_of(function),
        inputs=("answer",),
        source=source,
        over_all=True,
        measure=_of_abstaining(function, undefined),
    )


ANSWER_METRICS: Sequence[Metric] = (
    _compared("exact_match", exact_match, _RAJPURKAR, _of_texts(exact_match)),
    _compared("token_f1", token_f1, _RAJPURKAR, _of_overlap(token_f1, "token")),
    _compared("rouge_1", rouge_1, _LIN, _of_overlap(rouge_1, "word")),
    _compared("rouge_2", rouge_2, _LIN, _of_overlap(rouge_2, "word pair")),
    _compared("rouge_l", rouge_l, _LIN, _of_overlap(rouge_l, "word")),
    _compared("bleu", bleu, "Papineni et al. 2002; sacreBLEU (Post 2018), smoothing exp", _of_texts(bleu)),
    _compared("chrf", chrf, "Popovic 2015; sacreBLEU (Post 2018)", _of_texts(chrf)),
    Metric(
        name="embedding_similarity",
        kind="answer and reference",
        meaning=meaning_of(embedding_similarity),
        inputs=_COMPARED,
        source="RAGAS 0.1; Reimers and Gurevych 2019",
        needs="encoder",
    ),
    _abstaining("precision", abstention_precision, _SQUAD2, "the system answered"),
    _abstaining("recall", abstention_recall, _SQUAD2, "the question is answerable"),
    _abstaining("accuracy", abstention_accuracy, "ours"),
)
