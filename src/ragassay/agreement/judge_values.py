"""What a judge said of the items that people judged: out of examples, and out of scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from ragassay.agreement.tables import VERDICTS
from ragassay.errors import UsageError
from ragassay.metrics.catalogue import metric_named
from ragassay.records import Example, Score

COVERAGE_METRIC = "completeness"
"""The metric whose evidence holds the verdicts on keypoints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeValues:
    """task to item to value.

    other_scale: tasks whose values are numbers of another scale than people's: those of ``metric``, of which less is
    better where ``less_is_better``.
    """

    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    other_scale: frozenset[str] = frozenset()
    metric: str = ""
    less_is_better: bool = False


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


def values_of_scores(scores: Iterable[Score], metric: str | None, items: Iterable[str] = ()) -> JudgeValues:
    """Verdicts on keypoints out of the evidence of completeness; with a metric, qualities and preferences too.

    metric: whose value is set against people's ratings of answers; of two systems' answers the judge prefers the one
    with the better value, by the catalogue of metrics; of a metric that is not in it, the higher one. items: those
    that people judged: preferences are of ``EXAMPLE@FIRST|SECOND``.
    """
    less_is_better = metric is not None and _less_is_better(metric)
    keypoints: dict[str, str] = {}
    values: dict[tuple[str, str], float] = {}
    for score in scores:
        if score.metric == COVERAGE_METRIC:
            keypoints.update(_keypoints(f"{score.example_id}@{score.system}", score))
        if score.metric == metric and score.value is not None:
            values[score.example_id, score.system] = score.value
    found = {
        "keypoint": keypoints,
        "quality": {f"{example_id}@{system}": repr(value) for (example_id, system), value in values.items()},
        "preference": _preferences({key: -value for key, value in values.items()} if less_is_better else values, items),
    }
    return JudgeValues(
        of={task: of for task, of in found.items() if of},
        other_scale=frozenset({"quality"}),
        metric=metric or "",
        less_is_better=less_is_better,
    )


def _less_is_better(metric: str) -> bool:
    try:
        return not metric_named(metric)[0].higher_is_better
    except UsageError:  # scores of a metric of somebody else's
        return False


def _keypoints(subject: str, score: Score) -> dict[str, str]:
    """Verdicts by item: the evidence begins with one line for each keypoint, in their order.

    Other lines, such as the prompt's, come after these; where one stands between, what follows it has no number.
    """
    lines = (line.partition(": ")[0] for line in score.evidence)
    verdicts = takewhile(lambda verdict: verdict in VERDICTS, lines)
    return {f"{subject}#{number}": verdict for number, verdict in enumerate(verdicts, 1)}


def _preferences(goodness: Mapping[tuple[str, str], float], pairs: Iterable[str]) -> dict[str, str]:
    """goodness: of the answer to an example by a system; more is better."""
    found = {}
    for item in pairs:
        for example_id, one, other in _readings(item):
            first, second = goodness.get((example_id, one)), goodness.get((example_id, other))
            if first is not None and second is not None:
                found[item] = "first" if first > second else "second" if second > first else "tie"
                break
    return found


def _readings(pair: str) -> Iterator[tuple[str, str, str]]:
    """Example and two systems, in all the ways in which a pair can be read: ids and names may hold both signs."""
    for at in (place for place, sign in enumerate(pair) if sign == "@"):
        example_id, systems = pair[:at], pair[at + 1 :]
        for bar in (place for place, sign in enumerate(systems) if sign == "|"):
            yield example_id, systems[:bar], systems[bar + 1 :]
