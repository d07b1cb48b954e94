"""How a metric of an answer and its reference declares itself, at the end of its file."""

from __future__ import annotations

from collections.abc import Callable

from ragassay.metrics.answer.overlap import Overlap
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import ABSTAINED
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of

COMPARED: tuple[Input, ...] = ("answer", "reference answer")
RAJPURKAR, LIN = "Rajpurkar et al. 2016 (SQuAD)", "Lin 2004"


def of_overlap(overlap: Callable[[str, str], Overlap | None], unit: str) -> Measure:
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


def of_texts(function: Callable[[str, str], float]) -> Measure:
    def measure(item: Item, _: int) -> Measured:
        if item.answered.prediction.abstained:
            return Measured(0.0, (ABSTAINED,))
        compared = (f"{len(item.answer):,} characters against {len(item.reference_answer):,} of the reference",)
        try:
            return Measured(function(item.answer, item.reference_answer), compared)
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))

    return measure


def compared(name: str, function: Callable[..., object], source: str, measure: Measure) -> Metric:
    return Metric(
        name=name,
        kind="answer and reference",
        meaning=meaning_of(function),
        inputs=COMPARED,
        source=source,
        measure=measure,
    )
