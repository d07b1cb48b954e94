"""What an answer says: whether it is about what was asked, and agrees with its reference."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from ragassay.metrics.answered import Answered, Judge, verdict_line
from ragassay.metrics.judged.judged_metric import ON_REFERENCE, RAGAS, judged_metric, of_refusal, on_reference
from ragassay.metrics.metric import Measured, Metric, meaning_of, score_of
from ragassay.models.base import Encoder, Reply
from ragassay.records import Score
from ragassay.tasks.ratings import (
    CORRECTNESS,
    SORTED_STATEMENTS,
    AnswerAndReference,
    Correctness,
    SortedStatements,
)
from ragassay.tasks.verdicts import (
    AnswerToQuestion,
    Relevance,
    relevance_task,
)


async def answer_relevance(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
    """How far the answer is about the question, right or wrong, in [0, 1].

    A judge says it directly, or writes questions from the answer alone: then it is their mean cosine similarity with
    the question that was asked, 0 where that is negative.
    None where the system abstained or failed, the judge failed, or its questions cannot be compared.
    Source: RAGAS (EACL 2024), reference-free metrics; as one direct judgement where the judge gives it.
    """
    asked = [each for each in answered if each.missing is None]
    replies = await judge.model.ask_all(
        relevance_task(judge.questions),
        [AnswerToQuestion(question=each.question, answer=each.answer) for each in asked],
    )
    written = [reply.value.questions if reply.value else () for reply in replies]
    # In a thread: calls to a server may be under way, and replies that are kept waiting look like time-outs.
    cosines = await asyncio.to_thread(_mean_cosines, judge.encoder, [each.question for each in asked], written)
    measured = {
        each.key: _measured(reply, cosine, judge.evasive_is_zero)
        for each, reply, cosine in zip(asked, replies, cosines, strict=True)
    }
    return [
        score_of(each, "answer_relevance", measured.get(each.key) or Measured(None, reason=each.missing))
        for each in answered
    ]


def _mean_cosines(
    encoder: Encoder | None, questions: Sequence[str], written: Sequence[Sequence[str]]
) -> list[float | None]:
    """Compare each question with those written beside it; None where there are none, or no encoder."""
    pairs = list(zip(questions, written, strict=True))
    texts = list(dict.fromkeys(text for asked, own in pairs if own for text in (asked, *own)))
    if encoder is None or not texts:
        return [None] * len(pairs)
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    return [float(np.mean([vectors[asked] @ vectors[text] for text in own])) if own else None for asked, own in pairs]


def _measured(reply: Reply[Relevance], cosine: float | None, evasive_is_zero: bool) -> Measured:
    judged = reply.value
    if judged is None:
        return Measured(None, reason=reply.reason)
    is_direct = judged.relevance is not None
    reason = judged.reason if judged.committal or is_direct else f"not committal: {judged.reason}"
    evidence = (reason, *judged.questions)
    if evasive_is_zero and not judged.committal:
        return Measured(0.0, evidence)
    if is_direct:
        return Measured(judged.relevance, evidence)
    if not judged.questions:
        return Measured(None, reason="the judge wrote no question")
    if cosine is None:
        return Measured(None, reason="no encoder to compare the judge's questions with the original")
    return Measured(round(min(1.0, max(0.0, cosine)), 6), evidence)


def correctness(each: Answered, judged: Correctness) -> Measured:
    """Right claims of all that count, in [0, 1]; 0 where one that matters is contradicted, or the system abstained.

    same / (same + missing + contradicted + extra_unsupported), by the relations of the answer's claims to the reference
    and its passages; what a passage supports beyond the reference does not count. 1 where the system abstained and the
    reference says that there is no answer. A judge that says it directly, as the embedded model does, is taken at its
    word. None where the system failed, answer or reference is empty, or the judge failed.
    Source: ours, after RAGChecker (NeurIPS 2024).
    """
    evidence = tuple(verdict_line(one.relation, one.claim, "", one.source) for one in judged.claims)
    evidence += tuple(f"missing: {claim}" for claim in judged.missing)
    if judged.correctness is not None:
        return Measured(judged.correctness, (judged.reason,))
    if judged.share is None:
        return Measured(None, reason="the judge found nothing that counts in answer and reference")
    verdict = {0.0: "wrong", 1.0: "right"}.get(judged.share, "partly right")
    return Measured(judged.share, (verdict, *evidence))


def answer_correctness(_: Answered, judged: SortedStatements) -> Measured:
    """F1 of the statements of answer and reference, TP / (TP + (FP + FN) / 2), in [0, 1]; 0 where the system abstained.

    TP: statements of the answer that the reference says; FP: its other statements, wrong or only not in the reference;
    FN: statements of the reference that the answer does not make.
    Source: RAGAS 0.1, answer correctness, the factual part; without the embedding part, which is a metric of its own.
    """
    evidence = (
        judged.reason,
        *(f"confirmed: {statement}" for statement in judged.confirmed),
        *(f"not confirmed: {statement}" for statement in judged.unconfirmed),
        *(f"left out: {statement}" for statement in judged.left_out),
    )
    confirmed, wrong = len(judged.confirmed), len(judged.unconfirmed) + len(judged.left_out)
    if not confirmed + wrong:
        return Measured(None, reason="the judge sorted no statement")
    return Measured(confirmed / (confirmed + wrong / 2), evidence)


METRICS = (
    Metric(
        name="answer_relevance",
        kind="answer",
        meaning=meaning_of(answer_relevance),
        inputs=("answer",),
        source=RAGAS,
        unseen="whether what it says is right",
        needs="model",
        judge=answer_relevance,
        tasks=("answer_relevance",),
    ),
    judged_metric(
        correctness,
        CORRECTNESS,
        on_reference,
        inputs=ON_REFERENCE,
        source="ours, after RAGChecker (NeurIPS 2024)",
        unseen="half-right claims; errors of the reference answer",
        kind="answer and reference",
        is_usual=True,
        unasked=of_refusal,
    ),
    judged_metric(
        answer_correctness,
        SORTED_STATEMENTS,
        lambda each: AnswerAndReference(question=each.question, answer=each.answer, reference=each.example.answer),
        inputs=ON_REFERENCE,
        source="RAGAS 0.1, answer correctness",
        unseen="which claims matter; errors of the reference answer",
        kind="answer and reference",
        needs="language model",
        unasked=of_refusal,
    ),
)
