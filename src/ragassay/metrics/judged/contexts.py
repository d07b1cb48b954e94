"""What was retrieved, judged: whether it helps, whether what helps comes first, whether the reference is in it."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import NO_CHUNK, Answered, miscounted, verdict_line
from ragassay.metrics.judged.claims import TASKS, claims_of, verdicts_on
from ragassay.metrics.judged.declared import ON_CHUNKS, RAGAS, SYNDAITE, judged_metric, scores_by_reply
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.contexts import (
    CONTEXT_USEFULNESS,
    HELPFUL_SENTENCES,
    AnswerFromChunks,
    ChunkUses,
    HelpfulSentences,
    QuestionOnContext,
)
from ragassay.tasks.verdicts import AnswerToQuestion
from ragassay.text import sentences

_NO_REFERENCE = "the example has no reference answer"


async def context_relevance(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """CR = sentences of the retrieved chunks that help to answer the question / all their sentences, in [0, 1].

    The judge copies the sentences; a copy that does not stand in the chunks does not count, and is named in the
    evidence. None where the system failed, the chunks have no sentence, or the judge failed. Answers play no part, so
    an abstention has a value too. Source: RAGAS (EACL 2024), reference-free metrics.
    """

    def why_not(each: Answered) -> str | None:
        if each.prediction.error:
            return each.missing
        return None if each.context.strip() else "no chunk with a sentence was retrieved"

    def score(each: Answered, found: HelpfulSentences) -> Score:
        evidence = (
            found.reason,
            *(f"helps: {sentence}" for sentence in found.items),
            *(f"not in the context: {sentence}" for sentence in found.foreign),
        )
        return each.score("context_relevance", len(found.items) / len(sentences(each.context)), evidence=evidence)

    return await scores_by_reply(
        model,
        HELPFUL_SENTENCES,
        answered,
        "context_relevance",
        why_not=why_not,
        inputs=lambda each: QuestionOnContext(question=each.question, context=each.context),
        score=score,
    )


async def context_precision(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Average precision within what was retrieved, each chunk judged useful or not for the answer, in [0, 1].

    Useful chunks that were not retrieved are not missed, so one more below others can lower it.
    None where the system abstained, failed, gave no answer or was given no chunk, and where the judge failed or did
    not give one verdict for each chunk.
    Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS.
    """

    def score(each: Answered, uses: ChunkUses) -> Score:
        if problem := miscounted(len(uses.items), len(each.chunk_texts), "chunk"):
            return each.score("context_precision", None, problem)
        evidence = tuple(
            verdict_line("useful" if use.useful else "not useful", f"chunk {rank}", use.reason)
            for rank, use in enumerate(uses.items, 1)
        )
        value = average_precision([use.useful for use in uses.items])
        return each.score("context_precision", value, evidence=evidence)

    return await scores_by_reply(
        model,
        CONTEXT_USEFULNESS,
        answered,
        "context_precision",
        why_not=lambda each: each.missing or (None if each.chunk_texts else NO_CHUNK),
        inputs=lambda each: AnswerFromChunks(question=each.question, answer=each.answer, chunks=each.chunk_texts),
        score=score,
    )


def average_precision(useful: Sequence[bool]) -> float:
    """Return the mean of the precision at the rank of each useful chunk, in [0, 1]; 0 where none is useful.

    useful: in rank order. Source: Manning et al. 2008, section 8.4, without documents that were not retrieved.
    """
    ranks = [rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


async def context_recall(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Statements of the reference answer that the retrieved chunks support, of all its statements, in [0, 1].

    0 where nothing was retrieved. What the system answered is no matter. None where the example has no reference
    answer, or one without a statement, and where the judge failed or did not give one verdict for each statement.
    Source: RAGAS 0.2 (its documentation, LLM-based context recall).
    """
    asked = [each for each in answered if each.context.strip() and each.example.answer.strip()]
    texts = [AnswerToQuestion(question=each.question, answer=each.example.answer) for each in asked]
    claims = await claims_of(model, texts, "the reference answer")
    cases = [(each.question, of_it, each.context) for each, of_it in zip(asked, claims, strict=True)]
    found = dict(zip((each.key for each in asked), await verdicts_on(model, cases), strict=True))
    scores = []
    for each in answered:
        verdicts = found.get(each.key)
        if verdicts is None:
            has_reference = bool(each.example.answer.strip())
            value, reason = (0.0, None) if has_reference else (None, _NO_REFERENCE)
            scores.append(each.score("context_recall", value, reason, (NO_CHUNK,)))
        elif verdicts.reason is not None:
            scores.append(each.score("context_recall", None, verdicts.reason))
        else:
            evidence = verdicts.told("found", "not found")
            scores.append(each.score("context_recall", verdicts.share, evidence=evidence))
    return scores


METRICS = (
    judged_metric(context_precision, ON_CHUNKS, SYNDAITE, CONTEXT_USEFULNESS.name, kind="retrieval"),
    judged_metric(
        context_recall, ("reference answer", "chunk texts"), "RAGAS 0.2, context recall", *TASKS, kind="retrieval"
    ),
    judged_metric(context_relevance, ("chunk texts",), RAGAS, HELPFUL_SENTENCES.name, kind="retrieval"),
)
