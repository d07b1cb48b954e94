"""What a judge, its baselines and the controls say of the items that people have compared or rated."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ragassay.datasets.foreign import example_of
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.metrics.judged.ratings import agreement_name, ranking_name, score_name
from ragassay.models.base import Encoder, Reply
from ragassay.models.joint import JointModel
from ragassay.parts import LOCAL_BATCH, in_batches
from ragassay.people.agreement.check_items import Aspect, Compared, Items, Pair, Quality, Rated
from ragassay.people.agreement.correlation import pearson
from ragassay.people.agreement.measure import with_interval
from ragassay.records import Prediction, Score
from ragassay.tasks.ratings import CORRECTNESS, AnswerAndReference, Correctness
from ragassay.tasks.ratings import QUALITIES as BASELINE_QUALITIES
from ragassay.tasks.ratings import Quality as BaselineQuality

Role = Literal["judge", "baseline", "control"]

_BESIDE: Mapping[Quality, tuple[str, ...]] = {"faithfulness": ("context_precision",)}
"""Metrics that evaluations ask for in the same call where the judge answers jointly; their values are left out here."""
BETTER, WORSE, ONLY = "better", "worse", "only"


class Values(NamedTuple):
    """What one scorer says of all items.

    aspect: of comparisons, else empty. sides: one column where items are single, two where they are pairs: of the
    better and the worse item, or of the first and the second answer. reasons: why a value is None, counted. evidence:
    of each item, what the values rest on.
    """

    scorer: str
    role: Role
    aspect: Aspect | Literal[""]
    sides: tuple[tuple[float | None, ...], ...]
    reasons: Mapping[str, int]
    evidence: tuple[tuple[str, ...], ...] = ()


def n_answered(items: Items) -> int:
    """How many answers, or contexts, are judged: one of each item that people rated, two of those they compared."""
    return len(items) * (1 if isinstance(items[0], Rated) else 2)


async def judged_values(
    judge: Judge,
    quality: Quality,
    items: Items,
    on_answers: Callable[[int], None] = lambda n: None,
    *,
    is_language_model: bool,
) -> list[Values]:
    """Return the values of a judge and, where it is a language model, of the baselines GPT score and GPT ranking.

    They come from the metrics that evaluations use, so what is checked is what is reported elsewhere: faithfulness,
    answer_relevance, context_relevance, truthfulness and, where answers to be rated for relevance have a knowledge
    block, relevance; preferences from precision, recall and F1 of statements against the reference.
    on_answers: told how many more answers are judged.
    """
    if isinstance(items[0], Compared):
        return await _preferences(judge, items, on_answers, LOCAL_BATCH if not is_language_model else 2 * len(items))
    names: list[str] = [quality]
    blocks = [item.block for item in items if isinstance(item, Rated)]
    if quality == "answer_relevance" and blocks and all(blocks):
        names.append("relevance")
    baselines = [each for each in BASELINE_QUALITIES if each == quality] if is_language_model else []
    scored = [score_name(each) for each in baselines]
    answered = _answered(quality, items)
    beside = _BESIDE.get(quality, ()) if isinstance(judge.model, JointModel) else ()
    metrics = [METRICS[name] for name in (*names, *beside, *scored)]
    scores = []
    for batch in in_batches(answered, len(answered) if is_language_model else LOCAL_BATCH):
        scores += await judged_scores(judge, metrics, batch)
        on_answers(len(batch))
    found = [_values(name, "judge" if name in names else "baseline", scores, answered) for name in (*names, *scored)]
    if isinstance(items[0], Pair):
        for each in baselines:
            found += await _rankings(judge, each, answered)
    return found


def _answered(quality: Quality, items: Items) -> list[Answered]:
    """Every side of every item as an example with its prediction; the better side knows its rival."""
    made = []
    for number, item in enumerate(items):
        if isinstance(item, Pair):
            worse = _side(number, WORSE, quality, item.question, item.worse, item.context)
            better = _side(number, BETTER, quality, item.question, item.better, item.context)
            made += [Answered(better.example, better.prediction, better.chunk_texts, rival=worse), worse]
        elif isinstance(item, Rated):
            only = _side(number, ONLY, quality, item.question, item.answer, item.context)
            made.append(Answered(only.example, only.prediction, only.chunk_texts, block=item.block))
    return made


def _side(number: int, side: str, quality: Quality, question: str, said: str, context: str) -> Answered:
    is_context = quality == "context_relevance"
    text = (said or context) if is_context else context
    example = example_of(origin="judge", question=question, example_id=str(number), language="und")
    prediction = Prediction(example_id=str(number), system=side, chunks=(), answer="" if is_context else said)
    return Answered(example, prediction, (text,) if text else ())


def _values(name: str, role: Role, scores: Sequence[Score], answered: Sequence[Answered]) -> Values:
    of_side: dict[str, dict[str, Score]] = {}
    for score in scores:
        if score.metric == name:
            of_side.setdefault(score.system, {})[score.example_id] = score
    sides = [side for side in (BETTER, WORSE, ONLY) if side in of_side]
    numbers = list(dict.fromkeys(each.example.id for each in answered))
    columns = tuple(tuple(of_side[side][number].value for number in numbers) for side in sides)
    reasons = Counter(
        of_side[side][number].reason or ""
        for side in sides
        for number in numbers
        if of_side[side][number].value is None
    )
    evidence = tuple(
        tuple(f"{side}: {line}" if side != ONLY else line for side in sides for line in of_side[side][number].evidence)
        for number in numbers
    )
    return Values(name, role, "", columns, reasons, evidence)


async def _rankings(judge: Judge, quality: BaselineQuality, answered: Sequence[Answered]) -> list[Values]:
    """1 and 0 for the item that is preferred; beside it, in one column, 1 where both orders say the same."""
    better = [each for each in answered if each.rival is not None]
    ranking, agreeing = METRICS[ranking_name(quality)], METRICS[agreement_name(quality)]
    scores = await judged_scores(judge, [ranking, agreeing], better)
    won = _values(ranking.name, "baseline", scores, better)
    lost = tuple(None if value is None else 1.0 - value for value in won.sides[0])
    return [won._replace(sides=(won.sides[0], lost)), _values(agreeing.name, "baseline", scores, better)]


async def _preferences(
    judge: Judge, items: Sequence[Compared], on_answers: Callable[[int], None], together: int
) -> list[Values]:
    inputs = [
        AnswerAndReference(question=item.question, answer=said, reference=item.reference)
        for item in items
        for said in (item.first, item.second)
    ]
    replies: dict[AnswerAndReference, Reply[Correctness]] = {}
    for batch in in_batches(inputs, together):
        new = [each for each in dict.fromkeys(batch) if each not in replies]
        replies.update(zip(new, await judge.model.ask_all(CORRECTNESS, new), strict=True))
        on_answers(len(batch))
    found = []
    for aspect, name in _ASPECT_NAMES.items():
        values = [None if (reply := replies[each].value) is None else _shares(reply)[aspect] for each in inputs]
        reasons = Counter(
            replies[each].reason or "nothing was sorted"
            for each, value in zip(inputs, values, strict=True)
            if value is None
        )
        said = {each: reply.value.reason if reply.value is not None else "no value" for each, reply in replies.items()}
        evidence = tuple(
            (f"first: {said[one]}", f"second: {said[other]}")
            for one, other in zip(inputs[::2], inputs[1::2], strict=True)
        )
        found.append(Values(name, "judge", aspect, (tuple(values[::2]), tuple(values[1::2])), reasons, evidence))
    return found


def _shares(found: Correctness) -> Mapping[Aspect, float | None]:
    """Return precision, recall and the metric: as the judge says them, else from the claims that it compared."""
    if found.correctness is not None:
        return {"correctness": found.precision, "completeness": found.recall, "overall": found.correctness}
    same, said = found.count("same"), len(found.claims)
    right, needed = same + found.count("extra_supported"), same + found.count("contradicted") + len(found.missing)
    return {
        "correctness": right / said if said else None,
        "completeness": same / needed if needed else None,
        "overall": found.share,
    }


_ASPECT_NAMES: Mapping[Aspect, str] = {"correctness": "precision", "completeness": "recall", "overall": "f1"}


def control_values(quality: Quality, items: Items, *, seed: int = 0, encoder: Encoder | None = None) -> list[Values]:
    """Return what no judge should be worse than: length, chance and, with an encoder, one cosine.

    length: characters, the longer the better; for context relevance the shorter, as padded contexts are longer.
    cosine: of the text that is judged with what it is judged by.
    """
    texts = [_judged_texts(quality, item) for item in items]
    sign = -1.0 if quality == "context_relevance" else 1.0
    lengths = [[sign * len(text) for text in sides] for sides, _ in texts]
    chance = random.Random(seed)
    drawn = [[chance.random() for _ in sides] for sides, _ in texts]
    found = [
        _control("shorter wins" if sign < 0 else "longer wins", lengths),
        _control("random", drawn),
    ]
    if encoder is not None:
        found.append(_control("cosine", _cosines(encoder, texts)))
    return found


def _control(name: str, values: Sequence[Sequence[float]]) -> Values:
    return Values(name, "control", "", tuple(tuple(side) for side in zip(*values, strict=True)), {})


def _judged_texts(quality: Quality, item: Pair | Compared | Rated) -> tuple[tuple[str, ...], str]:
    if isinstance(item, Compared):
        return (item.first, item.second), item.reference
    sides = (item.better, item.worse) if isinstance(item, Pair) else (item.answer or item.context,)
    if quality == "faithfulness":
        return sides, item.context
    if quality == "truthfulness" and isinstance(item, Rated):
        return sides, item.block
    return sides, item.question


def _cosines(encoder: Encoder, texts: Sequence[tuple[tuple[str, ...], str]]) -> list[list[float]]:
    unique = list(dict.fromkeys(text for sides, by in texts for text in (*sides, by)))
    rows = {text: row for row, text in enumerate(unique)}
    vectors = encoder.encode(unique)
    return [[float(vectors[rows[text]] @ vectors[rows[by]]) for text in sides] for sides, by in texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """One metric in two runs.

    pearson: of the values of both runs. difference: mean absolute difference, in the units of the metric. same: share
    of items with the same value. All over what has a value in both runs; sides of pairs count singly.
    """

    quality: str
    metric: str
    aspect: str
    pearson: Estimate
    difference: Estimate
    same: Estimate


def repeatability(quality: str, first: Sequence[Values], second: Sequence[Values], *, seed: int = 0) -> list[Repeated]:
    """One row for each scorer. first, second: of the same items, scorers in the same order."""
    return [_repeated(quality, one, other, seed) for one, other in zip(first, second, strict=True)]


def _repeated(quality: str, first: Values, second: Values, seed: int) -> Repeated:
    pairs = [
        (one, other)
        for side, again in zip(first.sides, second.sides, strict=True)
        for one, other in zip(side, again, strict=True)
    ]
    differences = [None if one is None or other is None else abs(one - other) for one, other in pairs]
    both = np.array([(one, other) for one, other in pairs if one is not None and other is not None]).reshape(-1, 2)
    return Repeated(
        quality=quality,
        metric=first.scorer,
        aspect=first.aspect,
        pearson=with_interval(
            len(both), lambda drawn: pearson(both[drawn, 0], both[drawn, 1]), seed=seed, total=len(pairs)
        ),
        difference=estimate(differences, bounds=None),
        same=estimate([None if each is None else float(each == 0) for each in differences]),
    )
