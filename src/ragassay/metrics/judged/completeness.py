"""Completeness: how many of the necessary facts an answer covers."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered, miscounted
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import KEYPOINT_VERDICTS, KeypointsOnAnswer

NAME = "completeness"


async def completeness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Keypoints that the answer covers, of all keypoints, in [0, 1]; 0 where the system abstained.

    None where the example has no keypoints, as unanswerable ones have none, the system failed, or the judge did
    not give one verdict for each keypoint.
    Source: RAGEval (ACL 2025), section 4.2.
    """
    asked = [each for each in answered if each.missing is None and each.example.keypoints]
    replies = await model.ask_all(
        KEYPOINT_VERDICTS,
        [
            KeypointsOnAnswer(question=each.example.question, keypoints=each.example.keypoints, answer=each.answer)
            for each in asked
        ],
    )
    scores = {}
    for each, reply in zip(asked, replies, strict=True):
        if reply.value is None:
            scores[each.key] = each.score(NAME, None, reply.reason)
            continue
        verdicts = reply.value.items
        if problem := miscounted(len(verdicts), len(each.example.keypoints), "keypoint"):
            scores[each.key] = each.score(NAME, None, problem)
            continue
        covered = sum(verdict.verdict == "covered" for verdict in verdicts)
        scores[each.key] = each.score(
            NAME, covered / len(verdicts), evidence=tuple(verdict.reason for verdict in verdicts)
        )
    return [scores.get(each.key) or _unasked(each) for each in answered]


def _unasked(each: Answered) -> Score:
    if not each.example.keypoints:
        return each.score(NAME, None, "the example has no keypoints")
    if each.prediction.error:
        return each.score(NAME, None, each.missing)
    return each.score(NAME, 0.0, evidence=(each.missing or "",))
