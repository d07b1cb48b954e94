"""GPT score: a score from 0 to 10 for a named quality, the plainest baseline of a judge."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import BASELINE, inputs_of_quality
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.ratings import QUALITIES, QUALITY_SCORES, Quality, QualityCase, QualityScore


def score_name(quality: Quality) -> str:
    """What tables call it: ``gpt_score_faithfulness``."""
    return f"gpt_score_{quality}"


async def gpt_score(model: Model, answered: Sequence[Answered], quality: Quality) -> list[Score]:
    """A score that a language model gives for one quality, whose definition stands in the prompt, from 0 to 10.

    The baseline that metrics with steps have to beat. None where the system abstained or failed, gave no answer or, for
    qualities of the context, retrieved nothing, and where the judge failed.
    Source: RAGAS (EACL 2024), baselines.
    """
    name = score_name(quality)
    asked = [each for each in answered if _why_not(each, quality) is None]
    replies = await model.ask_all(
        QUALITY_SCORES[quality],
        [QualityCase(question=each.question, answer=each.answer, context=each.context) for each in asked],
    )
    scores = {each.key: _score(each, name, reply) for each, reply in zip(asked, replies, strict=True)}
    return [scores.get(each.key) or each.score(name, None, _why_not(each, quality)) for each in answered]


def _score(each: Answered, name: str, reply: Reply[QualityScore]) -> Score:
    if reply.value is None:
        return each.score(name, None, reply.reason)
    return each.score(name, float(reply.value.score), evidence=(reply.value.reason,))


def _why_not(each: Answered, quality: Quality) -> str | None:
    if quality != "context_relevance" and each.missing:
        return each.missing
    if each.prediction.error:
        return each.missing
    return None if quality == "answer_relevance" or each.context.strip() else "no chunk with a text was retrieved"


def _declared(quality: Quality) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await gpt_score(judge.model, answered, quality)

    return Metric(
        name=score_name(quality),
        kind="baseline",
        meaning=f"What a language model gives for {quality.replace('_', ' ')} as the prompt defines it, from 0 to 10.",
        inputs=inputs_of_quality(quality),
        source=BASELINE,
        needs="language model",
        high=10.0,
        judge=judge,
        tasks=(f"score_{quality}",),
    )


METRICS = tuple(map(_declared, QUALITIES))
