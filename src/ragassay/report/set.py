"""What any set is made of, how it is rated, and how systems score on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isclose
from typing import NamedTuple

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.paired import RunComparison
from ragassay.evaluation.prediction_powered import Corrected
from ragassay.evaluation.tally import unanswerable
from ragassay.metrics.catalogue import range_words, scale_of
from ragassay.metrics.metric import Scales
from ragassay.models import EMBEDDED
from ragassay.rag.setting import DECIDING
from ragassay.records import UNLABELLED, Example, Score
from ragassay.report.blocks import (
    Block,
    Column,
    Headline,
    Section,
    Table,
    Text,
    Tile,
    Tiles,
    Value,
    typed,
)
from ragassay.report.comparison import RATING, blocks_of_comparison, matrix
from ragassay.report.costs import StageCost, blocks_of_costs, stopped_block
from ragassay.report.html import render_page
from ragassay.report.items import Cases, Items, of_each_label
from ragassay.report.predictions import refused_words, whose_answers
from ragassay.report.scores import (
    JudgePanel,
    blocks_of_corrected,
    blocks_of_panel,
    corrected_by,
    corrected_words,
    group_table,
)
from ragassay.report.synthesis import SynthesisSummary, blocks_of_drafting, matrix_table
from ragassay.report.tiles import problems_tile, score_tile, worst_tile
from ragassay.report.trust import JudgeTrust, blocks_of_trust, circular_lines
from ragassay.report.wording import (
    count,
    decimal,
    label_order,
    metric_title,
    portion,
    refusals_words,
)

CASES = 10
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
    are not ragassay's. synthesis: how the set was made, where that is known. corrected: as ScoreSummary has it.
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
    synthesis: SynthesisSummary | None = None
    corrected: Mapping[str, Mapping[str, Corrected]] = field(default_factory=dict)


def render_set(page: SetPage) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    about = {"title": page.name, "version": page.version}
    return render_page("report", list(blocks_of_set(page)), **about, settings=page.settings, versions=page.versions)


def blocks_of_set(page: SetPage) -> Iterator[Block]:
    """Yield a comparison, then scores and the worst answers, else examples to read; the rest is folded."""
    examples, systems = page.items.examples, page.items.systems
    decided = _decided(page)
    if page.comparison is not None:
        yield from stopped_block(page.stopped_by)
        yield Text(page.doubts, "warning")
        yield from blocks_of_comparison(page.comparison[2], *page.comparison[:2])
    else:
        named = f"{page.name}: {count(len(examples), 'question')}"
        lead = corrected_words(page.corrected), refused_words(page.items.predictions) if len(systems) == 1 else ""
        yield Headline(f"{named}, {count(len(systems), 'system')}" if systems else named, [*filter(None, lead)])
        yield from stopped_block(page.stopped_by)
        yield Tiles(list(_tiles(page, decided)))
        yield Text(page.doubts, "warning")
    if decided is None:
        yield Section("Examples to read")
        yield Cases(page.items, of_each_label(examples, CASES))
    else:
        yield Section("Worst answers")
        worst = list(_worst(page.items, decided))
        yield Text([] if worst else f"No answer falls short of the best value of {metric_title(decided.metric)}.")
        yield Cases(page.items, worst, decided.system, decided.metric)
    yield Section("Scores")
    yield from _scores(page)
    yield from blocks_of_corrected(page.corrected)
    yield from blocks_of_panel(page.panel)
    yield Section("Truthfulness and relevance", is_folded=True)
    yield from _sums(page)
    yield Section("The set", is_folded=decided is not None)
    sets = [(name, Counter(each.label for each in of)) for name, of in ((page.name, examples), *page.beside)]
    columns = ["label", *typed("count", *(name for name, _ in sets))]
    labels = label_order({label for _, of in sets for label in of})
    labels = [] if labels == [UNLABELLED] else labels
    yield Table("Examples by label", columns, [(label, *(of[label] for _, of in sets)) for label in labels])
    yield matrix_table(matrix(examples), "Examples")
    yield from blocks_of_drafting(page.synthesis.drafting if page.synthesis else None)
    yield from critique_tables(examples)
    yield Section("Single items", is_folded=True)
    yield page.items
    yield Section("Cost", is_folded=True)
    yield from blocks_of_costs(page.stages)


class _Decided(NamedTuple):
    """What worst and best are told by. means: of each label, "" for all. sign: 1 where higher is better, else -1.

    best: the best possible value; None where there is none.
    """

    metric: str
    system: str
    means: Mapping[str, Estimate]
    sign: int
    best: float | None


def _decided(page: SetPage) -> _Decided | None:
    """Return the metric that people corrected, a judged, the deciding or the first one, of the system best by it."""
    metrics = page.items.metrics
    if not metrics:
        return None
    judged = page.trust.metrics if page.trust else ()
    metric = next((name for name in (*page.corrected.get("", ()), *judged, DECIDING) if name in metrics), metrics[0])
    scale = scale_of(metric, page.scales)
    sign = -1 if scale is not None and not scale.higher_is_better else 1
    best = None if scale is None else scale.high if sign > 0 else scale.low
    found: dict[str, Mapping[str, Estimate]] = {}
    for name in dict.fromkeys(each.system for each in page.items.scores if each.metric == metric):
        scores = [each for each in page.items.scores if (each.system, each.metric) == (name, metric)]
        found[name] = means(page.items.examples, scores, page.scales)[metric]
    system = max(found, key=lambda name: -inf if (mean := found[name][""].value) is None else sign * mean)
    return _Decided(metric, system, found[system], sign, best)


def _tiles(page: SetPage, decided: _Decided | None) -> Iterator[Tile]:
    """Say of what there is a figure: the set, a score, its worst group, problems."""
    examples, made = page.items.examples, page.synthesis
    answers = [each for each in page.items.predictions if decided and each.system == decided.system]
    refused = unanswerable(examples, answers)
    if made is not None:
        used = portion(made.used, made.documents, "document")
        yield Tile("Questions made", portion(made.examples, made.asked), f"from {used}")
    else:
        documents = len({each.context.document_id for each in examples} - {""})
        yield Tile("Questions", count(len(examples)), f"about {count(documents, 'document')}" if documents else "")
    if decided is not None:
        of_several = decided.system if len(page.items.systems) > 1 else ""
        title = metric_title(decided.metric) + range_words(decided.metric, page.scales)
        if by_people := page.corrected.get("", {}).get(decided.metric):
            yield score_tile(title, by_people.estimate, corrected_by(by_people))
        else:
            yield score_tile(title, decided.means[""], of_several)
        if len(groups := {name: each for name, each in decided.means.items() if name}) > 1:
            yield from worst_tile(groups, decided.sign)
    elif made is not None and made.difficulty:
        easy = portion(made.difficulty.get("easy", 0), sum(made.difficulty.values()))
        yield Tile("Found by their words", easy, "questions whose document a search by words finds in three chunks")
    drafting = made.drafting if made else None
    yield problems_tile(
        [
            (sum(each.missing for each in made.missing) if made else 0, "question missing", "questions missing"),
            (sum(bool(each.error) for each in answers), "answer failed", "answers failed"),
            (refused.wrong if refused else 0, "unanswerable answered", "unanswerable answered"),
            (decided.means[""].total - decided.means[""].n if decided else 0, "answer unscored", "answers unscored"),
            (len(page.doubts) + (len(circular_lines(page.trust)) if page.trust else 0), "warning", ""),
            (len(made.skipped) if made else 0, "source not used", "sources not used"),
            (len(drafting.findings) if drafting else 0, "finding in documents", "findings in documents"),
        ],
        "the judge is for drafts: see Scores" if page.trust and page.trust.judge.startswith(EMBEDDED) else "",
    )


def _worst(items: Items, decided: _Decided) -> Iterator[tuple[str, str]]:
    """Yield ids of failed answers, then of those short of the best value, those without their references first."""
    found = []
    for example in items.examples:
        place = example.id, decided.system
        scored = items.scored.get(place, {})
        value, retrieved = (each.value if (each := scored.get(name)) else None for name in (decided.metric, DECIDING))
        if place in items.predicted and items.predicted[place].error:
            found.append((-inf, 0.0, example.id, "failed"))
        elif value is not None and (decided.best is None or not isclose(value, decided.best)):
            said = f"{metric_title(decided.metric)} {decimal(value, 2)}"
            if retrieved is not None and decided.metric != DECIDING:
                said += f", {DECIDING} {decimal(retrieved, 2)}"
            found.append((decided.sign * value, inf if retrieved is None else retrieved, example.id, said))
    found.sort(key=lambda each: each[:2])
    yield from ((name, note) for *_, name, note in found[:CASES])


def critique_tables(examples: Sequence[Example]) -> Iterator[Table | Section]:
    """Yield mean ratings by label; nothing where nothing is rated."""
    yield Section("Critiques", is_folded=True)
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
        alone = dict.fromkeys(page.corrected.get("", {}), ", the judge alone")
        about = {name: range_words(name, page.scales) + alone.get(name, "") for name in of_metric}
        groups = {
            name: {f"{metric_title(metric)}{about[metric]}": of[key] for metric, of in of_metric.items() if key in of}
            for name, key in ((over, ""), *((label, label) for label in labels))
        }
        note = "With 95 % intervals, over the answerable questions (metrics of abstention: over all), and by label."
        yield group_table(f"Scores, {whose_answers(system)}", {name: of for name, of in groups.items() if of}, note)
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
    note = "Both rated 1 to 5 by the text that a question was made from. 9 and 10 are near-perfect."
    yield Table("Answers by the sum of truthfulness and relevance", columns, rows, note, shaded=True)
