"""Judged metrics of many answers: what is missing is said before the judge is asked, and nothing is asked twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragassay.metrics.inputs import first_missing
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import NO_CHUNK, Answered
from ragassay.metrics.judged.jointly import JOINT, JointReplies, replies_jointly
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.base import In, Out, Task


async def judged_scores(judge: Judge, metrics: Sequence[Metric], answered: Sequence[Answered]) -> list[Score]:
    """One score for each metric and answer, metric by metric, in the order of the answers.

    metrics: those with a ``judge``. The evidence of what the judge was asked ends with the hash of its prompt.
    Raises ValueError for a metric that no judge decides.
    """
    counts = Counter(task for metric in metrics for task in metric.tasks)
    shared = frozenset(task for task, count in counts.items() if count > 1)
    tasks = {task for metric in metrics if judge.of(metric.name) is judge for task in metric.tasks}
    joint = asyncio.ensure_future(replies_jointly(judge.model, tasks, answered))
    remembering = replace(judge, model=_Remembering(judge.model, shared, joint))
    found = await asyncio.gather(*(_scores(remembering, metric, answered, joint) for metric in metrics))
    return [score for scores in found for score in scores]


async def _scores(
    judge: Judge, metric: Metric, answered: Sequence[Answered], joint: asyncio.Future[JointReplies]
) -> list[Score]:
    if metric.judge is None:
        raise ValueError(f"{metric.name} is not decided by a judge")
    own = judge.of(metric.name)
    # A run keeps the texts of those chunks only that the answer was made from.
    reasons = [first_missing(Item(each), metric.inputs, len(each.chunk_texts)) for each in answered]
    complete = [each for each, reason in zip(answered, reasons, strict=True) if reason is None]
    found = await metric.judge(own, complete)
    asked_as = (await joint).asked_as if own is judge else {}
    scores = {
        each.key: score
        if _is_unasked(metric, each, score)
        else _signed(score, tuple(own.asked_with(asked_as.get((each.key, task), task)) for task in metric.tasks))
        for each, score in zip(complete, found, strict=True)
    }
    return [
        scores[each.key] if reason is None else each.score(metric.name, None, reason)
        for each, reason in zip(answered, reasons, strict=True)
    ]


def _is_unasked(metric: Metric, each: Answered, score: Score) -> bool:
    """Where nothing was said, or nothing retrieved that it could be held against, a metric knows what to think."""
    if each.missing is not None and each.missing in (score.reason, *score.evidence[:1]):
        return True
    if score.evidence == (NO_CHUNK,):
        return True
    return score.value is None and "chunk texts" in metric.inputs and not each.context.strip()


def _signed(score: Score, asked_with: tuple[str, ...]) -> Score:
    return replace(score, evidence=(*score.evidence, *asked_with))


class _Remembering:
    """A model that answers inputs which several metrics ask about once, for the tasks that are shared."""

    def __init__(self, model: Model, shared: frozenset[str], joint: asyncio.Future[JointReplies]) -> None:
        """joint: of the tasks that may be asked together with others."""
        self._model = model
        self._joint = joint
        self._shared = shared
        self._lock = asyncio.Lock()
        self._known: dict[tuple[str, Any], Reply[Any]] = {}

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside."""
        model = (await self._joint).model if task.name in JOINT else self._model
        if task.name not in self._shared:
            return await model.ask_all(task, inputs)
        async with self._lock:  # who comes second waits for the replies instead of asking
            new = list(dict.fromkeys(each for each in inputs if (task.name, each) not in self._known))
            replies = await model.ask_all(task, new) if new else []
            self._known.update(((task.name, each), reply) for each, reply in zip(new, replies, strict=True))
        return [self._known[task.name, each] for each in inputs]
