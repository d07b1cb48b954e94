"""Context precision: whether the chunks that were of use stand before those that were not."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered, miscounted
from ragassay.metrics.judged.declared import ON_CHUNKS, SYNDAITE, judged_metric
from ragassay.metrics.judged.evidence import verdict_line
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.contexts import CONTEXT_USEFULNESS, AnswerFromChunks, ChunkUses

NAME = "context_precision"


async def context_precision(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Average precision within what was retrieved, each chunk judged useful or not for the answer, in [0, 1].

    Useful chunks that were not retrieved are not missed, so one more below others can lower it.
    None where the system abstained, failed, gave no answer or was given no chunk, and where the judge failed or did
    not give one verdict for each chunk.
    Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS.
    """
    asked = [each for each in answered if each.missing is None and each.chunk_texts]
    replies = await model.ask_all(
        CONTEXT_USEFULNESS,
        [AnswerFromChunks(question=each.question, answer=each.answer, chunks=each.chunk_texts) for each in asked],
    )
    scores = {each.key: _score(each, reply) for each, reply in zip(asked, replies, strict=True)}
    return [
        scores.get(each.key) or each.score(NAME, None, each.missing or "no chunk was retrieved") for each in answered
    ]


def average_precision(useful: Sequence[bool]) -> float:
    """Mean of the precision at the rank of each useful chunk, in [0, 1]; 0 where none is useful.

    useful: in rank order. Source: Manning et al. 2008, section 8.4, where relevant documents that were not found count
    as well; of chunks that were not retrieved nothing is known.
    """
    precisions: list[float] = []
    for rank, is_useful in enumerate(useful, 1):
        if is_useful:
            precisions.append((len(precisions) + 1) / rank)
    return sum(precisions) / len(precisions) if precisions else 0.0


def _score(each: Answered, reply: Reply[ChunkUses]) -> Score:
    if reply.value is None:
        return each.score(NAME, None, reply.reason)
    uses = reply.value.items
    if problem := miscounted(len(uses), len(each.chunk_texts), "chunk"):
        return each.score(NAME, None, problem)
    evidence = tuple(
        verdict_line("useful" if use.useful else "not useful", f"chunk {rank}", use.reason)
        for rank, use in enumerate(uses, 1)
    )
    return each.score(NAME, average_precision([use.useful for use in uses]), evidence=evidence)


METRICS = (judged_metric(context_precision, ON_CHUNKS, SYNDAITE, "context_usefulness", kind="retrieval"),)
