"""What an experiment found: two benchmarks, the same systems, and whether the orders agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ragassay.agreement.benchmarks import OrderAgreement
from ragassay.report.notebook import Shown

if TYPE_CHECKING:
    from rich.console import Console


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
        """What ``--json`` prints and summary.json holds; files of two runs are equal where the findings are."""
        orders = {
            order.metric: {
                **{name: value for name, value in asdict(order).items() if name not in ("metric", "pairs")},
                "swapped": [[pair.first, pair.second] for pair in order.swapped],
                "confirmed": [[pair.first, pair.second] for pair in order.confirmed],
                "contradicted": [[pair.first, pair.second] for pair in order.contradicted],
                "pairs": [{**asdict(pair), "order": pair.order, "firmness": pair.firmness} for pair in order.pairs],
            }
            for order in self.orders
        }
        return {
            "version": self.version,
            "kind": self.kind,
            "synthetic": asdict(self.synthetic),
            "human": asdict(self.human),
            "systems": [
                {"name": each.name, "failed": dict(each.failed), "runs": dict(each.folders)} for each in self.systems
            ],
            "orders": orders,
            "warnings": list(self.warnings),
            "reasons": {metric: dict(found) for metric, found in self.reasons.items()},
            "settings": dict(self.settings),
        }

    def _print(self, console: Console) -> None:
        from ragassay.report.experiment_tables import print_experiment

        print_experiment(self, "", console)
