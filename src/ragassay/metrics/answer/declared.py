"""How a metric of an answer and its reference declares itself, at the end of its file."""

from __future__ import annotations

from collections.abc import Callable

from ragassay.metrics.answer.abstention import all_refuse, is_unanswerable
from ragassay.metrics.answer.overlap import Overlap
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import ABSTAINED
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of

COMPARED: tuple[Input, ...] = ("answer", "reference answer")
RAJPURKAR, LIN = "Rajpurkar et al. 2016 (SQuAD)", "Lin 2004"


def of_overlap(overlap: Callable[[str, str], Overlap | None], unit: str) -> Measure:
    def measured(answer: str, reference: str) -> Measured:
        found = overlap(answer, reference)
        if found is None:
            return Measured(None, reason=f"the reference answer has no {unit}")
        evidence = f"{found.shared} {unit}s in common; {found.said} in the answer, {found.wanted} in the reference"
        return Measured(found.f1, (evidence,))

    return _of_best(measured)


def of_texts(function: Callable[[str, str], float]) -> Measure:
    def measured(answer: str, reference: str) -> Measured:
        compared = (f"{len(answer):,} characters against {len(reference):,} of the reference",)
        return Measured(function(answer, reference), compared)

    return _of_best(measured)


def _of_best(measured: Callable[[str, str], Measured]) -> Measure:
    """Against each reference answer, as SQuAD's script does: the best value counts, with what was compared for it."""

    def measure(item: Item, _: int) -> Measured:
        if item.answered.prediction.abstained:
            return Measured(float(all_refuse(item.reference_answers)), (ABSTAINED,))
        try:
            found = [measured(item.answer, reference) for reference in item.reference_answers]
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))
        best = max(
            (each for each in found if each.value is not None), key=lambda each: each.value or 0, default=found[0]
        )
        many = (f"the best of {len(found)} reference answers",) if len(found) > 1 else ()
        return best._replace(evidence=(*best.evidence, *many))

    return measure


def with_unanswerable(measure: Measure) -> Measure:
    """Also for questions without an answer, as SQuAD 2.0's script does: 1 for an abstention, 0 for any answer."""

    def also(item: Item, depth: int) -> Measured:
        if item.reference_answer.strip():
            return measure(item, depth)
        has_none, unknown = is_unanswerable(item.answered.example)
        if not has_none:
            return Measured(None, reason=unknown or "the example has no reference answer")
        return Measured(float(item.answered.prediction.abstained), ("the question has no answer",))

    return also


def compared(
    name: str, function: Callable[..., object], source: str, measure: Measure, inputs: tuple[Input, ...] = COMPARED
) -> Metric:
    return Metric(
        name=name,
        kind="answer and reference",
        meaning=meaning_of(function),
        inputs=inputs,
        source=source,
        measure=measure,
    )
