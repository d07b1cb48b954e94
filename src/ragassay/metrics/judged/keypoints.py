"""Verdicts on the keypoints of an example: what completeness, hallucination and irrelevancy count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.judged.answered import ABSTAINED, Answered, miscounted
from ragassay.metrics.judged.evidence import verdict_line
from ragassay.models.base import Model, Reply
from ragassay.models.embedded.judging.refusals import only_refuses
from ragassay.records import Score
from ragassay.tasks.verdicts import KEYPOINT_VERDICTS, KeypointsOnAnswer, KeypointVerdicts

Share = Callable[[Sequence[str]], float]
"""Of one verdict for each keypoint: covered, contradicted or neither."""


async def keypoint_scores(model: Model, answered: Sequence[Answered], name: str, share: Share) -> list[Score]:
    """A share of the keypoints of each example, in [0, 1].

    An abstention is judged by what it says. One without words covers a keypoint that says that there is no answer;
    every other verdict is *neither*.

    None where the example has no keypoints, the system failed or gave no answer, or the judge did not give one verdict
    for each keypoint.
    """
    asked = [
        each
        for each in answered
        if each.missing in (None, ABSTAINED) and each.answer.strip() and each.example.keypoints
    ]
    replies = await model.ask_all(
        KEYPOINT_VERDICTS,
        [
            KeypointsOnAnswer(question=each.question, keypoints=each.example.keypoints, answer=each.answer)
            for each in asked
        ],
    )
    scores = {each.key: _score(each, name, share, reply) for each, reply in zip(asked, replies, strict=True)}
    return [scores.get(each.key) or _unasked(each, name, share) for each in answered]


def _score(each: Answered, name: str, share: Share, reply: Reply[KeypointVerdicts]) -> Score:
    if reply.value is None:
        return each.score(name, None, reply.reason)
    verdicts = reply.value.items
    if problem := miscounted(len(verdicts), len(each.example.keypoints), "keypoint"):
        return each.score(name, None, problem)
    return each.score(
        name,
        share([verdict.verdict for verdict in verdicts]),
        evidence=_lines(each, [(verdict.verdict, verdict.reason) for verdict in verdicts]),
    )


def _unasked(each: Answered, name: str, share: Share) -> Score:
    if not each.example.keypoints:
        return each.score(name, None, "the example has no keypoints")
    if each.missing != ABSTAINED:
        return each.score(name, None, each.missing)
    verdicts = ["covered" if only_refuses(keypoint) else "neither" for keypoint in each.example.keypoints]
    return each.score(name, share(verdicts), evidence=_lines(each, [(verdict, ABSTAINED) for verdict in verdicts]))


def _lines(each: Answered, verdicts: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(
        verdict_line(verdict, keypoint, reason)
        for keypoint, (verdict, reason) in zip(each.example.keypoints, verdicts, strict=True)
    )
