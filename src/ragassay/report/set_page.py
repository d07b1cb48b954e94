"""One self-contained page about any set: what it is made of, how it is rated, how systems score on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from ragassay.agreement.agree import TaskAgreement
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import unanswerable
from ragassay.evaluation.run_comparison import RunComparison
from ragassay.metrics.metric import Scales
from ragassay.records import Example, Score
from ragassay.report import figures, set_figures, tables, wording
from ragassay.report.agreement_page import agreement_section
from ragassay.report.composition import Composition, composition_of, label_parts, verified_labels
from ragassay.report.items import Items
from ragassay.report.judge_trust import JudgeTrust
from ragassay.report.page import render_page
from ragassay.report.panel_summary import JudgePanel
from ragassay.report.summary import StageCost

QUALITIES = ("truthfulness_and_relevance", "correctness", "completeness", "faithfulness", "token_f1", "recall@5")
"""What is set against tokens: the first of these that the systems have."""


@dataclass(frozen=True)
class SetPage:
    """What is known of a run. version: of ragassay, which makes the page. items: its examples, answers and scores.

    versions: name to version of what the run was made with, as its folder says. comparison: with another run, by name,
    and how the two differ. beside: name to examples of other sets, for the composition. baselines: name to the scores
    of other runs; baseline_sums: ratings of answers that were made along with the set. agreement: task to what people
    and the judge said. trust: how far the scores of the judge can be believed; None where none are, or none says so.
    doubts: of the figures of retrieval. panel: what several judges came to. scales: of metrics that are not ragassay's.
    """

    name: str
    items: Items
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    stages: Sequence[StageCost] = ()
    baselines: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    baseline_sums: Sequence[set_figures.Sums] = ()
    comparison: tuple[str, str, RunComparison] | None = None
    beside: Sequence[tuple[str, Sequence[Example]]] = ()
    agreement: Mapping[str, TaskAgreement] = field(default_factory=dict)
    trust: JudgeTrust | None = None
    doubts: Sequence[str] = ()
    panel: JudgePanel | None = None
    scales: Scales = field(default_factory=dict)

    @cached_property
    def means(self) -> dict[str, dict[str, dict[str, Estimate]]]:
        """System to metric to label to mean; "" is the headline."""
        by_system: dict[str, list[Score]] = {}
        for score in self.items.scores:
            by_system.setdefault(score.system, []).append(score)
        return {name: set_figures.means(self.items.examples, scores, self.scales) for name, scores in by_system.items()}


def render_set(page: SetPage) -> str:
    """The whole page as text, to be written as UTF-8."""
    return render_page(
        "set.html.j2",
        page.version,
        items=page.items,
        page=page,
        sections=_Sections(page),
        agreement=agreement_section(page.agreement),
    )


class CritiqueProfile(NamedTuple):
    """Mean ratings of the critiques. by: what the examples are grouped by."""

    by: str
    drawing: Markup
    keys: Sequence[tuple[Markup, str]]
    table: tables.DataTable


def critique_profiles(examples: Sequence[Example]) -> list[CritiqueProfile]:
    """By label and, where there are several, by synthesizer; none where nothing is rated."""
    found = []
    for key in ("label", "synthesizer"):
        groups, rows = set_figures.profile(examples, key)
        if not rows or (key == "synthesizer" and len(groups) < 2):
            continue
        order = wording.label_order(groups) if key == "label" else groups
        series = label_parts(order) if key == "label" else figures.parts(order)
        drawing = figures.profile_figure(rows, series, f"critiques-{key}", f"Mean ratings of the critiques, by {key}")
        table = tables.DataTable(
            caption=f"Mean ratings by {key}",
            heads=["critique", *order],
            rows=[([name], [tables.cell(means.get(group)) for group in order]) for name, means in rows],
        )
        found.append(CritiqueProfile(key, drawing, figures.keys(series), table))
    return found


class Shares(NamedTuple):
    """Of one system. rows: question type to the sums of the three shares over its answers."""

    system: str
    drawing: Markup
    rows: Sequence[tuple[str, Mapping[str, float]]]


class _Sections:
    """What the template lays out; each is empty where the run has nothing of the kind."""

    def __init__(self, page: SetPage) -> None:
        self._page = page
        self._items = page.items

    @cached_property
    def labels(self) -> list[str]:
        return wording.label_order({example.label for example in self._items.examples})

    @cached_property
    def sets(self) -> list[tuple[str, Mapping[str, int]]]:
        """Name to label to number of examples: this set, and the one that it is compared with."""
        named = [(self._page.name, self._items.examples), *self._page.beside]
        return [(name, set_figures.composition(examples)) for name, examples in named]

    @cached_property
    def composition(self) -> Composition:
        return composition_of(self.sets)

    @cached_property
    def verified(self) -> Composition | None:
        return verified_labels(set_figures.matrix(self._items.examples))

    @cached_property
    def matrix(self) -> tables.CountTable | None:
        return tables.label_matrix(set_figures.matrix(self._items.examples))

    @cached_property
    def profiles(self) -> list[CritiqueProfile]:
        return critique_profiles(self._items.examples)

    @cached_property
    def scores(self) -> list[tuple[str, tables.DataTable, str]]:
        """A table for each system: metric by metric over the answerable examples and each label; its refusals."""
        found = []
        for system, metrics in self._page.means.items():
            labels = [label for label in self.labels if any(label in means for means in metrics.values())]
            rows = [
                ([metric.replace("_", " ")], [tables.cell(means.get(label)) for label in ["", *labels]])
                for metric, means in metrics.items()
            ]
            heads = ["metric", "answerable" if "unanswerable" in labels else "all", *labels]
            answers = [each for each in self._items.predictions if each.system == system]
            refusals = wording.refusals_words(unanswerable(self._items.examples, answers))
            found.append((system, tables.DataTable(caption=f"Scores of {system}", heads=heads, rows=rows), refusals))
        return found

    @cached_property
    def shares(self) -> list[Shares]:
        """For each system what its answers make of the keypoints, by question type."""
        found = []
        for number, system in enumerate(self._items.systems):
            of_system = [score for score in self._items.scores if score.system == system]
            rows = set_figures.shares_by_type(self._items.examples, of_system)
            if rows:
                series = figures.parts(set_figures.SHARES)
                title = f"{system}: completeness, hallucination and irrelevancy by question type"
                found.append(Shares(system, figures.stacked_figure(rows, series, f"shares-{number}", title), rows))
        return found

    @cached_property
    def shares_keys(self) -> list[tuple[Markup, str]]:
        return figures.keys(figures.parts(set_figures.SHARES), filled=True)

    @cached_property
    def sums(self) -> list[tuple[set_figures.Sums, Markup]]:
        """Histograms of truthfulness + relevance, systems of the run before baselines, all to one scale."""
        own = [(name, [score for score in self._items.scores if score.system == name]) for name in self._items.systems]
        found = [
            *set_figures.rating_sums(own),
            *self._page.baseline_sums,
            *set_figures.rating_sums(self._page.baselines.items(), is_baseline=True),
        ]
        low, high = set_figures.SUM_LOW, set_figures.SUM_HIGH
        top = max((each.largest_share for each in found), default=1.0)
        return [
            (
                each,
                figures.histogram_figure(
                    each.counts,
                    low,
                    high,
                    f"sums-{number}",
                    f"{each.name}: sums of ratings",
                    top_share=top,
                    axis="truthfulness + relevance",
                    style="s0" if each.is_baseline else "s4",
                ),
            )
            for number, each in enumerate(found)
        ]

    @cached_property
    def pareto(self) -> tuple[str, Markup, list[figures.Priced], list[str]] | None:
        """Metric, figure, values, and the names of the systems on the front; None with fewer than two systems."""
        for metric in QUALITIES:
            points = set_figures.priced(self._items.predictions, self._page.means, metric)
            if len(points) > 1:
                front = [each.name for each in figures.front_of(points)]
                drawn = figures.pareto_figure(points, metric.replace("_", " "), "pareto")
                return metric, drawn, sorted(points, key=lambda each: each.tokens), front
        return None
