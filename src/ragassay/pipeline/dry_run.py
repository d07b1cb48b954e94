"""What a run would ask of models on servers, counted before the first call."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragassay.models.base import Model
from ragassay.models.embeddings import SentenceEncoder, SpannedText, Vectors
from ragassay.models.endpoint_encoder import BATCH_CHARS, BATCH_TEXTS
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.models import Endpoints, RunModels
from ragassay.pipeline.options import RunOptions
from ragassay.pipeline.progress import Progress, Silent
from ragassay.pipeline.run import finished, run_in, workers_of

EMBEDDING_TASK = "embedding"


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """rows: calls by stage and task. examples: how many the stand-in made. asked: how many were asked for."""

    rows: tuple[CallEstimate, ...]
    examples: int
    asked: int


def dry_run(options: RunOptions, progress: Progress | None = None) -> DryRun:
    """Does the whole job with the embedded model in the place of the others, and counts what they would be asked.

    Nothing is written to the run folder and nothing is sent. Sentence vectors of the embedded encoder are computed and
    kept, so that the run itself need not. Raises as ``run``.
    """
    options.check()
    endpoints = Endpoints(options.models, without_keys=True)
    return finished(_dry_run(options, endpoints, progress or Silent()))


async def _dry_run(options: RunOptions, endpoints: Endpoints, progress: Progress) -> DryRun:
    estimates = Estimates(endpoints.prices)

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(inner, endpoint.name, estimates, overrides=options.models.prompts)

    def enter(stage: str) -> None:
        estimates.stage = stage

    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, workers_of(options) as workers:
        async with RunModels(options.models, endpoints, workers, progress.replied) as models:
            models.stand_in(stand_in)
            if endpoints.embeddings is not None:
                models.encoder = _CountingEncoder(endpoints.embeddings.name, estimates)
            inside = replace(options, out=Path(folder))
            made = await run_in(Path(folder), inside, models, workers, progress, enter)
    return DryRun(rows=tuple(estimates.rows()), examples=len(made.examples), asked=options.n)


class _CountingEncoder(CachedEncoder):
    """Counts what an embedding model on a server would be sent, and gives the vectors of the embedded encoder."""

    def __init__(self, name: str, estimates: Estimates) -> None:
        super().__init__(SentenceEncoder())
        self._endpoint_name = name
        self._estimates = estimates

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count(texts)
        return super().encode(texts, progress)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count([text.text[start:end] for text in texts for start, end in text.spans])
        return super().encode_spans(texts, progress)

    def _count(self, texts: Sequence[str]) -> None:
        new = [text for text in texts if self._estimates.is_new(self._endpoint_name, EMBEDDING_TASK, text)]
        tokens = sum(estimate_tokens(text) for text in new)
        calls = math.ceil(max(len(new) / BATCH_TEXTS, sum(map(len, new)) / BATCH_CHARS))
        self._estimates.add(EMBEDDING_TASK, self._endpoint_name, tokens, 0, calls)
