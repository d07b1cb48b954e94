"""A dry run: the very job, in a folder that goes, with a model that counts in the place of each on a server."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.errors import check_dry_run
from ragassay.models.estimating import CallEstimate, Estimates
from ragassay.models.llm.prices import Prices

_COUNTED: ContextVar[Estimates | None] = ContextVar("counted", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """rows: calls by stage and task. examples: how many the stand-in made, of how many that were asked for."""

    rows: tuple[CallEstimate, ...]
    examples: int = 0
    asked: int = 0


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
    asked = getattr(options, "n", 0)
    return DryRun(rows=tuple(estimates.rows()), examples=len(done.examples) if asked else 0, asked=asked)
