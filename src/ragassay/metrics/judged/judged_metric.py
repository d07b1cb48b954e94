"""How a judged metric is declared, and how many answers are judged at once.

What is missing is said before the judge is asked, and nothing is asked twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.answered import ABSTAINED, NO_CHUNK, Answered, Judge
from ragassay.metrics.inputs import Input, first_missing
from ragassay.metrics.metric import Kind, Measured, Metric, Needs, meaning_of, score_of
from ragassay.models.base import Around, Model, Reply
from ragassay.models.joint import JointModel, informed
from ragassay.records import Score
from ragassay.tasks.answer_judgement import (
    JudgedClaims,
    JudgementRequest,
    Wanted,
    judgement_task,
)
from ragassay.tasks.base import In, Out, Task, TaskData
from ragassay.tasks.contexts import CONTEXT_USEFULNESS, AnswerFromChunks
from ragassay.tasks.joint import Unread
from ragassay.tasks.ratings import BLOCK_RATINGS, CORRECTNESS, AnswerAndReference, AnswerOnBlock
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    KEYPOINT_VERDICTS,
    STATEMENT_VERDICTS,
    AnswerToQuestion,
    KeypointsOnAnswer,
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
_FAITHFULNESS = "faithfulness"
"""The metric that holds the claims of an answer against all its chunks; others ask the same tasks of other texts."""


class _JointReplies(NamedTuple):
    """model: has the replies at hand. asked_as: answer, metric and task to the joint task that decided."""

    model: Model
    asked_as: Mapping[tuple[tuple[str, str], str, str], Task[Any, Any]]


async def judged_scores(judge: Judge, metrics: Sequence[Metric], answered: Sequence[Answered]) -> list[Score]:
    """One score for each metric and answer, metric by metric, in the order of the answers.

    metrics: those with a ``judge``. The evidence of what the judge was asked ends with the hash of its prompt.
    Raises ValueError for a metric that no judge decides.
    """
    counts = Counter(task for metric in metrics for task in metric.tasks)
    shared = frozenset(task for task, count in counts.items() if count > 1)
    wanted = _wanted([metric for metric in metrics if judge.of(metric.name) is judge])
    joint = asyncio.ensure_future(_replies_jointly(judge.model, wanted, answered))
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
        signs = (own.asked_with(asked_as.get((each.key, metric.name, task), task)) for task in asked)
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


class _Remembering(Around):
    """A model that answers inputs which several metrics ask about once, for the tasks that are shared."""

    def __init__(self, model: Model, shared: frozenset[str], joint: asyncio.Future[_JointReplies]) -> None:
        """joint: of the tasks that may be asked together with others."""
        super().__init__(model)
        self._joint = joint
        self._shared = shared
        self._lock = asyncio.Lock()
        self._known: dict[tuple[str, Any], Reply[Any]] = {}

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


def _wanted(metrics: Sequence[Metric]) -> dict[Wanted, tuple[str, ...]]:
    """What can be asked jointly, with the metrics that want it."""
    found: dict[Wanted, tuple[str, ...]] = {}
    for part, tasks in _TASKS.items():
        names = tuple(
            metric.name
            for metric in metrics
            if {task.name for task in tasks} <= {*metric.tasks} and (part != "support" or metric.name == _FAITHFULNESS)
        )
        if names:
            found[part] = names
    return found


async def _replies_jointly(
    model: Model, wanted: Mapping[Wanted, tuple[str, ...]], answered: Sequence[Answered]
) -> _JointReplies:
    """Ask what is wanted in one call for each answer. What could not be read of a reply is left to the single tasks.

    Where two answers say the same, and differ in what they are held against, the claims of the first stand for both.
    """
    asked_as: dict[tuple[tuple[str, str], str, str], Task[Any, Any]] = {}
    if not isinstance(model, JointModel):
        return _JointReplies(model, asked_as)
    own = model.overrides.prompts
    parts = [each for each in wanted if not any(task.name in own for task in _TASKS[each])]
    requests: dict[tuple[Wanted, ...], dict[JudgementRequest, list[Answered]]] = {}
    for each in answered:
        request = _request(each, parts)
        if request is not None:
            requests.setdefault(request.wanted, {}).setdefault(request, []).append(each)
    asked = [(judgement_task(of), inputs) for of, inputs in requests.items()]
    found = await asyncio.gather(*(model.ask_all(task, list(inputs)) for task, inputs in asked))
    known: dict[tuple[str, TaskData], Reply[Any]] = {}
    for (task, inputs), replies in zip(asked, found, strict=True):
        for (request, same), reply in zip(inputs.items(), replies, strict=True):
            for each in same:
                for part, single in _single_replies(reply, request, each):
                    known.setdefault(single[0], single[1])
                    if known[single[0]] is single[1]:
                        asked_as |= {(each.key, metric, single[0][0]): task for metric in wanted[part]}
    return _JointReplies(informed(model, known), asked_as)


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
        others=tuple(each.example.other_answers) if "correctness" in some else (),
        passages=each.reference_texts if "correctness" in some else (),
        keypoints=each.example.keypoints if "keypoints" in some else (),
        chunks=each.chunk_texts if {"support", "chunks"} & set(some) else (),
        block=each.block if "ratings" in some and not ("correctness" in some and each.reference_texts) else "",
    )


_Single = tuple[tuple[str, TaskData], Reply[Any]]


def _single_replies(reply: Reply[Any], request: JudgementRequest, each: Answered) -> Iterator[tuple[Wanted, _Single]]:
    """Yield the replies to single tasks that a joint one holds, each by its task and input."""

    def of(part: str, value: Callable[[Any], Any] = lambda read: read) -> Reply[Any] | None:
        read = None if reply.value is None else getattr(reply.value, part)
        return None if isinstance(read, Unread) else replace(reply, value=read and value(read))

    claims = of("claims") if {"support", "correctness"} & set(request.wanted) else None
    if claims is not None and "support" in request.wanted:
        judged: JudgedClaims | None = claims.value
        split = AnswerToQuestion(question=each.question, answer=each.answer)
        yield "support", ((ANSWER_STATEMENTS.name, split), replace(claims, value=judged and judged.statements))
        if judged and judged.items:
            case = StatementsOnContext(question=each.question, statements=judged.statements.items, context=each.context)
            yield "support", ((STATEMENT_VERDICTS.name, case), replace(claims, value=judged.verdicts))
    if claims is not None and "correctness" in request.wanted:
        compared = replace(claims, value=claims.value and claims.value.correctness)
        yield "correctness", ((CORRECTNESS.name, on_reference(each)), compared)
    inputs: dict[Wanted, tuple[Task[Any, Any], TaskData]] = {
        "keypoints": (KEYPOINT_VERDICTS, on_keypoints(each)),
        "chunks": (CONTEXT_USEFULNESS, on_chunks(each)),
        "ratings": (BLOCK_RATINGS, on_block(each)),
    }
    for part, (task, asked) in inputs.items():
        if part in request.wanted and (single := of(part)) is not None:
            yield part, ((task.name, asked), single)


def on_keypoints(each: Answered) -> KeypointsOnAnswer:
    """What is asked of an answer for its keypoints; likewise the others."""
    return KeypointsOnAnswer(question=each.question, answer=each.answer, keypoints=each.example.keypoints)


def on_chunks(each: Answered) -> AnswerFromChunks:
    """For the use of its chunks: by the reference answer, without one by its own."""
    return AnswerFromChunks(question=each.question, answer=each.example.answer or each.answer, chunks=each.chunk_texts)


def on_block(each: Answered) -> AnswerOnBlock:
    return AnswerOnBlock(question=each.question, answer=each.answer, block=each.block)


def on_reference(each: Answered) -> AnswerAndReference:
    return AnswerAndReference(
        question=each.question,
        answer=each.answer,
        reference=each.example.answer,
        others=tuple(each.example.other_answers),
        passages=each.reference_texts,
    )
