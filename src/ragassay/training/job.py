"""One training from files to an adapter: what ``ragassay train writer`` and ``ragassay train verifier`` share."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from ragassay.errors import RunFolderError
from ragassay.models.small.adapters import Task
from ragassay.training.base import Base, load_base
from ragassay.training.card import write_card
from ragassay.training.checkpoint import Checkpoints
from ragassay.training.encoding import encode_items
from ragassay.training.hold_out import Split, split
from ragassay.training.items import TextItem
from ragassay.training.loop import Progress, Trained, Trainer
from ragassay.training.names import grounded, own_names, renamed
from ragassay.training.options import TrainOptions

Names = Mapping[str, Sequence[str]]


class Done(NamedTuple):
    """A training that came to its end; the adapter is written. figures: what was measured, by name."""

    trained: Trained
    base: Base
    parts: Split
    figures: Mapping[str, str]


def prepare(out: Path, options: TrainOptions) -> None:
    """Checks what can be checked before anything is read. Raises UsageError, RunFolderError."""
    options.check()
    if out.exists():
        raise RunFolderError(f"{out} already exists; delete it, or name another --out")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"{out.parent} cannot be created: {error.strerror or error}") from error
    if options.threads:
        torch.set_num_threads(options.threads)


def run(
    task: Task,
    items: Sequence[TextItem],
    data_sha256: str,
    out: Path,
    options: TrainOptions,
    *,
    labels: Sequence[str] = (),
    command: str,
    show: Callable[[Progress], None],
    measure: Callable[[Base, Path, Split], Mapping[str, str]],
    grow: Callable[[Sequence[TextItem]], Sequence[TextItem]] = tuple,
) -> Done:
    """Trains, or goes on with a training that was stopped; writes the adapter to ``out``, a log and a card beside it.

    measure: figures beside the losses, of the base, where its finished adapter is, and the data. grow: what is made of
    the items to train on, and of no others, before training.
    """
    names = own_names(items)
    parts = split(
        [each for each in (grounded(each, names.get(each.source, ())) for each in items) if each.branches], options
    )
    base = load_base(options, task, labels)
    checkpoints = Checkpoints(out, _identity(task, data_sha256, base.identity, options))
    trainer = Trainer(
        base.trainable,
        # The same names in every epoch: other items have others, and what an epoch computes helps the next.
        encode_items(_renamed(grow(parts.training), names, options.seed), base.encode, base.end),
        encode_items(parts.held_out, base.encode, base.end),
        options,
        checkpoints,
        out.with_name(out.name + ".log.jsonl"),
        show,
    )
    trained = trainer.run()
    made = checkpoints.folder / out.name  # measured there: what stands at its place is finished
    base.write(made, {"seed": str(options.seed), "data_sha256": data_sha256, "command": command})
    figures = _losses(trained) | dict(measure(base, made, parts))
    card = write_card(
        out, task, options, parts, trained, figures, base=base.identity, sha256=data_sha256, command=command
    )
    try:
        made.replace(out)
    except OSError as error:
        card.unlink(missing_ok=True)
        raise RunFolderError(f"{out} cannot be written: {error.strerror or error}") from error
    checkpoints.remove()
    return Done(trained, base, parts, figures)


def _losses(trained: Trained) -> dict[str, str]:
    said = {"training loss (last steps)": f"{trained.training:.3f}"}
    return said | {f"held-out loss, {kind}": f"{value:.3f}" for kind, value in trained.held_out.items()}


def _renamed(items: Sequence[TextItem], names: Names, seed: int) -> list[TextItem]:
    return [renamed(each, names.get(each.source, ()), random.Random(f"{each.id} {seed}")) for each in items]


def _identity(task: str, data: str, base: str, options: TrainOptions) -> str:
    text = json.dumps([task, data, base, options.deciding()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
