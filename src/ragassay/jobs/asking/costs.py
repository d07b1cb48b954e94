"""What each stage of a run costs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ragassay.jobs.asking.models import RunModels
from ragassay.report.costs import StageCost
from ragassay.workers import Workers

READ, MAKE, EMBED, COMPARE, ANSWER, REPORT = (
    "read and index",
    "make examples",
    "embed chunks",
    "compare retrievers",
    "answer and judge",
    "report",
)
ANSWER_ALONE = "answer without retrieval"
"""The stages, as reports call them."""


def worst_coverage(stages: Iterable[StageCost]) -> float | None:
    """Share of what servers were asked and answered, of the worst stage; None where none was asked."""
    return min((1 - stage.unanswered / stage.served for stage in stages if stage.served), default=None)


class Costs:
    """Keeps account of the stages of one run."""

    def __init__(self, models: RunModels, workers: Workers) -> None:
        self._models = models
        self._workers = workers
        self.stages: list[StageCost] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._models.endpoints.enter(name)
        before = self._now(name)
        yield
        now = self._now(name)
        spent = {
            name: getattr(now, name) - getattr(before, name)
            for name in StageCost.__slots__
            if name not in ("name", "peak_rss_mb")
        }
        self.stages.append(StageCost(name=name, peak_rss_mb=now.peak_rss_mb, **spent))

    def _now(self, name: str) -> StageCost:
        """All that was done since the start of the process."""
        spent = self._models.endpoints.budget.spent
        return StageCost(
            name=name,
            wall_s=time.perf_counter(),
            cpu_s=time.process_time() + self._workers.cpu_s,
            peak_rss_mb=self._workers.peak_rss_mb,
            model_calls=sum(model.calls for model in self._models.distinct),
            served=sum(model.calls for model in self._models.distinct if model.is_on_server),
            unanswered=sum(model.unanswered for model in self._models.distinct if model.is_on_server),
            sent=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            cost_usd=spent.cost_usd,
            unpriced=spent.unpriced,
            embedded=sum(encoder.computed for encoder in self._models.encoders),
            reused=sum(encoder.reused for encoder in self._models.encoders),
        )
