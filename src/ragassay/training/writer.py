"""``ragassay train writer``: an adapter that writes questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ragassay.errors import UsageError
from ragassay.training.base import Base
from ragassay.training.built_in import NAME
from ragassay.training.hold_out import Split
from ragassay.training.job import Done, prepare, run
from ragassay.training.loop import Progress
from ragassay.training.options import TrainOptions
from ragassay.training.pairs import read_pairs
from ragassay.training.writer_figures import writer_figures

if TYPE_CHECKING:
    from ragassay.training.hub import HubModel


def train_writer(
    pairs: Sequence[Path], out: Path, options: TrainOptions, *, command: str, show: Callable[[Progress], None]
) -> Done:
    """Trains on pairs and drafts. command: for the record. Raises what reading, training and writing raise."""
    if options.base == NAME:
        raise UsageError("--base: name the model that learns to write questions, such as google/flan-t5-base")
    prepare(out, options)
    read = read_pairs(pairs)

    def measure(base: Base, made: Path, parts: Split) -> Mapping[str, str]:
        found = writer_figures(cast("HubModel", base), made, parts.held_out, options.seed)
        return {
            "held-out sentences asked about": str(found.questions),
            "questions that pass the gates": _percent(found.passing),
            "questions about the right statement": _percent(found.right_statement),
            "distinct-1, distinct-2": f"{_number(found.distinct_1)}, {_number(found.distinct_2)}",
        }

    return run("writer", read.items, read.sha256, out, options, command=command, show=show, measure=measure)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
