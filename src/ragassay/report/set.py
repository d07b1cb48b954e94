"""What any set is made of, how it is rated, and how systems score on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.paired import RunComparison
from ragassay.evaluation.tally import unanswerable
from ragassay.generate.synthesizer import Drafting
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scales
from ragassay.records import Example, Score
from ragassay.report.blocks import (
    Bars,
    Block,
    Column,
    Figure,
    Headline,
    Section,
    Table,
    Text,
    Value,
)
from ragassay.report.comparison import RATING, blocks_of_comparison, matrix
from ragassay.report.costs import StageCost, blocks_of_costs, stopped_block
from ragassay.report.html import render_page
from ragassay.report.items import Items
from ragassay.report.scores import JudgePanel, blocks_of_panel, group_table
from ragassay.report.synthesis import blocks_of_drafting, matrix_table
from ragassay.report.trust import JudgeTrust, blocks_of_trust
from ragassay.report.wording import count, label_order, refusals_words

SUM_METRIC, SUM_LOW, SUM_HIGH = "truthfulness_and_relevance", 2, 10
"""The sum of two ratings (RAGVAL, evaluation); 9 and 10 are near-perfect."""


def critique_means(examples: Sequence[Example]) -> dict[str, dict[str, Estimate]]:
    """Return critiques in the order of their first occurrence, each with the mean rating of each label."""
    found: dict[str, dict[str, list[float | None]]] = {}
    for example in examples:
        for critique in example.critiques:
            value = None if critique.value is None else float(critique.value)
            found.setdefault(critique.name.replace("_", " "), {}).setdefault(example.label, []).append(value)
    return {
        name: {label: estimate(values, bounds=RATING) for label, values in by_label.items()}
        for name, by_label in found.items()
    }


class Sums(NamedTuple):
    """Of one system: sum of the two ratings to number of answers. near_perfect: share of 9 and 10."""

    name: str
    counts: Mapping[int, int]
    near_perfect: Estimate


def rating_sums(named: Iterable[tuple[str, Iterable[Score]]], beside: str = "") -> Iterator[Sums]:
    """Yield RAGVAL's histograms of those that have them. beside: what is added to the name, such as "(baseline)"."""
    for name, scores in named:
        values = [each.value for each in scores if each.metric == SUM_METRIC]
        counts = Counter(round(value) for value in values if value is not None)
        if counts:
            yield sums_of(f"{name}{beside}", counts, len(values))


def sums_of(name: str, counts: Mapping[int, int], total: int) -> Sums:
    """counts: sum to answers, at least one. total: answers that should have a sum."""
    near = [float(value >= SUM_HIGH - 1) for value, number in sorted(counts.items()) for _ in range(number)]
    return Sums(name, counts, estimate([*near, *[None] * (total - len(near))]))


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
    judge can be believed; None where none are, or none says so. doubts: to be known before the figures are believed;
    stopped_by: the limit that ended the calls, or empty. panel: what several judges came to. scales: of metrics that
    are not ragassay's. drafting: what drafts told besides the set.
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
    stopped_by: str = ""
    panel: JudgePanel | None = None
    scales: Scales = field(default_factory=dict)
    drafting: Drafting | None = None


def render_set(page: SetPage) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    blocks = list(blocks_of_set(page))
    return render_page(
        "report", blocks, title=page.name, version=page.version, settings=page.settings, versions=page.versions
    )


def blocks_of_set(page: SetPage) -> Iterator[Block]:
    """Yield labels, critiques, scores of each system, what stands beside them, and every item."""
    examples, systems = page.items.examples, page.items.systems
    named = f"{page.name}: {count(len(examples), 'question')}"
    yield Headline(f"{named}, {count(len(systems), 'system')}" if systems else named)
    yield from stopped_block(page.stopped_by)
    yield Section("The set")
    sets = [(name, Counter(each.label for each in of)) for name, of in ((page.name, examples), *page.beside)]
    yield Figure("Examples by label", [("", Bars(sets, label_order({label for _, of in sets for label in of})))])
    yield matrix_table(matrix(examples), "Examples")
    yield from critique_tables(examples)
    yield from blocks_of_drafting(page.drafting)
    yield Section("Scores")
    yield Text(page.doubts, "warning")
    yield from blocks_of_panel(page.panel)
    yield from _scores(page)
    yield Section("Truthfulness and relevance")
    yield from _sums(page)
    if page.comparison is not None:
        a, b, differences = page.comparison
        yield Section("Compared")
        yield from (each for each in blocks_of_comparison(differences, a, b) if not isinstance(each, Section))
    yield Section("Single items")
    yield page.items
    yield Section("Cost")
    yield from blocks_of_costs(page.stages)


def critique_tables(examples: Sequence[Example]) -> Iterator[Table | Section]:
    """Yield mean ratings by label; nothing where nothing is rated."""
    yield Section("Critiques")
    means = critique_means(examples)
    labels = label_order({label for of in means.values() for label in of})
    groups = {label: {name: of[label] for name, of in means.items() if label in of} for label in labels}
    yield group_table("Mean rating of each critique, 1 to 5, by label", groups)


def _scores(page: SetPage) -> Iterator[Block]:
    """A table for each system, over the answerable examples and each label."""
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


def _sums(page: SetPage) -> Iterator[Block]:
    """RAGVAL's histograms: systems of the run before baselines."""
    own = [(name, [score for score in page.items.scores if score.system == name]) for name in page.items.systems]
    found = [*rating_sums(own), *page.baseline_sums, *rating_sums(page.baselines.items(), " (baseline)")]
    numbers = range(SUM_LOW, SUM_HIGH + 1)
    rows: list[Sequence[Value]] = [
        (each.name, *(each.counts.get(n, 0) for n in numbers), each.near_perfect) for each in found
    ]
    columns = ["system", *(Column(str(number), "count") for number in numbers), Column("9 and 10", "percent")]
    note = (
        "By the text that a question was made from, each rating 1 to 5. An answer without retrieval shows what the "
        "model knows already, one with the right text the best that it can reach. 9 and 10 are near-perfect."
    )
    yield Table("Answers by the sum of truthfulness and relevance", columns, rows, note, shaded=True)
