"""The plainest ways to ask a language model: a score from 0 to 10, and which of two systems did better.

The baselines that metrics with steps have to beat. Source: RAGAS (EACL 2024), baselines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import judged_metric
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Measured, Metric, score_of
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.ratings import PREFERENCES, QUALITIES, QUALITY_SCORES, Candidates, Preference, Quality, QualityCase

BASELINE = "RAGAS (EACL 2024), baselines"
_INPUTS: dict[Quality, tuple[Input, ...]] = {
    "faithfulness": ("answer", "chunk texts"),
    "answer_relevance": ("answer",),
    "context_relevance": ("chunk texts",),
}
_NO_TEXT = "no chunk with a text was retrieved"

Winner = Literal["ours", "theirs", "tie"]
_IN_ORDER: dict[str, Winner] = {"first": "ours", "second": "theirs", "tie": "tie"}
_SWAPPED: dict[str, Winner] = {"first": "theirs", "second": "ours", "tie": "tie"}


class _Preferred(NamedTuple):
    """What the judge said with ours first, and with ours second."""

    ours_first: Winner
    ours_second: Winner
    reasons: tuple[str, str]


def score_name(quality: Quality) -> str:
    """Return what tables call it: ``gpt_score_faithfulness``."""
    return f"gpt_score_{quality}"


def ranking_name(quality: Quality) -> str:
    """Return what tables call it: ``gpt_ranking_faithfulness``."""
    return f"gpt_ranking_{quality}"


def agreement_name(quality: Quality) -> str:
    """Return that of the two orders: ``gpt_ranking_faithfulness_agreement``."""
    return f"gpt_ranking_{quality}_agreement"


def _gpt_score(quality: Quality) -> Metric:
    def why_not(each: Answered) -> str | None:
        if each.prediction.error or (quality != "context_relevance" and each.missing):
            return each.missing
        return None if quality == "answer_relevance" or each.context.strip() else _NO_TEXT

    return judged_metric(
        lambda _, given: Measured(float(given.score), (given.reason,)),
        QUALITY_SCORES[quality],
        lambda each: QualityCase(question=each.question, answer=each.answer, context=each.context),
        name=score_name(quality),
        meaning=f"What a language model gives for {quality.replace('_', ' ')} as the prompt defines it, from 0 to 10.",
        inputs=_INPUTS[quality],
        source=BASELINE,
        kind="baseline",
        needs="language model",
        high=10.0,
        why_not=why_not,
    )


def _won(preferred: _Preferred, chance: str) -> Measured:
    """1 if this system is preferred; where both orders contradict each other or are ties, a coin decides.

    chance: what the coin hangs on, so that the same example falls alike with the same seed.
    """
    said = {preferred.ours_first, preferred.ours_second} - {"tie"}
    if len(said) == 1:
        winner = said.pop()
        is_clear = preferred.ours_first == preferred.ours_second
        how = "in both orders" if is_clear else "in one order, a tie in the other"
    else:
        winner = "ours" if hashlib.sha256(chance.encode()).digest()[0] % 2 else "theirs"
        how = "a tie in both orders, drawn" if not said else "the two orders contradict each other, drawn"
    first, second = preferred.reasons
    return Measured(float(winner == "ours"), (f"{winner}: {how}", f"ours first: {first}", f"ours second: {second}"))


def _agreed(preferred: _Preferred, _: str) -> Measured:
    evidence = f"ours first: {preferred.ours_first}; ours second: {preferred.ours_second}"
    return Measured(float(preferred.ours_first == preferred.ours_second), (evidence,))


def _of_rivals(
    quality: Quality, name: str, meaning: str, source: str, measure: Callable[[_Preferred, str], Measured]
) -> Metric:
    """Return a metric of both orders in which a language model compares this system with the other.

    None where there is no other prediction, either of the two has nothing to compare, or the judge failed in an order.
    """

    async def score_all(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return [
            score_of(
                each,
                name,
                Measured(None, reason=preferred)
                if isinstance(preferred, str)
                else measure(preferred, f"{judge.seed} {name} {each.example.id}"),
            )
            for each, preferred in zip(answered, await _preferences(judge.model, answered, quality), strict=True)
        ]

    return Metric(
        name=name,
        kind="baseline",
        meaning=meaning,
        inputs=(*_INPUTS[quality], "other prediction"),
        source=source,
        needs="language model",
        judge=score_all,
        tasks=(f"prefer_{quality}",),
    )


async def _preferences(model: Model, answered: Sequence[Answered], quality: Quality) -> list[_Preferred | str]:
    """Return what was preferred of each; a text where there is nothing to say, and why."""
    reasons = [_why_not(each, quality) for each in answered]
    pairs = [_candidates(each, quality) for each, reason in zip(answered, reasons, strict=True) if reason is None]
    swapped = [pair.model_copy(update={"first": pair.second, "second": pair.first}) for pair in pairs]
    replies = await model.ask_all(PREFERENCES[quality], [*pairs, *swapped])
    preferred = map(_preferred, replies[: len(pairs)], replies[len(pairs) :])
    return [next(preferred) if reason is None else reason for reason in reasons]


def _preferred(first: Reply[Preference], second: Reply[Preference]) -> _Preferred | str:
    if first.value is None or second.value is None:
        return first.reason or second.reason or "the judge gave no verdict"
    reasons = first.value.reason, second.value.reason
    return _Preferred(_IN_ORDER[first.value.preferred], _SWAPPED[second.value.preferred], reasons)


def _candidates(each: Answered, quality: Quality) -> Candidates:
    """Return what is compared: the answers; for context relevance the retrieved texts."""
    assert each.rival is not None
    if quality == "context_relevance":
        return Candidates(question=each.question, first=each.context, second=each.rival.context)
    # Both are held against what both were given: one that retrieved more has not said less for that.
    texts = dict.fromkeys((*each.chunk_texts, *each.rival.chunk_texts)) if quality == "faithfulness" else {}
    return Candidates(question=each.question, given="\n\n".join(texts), first=each.answer, second=each.rival.answer)


def _why_not(each: Answered, quality: Quality) -> str | None:
    if each.rival is None:
        return "no prediction of another system for this example"
    for side, whose in ((each, ""), (each.rival, "the other system: ")):
        if side.prediction.error:
            return f"{whose}{side.missing}"
        if quality == "context_relevance":
            if not side.context.strip():
                return f"{whose}{_NO_TEXT}"
        elif not side.answer.strip():
            return f"{whose}{side.missing}"
    return None


def _gpt_ranking(quality: Quality) -> Metric:
    of = quality.replace("_", " ")
    won = f"1 if a language model prefers this system to the other by {of}, asked in both orders, else 0; "
    return _of_rivals(quality, ranking_name(quality), f"{won}a coin decides ties.", BASELINE, _won)


def _order_agreement(quality: Quality) -> Metric:
    alike = f"1 where {ranking_name(quality)} comes out alike in both orders, else 0."
    source = "ours, after the order effects of RAGAS, baselines"
    return _of_rivals(quality, agreement_name(quality), alike, source, _agreed)


METRICS = (*map(_gpt_score, QUALITIES), *map(_gpt_ranking, QUALITIES), *map(_order_agreement, QUALITIES))
