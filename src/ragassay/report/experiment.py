"""What an experiment found: two benchmarks, the same systems, and whether the orders agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.people.agreement.benchmarks import OrderAgreement, PairOrder
from ragassay.report.blocks import (
    Block,
    Column,
    Headline,
    Missing,
    Section,
    Table,
    Text,
    Value,
    typed,
)
from ragassay.report.html import render_page
from ragassay.report.notebook import Shown
from ragassay.report.scores import reason_lines
from ragassay.report.wording import count, noun

_MOST_PAIRS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkFacts:
    """questions: in the set. writers: the models that wrote them; none for people."""

    dataset: str
    questions: int
    writers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFacts:
    """For each benchmark: folders of the runs; failed: questions not answered; asked: questions put to it now."""

    name: str
    folders: Mapping[str, str]
    failed: Mapping[str, int]
    asked: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExperimentSummary(Shown):
    """orders: metric to how the two orders agree. warnings: what a reader should know before believing them.

    reasons: metric to reasons for values that are missing, with their numbers, over all systems and both benchmarks.
    """

    version: str
    kind: str
    synthetic: BenchmarkFacts
    human: BenchmarkFacts
    systems: tuple[SystemFacts, ...]
    orders: tuple[OrderAgreement, ...]
    warnings: tuple[str, ...]
    reasons: Mapping[str, Mapping[str, int]]
    settings: Mapping[str, str]

    def as_object(self) -> dict[str, Any]:
        """Return what ``--json`` prints and summary.json holds; files of two runs are equal where the findings are."""
        systems = [{"name": each.name, "failed": each.failed, "runs": each.folders} for each in self.systems]
        return {
            **asdict(self),
            "systems": systems,
            "orders": {each.metric: _order_object(each) for each in self.orders},
        }

    def blocks(self) -> Iterator[Block]:
        return blocks_of_experiment(self)


def _order_object(order: OrderAgreement) -> dict[str, Any]:
    named = {
        name: [[pair.first, pair.second] for pair in getattr(order, name)]
        for name in ("swapped", "confirmed", "contradicted")
    }
    pairs = [{**asdict(pair), "order": pair.order, "firmness": pair.firmness} for pair in order.pairs]
    found = {**asdict(order), **named, "pairs": pairs}
    return {name: value for name, value in found.items() if name != "metric"}


def render_experiment(found: ExperimentSummary, versions: Mapping[str, str] | None = None) -> str:
    """Return the whole page. versions: name to version of what it was made with."""
    blocks = list(blocks_of_experiment(found))
    return render_page("experiment", blocks, version=found.version, settings=found.settings, versions=versions)


def blocks_of_experiment(found: ExperimentSummary, folder: str = "") -> Iterator[Block]:
    """Yield the agreement of the two orders, both orders, and the pairs on which the benchmarks differ.

    folder: where the files are; empty where that is not to be said.
    """
    lead = [
        f"{name}: {of.dataset}, {count(of.questions, 'question')}"
        for name, of in (("synthetic", found.synthetic), ("human", found.human))
    ]
    title = f"{len(found.systems)} {found.kind}: does the synthetic benchmark rank them as people's does?"
    yield Headline(title, [*lead, f"judge: {found.settings.get('judge', '')}"])
    asked = sum(sum(system.asked.values()) for system in found.systems)
    reused = (found.synthetic.questions + found.human.questions) * len(found.systems) - asked
    if reused:
        yield Text(f"{count(reused, 'earlier answer')} reused; --overwrite asks again", on="terminal")
    yield Text([f"Note: {warning}" for warning in found.warnings], "warning")
    yield Section("Agreement")
    note = (
        "Kendall's tau-b: 1 the same order, 0 none, -1 the reverse; interval over the questions of both sets. Ceiling: "
        "tau of as many human questions with the other human ones. Chance: share of all orders that agree as well."
    )
    columns = ["metric", Column("tau-b", "two"), Column("ceiling", "two"), Column("chance", "decimal")]
    rows: list[Sequence[Value]] = [(order.metric, *_agreement(order)) for order in found.orders]
    yield Table("Agreement of the two orders", columns, rows, note)
    kinds = ("pairs", "same", "swapped", "tied", "confirmed", "contradicted")
    rows = [_pairs(order) for order in found.orders]
    note = "Confirmed: same order, firm on both (p < 0.05 after Holm, paired). Contradicted: swapped, firm on both."
    yield Table("Pairs of systems", ["metric", *typed("count", *kinds)], rows, note)
    yield Section("Orders")
    for order in found.orders:
        yield from _order(order)
    yield Text(list(reason_lines(found.reasons)))
    yield Section("Systems")
    failed: list[Sequence[Value]] = [(each.name, *(each.failed[name] for name in ("synthetic", "human")))
                                     for each in found.systems]  # fmt: skip
    heads = ["system", Column("failed, synthetic", "count"), Column("failed, human", "count")]
    yield Table("Questions that systems did not answer", heads, failed, on="page")
    files = f"{folder}: report.html, results.csv, pairs.csv, summary.json"
    yield Text(files if folder else (), "strong", on="terminal")


def _agreement(order: OrderAgreement) -> Sequence[Value]:
    """Tau, ceiling and chance."""
    if order.tau.value is None:
        return Missing(order.reason or ""), None, None
    return order.tau, order.ceiling, order.chance


def _pairs(order: OrderAgreement) -> Sequence[Value]:
    """Pairs by what becomes of them from one benchmark to the other."""
    orders = [pair.order for pair in order.pairs]
    kinds = (orders.count(kind) for kind in ("same", "swapped", "tied"))
    return order.metric, len(orders), *kinds, len(order.confirmed), len(order.contradicted)


def _order(order: OrderAgreement) -> Iterator[Block]:
    if not order.systems:
        yield Text(f"{order.metric}: no order, {order.reason}")
        return
    places = sorted(order.systems, key=lambda place: place.human_rank)
    better = "" if order.higher_is_better else ", less is better"
    covered = ", ".join(
        f"{each.n} of {each.total} {name} {noun(each.total, 'question')}"
        for name, each in (("synthetic", places[0].synthetic), ("human", places[0].human))
    )
    yield Section(f"{order.metric}{better} ({covered})", is_part=True)
    columns = ["system", Column("synthetic", "decimal"), Column("rank", "general"), Column("human", "decimal"),
               Column("rank", "general")]  # fmt: skip
    rows: list[Sequence[Value]] = [
        (each.system, each.synthetic, each.synthetic_rank, each.human, each.human_rank) for each in places
    ]
    yield Table("Means and ranks", columns, rows)
    title = "Pairs that swap, or are firm on one benchmark alone; second less first"
    columns = ["pair", Column("synthetic", "signed"), Column("p", "p"), Column("human", "signed"), Column("p", "p"),
               "order", "firm"]  # fmt: skip
    # on which a reader of the synthetic benchmark alone would be wrong, or surer than with people, or less
    odd = [pair for pair in order.pairs if pair.order == "swapped" or pair.firmness.endswith("only")]
    odd.sort(key=lambda pair: pair.firmness == "neither")
    yield Table(title, columns, list(map(_pair, odd)), most=_MOST_PAIRS, rest="pairs.csv")


def _pair(pair: PairOrder) -> Sequence[Value]:
    return (
        f"{pair.first} / {pair.second}",
        pair.synthetic.difference,
        pair.synthetic.p_adjusted,
        pair.human.difference,
        pair.human.p_adjusted,
        pair.order,
        pair.firmness,
    )
