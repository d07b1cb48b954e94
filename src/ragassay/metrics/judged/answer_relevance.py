"""Answer relevance: whether an answer is about what was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import RAGAS
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric, meaning_of
from ragassay.models.base import Encoder, Model, Reply
from ragassay.records import Score
from ragassay.tasks.verdicts import QUESTIONS_OF_AN_ANSWER, AnswerToQuestion, Relevance, relevance_task

NAME = "answer_relevance"


async def answer_relevance(
    model: Model,
    answered: Sequence[Answered],
    encoder: Encoder | None = None,
    *,
    questions: int = QUESTIONS_OF_AN_ANSWER,
    evasive_is_zero: bool = False,
) -> list[Score]:
    """How far the answer is about the question, right or wrong, in [0, 1].

    A judge says it directly, or writes questions from the answer alone: then it is their mean cosine similarity with
    the question that was asked, 0 where that is negative.
    encoder: compares the questions. questions: n, how many are written. evasive_is_zero: a score of 0 for answers that
    do not commit themselves, which are reported either way.
    None where the system abstained or failed, the judge failed, or its questions cannot be compared.
    Source: RAGAS (EACL 2024), reference-free metrics; as one direct judgement where the judge gives it.
    """
    asked = [each for each in answered if each.missing is None]
    replies = await model.ask_all(
        relevance_task(questions),
        [AnswerToQuestion(question=each.question, answer=each.answer) for each in asked],
    )
    # In a thread: calls to a server may be under way, and replies that are kept waiting look like time-outs.
    cosines = await asyncio.to_thread(
        _mean_cosines,
        encoder,
        [
            (each.question, reply.value.questions if reply.value else ())
            for each, reply in zip(asked, replies, strict=True)
        ],
    )
    scores = {
        each.key: _score(each, reply, cosine, evasive_is_zero)
        for each, reply, cosine in zip(asked, replies, cosines, strict=True)
    }
    return [scores.get(each.key) or each.score(NAME, None, each.missing) for each in answered]


def _mean_cosines(encoder: Encoder | None, items: Sequence[tuple[str, Sequence[str]]]) -> list[float | None]:
    """Of each question with the questions beside it; None where there are none, or no encoder."""
    compared = [(asked, *written) for asked, written in items if written]
    texts = list(dict.fromkeys(text for each in compared for text in each))
    if encoder is None or not texts:
        return [None] * len(items)
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    return [
        float(np.mean([vectors[asked] @ vectors[each] for each in written])) if written else None
        for asked, written in items
    ]


def _score(each: Answered, reply: Reply[Relevance], cosine: float | None, evasive_is_zero: bool) -> Score:
    judged = reply.value
    if judged is None:
        return each.score(NAME, None, reply.reason)
    said_directly = judged.relevance is not None
    reason = judged.reason if judged.committal or said_directly else f"not committal: {judged.reason}"
    evidence = (reason, *judged.questions)
    if evasive_is_zero and not judged.committal:
        return each.score(NAME, 0.0, evidence=evidence)
    if said_directly:
        return each.score(NAME, judged.relevance, evidence=evidence)
    if not judged.questions:
        return each.score(NAME, None, "the judge wrote no question")
    if cosine is None:
        return each.score(NAME, None, "no encoder to compare the judge's questions with the original")
    return each.score(NAME, round(min(1.0, max(0.0, cosine)), 6), evidence=evidence)


async def _by_judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
    return await answer_relevance(
        judge.model, answered, judge.encoder, questions=judge.questions, evasive_is_zero=judge.evasive_is_zero
    )


METRICS = (
    Metric(
        name=NAME,
        kind="answer",
        meaning=meaning_of(answer_relevance),
        inputs=("answer",),
        source=RAGAS,
        needs="model",
        judge=_by_judge,
        tasks=("answer_relevance",),
        is_usual=True,
    ),
)
