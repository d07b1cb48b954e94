"""Completeness, hallucination and irrelevancy: verdicts on the keypoints of an example, counted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ragassay.metrics.answered import ABSTAINED, Answered, miscounted, verdict_line
from ragassay.metrics.judged.judged_metric import RAGEVAL, judged_metric, on_keypoints, silence
from ragassay.metrics.metric import Measured, Metric
from ragassay.models.embedded.judging.refusals import only_refuses
from ragassay.tasks.verdicts import KEYPOINT_VERDICTS, KeypointVerdicts


def _measured(counted: str, each: Answered, verdicts: KeypointVerdicts) -> Measured:
    if problem := miscounted(len(verdicts.items), len(each.example.keypoints), "keypoint"):
        return Measured(None, reason=problem)
    return _share(counted, each, [(verdict.verdict, verdict.reason) for verdict in verdicts.items])


def _unasked(counted: str, each: Answered) -> Measured:
    """Measure an abstention without words: it covers a keypoint that says that there is no answer, and no other."""
    verdicts = ["covered" if only_refuses(keypoint) else "neither" for keypoint in each.example.keypoints]
    return _share(counted, each, [(verdict, ABSTAINED) for verdict in verdicts])


def _share(counted: str, each: Answered, verdicts: Sequence[tuple[str, str]]) -> Measured:
    lines = (
        verdict_line(verdict, keypoint, reason)
        for keypoint, (verdict, reason) in zip(each.example.keypoints, verdicts, strict=True)
    )
    return Measured(sum(verdict == counted for verdict, _ in verdicts) / len(verdicts), tuple(lines))


def _metric(name: str, counted: str, meaning: str, unseen: str) -> Metric:
    """Return the share of the keypoints that have a verdict.

    An abstention is judged by what it says. None where the example has no keypoints, the system failed or gave no
    answer, or the judge did not give one verdict for each keypoint.
    """
    return judged_metric(
        partial(_measured, counted),
        KEYPOINT_VERDICTS,
        on_keypoints,
        name=name,
        meaning=meaning,
        inputs=("answer", "keypoints"),
        source=RAGEVAL,
        unseen=unseen,
        kind="answer and reference",
        higher_is_better=counted == "covered",
        is_usual=counted == "covered",
        why_not=silence,
        unasked=partial(_unasked, counted),
    )


METRICS = (
    _metric(
        "completeness",
        "covered",
        "Keypoints that the answer covers, of all keypoints, in [0, 1].",
        "inventions beside the keypoints",
    ),
    # To say that information is missing contradicts nothing.
    _metric(
        "hallucination",
        "contradicted",
        "Keypoints that the answer contradicts, of all keypoints, in [0, 1].",
        "inventions that contradict no keypoint",
    ),
    # 1 - completeness - hallucination
    _metric(
        "irrelevancy",
        "neither",
        "Keypoints that the answer neither covers nor contradicts, of all, in [0, 1].",
        "talk beside the point: only keypoints count",
    ),
)
