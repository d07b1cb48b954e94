"""What the figures of a set and its scores are drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scales
from ragassay.records import Example, Prediction, Score
from ragassay.report.figures import Priced
from ragassay.report.wording import label_order

RATING = (1.0, 5.0)
SUM_METRIC, SUM_LOW, SUM_HIGH = "truthfulness_and_relevance", 2, 10
"""The sum of two ratings (RAGVAL, evaluation); 9 and 10 are near-perfect."""
SHARES = ("completeness", "hallucination", "irrelevancy")
"""Add up to 1 for every answer (RAGEval, generation metrics)."""


MOST_GROUPS, MOST_CRITIQUES = 8, 16
"""More than can be told apart in a figure, or are of use in one."""
OTHERS = "all others"


def _largest(groups: Iterable[str]) -> Callable[[str], str]:
    """Keeps the names of the most frequent groups; the rest are one."""
    counts = Counter(groups)
    kept = {name for name, _ in counts.most_common(MOST_GROUPS if len(counts) <= MOST_GROUPS else MOST_GROUPS - 1)}
    return lambda name: name if name in kept else OTHERS


def profile(examples: Sequence[Example], key: str) -> tuple[list[str], list[tuple[str, Mapping[str, Estimate]]]]:
    """Groups, and for each critique the mean rating of each group.

    key: "label" or "synthesizer". Critiques in the order of their first occurrence; groups without a rating are left
    out, and of many the smaller ones are one.
    """

    def group_of(example: Example) -> str:
        return (example.label if key == "label" else example.provenance.synthesizer) or "unnamed"

    named = _largest(group_of(example) for example in examples if example.critiques)
    found: dict[str, dict[str, list[float | None]]] = {}
    for example in examples:
        group = named(group_of(example))
        for critique in example.critiques:
            value = None if critique.value is None else float(critique.value)
            if critique.name in found or len(found) < MOST_CRITIQUES:
                found.setdefault(critique.name, {}).setdefault(group, []).append(value)
    groups = list(dict.fromkeys(group for by_group in found.values() for group in by_group))
    rows: list[tuple[str, Mapping[str, Estimate]]] = [
        (
            name.replace("_", " "),
            {group: estimate(values, bounds=RATING) for group, values in by_group.items()},
        )
        for name, by_group in found.items()
    ]
    return groups, rows


def composition(examples: Iterable[Example]) -> Counter[str]:
    return Counter(example.label for example in examples)


def matrix(examples: Iterable[Example]) -> dict[str, Counter[str]]:
    """Requested to verified label to count, of examples that have both."""
    found: dict[str, Counter[str]] = {}
    for example in examples:
        if example.requested_label and example.verified_label:
            found.setdefault(example.requested_label, Counter())[example.verified_label] += 1
    return found


def shares_by_type(examples: Sequence[Example], scores: Iterable[Score]) -> list[tuple[str, Mapping[str, float]]]:
    """For each question type, or label where there are no types, the mean share of keypoints of each verdict.

    Of examples that have a value in all three metrics.
    """
    group_of = {each.id: each.question_type or "" for each in examples}
    if not any(group_of.values()):
        group_of = {each.id: each.label for each in examples}
    named = _largest(group_of.values())
    values: dict[str, dict[str, float]] = {}
    for score in scores:
        if score.metric in SHARES and score.value is not None:
            values.setdefault(score.example_id, {})[score.metric] = score.value
    sums: dict[str, Counter[str]] = {}
    for example_id, found in values.items():
        if len(found) == len(SHARES) and example_id in group_of:
            sums.setdefault(named(group_of[example_id]) or "without a type", Counter()).update(found)
    return [(group, {name: float(sums[group][name]) for name in SHARES}) for group in label_order(sums)]


class Sums(NamedTuple):
    """Of one system: sum of the two ratings to number of answers. near_perfect: share of 9 and 10.

    is_baseline: it stands beside for comparison.
    """

    name: str
    counts: Mapping[int, int]
    near_perfect: Estimate
    is_baseline: bool = False

    @property
    def largest_share(self) -> float:
        """Of the answers that have one sum, in [0, 1]."""
        return max(self.counts.values()) / sum(self.counts.values())


def rating_sums(named: Iterable[tuple[str, Iterable[Score]]], *, is_baseline: bool = False) -> list[Sums]:
    """RAGVAL's histograms, of those that have them, such as the baselines without retrieval and with the block."""
    found = []
    for name, scores in named:
        values = [each.value for each in scores if each.metric == SUM_METRIC]
        counts = Counter(round(value) for value in values if value is not None)
        if counts:
            found.append(sums_of(name, counts, len(values), is_baseline=is_baseline))
    return found


def sums_of(name: str, counts: Mapping[int, int], total: int, *, is_baseline: bool) -> Sums:
    """counts: sum to answers, at least one. total: answers that should have a sum."""
    given = {value: number for value, number in sorted(counts.items()) if number}
    near = [float(value >= SUM_HIGH - 1) for value, number in given.items() for _ in range(number)]
    share = estimate([*near, *[None] * (total - len(near))])
    return Sums(name, given, share, is_baseline)


def means(examples: Sequence[Example], scores: Sequence[Score], scales: Scales) -> dict[str, dict[str, Estimate]]:
    """Metric to its mean over all examples but the unanswerable ("") and over those of each label, as first scored.

    Metrics that are of all questions are over all examples. scales: of the metrics that are not ragassay's own.
    """
    columns: dict[str, dict[str, float | None]] = {}
    for score in scores:
        columns.setdefault(score.metric, {})[score.example_id] = score.value
    labels = list(dict.fromkeys(each.label for each in examples))
    found: dict[str, dict[str, Estimate]] = {}
    for metric, values in columns.items():
        scale = scale_of(metric, scales)
        bounds = None if scale is None else scale.bounds
        members = {
            "": [each for each in examples if (scale is not None and scale.over_all) or each.label != "unanswerable"],
            **{label: [each for each in examples if each.label == label] for label in labels if len(labels) > 1},
        }
        found[metric] = {
            name: estimate([values.get(each.id) for each in some], bounds=bounds, clusters=clusters_of(some))
            for name, some in members.items()
        }
    return found


def priced(
    predictions: Iterable[Prediction], by_system: Mapping[str, Mapping[str, Mapping[str, Estimate]]], metric: str
) -> list[Priced]:
    """The systems whose predictions say how many tokens they took, with their mean of a metric."""
    tokens: dict[str, list[int]] = {}
    for each in predictions:
        if each.input_tokens is not None and each.output_tokens is not None:
            tokens.setdefault(each.system, []).append(each.input_tokens + each.output_tokens)
    found = []
    for system, spent in tokens.items():
        mean = by_system.get(system, {}).get(metric, {}).get("")
        if mean is not None and mean.value is not None and any(spent):
            found.append(Priced(system, sum(spent) / len(spent), mean.value, total=sum(spent)))
    return found
