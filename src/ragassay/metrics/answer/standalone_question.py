"""Standalone questions: how near what a system makes of a question in a conversation is to what the set has for it."""

from __future__ import annotations

from ragassay.metrics.answer.embedding_similarity import embedding_similarity
from ragassay.metrics.answer.token_f1 import token_f1
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.metric import Measured, Metric, meaning_of
from ragassay.models.base import Encoder

_INPUTS: tuple[Input, ...] = ("expected standalone question", "standalone question")
_SOURCE = "Anantha et al. 2021 (QReCC), question rewriting"


def standalone_f1(rewriting: str, expected: str) -> float:
    """``token_f1`` of the system's standalone question and that of the set, in [0, 1].

    Source: QReCC scores rewritings by the words that they share with a person's, by ROUGE-1 recall; here added words
    count, too.
    """
    return token_f1(rewriting, expected).f1


def standalone_similarity(encoder: Encoder, pairs: list[tuple[str, str]]) -> list[float]:
    """Cosine of the system's standalone question and that of the set, cut to [0, 1]: ``embedding_similarity``.

    A rewriting that leaves out a name is near all the same; read it beside ``standalone_f1``.
    """
    return embedding_similarity(encoder, pairs)


def _texts(each: Answered) -> tuple[str, str]:
    return each.prediction.standalone_question or "", each.example.standalone_question or ""


def _f1(item: Item, _: int) -> Measured:
    rewriting, expected = _texts(item.answered)
    return Measured(standalone_f1(rewriting, expected), (f"made: {rewriting}", f"expected: {expected}"))


METRICS = (
    Metric(
        name="standalone_f1",
        kind="answer and reference",
        meaning=meaning_of(standalone_f1),
        inputs=_INPUTS,
        source=_SOURCE,
        over_all=True,
        measure=_f1,
    ),
    Metric(
        name="standalone_similarity",
        kind="answer and reference",
        meaning=meaning_of(standalone_similarity),
        inputs=_INPUTS,
        source="ours, after Reimers and Gurevych 2019",
        needs="encoder",
        over_all=True,
        texts=_texts,
    ),
)
