"""What can be set of a training."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragassay.errors import UsageError, check_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """rank, alpha: of LoRA. layers: see parse_layers.

    lr: highest learning rate, reached after ``warm_up`` steps, falling to 0. tokens_per_batch: padding included.
    leave_out: kinds of documents that are not read at all. hold_out_sources: kinds of documents to measure on.
    hold_out_share: share of documents to measure on, where no kinds are named. minutes: of computing; None is no limit.
    """

    base: str = "smollm2"
    rank: int = 16
    alpha: float = 32.0
    layers: str | None = None
    epochs: int = 3
    lr: float = 6e-4
    warm_up: int = 20
    tokens_per_batch: int = 2048
    threads: int | None = None
    seed: int = 0
    leave_out: tuple[str, ...] = ()
    hold_out_sources: tuple[str, ...] = ()
    hold_out_share: float = 0.1
    early_stop: bool = False
    checkpoint_minutes: float = 5.0
    minutes: float | None = None
    init: Path | None = None

    def check(self) -> None:
        """Raises UsageError for a value that cannot be meant."""
        check_seed(self.seed)
        for name, value, least in (
            ("rank", self.rank, 1),
            ("epochs", self.epochs, 1),
            ("tokens-per-batch", self.tokens_per_batch, 64),
            ("warm-up", self.warm_up, 0),
        ):
            if value < least:
                raise UsageError(f"--{name}: must be at least {least}, not {value}")
        for name, number in (("alpha", self.alpha), ("lr", self.lr), ("checkpoint-minutes", self.checkpoint_minutes)):
            if not number > 0:
                raise UsageError(f"--{name}: must be above 0, not {number:g}")
        if self.minutes is not None and not self.minutes > 0:
            raise UsageError(f"--minutes: must be above 0, not {self.minutes:g}")
        if self.threads is not None and self.threads < 1:
            raise UsageError(f"--threads: must be at least 1, not {self.threads}")
        if not 0 < self.hold_out_share < 1:
            raise UsageError(f"--hold-out-share: must be between 0 and 1, not {self.hold_out_share:g}")

    def deciding(self) -> dict[str, Any]:
        """What the result depends on: all but how often a checkpoint is written."""
        settings = asdict(self)
        del settings["checkpoint_minutes"]
        settings["init"] = str(self.init) if self.init else None
        return settings


def parse_layers(text: str | None, layers: int) -> int:
    """The first adapted one of ``layers`` layers: "15-" is 15, "all" 0, None the upper half. Raises UsageError."""
    if text is None:
        return layers // 2
    if text == "all":
        return 0
    number = text.removesuffix("-")
    if not number.isdecimal() or not text.endswith("-") or int(number) >= layers:
        raise UsageError(
            f"--layers: must be 'all' or the first of {layers} layers, such as '{layers // 2}-', not {text!r}"
        )
    return int(number)
