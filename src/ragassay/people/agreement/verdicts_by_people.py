"""What people say of the answers of a system, as values of the metrics that a judge gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean

from ragassay.errors import InputError
from ragassay.people.agreement.machine import METRICS
from ragassay.people.agreement.raters import by_task
from ragassay.records import Annotation

_CORRECT = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
Values = Mapping[str, Mapping[str, float]]
"""Metric to example to the value that people give it."""


def values_by_people(annotations: Iterable[Annotation], system: str, source: str) -> Values:
    """Correctness by the task ``correctness``; completeness, hallucination and irrelevancy by the task ``keypoints``.

    Where people differ, an answer or keypoint counts by the share of them. Raises InputError, naming the source, where
    nothing is said of the system's answers.
    """
    judged = by_task(annotations)
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for item, values in judged["correctness"].of.items() if "correctness" in judged else ():
        example, _, name = item.rpartition("@")
        if name == system:
            found["correctness"][example] = fmean(_CORRECT.get(value, 0.0) for value in values.values())
    verdicts: dict[str, list[list[str]]] = defaultdict(list)
    for item, values in judged["keypoint"].of.items() if "keypoint" in judged else ():
        example, _, name = item.partition("#")[0].rpartition("@")
        if name == system:
            verdicts[example].append(list(values.values()))
    for metric, verdict in METRICS.items():
        for example, of_keypoints in verdicts.items():
            found[metric][example] = fmean(fmean(each == verdict for each in one) for one in of_keypoints)
    if not found:
        raise InputError(
            f"{source}: no verdicts of the tasks correctness or keypoints on answers of {system!r}; annotate them with "
            "`ragassay annotate RUN --task correctness`"
        )
    return found
