"""How a judged metric is declared, and how many answers are judged at once.

What is missing is said before the judge is asked, and nothing is asked twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.answered import ABSTAINED, NO_CHUNK, Answered, Judge
from ragassay.metrics.inputs import Input, first_missing
from ragassay.metrics.metric import Kind, Measured, Metric, Needs, meaning_of, score_of
from ragassay.models.base import Model, Reply
from ragassay.models.joint import JointModel, informed, jointly
from ragassay.records import Score
from ragassay.tasks.answer_judgement import (
    ANSWER_JUDGEMENT,
    JudgedClaims,
    JudgementRequest,
    Wanted,
    judgement_task,
)
from ragassay.tasks.base import In, Out, Task, TaskData
from ragassay.tasks.contexts import CONTEXT_USEFULNESS
from ragassay.tasks.joint import JointTask
from ragassay.tasks.ratings import BLOCK_RATINGS, CORRECTNESS, AnswerAndReference, AnswerOnBlock
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    KEYPOINT_VERDICTS,
    STATEMENT_VERDICTS,
    AnswerToQuestion,
    StatementsOnContext,
)

RAGAS, RAGEVAL = "RAGAS (EACL 2024), reference-free metrics", "RAGEval (ACL 2025), generation metrics"
RAGVAL = "RAGVAL, evaluation"
SYNDAITE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS"
ON_CHUNKS: tuple[Input, ...] = ("answer", "chunk texts")
ON_REFERENCE: tuple[Input, ...] = ("answer", "reference answer")


def of_refusal(each: Answered) -> Measured:
    """Measure an abstention: right where the reference, too, says no more than that there is no answer."""
    return Measured(float(all_refuse((each.example.answer,))), (ABSTAINED,))


def silence(each: Answered) -> str | None:
    """Return why there is nothing to judge, where refusals are judged by what they say; None where there is a word."""
    return None if each.answer.strip() else each.missing


def judged_metric(
    reads: Callable[[Answered, Out], Measured],
    task: Task[In, Out],
    asks: Callable[[Answered], In],
    *,
    inputs: tuple[Input, ...],
    source: str,
    unseen: str = "",
    name: str | None = None,
    meaning: str | None = None,
    kind: Kind = "answer",
    needs: Needs = "model",
    low: float = 0.0,
    high: float = 1.0,
    higher_is_better: bool = True,
    is_usual: bool = False,
    why_not: Callable[[Answered], str | None] = lambda each: each.missing,
    unasked: Callable[[Answered], Measured] | None = None,
) -> Metric:
    """Return the metric that is one task of an answer, asked of all answers at once.

    asks, reads: what is asked of an answer, and how the reply is read; without one the value is None with the reason.
    name, meaning: those of ``reads`` if None. why_not: why the model is not asked of an answer that has the inputs;
    ``unasked`` measures those.
    """
    called = name or reads.__name__

    async def score_all(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        reasons = [why_not(each) for each in answered]
        asked = [each for each, reason in zip(answered, reasons, strict=True) if reason is None]
        replies = iter(await judge.model.ask_all(task, [asks(each) for each in asked]))
        scores = []
        for each, reason in zip(answered, reasons, strict=True):
            if reason is not None:
                measured = unasked(each) if unasked is not None else Measured(None, reason=reason)
            else:
                reply = next(replies)
                measured = Measured(None, reason=reply.reason) if reply.value is None else reads(each, reply.value)
            scores.append(score_of(each, called, measured))
        return scores

    return Metric(
        name=called,
        kind=kind,
        meaning=meaning or meaning_of(reads),
        inputs=inputs,
        source=source,
        unseen=unseen,
        needs=needs,
        low=low,
        high=high,
        higher_is_better=higher_is_better,
        judge=score_all,
        tasks=(task.name,),
        is_usual=is_usual,
    )


_TASKS: Mapping[Wanted, tuple[Task[Any, Any], ...]] = {
    "support": (ANSWER_STATEMENTS, STATEMENT_VERDICTS),
    "correctness": (CORRECTNESS,),
    "keypoints": (KEYPOINT_VERDICTS,),
    "chunks": (CONTEXT_USEFULNESS,),
    "ratings": (BLOCK_RATINGS,),
}
"""What can be wanted of a joint judgement, and the tasks that it takes the place of."""
_JOINT = {task.name for tasks in _TASKS.values() for task in tasks}


class _JointReplies(NamedTuple):
    """model: has the replies at hand. asked_as: key of an answer and task to the joint task that it was asked in."""

    model: Model
    asked_as: Mapping[tuple[tuple[str, str], str], str]


async def judged_scores(judge: Judge, metrics: Sequence[Metric], answered: Sequence[Answered]) -> list[Score]:
    """One score for each metric and answer, metric by metric, in the order of the answers.

    metrics: those with a ``judge``. The evidence of what the judge was asked ends with the hash of its prompt.
    Raises ValueError for a metric that no judge decides.
    """
    counts = Counter(task for metric in metrics for task in metric.tasks)
    shared = frozenset(task for task, count in counts.items() if count > 1)
    tasks = {task for metric in metrics if judge.of(metric.name) is judge for task in metric.tasks}
    joint = asyncio.ensure_future(_replies_jointly(judge.model, tasks, answered))
    remembering = replace(judge, model=_Remembering(judge.model, shared, joint))
    found = await asyncio.gather(*(_scores(remembering, metric, answered, joint) for metric in metrics))
    return [score for scores in found for score in scores]


async def _scores(
    judge: Judge, metric: Metric, answered: Sequence[Answered], joint: asyncio.Future[_JointReplies]
) -> list[Score]:
    if metric.judge is None:
        raise ValueError(f"{metric.name} is not decided by a judge")
    own = judge.of(metric.name)
    # A run keeps the texts of those chunks only that the answer was made from.
    reasons = [first_missing(each, metric.inputs, len(each.chunk_texts)) for each in answered]
    complete = [each for each, reason in zip(answered, reasons, strict=True) if reason is None]
    found = await metric.judge(own, complete)
    asked_as = (await joint).asked_as if own is judge else {}
    scores = {}
    for each, score in zip(complete, found, strict=True):
        asked = () if _is_unasked(metric, each, score) else metric.tasks
        signs = (own.asked_with(asked_as.get((each.key, task), task)) for task in asked)
        scores[each.key] = replace(score, evidence=(*score.evidence, *signs))
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


class _Remembering:
    """A model that answers inputs which several metrics ask about once, for the tasks that are shared."""

    def __init__(self, model: Model, shared: frozenset[str], joint: asyncio.Future[_JointReplies]) -> None:
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
        """Ask as the model inside."""
        model = (await self._joint).model if task.name in _JOINT else self._model
        if task.name not in self._shared:
            return await model.ask_all(task, inputs)
        async with self._lock:  # who comes second waits for the replies instead of asking
            new = list(dict.fromkeys(each for each in inputs if (task.name, each) not in self._known))
            replies = await model.ask_all(task, new) if new else []
            self._known.update(((task.name, each), reply) for each, reply in zip(new, replies, strict=True))
        return [self._known[task.name, each] for each in inputs]


async def _replies_jointly(model: Model, tasks: Set[str], answered: Sequence[Answered]) -> _JointReplies:
    """Ask what the tasks have in common, in one call for each answer. tasks: of all metrics that are to be worked out.

    What could not be read of a reply is left to the single tasks.
    """
    asked_as: dict[tuple[tuple[str, str], str], str] = {}
    if not isinstance(model, JointModel):
        return _JointReplies(model, asked_as)
    own = model.overrides.prompts
    wanted = [each for each, of in _TASKS.items() if all(one.name in tasks and one.name not in own for one in of)]
    requests: dict[tuple[Wanted, ...], dict[JudgementRequest, list[Answered]]] = {}
    for each in answered:
        request = _request(each, wanted)
        if request is not None:
            requests.setdefault(request.wanted, {}).setdefault(request, []).append(each)
    asked = [(judgement_task(of), list(inputs)) for of, inputs in requests.items()]
    found = await jointly(model, *asked)
    assert isinstance(found, JointModel)
    known: dict[tuple[str, TaskData], Reply[Any]] = {}
    for task, inputs in asked:
        for request in inputs:
            for each in requests[request.wanted][request]:
                known |= _single_replies(found, task, request, each)
    told = informed(found, known)
    for inputs_of in requests.values():
        for request, of in inputs_of.items():
            for each in of:
                names = [one.name for part in request.wanted for one in _TASKS[part]]
                asked_as |= {(each.key, name): ANSWER_JUDGEMENT.name for name in names}
    return _JointReplies(told, asked_as)


def _request(each: Answered, wanted: Sequence[Wanted]) -> JudgementRequest | None:
    """What is asked of an answer; None where there is nothing to judge, or too little to be asked together."""
    there: dict[Wanted, bool] = {
        "support": bool(each.context.strip()),
        "correctness": bool(each.example.answer.strip()),
        "keypoints": bool(each.example.keypoints),
        "chunks": bool(each.chunk_texts),
        "ratings": True,
    }
    some = tuple(one for one in wanted if there[one])
    if each.missing is not None or len(some) < 2:
        return None
    return JudgementRequest(
        question=each.question,
        answer=each.answer,
        wanted=some,
        reference=each.example.answer if {"correctness", "chunks"} & set(some) else "",
        passages=each.reference_texts if "correctness" in some else (),
        keypoints=each.example.keypoints if "keypoints" in some else (),
        chunks=each.chunk_texts if {"support", "chunks"} & set(some) else (),
        block=each.block if "ratings" in some and not ("correctness" in some and each.reference_texts) else "",
    )


def _single_replies(
    model: JointModel, task: JointTask[Any], request: JudgementRequest, each: Answered
) -> dict[tuple[str, TaskData], Reply[Any]]:
    """The replies of single tasks that judged claims hold; and the ratings, which the task asks by the block."""
    known: dict[tuple[str, TaskData], Reply[Any]] = {}
    if (rating := task.parts.get("ratings")) and (key := (BLOCK_RATINGS.name, rating.given(request))) in model.known:
        own = AnswerOnBlock(question=each.question, answer=each.answer, block=each.block)
        known[BLOCK_RATINGS.name, own] = model.known[key]
    part = task.parts.get("claims")
    reply = model.known.get((part.task.name, request)) if part else None
    if reply is None:
        return known
    judged: JudgedClaims | None = reply.value
    if "support" in request.wanted:
        split = AnswerToQuestion(question=each.question, answer=each.answer)
        known[ANSWER_STATEMENTS.name, split] = replace(reply, value=judged and judged.statements)
        if judged and judged.items:
            case = StatementsOnContext(question=each.question, statements=judged.statements.items, context=each.context)
            known[STATEMENT_VERDICTS.name, case] = replace(reply, value=judged.verdicts)
    if "correctness" in request.wanted:
        known[CORRECTNESS.name, on_reference(each)] = replace(reply, value=judged and judged.correctness)
    return known


def on_reference(each: Answered) -> AnswerAndReference:
    """What is asked of an answer for its correctness."""
    return AnswerAndReference(
        question=each.question, answer=each.answer, reference=each.example.answer, passages=each.reference_texts
    )
