"""The published scorers' figures of one example."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.metric import Measured, Metric, meaning_of
from ragassay.metrics.released.dragonball import ReleasedScores, released_scores
from ragassay.metrics.released.rouge_l import NO_JIEBA, released_rouge_l

_SOURCE = "RAGEval (ACL 2025), its released scorer"


def _scores(item: Item, k: int) -> ReleasedScores:
    return released_scores(
        answer="",  # its ROUGE-L is a metric of its own, below
        reference_answer="",
        references=[span.text for span in item.answered.example.references],
        chunks=item.texts[:k],
        language=item.language,
    )


def _rouge_l(item: Item, _: int) -> Measured:
    compared = (f"{len(item.answer):,} characters against {len(item.reference_answer):,} of the reference",)
    try:
        value = released_rouge_l(item.answer, item.reference_answer, item.language)
    except ValueError as error:  # too long to compare
        return Measured(None, reason=str(error))
    return Measured(value, compared) if value is not None else Measured(None, reason=NO_JIEBA)


def _entry(name: str, meaning: str, inputs: tuple[Input, ...], place: int) -> Metric:
    return Metric(
        name=name,
        kind="published scorer",
        meaning=meaning,
        inputs=inputs,
        source=_SOURCE,
        high=None if place == 1 else 1.0,
        over_all=True,
        measure=lambda item, k: Measured(_scores(item, k)[place], item.told_matches(k, as_returned=True)),
    )


METRICS: Sequence[Metric] = (
    _entry(
        "reference_recall_released@k",
        "As reference_recall@k, with the sentences of the released scorer, and 0 without references.",
        ("chunk texts",),
        0,
    ),
    _entry(
        "eir_released@k",
        "Words of all matched reference sentences / words of the first k chunks without their metadata, joined by "
        "spaces, from 0; 0 without references. In Chinese each character is a word, spaces too. A sentence of two "
        "references counts twice.",
        ("chunk texts",),
        1,
    ),
    _entry(
        "all_references_recall_released@k",
        'Published as "Precision" (k = 5): 1 if every sentence of every reference is contained in one of the first k '
        "chunks, else 0 (references are joined by spaces and then split); 1 without references, 0 without chunks.",
        ("chunk texts",),
        2,
    ),
    Metric(
        name="rouge_l_released",
        kind="published scorer",
        meaning=meaning_of(released_rouge_l),
        inputs=("prediction",),
        source=_SOURCE,
        over_all=True,
        measure=_rouge_l,
    ),
)
