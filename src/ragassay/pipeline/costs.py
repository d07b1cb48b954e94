"""What each stage of a run costs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ragassay.models.base import Model, Reply
from ragassay.models.vector_cache import CachedEncoder
from ragassay.report.summary import StageCost
from ragassay.tasks.base import In, Out, Task
from ragassay.workers import Workers


class CountedModel:
    """A model that counts the tasks it was asked."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.calls = 0

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """As the model inside."""
        self.calls += 1
        return await self._model.ask(task, inputs)

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside."""
        self.calls += len(inputs)
        return await self._model.ask_all(task, inputs)


class Costs:
    """Keeps account of the stages of one run."""

    def __init__(self, encoder: CachedEncoder, model: CountedModel, workers: Workers) -> None:
        self._encoder = encoder
        self._workers = workers
        self._model = model
        self.stages: list[StageCost] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measures what is done inside."""
        wall, cpu = time.perf_counter(), self._cpu_s()
        calls, computed, reused = self._model.calls, self._encoder.computed, self._encoder.reused
        yield
        self.stages.append(
            StageCost(
                name=name,
                wall_s=time.perf_counter() - wall,
                cpu_s=self._cpu_s() - cpu,
                peak_rss_mb=self._workers.peak_rss_mb,
                model_calls=self._model.calls - calls,
                embedded=self._encoder.computed - computed,
                reused=self._encoder.reused - reused,
            )
        )

    def _cpu_s(self) -> float:
        """Of all processes."""
        return time.process_time() + self._workers.cpu_s
