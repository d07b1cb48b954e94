"""Settings compared on the same questions: what runs and sweeps show alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import DECIDING, FUSIONS, Setting, preference
from ragassay.report.summary import BestStrategy, RunSummary
from ragassay.report.wording import FUSION_WORDS, estimate_words, label_order, metric_order, refusals_words
from ragassay.sweep.best import BestSetting, Ties, is_alike_but_mix
from ragassay.sweep.outcome import WeightTable
from ragassay.sweep.results import Swept
from ragassay.sweep.values import ALL, PRICE, TOKENS_IN, By, Cell

SHARE = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """The best setting of a label.

    dense, lexical: the two ends with all else as in it, None where not tried. generation: metric to estimate, for
    answers that were made with this setting alone.
    """

    label: str
    setting: Setting
    estimate: Estimate
    dense: Estimate | None
    lexical: Estimate | None
    ties: Ties | None
    generation: Mapping[str, Estimate] = field(default_factory=dict)


class Spread(NamedTuple):
    """The labels, or all questions, with the highest and the lowest best value."""

    highest: str
    highest_value: float
    lowest: str
    lowest_value: float

    @property
    def difference(self) -> float:
        return self.highest_value - self.lowest_value

    @property
    def relative(self) -> float | None:
        """The difference over the lowest, as in Know Your RAG; None where that is not above 0."""
        return self.difference / self.lowest_value if self.lowest_value > 0 else None


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What came of comparing settings.

    deciding: the metric that makes a setting the best. by, headline: what questions are told apart by, and those that
    decide over all of them. winners: of each label, the headline last. cells: every value. settings: those that take
    part in figures, left_out: label and name of a setting that does not for this label. tokens: of a question.
    weights: by encoder and re-ranker, where there are several. refused: right refusals of the best of the headline
    among the unanswerable questions; refusals: the same as a sentence. without: why nothing is the best.
    """

    deciding: str
    winners: tuple[Winner, ...]
    cells: tuple[Cell, ...]
    settings: tuple[Setting, ...]
    tokens: Mapping[Setting, Estimate]
    by: By = "label"
    headline: str = ANSWERABLE
    left_out: frozenset[tuple[str, str]] = frozenset()
    weights: tuple[WeightTable, ...] = ()
    refused: Estimate | None = None
    refusals: str = ""
    without: str = "No setting was scored."

    @cached_property
    def top(self) -> Winner | None:
        """The best over the questions of the headline, if one has a value."""
        return next(
            (each for each in self.winners if each.label == self.headline and each.estimate.value is not None), None
        )

    @property
    def is_open(self) -> bool:
        """Whether no other setting can be told from the best."""
        ties = self.top.ties if self.top else None
        return bool(ties and 0 < ties.others == ties.tied)

    @property
    def spread(self) -> Spread | None:
        """None with fewer than two labels that have a value, and where all are equal.

        All questions count as a label, Know Your RAG's inclusive one: the answerable where there are no others.
        ``unanswerable`` has no best of its own.
        """
        inclusive = ANSWERABLE if "unanswerable" not in self.labels else ALL
        values = [
            (each.estimate.value, each.label)
            for each in self.winners
            if each.label not in (ANSWERABLE, ALL) or each.label == inclusive
            if each.estimate.value is not None
        ]
        if len(values) < 2:
            return None
        high, low = max(values), min(values)
        return Spread(high[1], high[0], low[1], low[0]) if high[0] > low[0] else None

    @cached_property
    def higher_is_better(self) -> bool:
        return metric_named(self.deciding)[0].higher_is_better

    @cached_property
    def is_share(self) -> bool:
        """Whether the deciding metric lies between 0 and 1."""
        return metric_named(self.deciding)[0].bounds == SHARE

    @cached_property
    def _estimates(self) -> dict[tuple[str, str, str], Estimate]:
        return {
            (each.group, each.setting.name, each.metric): each.estimate for each in self.cells if each.by == self.by
        }

    @cached_property
    def metrics(self) -> list[str]:
        """Names as they came, in the order in which the field lists them; prices are none of them."""
        return sorted({each.metric for each in self.cells if each.metric not in PRICE}, key=metric_order)

    @cached_property
    def labels(self) -> list[str]:
        """Every group of questions that settings are compared on."""
        return list(dict.fromkeys(label for label, _, _ in self._estimates if label != ALL))

    def estimate(self, label: str, setting: Setting, metric: str = "") -> Estimate | None:
        """metric: the deciding one if empty."""
        if not metric and (label, setting.name) in self.left_out:
            return None
        return self._estimates.get((label, setting.name, metric or self.deciding))

    def _alike(self, winner: Winner) -> list[Setting]:
        """The settings that differ from a winner in fusion, text weight and chunk size alone, the preferred first."""
        return sorted((s for s in self.settings if is_alike_but_mix(s, winner.setting)), key=preference)

    def same_cut(self, winner: Winner) -> list[Setting]:
        """Return those of them with the same chunks."""
        return [each for each in self._alike(winner) if each.chunking == winner.setting.chunking]

    def text_weights(self, winner: Winner) -> list[float]:
        return sorted({each.text_weight for each in self.same_cut(winner)})

    def by_weight(self, winner: Winner) -> Mapping[str, Sequence[Estimate | None]]:
        """Return a line for each fusion that hybrids with its chunks were tried with, a point for each text weight."""
        cut = self.same_cut(winner)

        def at(weight: float, fusion: str) -> list[Setting]:
            """At the ends all fusions are the same ranking."""
            return [s for s in cut if s.text_weight == weight and (s.fusion == fusion or weight in (0, 1))]

        tried = {each.fusion for each in cut if 0 < each.text_weight < 1}
        weights = self.text_weights(winner)
        return {
            FUSION_WORDS[fusion]: [self._best(winner, at(weight, fusion)) for weight in weights]
            for fusion in FUSIONS
            if fusion in tried
        }

    def chunk_sizes(self, winner: Winner) -> list[int]:
        return sorted({each.chunk_size for each in self._alike(winner)})

    def by_size(self, winner: Winner) -> Mapping[str, Sequence[Estimate | None]]:
        """Return dense, lexical and best hybrid: a point for each chunk size; no line for what was never tried."""
        alike = self._alike(winner)
        found = {
            name: [
                self._best(winner, [s for s in alike if (s.chunk_size, s.retriever) == (size, retriever)])
                for size in self.chunk_sizes(winner)
            ]
            for name, retriever in (("dense", "dense"), ("lexical", "lexical"), ("best hybrid", "hybrid"))
        }
        return {name: points for name, points in found.items() if any(points)}

    def _best(self, winner: Winner, some: Sequence[Setting]) -> Estimate | None:
        """Of settings in the order of preference the first of the best ones; None of none."""
        points = [each for setting in some if (each := self.estimate(winner.label, setting)) is not None]
        scored = [each for each in points if each.value is not None]
        sign = 1 if self.higher_is_better else -1
        return max(scored or points, key=lambda each: sign * round(each.value or 0.0, 12), default=None)


