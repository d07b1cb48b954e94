"""The loop of a training: transformers' Trainer, with checkpoints to go on from, a log, and progress."""

from __future__ import annotations

import json
import math
import shutil
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments
from transformers.utils import logging as transformers_logging

from ragassay.errors import ModelError, RunFolderError
from ragassay.training.options import VerifierOptions

LOG_EVERY_STEPS = 10
CHECKPOINT_EVERY_STEPS = 100
_JOB, _STATE = "job.json", "trainer_state.json"

Row = dict[str, Any]


class Progress(NamedTuple):
    """done: share of the training, 0 to 1. loss: mean of the last steps."""

    done: float
    epoch: int
    loss: float | None


class Fitted(NamedTuple):
    """loss: of the last steps. held_out: loss on what was held out. seconds: of this sitting. figures: by name."""

    steps: int
    epochs: float
    seconds: float
    loss: float
    held_out: float | None
    trainer: Trainer
    figures: Mapping[str, str] = MappingProxyType({})


def checkpoints_of(out: Path) -> Path:
    """Return the folder beside the output that is there as long as a training is not finished."""
    return out.with_name(out.name + ".partial")


def fit(
    options: VerifierOptions,
    identity: Sequence[str],
    model: Any,
    parts: tuple[Sequence[Row], Sequence[Row]],
    collate: Callable[[list[Row]], dict[str, torch.Tensor]],
    show: Callable[[Progress], None],
) -> Fitted:
    """Train, or go on from a checkpoint. identity: of data and base. parts: rows to train on and to measure on.

    Raises RunFolderError for the checkpoint of another training, ModelError when the loss is no number any more.
    """
    hush_transformers()
    folder = checkpoints_of(options.out)
    kept = {name: value for name, value in asdict(options).items() if name not in ("claims", "out")}
    latest = _latest(folder, json.dumps([kept, *identity]))
    training, held_out = parts
    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(folder),
            num_train_epochs=options.epochs,
            per_device_train_batch_size=options.batch,
            per_device_eval_batch_size=options.batch,
            learning_rate=options.lr,
            warmup_steps=options.warm_up,
            seed=options.seed,
            data_seed=options.seed,
            bf16=_computes_bf16(),
            eval_strategy="epoch" if held_out else "no",
            save_strategy="steps",
            save_steps=CHECKPOINT_EVERY_STEPS,
            save_total_limit=2,
            logging_steps=LOG_EVERY_STEPS,
            logging_nan_inf_filter=False,
            remove_unused_columns=False,
            dataloader_pin_memory=torch.cuda.is_available(),
            label_names=["labels"],
            disable_tqdm=True,
            report_to="none",
        ),
        train_dataset=training,
        eval_dataset=held_out or None,
        data_collator=collate,
        callbacks=[_Watch(options.out.with_name(options.out.name + ".log.jsonl"), show)],
    )
    trainer.remove_callback(PrinterCallback)
    begun = time.monotonic()
    try:
        trainer.train(resume_from_checkpoint=None if latest is None else str(latest))
        found = trainer.evaluate()["eval_loss"] if held_out else None
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be written: {error.strerror or error}") from error
    losses = [line.get("loss", line.get("train_loss")) for line in trainer.state.log_history]
    losses = [loss for loss in losses if loss is not None]
    return Fitted(
        steps=trainer.state.global_step,
        epochs=round(float(trainer.state.epoch or 0), 3),
        seconds=time.monotonic() - begun,
        loss=losses[-1] if losses else math.nan,
        held_out=found,
        trainer=trainer,
    )


def hush_transformers() -> None:
    """Let transformers and peft say errors only: what else they say is about themselves."""
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    warnings.filterwarnings("ignore", module="transformers|peft")


class _Watch(TrainerCallback):
    """Shows progress and keeps the log."""

    def __init__(self, log: Path, show: Callable[[Progress], None]) -> None:
        self._log, self._show = log, show
        self._loss: float | None = None

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._show(Progress(state.global_step / state.max_steps, int(state.epoch), self._loss))

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **_: Any) -> None:
        self._loss = logs.get("loss", self._loss)
        lines = "".join(json.dumps(line, sort_keys=True) + "\n" for line in state.log_history)
        self._log.write_text(lines, encoding="utf-8")
        if not all(math.isfinite(logs.get(name, 0.0)) for name in ("loss", "grad_norm")):
            raise ModelError(f"the loss is {logs.get('loss')} at step {state.global_step}; a lower --lr may help")


def _latest(folder: Path, identity: str) -> Path | None:
    """Return the last whole checkpoint, none that a kill cut in two; None where a training begins."""
    job = folder / _JOB
    try:
        if job.exists():
            if job.read_text("utf-8") != identity:
                raise RunFolderError(
                    f"{folder} holds checkpoints of another training (other data, options or base); "
                    "delete it, or choose another --out"
                )
        else:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            job.write_text(identity, "utf-8")
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be written: {error.strerror or error}") from error
    by_step = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.partition("-")[2]), reverse=True)
    for checkpoint in by_step:
        with suppress(OSError, ValueError):
            json.loads((checkpoint / _STATE).read_text("utf-8"))  # which Trainer writes last
            return checkpoint
    return None


def _computes_bf16() -> bool:
    """Return whether bfloat16 is faster here: on a GPU that has it, or a processor with tiles of it."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_amx_tile_supported())
