"""The training loop: AdamW, warm-up and linear decay, checkpoints, held-out loss, a log of JSON lines."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import torch

from ragassay.errors import ModelError, RunFolderError
from ragassay.training.checkpoint import Checkpoints
from ragassay.training.items import Item
from ragassay.training.options import TrainOptions
from ragassay.training.packing import batches
from ragassay.training.trainable import Trainable

LOG_EVERY = 20
"""Steps between two lines of the log."""
CLIP = 1.0
"""Largest norm of a gradient."""
PATIENCE = 2
"""Measurements without a lower held-out loss after which ``early_stop`` ends a training."""
MEASURES_PER_EPOCH = 2
MOST_HELD_OUT = 120
"""Items that the held-out loss is computed on while training."""


class Progress(NamedTuple):
    """done: share of the training, 0 to 1. seconds_left: None as long as it cannot be told."""

    done: float
    epoch: int
    loss: float
    tokens_per_s: float
    seconds_left: float | None


@dataclass(slots=True)
class _Place:
    """Where a training is. step: batches done in this epoch. seconds: computing time so far."""

    epoch: int = 0
    step: int = 0
    steps: int = 0
    seconds: float = 0.0
    tokens: int = 0
    best: float | None = None
    worse: int = 0
    finished: bool = False
    log: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trained:
    """held_out: mean loss by kind at the end ("all" too), empty without held-out items. training: mean of the last."""

    steps: int
    epochs: float
    tokens: int
    seconds: float
    training: float
    held_out: Mapping[str, float]
    stopped_early: bool


class Trainer:
    """One training from its beginning, or its checkpoint, to its end."""

    def __init__(
        self,
        model: Trainable,
        items: Sequence[Item],
        held_out: Sequence[Item],
        options: TrainOptions,
        checkpoints: Checkpoints,
        log: Path,
        show: Callable[[Progress], None],
    ) -> None:
        self._model = model
        self._items = items
        self._held_out = random.Random(0).sample(list(held_out), min(len(held_out), MOST_HELD_OUT))
        self._options = options
        self._checkpoints = checkpoints
        self._log = log
        self._show = show
        self._parameters = model.parameters()
        self._optimiser = torch.optim.AdamW(self._parameters.values(), lr=options.lr, weight_decay=0.0, foreach=True)
        self._place = _Place()
        self._best: dict[str, torch.Tensor] = {}
        self._recent: list[float] = []

    def run(self) -> Trained:
        """Trains until the epochs, the minutes or the patience are over.

        Raises KeyboardInterrupt, with a checkpoint written, when it is stopped by hand; ModelError if the loss is no
        number any more.
        """
        self._restore()
        with _stop_signal() as stopped:
            saved = begun = time.monotonic()
            before = self._place.seconds
            while not self._over():
                made = batches(
                    self._items,
                    self._options.tokens_per_batch,
                    random.Random(f"epoch {self._place.epoch} {self._options.seed}"),
                )
                measure = max(-(-len(made) // MEASURES_PER_EPOCH), 1)
                while self._place.step < len(made) and not self._over():
                    self._step(made[self._place.step], self._place.step / len(made))
                    now = time.monotonic()
                    self._place.seconds = before + now - begun
                    self._place.step += 1
                    self._place.steps += 1
                    if self._place.step % measure == 0 or self._place.step == len(made):
                        self._measure()
                    if stopped.is_set() or now - saved > 60 * self._options.checkpoint_minutes:
                        self._save()
                        saved = now
                    if stopped.is_set():
                        raise KeyboardInterrupt
                if self._place.step >= len(made):
                    self._place.epoch += 1
                    self._place.step = 0
        self._save()
        return self._end()

    def _fraction(self, within: float) -> float:
        done = (self._place.epoch + within) / self._options.epochs
        if self._options.minutes is not None:
            done = max(done, self._place.seconds / (60 * self._options.minutes))
        return min(done, 1.0)

    def _over(self) -> bool:
        return self._place.finished or self._fraction(0.0) >= 1

    def _step(self, items: Sequence[Item], within: float) -> None:
        done = self._fraction(within)
        rate = self._options.lr * min(1.0, (self._place.steps + 1) / max(self._options.warm_up, 1)) * (1 - done)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        losses = self._model.losses(items)
        loss = losses.total
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self._parameters.values(), CLIP)
        value = loss.item()
        if not torch.isfinite(norm):
            raise ModelError(f"the loss is {value} at step {self._place.steps}; a lower --lr may help")
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._model.changed()
        self._place.tokens += losses.size
        self._recent = [*self._recent[-LOG_EVERY + 1 :], value]
        speed = self._place.tokens / self._place.seconds if self._place.seconds else 0.0
        left = self._place.seconds * (1 - done) / done if done > 0 and self._place.steps > 2 else None
        mean = sum(self._recent) / len(self._recent)
        self._show(Progress(done, self._place.epoch, mean, speed, left))
        if self._place.steps % LOG_EVERY == 0:
            self._write(
                step=self._place.steps,
                epoch=round(self._place.epoch + within, 4),
                loss=round(mean, 4),
                lr=round(rate, 8),
                tokens=self._place.tokens,
                tokens_per_s=round(speed, 1),
                minutes=round(self._place.seconds / 60, 2),
            )

    def _measure(self) -> None:
        found = self.held_out_loss()
        if not found:
            return
        self._write(step=self._place.steps, held_out={kind: round(value, 4) for kind, value in found.items()})
        if self._place.best is None or found["all"] < self._place.best:
            self._place.best, self._place.worse = found["all"], 0
            if self._options.early_stop:
                self._best = {name: each.detach().clone() for name, each in self._parameters.items()}
        else:
            self._place.worse += 1
            self._place.finished = self._options.early_stop and self._place.worse >= PATIENCE

    def held_out_loss(self) -> dict[str, float]:
        """Mean loss by kind, and of all."""
        sums: defaultdict[str, float] = defaultdict(float)
        counts: defaultdict[str, int] = defaultdict(int)
        with torch.no_grad():
            for group in batches(self._held_out, self._options.tokens_per_batch):
                losses = self._model.losses(group)
                for kind, value in zip(losses.kinds, losses.values.tolist(), strict=True):
                    for name in (kind, "all"):
                        sums[name] += value
                        counts[name] += 1
        return {name: sums[name] / counts[name] for name in sorted(sums)}

    def _write(self, **line: Any) -> None:
        self._place.log.append(json.dumps(line))
        try:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(self._place.log[-1] + "\n")
        except OSError as error:
            raise RunFolderError(f"{self._log} cannot be written: {error.strerror or error}") from error

    def _save(self) -> None:
        tensors = dict(self._parameters)
        for name, parameter in self._parameters.items():
            for moment, value in self._optimiser.state.get(parameter, {}).items():
                tensors[f"{moment}/{name}"] = value
        tensors |= {f"best/{name}": value for name, value in self._best.items()}
        place = {name: getattr(self._place, name) for name in _Place.__slots__} | {"recent": self._recent}
        self._checkpoints.save(tensors, place)

    def _restore(self) -> None:
        state = self._checkpoints.load()
        try:
            if state is None:
                self._log.write_text("", encoding="utf-8")
                return
            tensors, place = state
            self._recent = place.pop("recent")
            self._place = _Place(**place)
            self._log.write_text("".join(line + "\n" for line in self._place.log), encoding="utf-8")
        except OSError as error:
            raise RunFolderError(f"{self._log} cannot be written: {error.strerror or error}") from error
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(tensors[name])
                moments = {
                    moment: tensors[f"{moment}/{name}"].to(parameter.device if moment != "step" else "cpu")
                    for moment in ("step", "exp_avg", "exp_avg_sq")
                    if f"{moment}/{name}" in tensors
                }
                if moments:
                    self._optimiser.state[parameter] = moments
                if f"best/{name}" in tensors:
                    self._best[name] = tensors[f"best/{name}"].to(parameter.device)
        self._model.changed()

    def _end(self) -> Trained:
        if self._best:
            with torch.no_grad():
                for name, parameter in self._parameters.items():
                    parameter.copy_(self._best[name])
            self._model.changed()
        held_out = self.held_out_loss()
        if held_out:
            self._write(step=self._place.steps, final={kind: round(value, 4) for kind, value in held_out.items()})
        return Trained(
            steps=self._place.steps,
            epochs=round(self._fraction(0.0) * self._options.epochs, 3),
            tokens=self._place.tokens,
            seconds=self._place.seconds,
            training=sum(self._recent) / max(len(self._recent), 1),
            held_out=held_out,
            stopped_early=self._place.finished,
        )


@contextmanager
def _stop_signal() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C or SIGTERM, so that a step is not cut in two; the second one stops at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
