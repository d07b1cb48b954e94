"""What people say of the answers of a system, as values of the metrics that a judge gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from ragassay.errors import InputError
from ragassay.people.agreement.agree import check_values
from ragassay.people.agreement.machine import METRICS, answer_of
from ragassay.people.agreement.raters import by_task, scale_of
from ragassay.people.annotation.files import read_annotations
from ragassay.records import Annotation, Example

_CORRECT = {"right": 1.0, "partly": 0.5, "wrong": 0.0}


class PeoplesValues(NamedTuple):
    """of: metric to example to the value that people give it. partly: answers left out, as keypoints lack verdicts."""

    of: Mapping[str, Mapping[str, float]]
    partly: int


def read_verdicts(path: Path) -> list[Annotation]:
    """Return the annotations of a file or folder. Raises InputError for values that nobody could choose."""
    found = read_annotations(path)
    for task, judgements in by_task(found).items():
        check_values(task, judgements, scale_of(task))
    return found


def values_by_people(
    annotations: Iterable[Annotation], names: Sequence[str], source: str, examples: Iterable[Example]
) -> PeoplesValues:
    """Correctness by the task ``correctness``; completeness, hallucination and irrelevancy by the task ``keypoints``.

    Where people differ, an answer or keypoint counts by the share of them. names: of the system, as verdicts may call
    it. examples: whose keypoints need verdicts. Raises InputError, naming the source, where nothing is said of the
    system's answers.
    """
    judged = by_task(annotations)

    def asked_of(subject: str) -> str | None:
        return next((subject.removesuffix(f"@{name}") for name in names if subject.endswith(f"@{name}")), None)

    found: dict[str, dict[str, float]] = defaultdict(dict)
    for item, values in judged["correctness"].of.items() if "correctness" in judged else ():
        if (example := asked_of(item)) is not None:
            found["correctness"][example] = fmean(_CORRECT[value] for value in values.values())
    verdicts: dict[str, list[list[str]]] = defaultdict(list)
    for item, values in judged["keypoint"].of.items() if "keypoint" in judged else ():
        if (example := asked_of(answer_of(item))) is not None:
            verdicts[example].append(list(values.values()))
    asked = {each.id: len(each.keypoints) for each in examples}
    partly = {example for example, of_keypoints in verdicts.items() if len(of_keypoints) < asked.get(example, 0)}
    for metric, verdict in METRICS.items():
        for example in verdicts.keys() - partly:
            found[metric][example] = fmean(fmean(each == verdict for each in one) for one in verdicts[example])
    if not found:
        items = [item for of_task in judged.values() for item in of_task.of]
        others = sorted({item.rpartition("@")[2].partition("#")[0] for item in items if "@" in item})
        called = f"; its subject_id must end with @{names[0]}, not @{others[0]}" if others and not partly else ""
        raise InputError(
            f"{source}: no {'complete ' if partly else ''}verdicts of the tasks correctness or keypoints on answers of "
            f"{names[0]!r}{called or '; annotate them with `ragassay annotate RUN --task correctness`'}"
        )
    return PeoplesValues(found, len(partly))
