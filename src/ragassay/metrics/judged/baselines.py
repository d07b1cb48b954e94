"""The plainest ways to ask a language model: a score from 0 to 10, and which of two systems did better."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import scores_by_reply
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.ratings import (
    PREFERENCES,
    QUALITIES,
    QUALITY_SCORES,
    Candidates,
    Preference,
    Quality,
    QualityCase,
)

BASELINE = "RAGAS (EACL 2024), baselines"
_INPUTS: dict[Quality, tuple[Input, ...]] = {
    "faithfulness": ("answer", "chunk texts"),
    "answer_relevance": ("answer",),
    "context_relevance": ("chunk texts",),
}

Winner = Literal["ours", "theirs", "tie"]
_IN_ORDER: dict[str, Winner] = {"first": "ours", "second": "theirs", "tie": "tie"}
_SWAPPED: dict[str, Winner] = {"first": "theirs", "second": "ours", "tie": "tie"}


class _Asked(NamedTuple):
    """What the judge said with ours first, and with ours second."""

    ours_first: Winner
    ours_second: Winner
    reasons: tuple[str, str]


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
    return await scores_by_reply(
        model,
        QUALITY_SCORES[quality],
        answered,
        name,
        why_not=lambda each: _unscored(each, quality),
        inputs=lambda each: QualityCase(question=each.question, answer=each.answer, context=each.context),
        score=lambda each, found: each.score(name, float(found.score), evidence=(found.reason,)),
    )


def _unscored(each: Answered, quality: Quality) -> str | None:
    if quality != "context_relevance" and each.missing:
        return each.missing
    if each.prediction.error:
        return each.missing
    return None if quality == "answer_relevance" or each.context.strip() else "no chunk with a text was retrieved"


def _scored(quality: Quality) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await gpt_score(judge.model, answered, quality)

    return Metric(
        name=score_name(quality),
        kind="baseline",
        meaning=f"What a language model gives for {quality.replace('_', ' ')} as the prompt defines it, from 0 to 10.",
        inputs=_INPUTS[quality],
        source=BASELINE,
        needs="language model",
        high=10.0,
        judge=judge,
        tasks=(f"score_{quality}",),
    )


def ranking_name(quality: Quality) -> str:
    """What tables call it: ``gpt_ranking_faithfulness``."""
    return f"gpt_ranking_{quality}"


def agreement_name(quality: Quality) -> str:
    """Of the two orders: ``gpt_ranking_faithfulness_agreement``."""
    return f"gpt_ranking_{quality}_agreement"


async def gpt_ranking(model: Model, answered: Sequence[Answered], quality: Quality, seed: int = 0) -> list[Score]:
    """1 if a language model prefers this system's answer to that of the other, else 0; its mean is the share of wins.

    It is asked twice, with either first. One that prefers the same in both orders, or once and calls the other order a
    tie, decides. Where the two orders contradict each other, and where both are ties, a coin decides that the seed and
    the example fix; the evidence says so, and ``gpt_ranking_..._agreement`` counts how often the orders agree.
    For context relevance the retrieved texts are compared in place of the answers.
    None where there is no other prediction, either of the two has nothing to compare, or the judge failed in an order.
    Source: RAGAS (EACL 2024), baselines.
    """
    name = ranking_name(quality)
    outcomes = await _outcomes(model, answered, quality)
    scores = []
    for each, found in zip(answered, outcomes, strict=True):
        if isinstance(found, str):
            scores.append(each.score(name, None, found))
            continue
        winner, how = _winner(found, f"{seed} {name} {each.example.id}")
        evidence = (f"{winner}: {how}", f"ours first: {found.reasons[0]}", f"ours second: {found.reasons[1]}")
        scores.append(each.score(name, float(winner == "ours"), evidence=evidence))
    return scores


async def order_agreement(model: Model, answered: Sequence[Answered], quality: Quality) -> list[Score]:
    """1 where the judge of ``gpt_ranking`` says the same in both orders, else 0: below 1, the order had a say.

    None as there. Source: ours, after the order effects that RAGAS (EACL 2024), baselines, warns of.
    """
    name = agreement_name(quality)
    return [
        each.score(name, None, found)
        if isinstance(found, str)
        else each.score(
            name,
            float(found.ours_first == found.ours_second),
            evidence=(f"ours first: {found.ours_first}; ours second: {found.ours_second}",),
        )
        for each, found in zip(answered, await _outcomes(model, answered, quality), strict=True)
    ]


def _winner(found: _Asked, chance: str) -> tuple[Winner, str]:
    said = {found.ours_first, found.ours_second} - {"tie"}
    if len(said) == 1:
        clear = found.ours_first == found.ours_second
        return said.pop(), "in both orders" if clear else "in one order, a tie in the other"
    drawn: Winner = "ours" if hashlib.sha256(chance.encode()).digest()[0] % 2 else "theirs"
    return drawn, "a tie in both orders, drawn" if not said else "the two orders contradict each other, drawn"


async def _outcomes(model: Model, answered: Sequence[Answered], quality: Quality) -> list[_Asked | str]:
    """What was said of each; a text where there is nothing to say, and why."""
    asked = [each for each in answered if _why_not(each, quality) is None]
    pairs = [_candidates(each, quality) for each in asked]
    swapped = [pair.model_copy(update={"first": pair.second, "second": pair.first}) for pair in pairs]
    replies = await model.ask_all(PREFERENCES[quality], [*pairs, *swapped])
    said = {
        each.key: _asked(first, second)
        for each, first, second in zip(asked, replies[: len(pairs)], replies[len(pairs) :], strict=True)
    }
    return [said[each.key] if each.key in said else _why_not(each, quality) or "" for each in answered]


def _asked(first: Reply[Preference], second: Reply[Preference]) -> _Asked | str:
    if first.value is None or second.value is None:
        return first.reason or second.reason or "the judge gave no verdict"
    return _Asked(
        _IN_ORDER[first.value.preferred],
        _SWAPPED[second.value.preferred],
        (first.value.reason, second.value.reason),
    )


def _candidates(each: Answered, quality: Quality) -> Candidates:
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
                return f"{whose}no chunk with a text was retrieved"
        elif not side.answer.strip():
            return f"{whose}{side.missing}"
    return None


def _of_rivals(quality: Quality, *, agreement: bool) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        if agreement:
            return await order_agreement(judge.model, answered, quality)
        return await gpt_ranking(judge.model, answered, quality, judge.seed)

    of = quality.replace("_", " ")
    won = f"1 if a language model prefers this system to the other by {of}, asked in both orders, else 0; "
    alike = f"1 where {ranking_name(quality)} comes out alike in both orders, else 0."
    return Metric(
        name=agreement_name(quality) if agreement else ranking_name(quality),
        kind="baseline",
        meaning=alike if agreement else f"{won}a coin decides ties.",
        inputs=(*_INPUTS[quality], "other prediction"),
        source="ours, after the order effects of RAGAS, baselines" if agreement else BASELINE,
        needs="language model",
        judge=judge,
        tasks=(f"prefer_{quality}",),
    )


METRICS = (
    *map(_scored, QUALITIES),
    *(_of_rivals(quality, agreement=agreement) for agreement in (False, True) for quality in QUALITIES),
)
