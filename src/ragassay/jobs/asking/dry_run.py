"""A dry run: the very job, in a folder that goes, with a model that counts in the place of each on a server."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.errors import check_dry_run
from ragassay.models.embeddings import SentenceEncoder, SpannedText, Vectors
from ragassay.models.endpoint_encoder import BATCH_CHARS, BATCH_TEXTS
from ragassay.models.estimating import CallEstimate, Estimates
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.models.vector_cache import CachedEncoder
from ragassay.report.blocks import Block
from ragassay.report.costs import blocks_of_estimate, estimate_object

EMBEDDING_TASK = "embedding"
_COUNTED: ContextVar[Estimates | None] = ContextVar("counted", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """rows: calls by stage and task. examples: how many the stand-in made, of how many that were asked for."""

    rows: tuple[CallEstimate, ...]
    examples: int = 0
    asked: int = 0

    def blocks(self) -> Iterable[Block]:
        return blocks_of_estimate(self.rows, self.examples, self.asked)

    def as_object(self) -> dict[str, Any]:
        found = estimate_object(self.rows, self.examples, self.asked)
        return found if self.asked else {key: found[key] for key in ("rows", "all")}


def estimates_now() -> Estimates | None:
    """What collects calls in the place of servers; None where servers are asked."""
    return _COUNTED.get()


@contextmanager
def counting(estimates: Estimates) -> Iterator[None]:
    """Servers are counted, not asked, by what is set up inside."""
    token = _COUNTED.set(estimates)
    try:
        yield
    finally:
        _COUNTED.reset(token)


def dry_run(job: Callable[[Any, Any], Any], options: Any, progress: Any = None) -> DryRun:
    """Count what a job would ask of models on servers. Nothing is sent, and nothing written to ``options.out``.

    Sentence vectors of the embedded encoder are computed and kept, so that the job itself need not. Raises UsageError
    where no model on a server would be asked, and what the job raises.
    """
    check_dry_run(options.uses_servers)
    estimates = Estimates(Prices.load(options.models.prices))
    estimates.stage = getattr(options, "command", "")
    with counting(estimates), tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        done = job(replace(options, out=Path(folder) / ((options.out.name if options.out else "") or "run")), progress)
    asked = getattr(done, "looked_up", getattr(options, "n", 0) or 0)
    return DryRun(rows=tuple(estimates.rows()), examples=len(done.examples) if asked else 0, asked=asked)


class CountingEncoder(CachedEncoder):
    """Counts what an embedding model on a server would be sent, and gives the vectors of the embedded encoder."""

    def __init__(self, name: str, estimates: Estimates) -> None:
        super().__init__(SentenceEncoder())
        self._endpoint_name = name
        self._estimates = estimates

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count(texts)
        return super().encode(texts, progress)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count([piece for text in texts for piece in text.alone()])
        return super().encode_spans(texts, progress)

    def _count(self, texts: Sequence[str]) -> None:
        new = [text for text in texts if self._estimates.is_new(self._endpoint_name, EMBEDDING_TASK, text)]
        tokens = sum(estimate_tokens(text) for text in new)
        calls = math.ceil(max(len(new) / BATCH_TEXTS, sum(map(len, new)) / BATCH_CHARS))
        self._estimates.add(EMBEDDING_TASK, self._endpoint_name, tokens, 0, calls)
