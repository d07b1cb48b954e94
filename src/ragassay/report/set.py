"""What any set is made of, how it is rated, and how systems score on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import unanswerable
from ragassay.evaluation.run_comparison import RunComparison
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scales
from ragassay.records import Example, Score
from ragassay.report.blocks import (
    Bars,
    Block,
    Column,
    Dots,
    Figure,
    Headline,
    Page,
    Section,
    Table,
    Text,
    Value,
)
from ragassay.report.comparison import blocks_of_comparison
from ragassay.report.costs import StageCost, blocks_of_costs
from ragassay.report.html import render_page
from ragassay.report.items import Items
from ragassay.report.scores import JudgePanel, blocks_of_panel, group_table
from ragassay.report.synthesis import matrix_table
from ragassay.report.trust import JudgeTrust, blocks_of_trust
from ragassay.report.wording import count, label_order, refusals_words

RATING = (1.0, 5.0)
SUM_METRIC, SUM_LOW, SUM_HIGH = "truthfulness_and_relevance", 2, 10
"""The sum of two ratings (RAGVAL, evaluation); 9 and 10 are near-perfect."""
SHARES = ("completeness", "hallucination", "irrelevancy")
"""Add up to 1 for every answer (RAGEval, generation metrics)."""


MOST_GROUPS = 8
"""More cannot be told apart in a figure."""
OTHERS = "all others"


def _largest(groups: Iterable[str]) -> Callable[[str], str]:
    """Keeps the names of the most frequent groups; the rest are one."""
    counts = Counter(groups)
    kept = {name for name, _ in counts.most_common(MOST_GROUPS if len(counts) <= MOST_GROUPS else MOST_GROUPS - 1)}
    return lambda name: name if name in kept else OTHERS


def critique_means(examples: Sequence[Example]) -> list[tuple[str, Mapping[str, Estimate]]]:
    """Return critiques in the order of their first occurrence, each with the mean rating of each label."""
    found: dict[str, dict[str, list[float | None]]] = {}
    for example in examples:
        for critique in example.critiques:
            value = None if critique.value is None else float(critique.value)
            found.setdefault(critique.name, {}).setdefault(example.label, []).append(value)
    return [
        (name.replace("_", " "), {label: estimate(values, bounds=RATING) for label, values in by_label.items()})
        for name, by_label in found.items()
    ]


def composition(examples: Iterable[Example]) -> Counter[str]:
    return Counter(example.label for example in examples)


def matrix(examples: Iterable[Example]) -> dict[str, Counter[str]]:
    """Return requested to verified label to count, of examples that have both."""
    found: dict[str, Counter[str]] = {}
    for example in examples:
        if example.requested_label and example.verified_label:
            found.setdefault(example.requested_label, Counter())[example.verified_label] += 1
    return found


def shares_by_type(examples: Sequence[Example], scores: Iterable[Score]) -> list[tuple[str, Mapping[str, float]]]:
    """Return the mean share of keypoints of each verdict by question type, or label where there are no types.

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
    """Return metric to its mean over all examples but the unanswerable ("") and over those of each label.

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


@dataclass(frozen=True)
class SetPage:
    """What is known of a run. version: of ragassay, which makes the page. items: its examples, answers and scores.

    versions: name to version of what the run was made with, as its folder says. comparison: with another run, by name,
    and how the two differ. beside: name to examples of other sets, for the composition. baselines: name to the scores
    of other runs; baseline_sums: ratings of answers that were made along with the set. trust: how far the scores of the
    judge can be believed; None where none are, or none says so. doubts: of the figures of retrieval. panel: what
    several judges came to. scales: of metrics that are not ragassay's.
    """

    name: str
    items: Items
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    stages: Sequence[StageCost] = ()
    baselines: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    baseline_sums: Sequence[Sums] = ()
    comparison: tuple[str, str, RunComparison] | None = None
    beside: Sequence[tuple[str, Sequence[Example]]] = ()
    trust: JudgeTrust | None = None
    doubts: Sequence[str] = ()
    panel: JudgePanel | None = None
    scales: Scales = field(default_factory=dict)


def render_set(page: SetPage) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    shown = Page(
        kind="report",
        version=page.version,
        title=page.name,
        blocks=list(blocks_of_set(page)),
        settings=page.settings,
        versions=page.versions,
    )
    return render_page(shown)


def blocks_of_set(page: SetPage) -> Iterator[Block]:
    """Yield labels, critiques, scores of each system, what stands beside them, and every item."""
    examples, systems = page.items.examples, page.items.systems
    named = f"{page.name}: {count(len(examples), 'question')}"
    yield Headline(f"{named}, {count(len(systems), 'system')}" if systems else named)
    yield Section("The set")
    sets = [(name, composition(of)) for name, of in ((page.name, examples), *page.beside)]
    yield Figure("Examples by label", [("", Bars(sets, label_order({label for _, of in sets for label in of})))])
    yield matrix_table(matrix(examples), "Examples")
    yield from critique_figures(examples)
    yield Section("Scores")
    yield Text(page.doubts, "warning")
    yield from blocks_of_panel(page.panel)
    yield from _scores(page)
    yield Section("Truthfulness and relevance")
    yield from _sums(page)
    yield Section("Compared")
    if page.comparison is not None:
        a, b, found = page.comparison
        yield from (each for each in blocks_of_comparison(found, a, b) if not isinstance(each, Section))
    yield Section("Single items")
    yield page.items
    yield Section("Cost")
    if page.stages:
        yield from blocks_of_costs(page.stages)


def critique_figures(examples: Sequence[Example]) -> Iterator[Figure | Section]:
    """Yield mean ratings by label; nothing where nothing is rated."""
    yield Section("Critiques")
    if rows := critique_means(examples):
        labels = label_order({label for _, means in rows for label in means})
        yield Figure("Mean rating of each critique, 1 to 5, by label", [("", Dots(rows, labels, RATING))])


def _scores(page: SetPage) -> Iterator[Block]:
    """A table for each system over the answerable examples and each label, what its answers make of keypoints."""
    by_system: dict[str, list[Score]] = {}
    for score in page.items.scores:
        by_system.setdefault(score.system, []).append(score)
    labels = label_order({each.label for each in page.items.examples})
    over = "answerable" if "unanswerable" in labels else "all"
    for system, scores in by_system.items():
        of_metric = means(page.items.examples, scores, page.scales)
        groups = {
            name: {metric.replace("_", " "): of[key] for metric, of in of_metric.items() if key in of}
            for name, key in ((over, ""), *((label, label) for label in labels))
        }
        note = "With 95 % intervals, over the answerable questions (metrics of abstention: over all), and by label."
        yield group_table(f"Scores of {system}", {name: of for name, of in groups.items() if of}, note)
        answers = [each for each in page.items.predictions if each.system == system]
        yield Text(refusals_words(unanswerable(page.items.examples, answers)) or ())
    yield from blocks_of_trust(page.trust)
    for system, scores in by_system.items():
        if rows := shares_by_type(page.items.examples, scores):
            title = f"{system}: what its answers make of the keypoints, by question type or label"
            yield Figure(title, [("", Bars(rows, SHARES))])


def _sums(page: SetPage) -> Iterator[Block]:
    """RAGVAL's histograms: systems of the run before baselines."""
    own = [(name, [score for score in page.items.scores if score.system == name]) for name in page.items.systems]
    found = [*rating_sums(own), *page.baseline_sums, *rating_sums(page.baselines.items(), is_baseline=True)]
    numbers = range(SUM_LOW, SUM_HIGH + 1)
    rows: list[Sequence[Value]] = [
        (each.name + (" (baseline)" if each.is_baseline else ""), *(each.counts.get(n, 0) for n in numbers),
         each.near_perfect)
        for each in found
    ]  # fmt: skip
    columns = ["system", *(Column(str(number), "count") for number in numbers), Column("9 and 10", "percent")]
    note = (
        "By the text that a question was made from, each rating 1 to 5. An answer without retrieval shows what the "
        "model knows already, one with the right text the best that it can reach. 9 and 10 are near-perfect."
    )
    yield Table("Answers by the sum of truthfulness and relevance", columns, rows, note, shaded=True)
