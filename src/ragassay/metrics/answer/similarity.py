"""How near two texts are in meaning, and how near a system's standalone question is to that of the set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragassay.metrics.answer.comparison import COMPARED, token_f1
from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.metric import Measured, Metric, meaning_of
from ragassay.models.base import Encoder

_STANDALONE: tuple[Input, ...] = ("expected standalone question", "standalone question")


def embedding_similarity(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Cosine similarity of each (answer, reference), cut to [0, 1] and rounded to six decimals.

    All texts are encoded in one call, each different one once. An encoder reads a text up to its token limit only,
    and a high cosine does not say that the facts agree: "in 2019" and "in 2020" are near.
    Source: answer similarity of RAGAS 0.1, with the cosine of Reimers and Gurevych 2019.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    if not texts:
        return []
    rows = {text: row for row, text in enumerate(texts)}
    vectors = encoder.encode(texts)
    first = vectors[[rows[answer] for answer, _ in pairs]]
    second = vectors[[rows[reference] for _, reference in pairs]]
    cosines = np.einsum("ij,ij->i", first, second, dtype=np.float64)
    return [round(min(1.0, max(0.0, float(cosine))), 6) for cosine in cosines]


def _answer_and_reference(each: Answered) -> tuple[str, str] | None:
    return None if each.prediction.abstained else (each.answer, each.example.answer)


def _standalone_questions(each: Answered) -> tuple[str, str]:
    return each.prediction.standalone_question or "", each.example.standalone_question or ""


def _standalone_f1(item: Answered, _: int) -> Measured:
    rewriting, expected = _standalone_questions(item)
    return Measured(token_f1(rewriting, expected).f1, (f"made: {rewriting}", f"expected: {expected}"))


METRICS = (
    Metric(
        name="embedding_similarity",
        kind="answer and reference",
        meaning=meaning_of(embedding_similarity),
        inputs=COMPARED,
        source="RAGAS 0.1; Reimers and Gurevych 2019",
        needs="encoder",
        texts=_answer_and_reference,
    ),
    Metric(
        name="standalone_f1",
        is_usual=True,
        kind="answer and reference",
        meaning="`token_f1` of the system's standalone question and that of the set, in [0, 1].",
        inputs=_STANDALONE,
        source="Anantha et al. 2021 (QReCC), question rewriting",
        over_all=True,
        measure=_standalone_f1,
    ),
    Metric(
        name="standalone_similarity",
        is_usual=True,
        kind="answer and reference",
        meaning="Cosine of the system's standalone question and that of the set, cut to [0, 1]: near even where a name "
        "is left out, so read it beside standalone_f1.",
        inputs=_STANDALONE,
        source="ours, after Reimers and Gurevych 2019",
        needs="encoder",
        over_all=True,
        texts=_standalone_questions,
    ),
)
