"""What a judge said of the items that people judged: out of examples, and out of scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from ragassay.records import Example, Score

COVERAGE_METRIC = "completeness"
"""The metric whose evidence holds the verdicts on keypoints."""
_VERDICTS = frozenset({"covered", "contradicted", "neither"})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeValues:
    """task to item to value. other_scale: tasks whose values are numbers of another scale than people's."""

    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    other_scale: frozenset[str] = frozenset()


def values_of_examples(examples: Iterable[Example]) -> JudgeValues:
    """Verified labels, and critiques that have a value."""
    found: dict[str, dict[str, str]] = {}
    for example in examples:
        if example.verified_label is not None:
            found.setdefault("label", {})[example.id] = example.verified_label
        for critique in example.critiques:
            if critique.value is not None:
                found.setdefault(f"critique:{critique.name}", {})[example.id] = str(critique.value)
    return JudgeValues(of=found)


def values_of_scores(scores: Iterable[Score], metric: str | None, pairs: Iterable[str] = ()) -> JudgeValues:
    """Verdicts on keypoints out of the evidence of completeness; with a metric, qualities and preferences too.

    metric: whose value is set against people's ratings of answers; of two systems' answers the judge prefers the one
    with the higher value. pairs: the items that people compared, ``EXAMPLE@FIRST|SECOND``.
    """
    keypoints: dict[str, str] = {}
    values: dict[str, float] = {}
    for score in scores:
        subject = f"{score.example_id}@{score.system}"
        if score.metric == COVERAGE_METRIC:
            keypoints.update(_keypoints(subject, score))
        if score.metric == metric and score.value is not None:
            values[subject] = score.value
    found = {
        "keypoint": keypoints,
        "quality": {subject: repr(value) for subject, value in values.items()},
        "preference": _preferences(values, pairs),
    }
    return JudgeValues(of={task: of for task, of in found.items() if of}, other_scale=frozenset({"quality"}))


def _keypoints(subject: str, score: Score) -> dict[str, str]:
    """Verdicts by item: the evidence begins with one line for each keypoint, in their order.

    Other lines, such as the prompt's, come after these; where one stands between, what follows it has no number.
    """
    lines = (line.partition(": ")[0] for line in score.evidence)
    verdicts = takewhile(lambda verdict: verdict in _VERDICTS, lines)
    return {f"{subject}#{number}": verdict for number, verdict in enumerate(verdicts, 1)}


def _preferences(values: Mapping[str, float], pairs: Iterable[str]) -> dict[str, str]:
    found = {}
    for item in pairs:
        example_id, _, systems = item.partition("@")
        for place in (place for place, sign in enumerate(systems) if sign == "|"):  # names may hold the sign too
            first = values.get(f"{example_id}@{systems[:place]}")
            second = values.get(f"{example_id}@{systems[place + 1 :]}")
            if first is not None and second is not None:
                found[item] = "first" if first > second else "second" if second > first else "tie"
    return found
