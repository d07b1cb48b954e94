"""Context relevance: how much of what was retrieved helps to answer the question."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import RAGAS, judged_metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.context_sentences import HELPFUL_SENTENCES, HelpfulSentences, QuestionOnContext
from ragassay.text import sentences

NAME = "context_relevance"


async def context_relevance(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """CR = sentences of the retrieved chunks that help to answer the question / all their sentences, in [0, 1].

    The judge copies the sentences; a copy that does not stand in the chunks does not count, and is named in the
    evidence. 0 where nothing helps. None where the system failed, the chunks have no sentence, or the judge failed.
    Answers play no part, so an abstention has a value too.
    Source: RAGAS (EACL 2024), reference-free metrics.
    """
    asked = [each for each in answered if not each.prediction.error and each.context.strip()]
    replies = await model.ask_all(
        HELPFUL_SENTENCES, [QuestionOnContext(question=each.question, context=each.context) for each in asked]
    )
    scores = {each.key: _score(each, reply) for each, reply in zip(asked, replies, strict=True)}
    return [scores.get(each.key) or each.score(NAME, None, _why_not(each)) for each in answered]


def _score(each: Answered, reply: Reply[HelpfulSentences]) -> Score:
    if reply.value is None:
        return each.score(NAME, None, reply.reason)
    found = reply.value
    evidence = (
        found.reason,
        *(f"helps: {sentence}" for sentence in found.items),
        *(f"not in the context: {sentence}" for sentence in found.foreign),
    )
    return each.score(NAME, len(found.items) / len(sentences(each.context)), evidence=evidence)


def _why_not(each: Answered) -> str:
    return (each.missing if each.prediction.error else None) or "no chunk with a sentence was retrieved"


METRICS = (judged_metric(context_relevance, ("chunk texts",), RAGAS, "helpful_sentences", kind="retrieval"),)