def _winner(best: BestStrategy | BestSetting, estimate: Estimate, generation: Mapping[str, Estimate]) -> Winner:
    same = {name: getattr(best, name) for name in ("label", "setting", "dense", "lexical", "ties")}
    return Winner(estimate=estimate, generation=generation, **same)


def compared_in_run(summary: RunSummary) -> Compared:
    """Return the settings of a run, which recall@5 decides on."""
    cells = [
        Cell(setting=each.setting, by="label", group=each.label, metric=each.metric, estimate=each.estimate)
        for each in summary.results
    ]
    tokens = {each.setting: each.estimate for each in summary.tokens}
    spent = (
        Cell(setting=s, by="label", group=ANSWERABLE, metric=TOKENS_IN, estimate=each) for s, each in tokens.items()
    )
    order = label_order(each.label for each in summary.best)
    return Compared(
        deciding=DECIDING,
        winners=tuple(
            _winner(each, each.recall_at_5, each.generation)
            for each in sorted(summary.best, key=lambda each: order.index(each.label))
        ),
        cells=(*cells, *spent),
        settings=tuple(dict.fromkeys(each.setting for each in summary.results)),
        tokens=tokens,
        refused=summary.unanswerable.right if summary.unanswerable else None,
        refusals=refusals_words(summary.unanswerable),
    )


def compared_in_sweep(swept: Swept) -> Compared:
    """Return the settings of a sweep that were asked every question and have enough values."""
    found = swept.outcome
    refused = found.unanswerable
    return Compared(
        deciding=swept.deciding,
        winners=tuple(_winner(each, each.estimate, {}) for each in found.best),
        cells=found.cells,
        settings=tuple(dict.fromkeys([*(p.setting for p in found.points), *(b.setting for b in found.best)])),
        tokens={each.setting: each.tokens for each in found.points},
        by=found.by,
        headline=found.headline,
        left_out=frozenset((each.label, each.setting.name) for each in found.uncovered),
        weights=found.tables if len(found.tables) > 1 else (),
        refused=refused,
        refusals="" if refused is None else f"Unanswerable questions: right abstentions {estimate_words(refused)}.",
        without=swept.why_no_best,
    )
