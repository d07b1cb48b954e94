"""Completeness: how many of the necessary facts an answer covers."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import ON_KEYPOINTS, RAGEVAL, judged_metric
from ragassay.metrics.judged.keypoints import keypoint_scores
from ragassay.models.base import Model
from ragassay.records import Score

NAME = "completeness"


async def completeness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Keypoints that the answer covers, of all keypoints, in [0, 1].

    None as ``keypoint_scores``. Source: RAGEval (ACL 2025), generation metrics.
    """
    return await keypoint_scores(model, answered, NAME, lambda verdicts: verdicts.count("covered") / len(verdicts))


METRICS = (
    judged_metric(
        completeness,
        ON_KEYPOINTS,
        RAGEVAL,
        "keypoint_verdicts",
        kind="answer and reference",
    ),
)
