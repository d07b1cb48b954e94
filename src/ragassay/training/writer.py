"""``ragassay train writer``: an adapter that writes questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ragassay.training.job import Done, prepare, run
from ragassay.training.loop import Progress
from ragassay.training.options import TrainOptions
from ragassay.training.pairs import read_pairs


def train_writer(
    pairs: Sequence[Path], out: Path, options: TrainOptions, *, command: str, show: Callable[[Progress], None]
) -> Done:
    """Trains on pairs and drafts. command: for the record. Raises what reading, training and writing raise."""
    prepare(out, options)
    read = read_pairs(pairs)
    return run("writer", read.items, read.sha256, out, options, command=command, show=show)
