"""Completeness, hallucination and irrelevancy: verdicts on the keypoints of an example, counted."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import ABSTAINED, Answered, miscounted, verdict_line
from ragassay.metrics.judged.declared import RAGEVAL, judged_metric, scores_by_reply
from ragassay.models.base import Model
from ragassay.models.embedded.judging.refusals import only_refuses
from ragassay.records import Score
from ragassay.tasks.verdicts import KEYPOINT_VERDICTS, KeypointsOnAnswer, KeypointVerdict


async def completeness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Keypoints that the answer covers, of all keypoints, in [0, 1].

    None as ``_keypoint_scores``. Source: RAGEval (ACL 2025), generation metrics.
    """
    return await _keypoint_scores(model, answered, "completeness", "covered")


async def hallucination(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Keypoints that the answer contradicts, of all keypoints, in [0, 1].

    To say that information is missing contradicts nothing. Source: RAGEval (ACL 2025), generation metrics.
    """
    return await _keypoint_scores(model, answered, "hallucination", "contradicted")


async def irrelevancy(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Keypoints that the answer neither covers nor contradicts, of all, in [0, 1].

    1 - completeness - hallucination. Source: RAGEval (ACL 2025), generation metrics.
    """
    return await _keypoint_scores(model, answered, "irrelevancy", "neither")


async def _keypoint_scores(model: Model, answered: Sequence[Answered], name: str, counted: str) -> list[Score]:
    """Score the share of the keypoints of each example that have a verdict, in [0, 1].

    An abstention is judged by what it says. One without words covers a keypoint that says that there is no answer;
    every other verdict is *neither*.

    None where the example has no keypoints, the system failed or gave no answer, or the judge did not give one verdict
    for each keypoint.
    """
    return await scores_by_reply(
        model,
        KEYPOINT_VERDICTS,
        answered,
        name,
        why_not=_why_not,
        inputs=lambda each: KeypointsOnAnswer(
            question=each.question, keypoints=each.example.keypoints, answer=each.answer
        ),
        score=lambda each, verdicts: _score(each, name, counted, verdicts.items),
        unasked=lambda each: _unasked(each, name, counted),
    )


def _why_not(each: Answered) -> str | None:
    if not each.example.keypoints:
        return "the example has no keypoints"
    is_said = each.missing in (None, ABSTAINED) and each.answer.strip()
    return None if is_said else each.missing


def _score(each: Answered, name: str, counted: str, verdicts: Sequence[KeypointVerdict]) -> Score:
    if problem := miscounted(len(verdicts), len(each.example.keypoints), "keypoint"):
        return each.score(name, None, problem)
    return _counted(each, name, counted, [(verdict.verdict, verdict.reason) for verdict in verdicts])


def _unasked(each: Answered, name: str, counted: str) -> Score:
    if _why_not(each) != ABSTAINED:
        return each.score(name, None, _why_not(each))
    verdicts = ["covered" if only_refuses(keypoint) else "neither" for keypoint in each.example.keypoints]
    return _counted(each, name, counted, [(verdict, ABSTAINED) for verdict in verdicts])


def _counted(each: Answered, name: str, counted: str, verdicts: Sequence[tuple[str, str]]) -> Score:
    lines = (
        verdict_line(verdict, keypoint, reason)
        for keypoint, (verdict, reason) in zip(each.example.keypoints, verdicts, strict=True)
    )
    share = sum(verdict == counted for verdict, _ in verdicts) / len(verdicts)
    return each.score(name, share, evidence=tuple(lines))


METRICS = tuple(
    judged_metric(
        function,
        ("answer", "keypoints"),
        RAGEVAL,
        KEYPOINT_VERDICTS.name,
        kind="answer and reference",
        higher_is_better=function is completeness,
        is_usual=function is completeness,
    )
    for function in (completeness, hallucination, irrelevancy)
)
