"""What can be set of a training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragassay.errors import UsageError, check_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """rank, alpha: of LoRA. batch: rows of one step. lr: highest learning rate, reached after ``warm_up`` steps.

    leave_out: sources that are not read at all. hold_out_sources: sources to measure on. hold_out_share: share of
    documents to measure on, where no sources are named.
    """

    rank: int = 16
    alpha: float = 32.0
    epochs: int = 3
    batch: int = 16
    lr: float = 6e-4
    warm_up: int = 20
    seed: int = 0
    leave_out: tuple[str, ...] = ()
    hold_out_sources: tuple[str, ...] = ()
    hold_out_share: float = 0.1
    early_stop: bool = False

    def check(self) -> None:
        """Raises UsageError for a value that cannot be meant."""
        check_seed(self.seed)
        for name, value, least in (
            ("rank", self.rank, 1),
            ("epochs", self.epochs, 1),
            ("batch", self.batch, 1),
            ("warm-up", self.warm_up, 0),
        ):
            if value < least:
                raise UsageError(f"--{name}: must be at least {least}, not {value}")
        for name, number in (("alpha", self.alpha), ("lr", self.lr)):
            if not number > 0:
                raise UsageError(f"--{name}: must be above 0, not {number:g}")
        if not 0 < self.hold_out_share < 1:
            raise UsageError(f"--hold-out-share: must be between 0 and 1, not {self.hold_out_share:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One training. task: writer or verifier. init: an adapter to start from. command: for the record."""

    task: str
    base: str
    out: Path
    options: TrainOptions
    command: str
    init: Path | None = None
