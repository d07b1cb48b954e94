"""A language model's plain ratings: baselines of RAGAS, RAGVAL's ratings by the knowledge block, the user's own rubric.

RAGVAL's block is what the question was made from; the answering system had to find it (information asymmetry).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ragassay.errors import UsageError
from ragassay.metrics.answer.abstention import has_refused, how_it_answered, is_unanswerable
from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.judged_metric import RAGVAL, judged_metric, on_block, silence
from ragassay.metrics.metric import Measured, Metric, score_of
from ragassay.metrics.own import check_name
from ragassay.models import LOCAL
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.ratings import (
    BLOCK_RATINGS,
    PREFERENCES,
    QUALITIES,
    QUALITY_SCORES,
    RUBRIC,
    AnswerUnderRubric,
    BlockRatings,
    Candidates,
    Preference,
    Quality,
    QualityCase,
    RubricRating,
)

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
        unseen="single claims: the whole gets one number",
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
    quality: Quality, name: str, meaning: str, source: str, unseen: str, measure: Callable[[_Preferred, str], Measured]
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
        unseen=unseen,
        needs="language model",
        judge=score_all,
        tasks=(f"prefer_{quality}",),
    )


async def _preferences(model: Model, answered: Sequence[Answered], quality: Quality) -> list[_Preferred | str]:
    """Return what was preferred of each; a text where there is nothing to say, and why."""
    reasons = [_no_rivals(each, quality) for each in answered]
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


def _no_rivals(each: Answered, quality: Quality) -> str | None:
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
    return _of_rivals(
        quality, ranking_name(quality), f"{won}a coin decides ties.", BASELINE, "how good either is", _won
    )


def _order_agreement(quality: Quality) -> Metric:
    alike = f"1 where {ranking_name(quality)} comes out alike in both orders, else 0."
    source = "ours, after the order effects of RAGAS, baselines"
    return _of_rivals(quality, agreement_name(quality), alike, source, "which of the two is better", _agreed)


_LOWEST, _HIGHEST = 1.0, 5.0
"""Relevance of an answer that says that it does not know; its truthfulness, where the block has no answer either."""


def _block_rating(
    name: str,
    meaning: str,
    unseen: str,
    value: Callable[[float, float], float],
    parts: int = 1,
    *,
    needs_block: bool = True,
) -> Metric:
    """Return the metric of both ratings. parts: how many of them are added up.

    None where the system failed or said nothing, a block that is needed is not known, or the judge failed. Refusals are
    rated too.
    """

    def reads(each: Answered, rated: BlockRatings) -> Measured:
        refuses = has_refused(each.prediction)
        has_no_answer = each.example.label == "unanswerable" or is_unanswerable(each.example)[0] is True
        relevance = _LOWEST if refuses else rated.relevance
        truthfulness = _HIGHEST if refuses and has_no_answer else rated.truthfulness
        evidence = (
            f"{f'truthfulness {truthfulness:g}, ' if each.block else ''}relevance {relevance:g}: {rated.reason}",
            *((f"{how_it_answered(each.prediction)}: relevance is 1",) if refuses else ()),
            *(("the question is unanswerable: truthfulness is 5",) if refuses and has_no_answer else ()),
        )
        return Measured(value(truthfulness, relevance), evidence)

    return judged_metric(
        reads,
        BLOCK_RATINGS,
        on_block,
        name=name,
        meaning=meaning,
        inputs=("answer", "knowledge block") if needs_block else ("answer",),
        source=RAGVAL,
        unseen=unseen,
        kind="answer and reference",
        low=parts * _LOWEST,
        high=parts * _HIGHEST,
        is_usual=not needs_block,
        why_not=silence,
    )


LEAST, MOST = 2, 100
"""Ratings that a scale can have: 2 is yes or no, and nobody tells more than 100 apart."""
_NEEDS = MappingProxyType[str, Input]({"answer": "answer", "contexts": "chunk texts", "reference": "reference answer"})
_SLUG_CHARS = 60


def rubric_metric(
    question: Any,
    *,
    scale: Any = 5,
    name: str | None = None,
    needs: Iterable[str] = ("answer",),
    model: str | None = None,
    origin: str = "rubric",
) -> Metric:
    """Return the metric that rates every answer by a question, from 1 to ``scale``.

    name: made of the question if None. needs: what the judge is shown besides question and answer, and what has to be
    there: contexts, reference. model: who judges, by name; the judge of the run if None. origin: for messages.
    Raises UsageError for what cannot be meant.
    """
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"{origin}: question must be a text that is not empty, such as 'Is the tone polite?'")
    if isinstance(scale, bool) or not isinstance(scale, int) or not LEAST <= scale <= MOST:
        raise UsageError(f"{origin}: scale must be a whole number from {LEAST} to {MOST}, not {scale!r}")
    shown = ("answer", *([needs] if isinstance(needs, str) else needs))
    strange = next((str(each) for each in shown if each not in _NEEDS), None)
    if strange is not None:
        raise UsageError(f"{origin}: unknown field {strange[:60]!r} in needs; choose from {', '.join(_NEEDS)}")
    if model in LOCAL:
        raise UsageError(f"{origin}: rules have no honest answer to a rubric; name a language model as model")
    called = name
    if called is None:
        called = re.sub(r"\W+", "_", question.lower(), flags=re.ASCII).strip("_")[:_SLUG_CHARS]
        if not called or called[0].isdigit():
            raise UsageError(f"{origin}: the question cannot be made into a name; give one, as in name='polite'")
    check_name(called)
    rubric = " ".join(question.split())

    def asks(each: Answered) -> AnswerUnderRubric:
        return AnswerUnderRubric(
            rubric=rubric,
            highest=scale,
            question=each.question,
            answer=each.answer,
            context=each.context if "contexts" in shown else "",
            reference=each.example.answer if "reference" in shown else "",
        )

    def reads(_: Answered, rated: RubricRating) -> Measured:
        if not 1 <= rated.rating <= scale:  # an object with ask may give what no prompt allows
            return Measured(None, reason=f"the judge gave {rated.rating}, which is not within 1 to {scale}")
        return Measured(float(rated.rating), (rated.reason,))

    metric = judged_metric(
        reads,
        RUBRIC,
        asks,
        name=called,
        meaning=f"RubricRating by a language model: {rubric}",
        inputs=tuple(dict.fromkeys(_NEEDS[each] for each in shown)),
        source=f"own rubric; {RUBRIC.source}",
        kind="answer and reference" if "reference" in shown else "answer",
        needs="language model",
        low=1.0,
        high=float(scale),
    )
    code = hashlib.sha256(repr((rubric, scale, sorted(set(shown)), model)).encode("utf-8", "replace")).hexdigest()[:16]
    return replace(metric, model=model, origin=origin, code=code)


METRICS = (
    *map(_gpt_score, QUALITIES),
    *map(_gpt_ranking, QUALITIES),
    *map(_order_agreement, QUALITIES),
    _block_rating(
        "truthfulness",
        "How far what the answer claims agrees with the knowledge block (in one call with correctness: with the "
        "passages of the reference), from 1 to 5.",
        "errors of the block; what the answer omits",
        lambda truthfulness, _: truthfulness,
    ),
    _block_rating(
        "relevance",
        "How well the answer addresses the question, from 1 to 5; 1 where the system refuses. By the knowledge block, "
        "where it is known.",
        "whether what the answer says is true",
        lambda _, relevance: relevance,
        needs_block=False,
    ),
    _block_rating(
        "truthfulness_and_relevance",
        "The sum of truthfulness and relevance, from 2 to 10: RAGVAL's figure of merit.",
        "which of the two failed",
        lambda truthfulness, relevance: truthfulness + relevance,
        parts=2,
    ),
)
