"""What was retrieved, judged: whether it helps, whether what helps comes first, whether the reference is in it."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answered import NO_CHUNK, Answered, miscounted, verdict_line
from ragassay.metrics.judged.faithfulness import Held, ShareOfClaims, claims_metric
from ragassay.metrics.judged.judged_metric import ON_CHUNKS, RAGAS, SYNDAITE, judged_metric, on_chunks
from ragassay.metrics.metric import Measured
from ragassay.tasks.contexts import (
    CONTEXT_USEFULNESS,
    HELPFUL_SENTENCES,
    ChunkUses,
    HelpfulSentences,
    QuestionOnContext,
)
from ragassay.text import sentences


def context_relevance(each: Answered, helpful: HelpfulSentences) -> Measured:
    """CR = sentences of the retrieved chunks that help to answer the question / all their sentences, in [0, 1].

    The judge copies the sentences; a copy that does not stand in the chunks does not count, and is named in the
    evidence. None where the system failed, the chunks have no sentence, or the judge failed. Answers play no part, so
    an abstention has a value too. Source: RAGAS (EACL 2024), reference-free metrics.
    """
    evidence = (
        helpful.reason,
        *(f"helps: {sentence}" for sentence in helpful.items),
        *(f"not in the context: {sentence}" for sentence in helpful.foreign),
    )
    return Measured(len(helpful.items) / len(sentences(each.context)), evidence)


def _no_sentence(each: Answered) -> str | None:
    if each.prediction.error:
        return each.missing
    return None if each.context.strip() else "no chunk with a sentence was retrieved"


def context_precision(each: Answered, uses: ChunkUses) -> Measured:
    """Average precision within what was retrieved, each chunk judged useful or not for the right answer, in [0, 1].

    The right answer is the reference answer; without one the answer of the system, right or wrong. Useful chunks that
    were not retrieved are not missed, so one more below others can lower it.
    None where the system abstained, failed, gave no answer or was given no chunk, and where the judge failed or did
    not give one verdict for each chunk.
    Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS.
    """
    if problem := miscounted(len(uses.items), len(each.chunk_texts), "chunk"):
        return Measured(None, reason=problem)
    evidence = tuple(
        verdict_line("useful" if use.useful else "not useful", f"chunk {rank}", use.reason)
        for rank, use in enumerate(uses.items, 1)
    )
    return Measured(average_precision([use.useful for use in uses.items]), evidence)


def average_precision(useful: Sequence[bool]) -> float:
    """Return the mean of the precision at the rank of each useful chunk, in [0, 1]; 0 where none is useful.

    useful: in rank order. Source: Manning et al. 2008, section 8.4, without documents that were not retrieved.
    """
    ranks = [rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


_NOT_RETRIEVED = "useful passages that were not retrieved"
METRICS = (
    judged_metric(
        context_precision,
        CONTEXT_USEFULNESS,
        on_chunks,
        inputs=ON_CHUNKS,
        source=SYNDAITE,
        unseen=_NOT_RETRIEVED,
        kind="retrieval",
        why_not=lambda each: each.missing or (None if each.chunk_texts else NO_CHUNK),
    ),
    # What the system answered is no matter.
    claims_metric(
        ShareOfClaims(
            name="context_recall",
            held=(Held("the reference answer", "the chunks", "found", "not found"),),
            why_not=lambda each: None if each.context.strip() else NO_CHUNK,
            unasked=lambda _: Measured(0.0, (NO_CHUNK,)),  # there was something to find
        ),
        "Statements of the reference answer that the retrieved chunks support, of all its statements, in [0, 1].",
        ("reference answer", "chunk texts"),
        "RAGAS 0.2, context recall",
        "retrieval",
        "useless chunks beside the useful, and their order",
    ),
    judged_metric(
        context_relevance,
        HELPFUL_SENTENCES,
        lambda each: QuestionOnContext(question=each.question, context=each.context),
        inputs=("chunk texts",),
        source=RAGAS,
        unseen=_NOT_RETRIEVED,
        kind="retrieval",
        why_not=_no_sentence,
    ),
)
